package core

import "fmt"

// Warnings tells what is odd about a file that is read all the same, a sentence
// each. What is read is right as far as the file goes: a part that is missing is
// an error when it is asked for.
func (f *File) Warnings() []string {
	var w []string
	sb, size := f.objects.Superblock(), f.store.Size()
	if sb.OpenForWriting() {
		w = append(w, "the program that wrote the file did not close it: what it had not written yet is missing")
		if stored := f.objects.StoredEnd(); stored != uint64(size) {
			w = append(w, fmt.Sprintf("the file has %d bytes, its superblock says %d", size, stored))
		}
	}
	for _, name := range f.missing {
		w = append(w, fmt.Sprintf("the member %q of the file is missing", name))
	}
	return w
}
