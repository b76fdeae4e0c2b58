package core

import (
	"errors"
	"fmt"
	"testing"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
)

// A heap ID takes 12 bytes where addresses have 4, its slot in memory 16.
func TestMembersMoveByWhatTheSlotsBeforeThemGrow(t *testing.T) {
	text := &format.Datatype{Class: format.VariableLength, Size: 12, VariableString: true}
	number := &format.Datatype{Class: format.FixedPoint, Size: 4}
	pair := &format.Datatype{Class: format.Array, Size: 24, Dims: []uint32{2}, Base: text}
	d := &format.Datatype{Class: format.Compound, Size: 50, Members: []format.Member{
		{Name: "last", Offset: 46, Type: number},
		{Name: "text", Offset: 1, Type: text},
		{Name: "pair", Offset: 20, Type: pair},
		{Name: "number", Offset: 15, Type: number},
	}}
	if got := fmt.Sprint(memoryOffsets(d)); got != "[58 1 24 19]" {
		t.Error(got)
	}
	if got := memorySize(d); got != 62 {
		t.Error(got)
	}
}

func TestValuesOfADescriptionHaveALimitTogether(t *testing.T) {
	r := newRoom(10)
	if v := r.take(value{data: make([]byte, 4), heap: make([]byte, 6)}); v.err != nil {
		t.Error(v.err)
	}
	if v := r.take(value{data: make([]byte, 1)}); !errors.Is(v.err, h5err.Limit) || v.data != nil {
		t.Errorf("%+v", v)
	}
}

func TestAttributesBeyondTheLimitHaveAnErrorInTheirPlace(t *testing.T) {
	f := openTest(t, files+"attributes_latest.h5", Options{})
	o, err := f.Root().Open(background, "few")
	if err != nil {
		t.Fatal(err)
	}
	all := facts{object: o}
	all.load(background, DescribeAttributes|DescribeValues, newRoom(17)) // "fixed" has 5 bytes, "numbers" 12
	for i, a := range all.attributes {
		over := errors.Is(all.values[i].err, h5err.Limit)
		if want := a.Name == "strings" || a.Name == "text"; all.err != nil || over != want {
			t.Errorf("%s: %v, %v", a.Name, all.values[i].err, all.err)
		}
	}
}
