package filter_test

import (
	"bytes"
	"errors"
	"math/bits"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/filter"
	"clawh5/core/internal/filter/filtertest"
)

func zfpCases(t testing.TB) []filtertest.Case { return filtertest.Load(t, "testdata/zfp.json") }

func TestZFPPassesTheSuite(t *testing.T) {
	filtertest.Run(t, lookup(t, filter.ZFP), zfpCases(t))
}

// Where the writer's order was big-endian, so are the bytes of the parameters,
// and the values.
func TestZFPOfABigEndianWriter(t *testing.T) {
	c := zfpCases(t)[0]
	params := bytesOf(c.Params)
	for i := range params[1:] {
		params[i+1] = bits.ReverseBytes32(params[i+1])
	}
	got, err := lookup(t, filter.ZFP).Decode(nil, c.Stored, params, len(c.Plain), len(c.Plain))
	if err != nil {
		t.Fatal(err)
	}
	for ; len(got) > 0; got, c.Plain = got[4:], c.Plain[4:] {
		if !bytes.Equal(got[:4], []byte{c.Plain[3], c.Plain[2], c.Plain[1], c.Plain[0]}) {
			t.Fatalf("got %x, want %x swapped", got[:4], c.Plain[:4])
		}
	}
}

func TestZFPOfAnotherCodecIsUnsupported(t *testing.T) {
	c := zfpCases(t)[0]
	for _, v := range []struct {
		versions uint32 // of the library, the codec and the filter
		want     error
	}{
		{0x0050_0_090, nil}, // the filter 0.9.0, of the library 0.5.0
		{0x0055_0_101, nil},
		{0x0100_0_101, nil},
		{0x0040_0_030, nil},
		{0x0060_0_101, h5err.Unsupported},
		{0x1010_5_111, nil},
		{0x1010_6_111, h5err.Unsupported},
	} {
		params := append([]uint32{v.versions}, c.Params[1:]...)
		got, err := lookup(t, filter.ZFP).Decode(nil, c.Stored, params, len(c.Plain), len(c.Plain))
		if !errors.Is(err, v.want) || err == nil && !bytes.Equal(got, c.Plain) {
			t.Errorf("%#x: %v, want %v", v.versions, err, v.want)
		}
	}
	params := bytesOf(c.Params)
	params[1] += 1 << 24
	if _, err := lookup(t, filter.ZFP).Decode(nil, c.Stored, params, -1, 1000); !errors.Is(err, h5err.Unsupported) {
		t.Error(err)
	}
}

func TestZFPChangedParametersGiveAnErrorOrNoMoreThanTheLimit(t *testing.T) {
	f := lookup(t, filter.ZFP)
	for _, c := range zfpCases(t) {
		for i := range c.Params {
			for bit := range 32 {
				params := bytesOf(c.Params)
				params[i] ^= 1 << bit
				checkBounded(t, f, c.Stored, params, len(c.Plain)+16)
			}
			checkBounded(t, f, c.Stored, c.Params[:i:i], len(c.Plain)+16)
		}
	}
}
