package open_test

import (
	"bytes"
	"errors"
	"testing"

	"clawh5/storage"
	"clawh5/storage/open"
	"clawh5/storage/storagetest"
)

// cut returns stores of the pieces of content, of size bytes each.
func cut(content []byte, size int) []open.Member {
	var members []open.Member
	for off := 0; off < len(content) || off == 0; off += size {
		piece := content[off:min(off+size, len(content))]
		members = append(members, open.Member{Store: open.Memory(piece), Len: -1})
	}
	return members
}

func join(t testing.TB, members []open.Member) *open.Store {
	t.Helper()
	s, err := open.Join(members)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestJoinedPiecesAreTheWhole(t *testing.T) {
	const size = 70_000
	storagetest.Run(t, func(t *testing.T, b []byte) storage.Reader { return join(t, cut(b, size)) })
	storagetest.Run(t, func(t *testing.T, b []byte) storage.Reader { return join(t, cut(b, size)).Direct() })
}

func TestJoinTakesWhatCountsOfAMember(t *testing.T) {
	memory := func(s string) *open.Store { return open.Memory([]byte(s)) }
	twice := memory("12345")
	s := join(t, []open.Member{{memory("abcd"), 0, 3}, {memory(""), 0, -1}, {memory("ef"), 0, -1}, {memory("gh"), 0, 0}, {memory("i"), 0, 9},
		{twice, 3, 1}, {twice, 5, -1}, {twice, 1, 2}})
	if v, ok := s.TryView(7, 2); !ok || string(v) != "23" {
		t.Errorf("%q, %v", v, ok)
	}
	if _, err := open.Join([]open.Member{{twice, 6, -1}}); !errors.Is(err, storage.ErrOutOfRange) {
		t.Error(err)
	}
	v, err := s.View(ctx, 0, 9)
	p := make([]byte, 4)
	if err == nil {
		err = s.Direct().ReadAt(ctx, p, 5)
	}
	if err != nil || string(v) != "abcefi423" || string(p) != "i423" || s.Size() != 9 || len(s.Members()) != 6 || s.LocalPath() != "" {
		t.Errorf("%q, %v; size %d, members %v", v, err, s.Size(), s.Members())
	}
}

func TestIdentityOfAJoinedStoreIsThatOfItsMembers(t *testing.T) {
	dir := files(t, map[string][]byte{"a": []byte("aa"), "b": []byte("bb")})
	of := func(names ...string) string {
		var members []open.Member
		for _, n := range names {
			members = append(members, open.Member{Store: mustOpen(t, dir+"/"+n, open.Options{}), Len: 2})
		}
		s, err := open.Join(members)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := s.View(ctx, 1, 2); err != nil || !bytes.Equal(v, []byte{names[0][0], names[1][0]}) {
			t.Errorf("%q, %v", v, err)
		}
		return s.Identity()
	}
	if of("a", "b") != of("a", "b") || of("a", "b") == of("b", "a") {
		t.Error("identities")
	}
}
