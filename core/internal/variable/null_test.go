package variable

import (
	"encoding/hex"
	"slices"
	"strings"
	"testing"
)

// An element with a heap address but no data is empty; one without an address
// was never written.
func TestNullElementsAreToldFromEmptyOnes(t *testing.T) {
	src := slices.Concat(element(8, 0, 64, 1), element(8, 0, 0, 0), element(8, 5, 64, 1))
	dst, heap := run(t, MarkingNull{sample()}, text(8), asFile, 8, src, 3)
	want := slotHex(0, 0) + strings.Repeat("ff", 8) + strings.Repeat("00", 8) + slotHex(0, 5)
	if got := hex.EncodeToString(dst); got != want || string(heap) != "hello" {
		t.Errorf("slots %s, not %s; heap %q", got, want, heap)
	}
	dst, _ = run(t, sample(), text(8), asFile, 8, src, 3)
	if got, want := hex.EncodeToString(dst), slotHex(0, 0)+slotHex(0, 0)+slotHex(0, 5); got != want {
		t.Errorf("unmarked, the slots are %s, not %s", got, want)
	}
}
