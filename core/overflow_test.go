package core

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"testing"

	"clawh5/core/h5err"
)

// (2^61 + 1) elements of 8 bytes are 8 bytes in arithmetic of 64 bits.
func TestSizesThatDoNotFit64BitsAreNoSmallSizes(t *testing.T) {
	image, err := os.ReadFile(files + "layouts_earliest.h5")
	if err != nil {
		t.Fatal(err)
	}
	const most = 1<<61 + 1
	dims := func(a, b uint64) []byte {
		return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, a), b)
	}
	small := bytes.Repeat(dims(5, 5), 2) // of "unwritten": dimensions and maxima
	if bytes.Count(image, small) != 1 {
		t.Fatal("the dataspace must stand in the file once")
	}
	f, err := OpenMemory(background, bytes.Replace(image, small, bytes.Repeat(dims(most, 1), 2), 1), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := testDataset(t, f, "unwritten")
	if d.Dims()[0] != most {
		t.Fatalf("dimensions %v", d.Dims())
	}
	dst := make([]byte, 8)
	if err := d.Read(background, All(), MemoryFloat64, dst, nil); !errors.Is(err, h5err.Space) {
		t.Error(err)
	}
	if err := d.ReadSlab(background, []uint64{0, 0, 1, 1, most, 1}, MemoryUint64, dst); !errors.Is(err, h5err.Space) {
		t.Error(err)
	}
	if _, err := d.ReadValues(background, All(), d.Dims()); !errors.Is(err, h5err.Limit) {
		t.Error(err)
	}
	if _, err := d.ReadValues(background, Hyperslab([]uint64{0, 0}, nil, []uint64{1 << 40, 1}, nil), []uint64{1 << 40, 1}); !errors.Is(err, h5err.Limit) {
		t.Errorf("2 TiB: %v", err)
	}
}
