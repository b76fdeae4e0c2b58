// Package sperr decodes fields that SPERR compressed (S. Li, P. Lindstrom, J.
// Clyne, Lossy Scientific Data Compression With SPERR, 2023), as its filter for
// HDF5 stores them.
//
//	1 byte   how missing values are marked; filters of the first generation: absent
//	         the value they have, and where they are: see missing
//	for three dimensions
//	1 byte   version, 0
//	1 byte   flags
//	12 bytes dimensions
//	4 bytes  size of the field
//	then the field
//	1 byte   flags; the lowest bit says that all values are equal
//	8 bytes  mean
//	8 bytes  step of the coefficients
//	         coefficients of a wavelet transform: see speck
//	         corrections of values that were too far off, likewise; may be absent
//
// All numbers are little-endian. What is left of a value is added up in the order
// of the library, so that results are the same to the last bit.
package sperr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"

	"clawh5/core/internal/filter/codec"
)

var (
	errParams = errors.New("parameters that describe no field of two or three dimensions")
	errShort  = errors.New("ends too early")
	errVolume = errors.New("a header that does not fit the parameters")
	errField  = errors.New("a field whose parts do not add up to its size")
)

// Layout is what the parameters of the filter say.
type Layout struct {
	Float32    bool
	Dims       [3]int // the one that varies fastest first; 1 for a missing one
	planar     bool   // two dimensions
	plain      bool   // no byte for missing values
	cutAllowed bool   // the stream ends at a number of bits that was asked for
}

// Parse decodes the parameters:
//
//	bits 0 to 3 of the first one: 2 or 3 dimensions, 4: values of 32 bits,
//	10 to 15: generation of the filter
//	bits 28 and 29 of the second one: what was asked for, 31: dimensions are
//	in the order of the file
//	then the dimensions
func Parse(params []uint32) (Layout, error) {
	const newest, rate = 1, 1
	l := Layout{Dims: [3]int{1, 1, 1}}
	if len(params) < 4 {
		return l, errParams
	}
	rank := int(params[0] & 0xf)
	if rank != 2 && rank != 3 || len(params) != 2+rank {
		return l, errParams
	}
	generation := params[0] >> 10 & 0x3f
	if generation > newest {
		return l, codec.Unsupported(fmt.Sprintf("generation %d of the filter", generation))
	}
	for i, n := range params[2:] {
		if n < 2 || n > math.MaxUint16 && rank == 3 || n > math.MaxInt32 {
			return l, errParams
		}
		if params[1]>>31 != 0 {
			i = rank - 1 - i
		}
		l.Dims[i] = int(n)
	}
	l.Float32 = params[0]>>4&1 != 0
	l.planar, l.plain = rank == 2, generation == 0
	l.cutAllowed = params[1]>>28&3 == rate
	return l, nil
}

func (l *Layout) valueBytes() int {
	if l.Float32 {
		return 4
	}
	return 8
}

// Bytes returns the size of the values, or false if it is more than limit.
func (l *Layout) Bytes(limit int) (int, bool) {
	n := uint64(l.valueBytes())
	for _, d := range l.Dims {
		if uint64(d) > uint64(limit)/n {
			return 0, false
		}
		n *= uint64(d)
	}
	return int(n), n <= math.MaxInt/4 // coefficients and values have 64 bits
}

// decoder holds what a decode needs, to be used again.
type decoder struct {
	speck  speck
	values []float64
	column columns
}

var decoders = sync.Pool{New: func() any { return new(decoder) }}

// Decode fills dst, which has room for all values, in little-endian.
func (l *Layout) Decode(dst, src []byte) error {
	d := decoders.Get().(*decoder)
	defer decoders.Put(d)
	n := l.Dims[0] * l.Dims[1] * l.Dims[2]
	gaps, src, err := l.missing(src, n)
	if err != nil {
		return err
	}
	if !l.planar {
		if src, err = l.volume(src); err != nil {
			return err
		}
	}
	if cap(d.values) < n {
		d.values = make([]float64, n)
	}
	d.values = d.values[:n]
	if err := d.field(l, src); err != nil {
		return err
	}
	l.put(dst, d.values)
	gaps.put(dst, n)
	return nil
}

// volume takes the header of a field of three dimensions.
func (l *Layout) volume(src []byte) ([]byte, error) {
	const size, solid, parts = 18, 1 << 6, 1 << 4
	if len(src) < size {
		return nil, errShort
	}
	if src[0] != 0 {
		return nil, codec.Unsupported(fmt.Sprintf("version %d", src[0]))
	}
	if src[1]&solid == 0 {
		return nil, errVolume
	}
	if src[1]&parts != 0 {
		return nil, codec.Unsupported("a field in several parts")
	}
	for i, n := range l.Dims {
		if binary.LittleEndian.Uint32(src[2+4*i:]) != uint32(n) {
			return nil, errVolume
		}
	}
	if uint64(binary.LittleEndian.Uint32(src[14:])) != uint64(len(src)-size) {
		return nil, errVolume
	}
	return src[size:], nil
}

// field decodes values.
func (d *decoder) field(l *Layout, src []byte) error {
	const size, constant = 17, 1
	if len(src) < size {
		return errShort
	}
	first := math.Float64frombits(binary.LittleEndian.Uint64(src[1:]))
	second := math.Float64frombits(binary.LittleEndian.Uint64(src[9:]))
	if src[0]&constant != 0 {
		if len(src) != size || binary.LittleEndian.Uint64(src[1:]) != uint64(len(d.values)) {
			return errField
		}
		for i := range d.values {
			d.values[i] = second
		}
		return nil
	}
	mean, step := first, second
	if !(step > 0) {
		return errField
	}
	rest, err := d.speck.decode(src[size:], shapeOf(l), l.cutAllowed)
	if err != nil {
		return err
	}
	sign := [2]float64{-1, 1}
	for i, c := range d.speck.coeffs {
		d.values[i] = step * float64(c) * sign[d.speck.positive.bit(i)]
	}
	d.column.synthesis(d.values, l.Dims, l.planar)
	if len(rest) > 0 {
		if err := d.correct(rest, step/1.5); err != nil {
			return err
		}
	}
	for i := range d.values {
		d.values[i] += mean
	}
	return nil
}

// correct adds what values were off by more than tolerance, in units of it.
func (d *decoder) correct(src []byte, tolerance float64) error {
	rest, err := d.speck.decode(src, line(len(d.values)), false)
	if err != nil {
		return err
	}
	if len(rest) > 0 {
		return errField
	}
	for i, c := range d.speck.coeffs {
		if c == 0 {
			continue
		}
		by := float64(c) - 0.25
		if c == 1 {
			by = 1.1
		}
		if d.speck.positive.bit(i) == 0 {
			d.values[i] -= float64(by * tolerance)
		} else {
			d.values[i] += float64(by * tolerance)
		}
	}
	return nil
}

func (l *Layout) put(dst []byte, values []float64) {
	if l.Float32 {
		for i, v := range values {
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(float32(v)))
		}
		return
	}
	for i, v := range values {
		binary.LittleEndian.PutUint64(dst[8*i:], math.Float64bits(v))
	}
}
