package plan

import (
	"encoding/json"
	"fmt"
	"strings"

	"clawh5/core/internal/sel"
)

// Cost is what a part is expected to take.
type Cost struct {
	File     string `json:"file,omitempty"` // of a source of a virtual dataset
	Dataset  string `json:"dataset,omitempty"`
	Layout   string `json:"layout"`
	Boxes    int64  `json:"boxes"`    // chunks, or pieces of contiguous data, that are touched
	Stored   int64  `json:"stored"`   // of them stored in the file
	Held     int64  `json:"held"`     // of those in memory already
	Decode   int64  `json:"decode"`   // chunks that go through filters
	Requests int64  `json:"requests"` // reads of the store
	Bytes    int64  `json:"bytes"`    // that the requests fetch
	Wanted   int64  `json:"wanted"`   // stored bytes that are used of those
}

// Cost computes the cost of a part. It walks its boxes.
func (p *Part) Cost() Cost {
	c := Cost{Layout: p.Kind.String()}
	switch p.Kind {
	case Fill:
		c.Boxes = p.Missing
	case Memory:
		c.Boxes, c.Stored, c.Held = 1, 1, 1
	case Tiles:
		p.tileCost(&c)
	case Chunks:
		c.Boxes, c.Stored = p.Missing+int64(len(p.Jobs)), int64(len(p.Jobs))
		p.chunkCost(&c)
	}
	return c
}

func (p *Part) tileCost(c *Cost) {
	boxes := p.Grid.Boxes()
	v := values{part: p, cost: c}
	for boxes.Next() {
		c.Boxes++
		c.Stored++
		v.add(boxes.Scaled(), p.TileOffset(boxes.Scaled()))
	}
}

// values adds up what reading unfiltered values box by box takes.
type values struct {
	part *Part
	cost *Cost
	w    sel.Window
	runs []sel.Run
}

// add adds a box whose values lie at off.
func (v *values) add(scaled []uint64, off int64) {
	size := v.part.ElemSize
	v.w.Set(v.part.Grid, scaled)
	v.cost.Wanted += v.w.NumElements() * size
	held := true
	_ = v.part.Extents(&v.w, &v.runs, func(e Extent) error {
		held = v.part.read(v.cost, off+e.First*size, (e.End-e.First)*size) && held
		return nil
	})
	if held {
		v.cost.Held++
	}
}

// read adds a read of the store, unless the store holds the bytes.
func (p *Part) read(c *Cost, off, n int64) (held bool) {
	if p.Held != nil && p.Held.Contains(off, n) {
		return true
	}
	c.Requests++
	c.Bytes += n
	return false
}

func (p *Part) chunkCost(c *Cost) {
	v := values{part: p, cost: c}
	scaled := make([]uint64, len(p.Grid.Box()))
	for _, j := range p.Jobs {
		if p.Filtered {
			c.Decode++
			c.Wanted += j.Size
			if p.read(c, j.Off, j.Size) {
				c.Held++
			}
			continue
		}
		p.Grid.Scaled(scaled, j.Ordinal)
		v.add(scaled, j.Off)
	}
	if !p.Remote {
		return
	}
	c.Requests, c.Bytes = 0, 0
	_ = p.Requests(nil, func(r Request) error {
		if !r.Held {
			c.Requests++
			c.Bytes += r.Len
		}
		return nil
	})
}

// Summary is what plans are expected to take together, as it is printed.
type Summary struct {
	Elements int64  `json:"elements"`
	Requests int64  `json:"requests"`
	Bytes    int64  `json:"bytes"`
	Parts    []Cost `json:"parts"`
}

// NewSummary is the summary of no plan.
func NewSummary(elements int64) *Summary { return &Summary{Elements: elements, Parts: []Cost{}} }

// Add adds the parts of a plan, of a source of a virtual dataset if it is named.
func (s *Summary) Add(p *Plan, file, dataset string) {
	for _, part := range p.Parts {
		c := part.Cost()
		c.File, c.Dataset = file, dataset
		s.Requests += c.Requests
		s.Bytes += c.Bytes
		s.Parts = append(s.Parts, c)
	}
}

// Join adds the parts of another summary.
func (s *Summary) Join(o *Summary) {
	s.Requests += o.Requests
	s.Bytes += o.Bytes
	s.Parts = append(s.Parts, o.Parts...)
}

// Summary is the summary of the plan alone.
func (p *Plan) Summary() *Summary {
	s := NewSummary(p.Elements)
	s.Add(p, "", "")
	return s
}

// MarshalJSON describes the plan and its cost.
func (p *Plan) MarshalJSON() ([]byte, error) { return p.Summary().JSON() }

// String describes the plan and its cost.
func (p *Plan) String() string { return p.Summary().String() }

// JSON describes plans and their cost.
func (s *Summary) JSON() ([]byte, error) { return json.Marshal(s) }

// String describes plans and their cost in a line and one more a part.
func (s *Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d elements: %d requests, %d bytes\n", s.Elements, s.Requests, s.Bytes)
	for _, c := range s.Parts {
		if c.File != "" {
			fmt.Fprintf(&b, "  %s of %s\n", c.Dataset, c.File)
		}
		fmt.Fprintf(&b, "  %s: %d boxes, %d stored, %d in memory, %d to decode, %d requests for %d bytes, %d of them wanted\n",
			c.Layout, c.Boxes, c.Stored, c.Held, c.Decode, c.Requests, c.Bytes, c.Wanted)
	}
	return b.String()
}
