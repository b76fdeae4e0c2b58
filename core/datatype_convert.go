package core

import (
	"clawh5/core/h5err"
	"clawh5/core/internal/convert"
	"clawh5/core/internal/cursor"
)

// Convert converts n elements of type t in src to elements of type to in dst, as
// reads do (H5Tconvert). The buffers do not overlap. A Type error tells that there
// is no conversion; variable-length data has none, for it lies elsewhere.
func (t Datatype) Convert(to Datatype, dst, src []byte, n uint64) error {
	if t.HasVariableLength() || to.HasVariableLength() {
		return newError(h5err.Type, "variable-length data is converted by reading it")
	}
	c, err := convert.Compile(t.d, to.d)
	if err != nil {
		return err
	}
	in, inFits := cursor.Mul(n, uint64(c.SrcSize))
	out, outFits := cursor.Mul(n, uint64(c.DstSize))
	if !inFits || !outFits || in > uint64(len(src)) || out > uint64(len(dst)) {
		return newError(h5err.Space, "%d elements of %d and %d bytes in buffers of %d and %d", n, c.SrcSize, c.DstSize, len(src), len(dst))
	}
	c.Run(dst[:out], src[:in], int(n))
	return nil
}
