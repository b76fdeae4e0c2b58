package dump

import (
	"fmt"
	"strconv"
	"strings"

	"clawh5/cmd/clawh5/render"
	"clawh5/core"
)

// packedBits are bits to print as numbers of their own.
type packedBits = render.PackedBits

const (
	maxPacked     = 8
	maxPackedBits = 64
)

// parsePacked reads a list of offsets and lengths.
func parsePacked(list string) ([]packedBits, error) {
	var packed []packedBits
	rest := list
	number := func() (int, error) {
		end := 0
		for end < len(rest) && rest[end] >= '0' && rest[end] <= '9' {
			end++
		}
		if end == 0 {
			return 0, fmt.Errorf("Bad mask list(%s)", list)
		}
		n, err := strconv.ParseInt(rest[:end], 10, 32)
		if err != nil {
			n = -1
		}
		rest = rest[end:]
		return int(n), nil
	}
	for rest != "" {
		offset, err := number()
		if err != nil {
			return nil, err
		}
		if offset < 0 || offset >= maxPackedBits {
			return nil, fmt.Errorf("Packed Bit offset value(%d) must be between 0 and %d", offset, maxPackedBits-1)
		}
		var found bool
		if rest, found = strings.CutPrefix(rest, ","); !found {
			return nil, fmt.Errorf("Bad mask list(%s), missing expected comma separator.", list)
		}
		length, err := number()
		if err != nil {
			return nil, err
		}
		switch {
		case length <= 0:
			return nil, fmt.Errorf("Packed Bit length value(%d) must be positive.", length)
		case offset+length > maxPackedBits:
			return nil, fmt.Errorf("Packed Bit offset+length value(%d) too large. Max is %d", offset+length, maxPackedBits)
		case len(packed) >= maxPacked:
			return nil, fmt.Errorf("Too many masks requested (max. %d). Mask list(%s)", maxPacked, list)
		}
		mask := ^uint64(0)
		if length < 64 {
			mask = 1<<length - 1
		}
		packed = append(packed, packedBits{Offset: uint(offset), Length: uint(length), Mask: mask})
		if rest, found = strings.CutPrefix(rest, ","); found && rest == "" {
			return nil, fmt.Errorf("Bad mask list(%s), unexpected end of string.", list)
		}
	}
	if len(packed) == 0 {
		return nil, fmt.Errorf("Bad mask list(%s)", list)
	}
	return packed, nil
}

// packedHeader prints which bits come next and returns them, without any bit
// where the numbers do not have so many.
func (d *dumper) packedHeader(l *render.Layout, t core.Datatype, bits packedBits) packedBits {
	if width := 8 * uint(t.Size()); t.Class() == core.ClassInteger && width <= maxPackedBits && bits.Offset+bits.Length > width {
		d.message("Packed Bit offset+length value(%d) too large. Max is %d\n", bits.Offset+bits.Length, width)
		bits.Mask = 0
	}
	d.line(l, "PACKED_BITS OFFSET=%d LENGTH=%d", bits.Offset, bits.Length)
	return bits
}
