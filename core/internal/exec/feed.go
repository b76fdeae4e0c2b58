package exec

import (
	"sync"

	"clawh5/core/internal/plan"
	"clawh5/core/internal/sel"
)

// feed hands out the units of a part to its workers, one at a time, so that
// cores that are fast or lucky take more.
type feed struct {
	mu     sync.Mutex
	part   *plan.Part
	blocks int64     // Fill: blocks of the destination that are left; Memory: 1
	next   int       // job
	boxes  sel.Boxes // tiles, or boxes that may be missing
	passed int       // jobs behind boxes
	none   int64     // missing boxes that are left
}

// unit is a piece of work: a job, a block of the destination, or else the box
// that take wrote.
type unit struct {
	job   *plan.Job
	block int64
}

func (f *feed) begin(r *run) {
	p := r.part
	f.part, f.none = p, p.Missing
	switch p.Kind {
	case plan.Fill:
		f.blocks = (int64(len(r.dst)) + fillBlock - 1) / fillBlock
	case plan.Memory:
		f.blocks = 1
	case plan.Tiles, plan.Chunks:
		f.boxes = p.Grid.Boxes()
	}
}

// skipJobs leaves only the missing boxes.
func (f *feed) skipJobs() { f.next = len(f.part.Jobs) }

// take is the next unit; its box is written to scaled.
func (f *feed) take(scaled []uint64) (unit, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch f.part.Kind {
	case plan.Tiles:
		if !f.boxes.Next() {
			return unit{}, false
		}
		copy(scaled, f.boxes.Scaled())
		return unit{}, true
	case plan.Chunks:
		return f.takeChunk(scaled)
	}
	f.blocks--
	return unit{block: f.blocks}, f.blocks >= 0
}

func (f *feed) takeChunk(scaled []uint64) (unit, bool) {
	jobs := f.part.Jobs
	if f.next < len(jobs) {
		j := &jobs[f.next]
		f.next++
		f.part.Grid.Scaled(scaled, j.Ordinal)
		return unit{job: j}, true
	}
	for f.none > 0 && f.boxes.Next() {
		if f.passed < len(jobs) && jobs[f.passed].Ordinal == f.boxes.Ordinal() {
			f.passed++
			continue
		}
		f.none--
		copy(scaled, f.boxes.Scaled())
		return unit{}, true
	}
	return unit{}, false
}
