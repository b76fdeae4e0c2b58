package dump

import (
	"fmt"
	"strconv"
	"strings"
)

// subset is a hyperslab of a dataset. Lists that were not given are nil.
type subset struct{ start, stride, count, block []uint64 }

// list returns the list that an option sets.
func (s *subset) list(letter byte) *[]uint64 {
	switch letter {
	case 's':
		return &s.start
	case 'S':
		return &s.stride
	case 'c':
		return &s.count
	}
	return &s.block
}

// subsetOption applies -s, -S, -c and -k.
func (d *dumper) subsetOption(letter byte, value string) parsed {
	r := d.opts.dataset
	if r == nil {
		d.message("option \"-%c\" can only be used after --dataset option\n", letter)
		return parsedError
	}
	if r.subset == nil {
		r.subset = &subset{}
	}
	*r.subset.list(letter) = parseNumbers(value)
	return parsedFiles
}

// cutSubset splits "name[start;stride;count;block]".
func cutSubset(arg string) (name string, s *subset) {
	at := strings.LastIndexByte(arg, '[')
	if at < 0 {
		return arg, nil
	}
	s = &subset{}
	lists := strings.SplitN(arg[at+1:], ";", 4)
	for i, text := range lists {
		*s.list("sSck"[i]) = parseNumbers(text)
	}
	return arg[:at], s
}

// parseNumbers reads the numbers of a list; anything else separates them.
func parseNumbers(text string) []uint64 {
	if i := strings.IndexAny(text, ";]"); i >= 0 {
		text = text[:i]
	}
	var list []uint64
	for _, digits := range strings.FieldsFunc(text, func(r rune) bool { return r < '0' || r > '9' }) {
		n, err := strconv.ParseUint(digits, 0, 64)
		if err != nil {
			n, _ = strconv.ParseUint(digits, 10, 64)
		}
		list = append(list, n)
	}
	return list
}

// complete returns s with all lists, for a dataset of rank dimensions.
func (s *subset) complete(rank int) (*subset, error) {
	ones := make([]uint64, rank)
	for i := range ones {
		ones[i] = 1
	}
	c := *s
	for _, l := range []struct {
		list *[]uint64
		dflt []uint64
		name string
	}{
		{&c.start, make([]uint64, rank), "start"}, {&c.stride, ones, "stride"},
		{&c.count, ones, "count"}, {&c.block, ones, "block"},
	} {
		if *l.list == nil {
			*l.list = l.dflt
		}
		if n := len(*l.list); n > rank {
			return nil, fmt.Errorf("number of %s dims (%d) exceed dataset dims (%d)", l.name, n, rank)
		} else if n < rank {
			*l.list = append(append([]uint64{}, *l.list...), l.dflt[n:]...)
		}
	}
	for i := range rank {
		if c.count[i] > 1 && c.stride[i] < c.block[i] {
			return nil, fmt.Errorf("wrong subset selection; blocks overlap")
		}
	}
	return &c, nil
}
