package core

import (
	"sync/atomic"

	"clawh5/core/internal/exec"
)

// counters add up what the reads of a file did.
type counters struct {
	chunksDecoded, chunkHits, chunkMisses, decoding atomic.Int64
}

func (c *counters) add(s exec.Stats) {
	c.chunksDecoded.Add(s.ChunksDecoded)
	c.chunkHits.Add(s.CacheHits)
	c.chunkMisses.Add(s.CacheMisses)
	c.decoding.Add(int64(s.Decoding))
}

// AppendStats gives the file's counters, those of the sources of its virtual
// datasets and of external raw files included, as the JSON that clawh5.h specifies.
func (f *File) AppendStats(dst []byte) []byte {
	s := f.store.Stats()
	if f.opened {
		s = s.Add(f.kin.stats())
	}
	w := jsonWriter{buf: dst}
	w.open('{')
	w.intMember("requests", s.Requests)
	w.intMember("rounds", s.Rounds)
	w.intMember("bytes_fetched", s.BytesFetched)
	w.intMember("bytes_asked", s.BytesAsked)
	w.intMember("retries", s.Retries)
	w.intMember("block_hits", s.BlockHits)
	w.intMember("block_misses", s.BlockMisses)
	w.intMember("chunks_decoded", f.counts.chunksDecoded.Load())
	w.intMember("chunk_hits", f.counts.chunkHits.Load())
	w.intMember("chunk_misses", f.counts.chunkMisses.Load())
	w.key("seconds_waiting")
	w.float(s.Waiting.Seconds())
	w.key("seconds_decoding")
	w.float(float64(f.counts.decoding.Load()) / 1e9)
	w.close('}')
	return w.buf
}
