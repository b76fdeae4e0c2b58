package cursor

import (
	"errors"
	"testing"

	"clawh5/core/h5err"
)

// Values of the driver in Bob Jenkins' lookup3.c, and of the empty key.
func TestLookup3AgreesWithItsAuthorsDriver(t *testing.T) {
	text := []byte("Four score and seven years ago")
	for _, c := range []struct {
		key  []byte
		seed uint32
		want uint32
	}{{nil, 0, 0xdeadbeef}, {text, 0, 0x17770551}, {text, 1, 0xcd628161}} {
		if got := Lookup3(c.key, c.seed); got != c.want {
			t.Errorf("Lookup3(%q, %d) = %#x, want %#x", c.key, c.seed, got, c.want)
		}
	}
}

func TestFirstFailureStaysAndLaterReadsGiveZero(t *testing.T) {
	c := New([]byte{1, 2, 3}, 100)
	if c.U16() != 0x0201 || c.U32() != 0 || c.U8() != 0 {
		t.Fatal("fields after a failure must be zero")
	}
	err := c.Err("thing")
	var e *h5err.Error
	if !errors.As(err, &e) || e.Kind != h5err.Corrupt || e.Offset != 102 || e.Structure != "thing" {
		t.Fatalf("got %v", err)
	}
}

func TestAddrOfAllOnesIsUndefinedForEverySize(t *testing.T) {
	for n := 1; n <= 16; n++ {
		b := make([]byte, n)
		for i := range b {
			b[i] = 0xff
		}
		if got := New(b, 0).Addr(n); got != Undefined {
			t.Errorf("size %d: %#x", n, got)
		}
	}
	if got := New([]byte{0xfe, 0xff}, 0).Addr(2); got != 0xfffe {
		t.Errorf("got %#x", got)
	}
}

func TestWideValuesMustFit64Bits(t *testing.T) {
	wide := make([]byte, 16)
	wide[0], wide[7] = 5, 1
	if c := New(wide, 0); c.Uint(16) != 5|1<<56 || c.Failed() {
		t.Error("upper zeros must be accepted")
	}
	wide[8] = 1
	if c := New(wide, 0); c.Uint(16) != 0 || !errors.Is(c.Err("x"), h5err.Unsupported) {
		t.Error("a value above 64 bits must be refused")
	}
}

func TestVersionAboveTheKnownIsUnsupportedBelowIsCorrupt(t *testing.T) {
	high, low := New([]byte{4}, 0), New([]byte{0}, 0)
	high.Version(1, 3)
	low.Version(1, 3)
	if !errors.Is(high.Err("x"), h5err.Unsupported) || !errors.Is(low.Err("x"), h5err.Corrupt) {
		t.Error(high.Err("x"), low.Err("x"))
	}
}

func TestProductReportsOverflowUnlessADimensionIsZero(t *testing.T) {
	if _, ok := Product([]uint64{1 << 40, 1 << 40}); ok {
		t.Error("overflow not seen")
	}
	if n, ok := Product([]uint64{1 << 40, 1 << 40, 0}); n != 0 || !ok {
		t.Error("a zero dimension makes the product zero")
	}
	if n, ok := Product(nil); n != 1 || !ok {
		t.Error("a scalar has one element")
	}
}
