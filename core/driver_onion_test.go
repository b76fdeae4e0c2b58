package core

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"clawh5/core/h5err"
	"clawh5/storage/open"
)

// fletcher is Fletcher's checksum as libhdf5 has it, by its definition.
func fletcher(p []byte) []byte {
	var a, b uint64
	for i := 0; i < len(p); i += 2 {
		word := uint64(p[i]) << 8
		if i+1 < len(p) {
			word |= uint64(p[i+1])
		}
		a += word
		b += a
	}
	one := func(s uint64) uint16 {
		if s > 0 && s%65535 == 0 {
			return 65535
		}
		return uint16(s % 65535)
	}
	return binary.LittleEndian.AppendUint32(append([]byte(nil), p...), uint32(one(b))<<16|uint32(one(a)))
}

func numbers64(p []byte, values ...uint64) []byte {
	for _, v := range values {
		p = binary.LittleEndian.AppendUint64(p, v)
	}
	return p
}

// onionFile writes what libhdf5's onion driver leaves of revisions: each is a
// whole image, of which the pages that differ from the original are kept.
func onionFile(t *testing.T, path string, page int, original []byte, revisions ...[]byte) {
	t.Helper()
	body := make([]byte, 40)
	history := numbers64([]byte("OWHS\x01\x00\x00\x00"), uint64(len(revisions)))
	for number, image := range revisions {
		var entries []byte
		count := 0
		for at := 0; at < len(image); at += page {
			p := make([]byte, page)
			copy(p, image[at:])
			old := make([]byte, page)
			if at < len(original) {
				copy(old, original[at:])
			}
			if !bytes.Equal(p, old) {
				count++
				entries = append(entries, fletcher(numbers64(nil, uint64(at), uint64(len(body))))...)
				body = append(body, p...)
			}
		}
		record := numbers64([]byte("ORRS\x01\x00\x00\x00"), uint64(number), uint64(max(0, number-1)))
		record = numbers64(append(record, "20220506T054529Z"...), uint64(len(image)))
		record = binary.LittleEndian.AppendUint32(record, uint32(page))
		record = numbers64(record, uint64(count))
		record = binary.LittleEndian.AppendUint32(record, 3)
		record = fletcher(append(append(record, entries...), "ok\x00"...))
		history = numbers64(history, uint64(len(body)), uint64(len(record)))
		history = append(history, record[len(record)-4:]...)
		body = append(body, record...)
	}
	history = fletcher(history)
	header := binary.LittleEndian.AppendUint32([]byte("OHDH\x01\x00\x00\x00"), uint32(page))
	copy(body, fletcher(numbers64(header, uint64(len(original)), uint64(len(body)), uint64(len(history)))))
	if err := errors.Join(os.WriteFile(path, original, 0o600), os.WriteFile(path+".onion", append(body, history...), 0o600)); err != nil {
		t.Fatal(err)
	}
}

func TestRevisionsOfTheOnionDriver(t *testing.T) {
	image := func(name string) []byte {
		b, err := os.ReadFile(files + name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	images := [][]byte{image("links_target.h5"), image("layouts_latest.h5"), image("small_groups_latest.h5")}
	for _, page := range []int{1, 32, 512, 8192} {
		path := filepath.Join(t.TempDir(), "f.h5")
		onionFile(t, path, page, images[0], images[1:]...)
		for revision, want := range append(images[:3:3], images[2]) {
			number := uint64(revision)
			if revision == 3 {
				number = LatestRevision
			}
			f, err := OpenLocation(background, path, open.Options{Driver: "onion", Revision: number}, Options{})
			if err != nil {
				t.Fatalf("pages of %d bytes, revision %d: %v", page, revision, err)
			}
			got := make([]byte, f.store.Size())
			if err := f.store.Direct().ReadAt(background, got, 0); err != nil || !bytes.Equal(got, want) {
				t.Errorf("pages of %d bytes, revision %d: %d bytes, want %d; %v", page, revision, len(got), len(want), err)
			}
			f.Close()
		}
		_, err := OpenLocation(background, path, open.Options{Driver: "onion", Revision: 3}, Options{})
		if !errors.Is(err, h5err.NotFound) {
			t.Errorf("a revision that is not there: %v", err)
		}
	}
}

// The pages of a revision are read when something in them is.
func TestPagesOfARevisionAreNotReadToOpenIt(t *testing.T) {
	original, err := os.ReadFile(files + "links_target.h5")
	if err != nil {
		t.Fatal(err)
	}
	const size = 8 << 20
	path := filepath.Join(t.TempDir(), "f.h5")
	onionFile(t, path, 4096, original, append(bytes.Clone(original), bytes.Repeat([]byte{7}, size)...))
	f, err := OpenLocation(background, path, open.Options{Driver: "onion", Revision: 1}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if read := f.store.Stats().BytesFetched; read > size/8 {
		t.Errorf("%d bytes are read to open a revision of %d", read, size)
	}
}

func TestDamagedOnionFilesAreErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.h5")
	original, err := os.ReadFile(files + "links_target.h5")
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(original)
	changed[len(changed)-1] ^= 1
	onionFile(t, path, 256, original, append(changed, make([]byte, 700)...))
	whole, err := os.ReadFile(path + ".onion")
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut < len(whole); cut += 1 + cut/50 {
		if err := os.WriteFile(path+".onion", whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if f, err := OpenLocation(background, path, open.Options{Driver: "onion", Revision: 1}, Options{}); err == nil {
			f.Close()
			t.Fatalf("%d of %d bytes are taken", cut, len(whole))
		}
	}
	if err := os.Remove(path + ".onion"); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLocation(background, path, open.Options{Driver: "onion"}, Options{}); !errors.Is(err, h5err.NotFound) {
		t.Errorf("without an onion file: %v", err)
	}
}
