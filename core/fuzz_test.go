package core

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clawh5/core/internal/cursor"
)

// summed are the signatures of structures that end with a checksum of all
// before it (spec II to VII).
var summed = []string{"\x89HDF", "OHDR", "OCHK", "BTHD", "BTIN", "BTLF", "FRHP", "FHIB",
	"FAHD", "FADB", "EAHD", "EAIB", "EASB", "EADB", "SMTB", "SMLI"}

const longestSummed = 1500

// sums finds those structures in a sound file: from where to where each goes.
func sums(image []byte) (found [][2]int) {
	for _, signature := range summed {
		for at := 0; ; at++ {
			next := bytes.Index(image[at:], []byte(signature))
			if next < 0 {
				break
			}
			at += next
			for n := len(signature); n < longestSummed && at+n+4 <= len(image); n++ {
				if cursor.Lookup3(image[at:at+n], 0) == binary.LittleEndian.Uint32(image[at+n:]) {
					found = append(found, [2]int{at, at + n})
					break
				}
			}
		}
	}
	return found
}

// edit changes bytes of a copy of image, each edit a 16-bit place and a value,
// and makes the checksums right again, so that they do not hide what is behind.
func edit(image, edits []byte, sums [][2]int) []byte {
	image = bytes.Clone(image)
	for ; len(edits) >= 3; edits = edits[3:] {
		image[int(binary.LittleEndian.Uint16(edits))%len(image)] = edits[2]
	}
	for _, s := range sums {
		binary.LittleEndian.PutUint32(image[s[1]:], cursor.Lookup3(image[s[0]:s[1]], 0))
	}
	return image
}

// FuzzOpen opens a file with a few bytes changed, describes all of it and reads
// its datasets.
func FuzzOpen(f *testing.F) {
	paths, err := filepath.Glob("../testdata/files/*/*.h5")
	if err != nil {
		f.Fatal(err)
	}
	var names []string
	var images [][]byte
	var checked [][][2]int
	for _, p := range paths {
		image, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		if len(image) > 40<<10 {
			continue
		}
		f.Add(uint8(len(images)), []byte{})
		f.Add(uint8(len(images)), []byte{byte(len(image)), byte(len(image) >> 9), 255, 200, 1, 7})
		names = append(names, p)
		images = append(images, image)
		checked = append(checked, sums(image))
	}
	f.Fuzz(func(t *testing.T, which uint8, edits []byte) {
		i := int(which) % len(images)
		ctx, cancel := context.WithTimeout(background, 10*time.Second)
		defer cancel()
		file, err := OpenMemory(ctx, edit(images[i], edits, checked[i]), Options{Workers: 1})
		if err == nil {
			_, err = readAll(ctx, file)
			file.Close()
		}
		if err = honest(err); err != nil {
			t.Fatalf("%s: %v", names[i], err)
		}
	})
}

func TestEditsKeepChecksumsRight(t *testing.T) {
	image, err := os.ReadFile(files + "layouts_latest.h5")
	if err != nil {
		t.Fatal(err)
	}
	s := sums(image)
	if len(s) < 20 {
		t.Fatalf("%d structures with a checksum", len(s))
	}
	if !bytes.Equal(edit(image, nil, s), image) {
		t.Error("a file without edits has changed")
	}
	for _, at := range s {
		if string(image[at[0]:at[0]+4]) == "OHDR" {
			image[at[1]-1] ^= 1
		}
	}
	_, err = OpenMemory(background, image, Options{})
	if err == nil || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("wrong checksums: %v", err)
	}
	if _, err = OpenMemory(background, edit(image, nil, s), Options{}); err != nil && strings.Contains(err.Error(), "checksum") {
		t.Error(err)
	}
}
