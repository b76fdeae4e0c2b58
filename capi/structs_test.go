package main

import (
	"testing"
	"unsafe"
)

type versioned struct {
	structSize uintptr
	old, new   uint64
}

const oldSize = unsafe.Offsetof(versioned{}.new)

func TestMembersThatACallerDoesNotKnowAreZero(t *testing.T) {
	got, err := sized(&versioned{structSize: oldSize, old: 1, new: 2})
	if err != nil || got.old != 1 || got.new != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestMembersThatTheLibraryDoesNotKnowMustBeZero(t *testing.T) {
	later := struct {
		versioned
		later uint64
	}{versioned: versioned{structSize: unsafe.Sizeof(versioned{}) + 8, old: 1, new: 2}}
	if got, err := sized(&later.versioned); err != nil || got.new != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	later.later = 1
	if _, err := sized(&later.versioned); err == nil {
		t.Error("an unknown member is ignored")
	}
}

func TestAStructWithoutASizeIsRefused(t *testing.T) {
	for _, size := range []uintptr{0, 1, 7, maxStruct + 1, ^uintptr(0)} {
		s := versioned{structSize: size}
		if _, err := sized(&s); err == nil {
			t.Errorf("size %d is taken", size)
		}
		if err := setStruct(&s, versioned{old: 1}); err == nil || s.old != 0 {
			t.Errorf("size %d is filled", size)
		}
	}
}

func TestOnlyMembersThatACallerKnowsAreFilled(t *testing.T) {
	s := versioned{structSize: oldSize, new: 9}
	if err := setStruct(&s, versioned{old: 1, new: 2}); err != nil || s.old != 1 || s.new != 9 || s.structSize != oldSize {
		t.Errorf("%+v, %v", s, err)
	}
}
