package command

import (
	"fmt"
	"strconv"
	"strings"

	"clawh5/core"
)

// parseSlice turns a slice text into a selection over dims and the shape of its
// result, from which the dimensions given as one position are gone.
func parseSlice(text string, dims []uint64) (core.Selection, []uint64, error) {
	parts, err := splitSlice(text, len(dims))
	if err != nil {
		return core.Selection{}, nil, err
	}
	rank := len(dims)
	numbers := make([]uint64, 3*rank)
	start, stride, count := numbers[:rank], numbers[rank:2*rank], numbers[2*rank:]
	shape := make([]uint64, 0, rank)
	for i, part := range parts {
		a, err := parseAxis(part, dims[i])
		if err != nil {
			return core.Selection{}, nil, fmt.Errorf("dimension %d of the slice: %w", i, err)
		}
		start[i], stride[i], count[i] = a.start, a.step, a.count
		if !a.single {
			shape = append(shape, a.count)
		}
	}
	if rank == 0 {
		return core.All(), shape, nil
	}
	return core.Hyperslab(start, stride, count, nil), shape, nil
}

// splitSlice returns one part a dimension: "..." and what is missing at the end
// become ":".
func splitSlice(text string, rank int) ([]string, error) {
	var given []string
	if text = strings.TrimSpace(text); text != "" {
		given = strings.Split(text, ",")
	}
	parts := make([]string, 0, rank)
	ellipsis := false
	for _, g := range given {
		g = strings.TrimSpace(g)
		if g != "..." {
			parts = append(parts, g)
			continue
		}
		if ellipsis {
			return nil, fmt.Errorf("the slice %q has more than one ...", text)
		}
		ellipsis = true
		for range rank - (len(given) - 1) {
			parts = append(parts, ":")
		}
	}
	for len(parts) < rank {
		parts = append(parts, ":")
	}
	if len(parts) > rank {
		return nil, fmt.Errorf("the slice %q has %d parts, the dataset %d dimensions", text, len(parts), rank)
	}
	return parts, nil
}

type axis struct {
	start, step, count uint64
	single             bool
}

func parseAxis(text string, n uint64) (axis, error) {
	fields := strings.Split(text, ":")
	switch len(fields) {
	case 1:
		i, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return axis{}, fmt.Errorf("%q is neither a number nor a range", text)
		}
		if i < 0 {
			i += int64(n)
		}
		if i < 0 || uint64(i) >= n {
			return axis{}, fmt.Errorf("position %s is outside of 0 to %d", text, int64(n)-1)
		}
		return axis{start: uint64(i), step: 1, count: 1, single: true}, nil
	case 2:
		return parseRange(fields[0], fields[1], "", n)
	case 3:
		return parseRange(fields[0], fields[1], fields[2], n)
	}
	return axis{}, fmt.Errorf("%q has more than two colons", text)
}

func parseRange(from, to, by string, n uint64) (axis, error) {
	start, err := bound(from, 0, n)
	if err != nil {
		return axis{}, err
	}
	stop, err := bound(to, n, n)
	if err != nil {
		return axis{}, err
	}
	step := uint64(1)
	if by = strings.TrimSpace(by); by != "" {
		if step, err = strconv.ParseUint(by, 10, 63); err != nil || step == 0 {
			return axis{}, fmt.Errorf("the step %q is not a positive number", by)
		}
	}
	a := axis{start: start, step: step}
	if stop > start {
		a.count = (stop - start + step - 1) / step
	}
	return a, nil
}

// bound reads one end of a range, which Python clips to the dimension.
func bound(text string, missing, n uint64) (uint64, error) {
	if text = strings.TrimSpace(text); text == "" {
		return missing, nil
	}
	i, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", text)
	}
	if i < 0 {
		i = max(i+int64(n), 0)
	}
	return min(uint64(i), n), nil
}
