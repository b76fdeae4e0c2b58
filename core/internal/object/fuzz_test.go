package object

import (
	"context"
	"testing"
	"time"

	"clawh5/core/h5err"
)

// surveyQuietly reads all of a file that may be broken and fails only if that
// does not end.
func surveyQuietly(t *testing.T, p []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	f, err := openBytes(ctx, p)
	if err != nil {
		return
	}
	survey(ctx, f, func(object string, err error) {
		if k := h5err.KindOf(err); k == h5err.Timeout || k == h5err.Cancelled {
			t.Fatalf("%s does not end", object)
		}
	})
}

func TestTruncatedAndChangedFilesAreSurvived(t *testing.T) {
	for _, name := range []string{"dense.h5", "old.h5", "shared.h5"} {
		p := testFile(t, name)
		step := len(p)/150 + 1
		for n := 0; n < len(p); n += step {
			surveyQuietly(t, p[:n])
			changed := append([]byte(nil), p...)
			changed[n] ^= 0xff
			surveyQuietly(t, changed)
		}
	}
}

// FuzzFile makes every header right again that the change has hit, so that the
// checksums do not hide what lies behind them.
func FuzzFile(f *testing.F) {
	b := newBuilder()
	data := b.add(headerV2(0, int32Type, scalarSpace, noData, attribute("a", 0, int32Type.body, scalarSpace.body, make([]byte, 4))))
	root := b.group(hardLink("d", data), softLink("s", "/d"), externalLink("x", "o.h5", "/"))
	for at := superblockSize; at < len(b.buf); at += 7 {
		f.Add(uint16(at), byte(0xff), byte(0))
	}
	f.Fuzz(func(t *testing.T, at uint16, xor, next byte) {
		p := b.file(root)
		if int(at)+1 >= len(p) {
			return
		}
		p[at] ^= xor
		p[at+1] ^= next
		for _, from := range []uint64{data, root} {
			end := root
			if from == root {
				end = uint64(len(p))
			}
			copy(p[from:end], sum(p[from:end-4:end-4]))
		}
		surveyQuietly(t, p)
	})
}
