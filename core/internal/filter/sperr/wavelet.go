package sperr

import "math"

// lanes is how many columns of values are transformed at once.
const lanes = 16

type row = [lanes]float64

// columns holds columns of values while they are transformed: the lower part of
// them, then the upper one.
type columns struct{ rows []row }

// lifting has the factors of the steps of the transform of Cohen, Daubechies and
// Feauveau with filters of 9 and 7 values. They come from those filters, by
// arithmetic of 64 bits, to be the same as the writer's.
type lifting struct{ alpha, beta, gamma, delta, epsilon, inverse float64 }

var cdf97 = newLifting([5]float64{0.602949018236, 0.266864118443, -0.078223266529, -0.016864118443, 0.026748757411})

func newLifting(h [5]float64) lifting {
	r0 := h[0] - float64(float64(float64(2*h[4])*h[1])/h[3])
	r1 := h[2] - h[4] - float64(float64(h[4]*h[1])/h[3])
	s0 := h[1] - h[3] - float64(float64(h[3]*r0)/r1)
	t0 := h[0] - float64(2*(h[2]-h[4]))
	l := lifting{alpha: h[4] / h[3], beta: h[3] / r1, gamma: r1 / s0, delta: s0 / t0, epsilon: math.Sqrt(2) * t0}
	l.inverse = 1 / l.epsilon
	return l
}

// synthesis undoes the transforms of all values.
func (c *columns) synthesis(values []float64, dims [3]int, planar bool) {
	if n, ok := together(dims); ok && !planar {
		for ; n > 0; n-- {
			box := [3]int{halved(dims[0], n-1), halved(dims[1], n-1), halved(dims[2], n-1)}
			c.along(2, values, dims, box)
			c.along(1, values, dims, box)
			c.along(0, values, dims, box)
		}
		return
	}
	for n := transforms(min(dims[0], dims[1])); n > 0; n-- {
		box := [3]int{halved(dims[0], n-1), halved(dims[1], n-1), dims[2]}
		c.along(1, values, dims, box)
		c.along(0, values, dims, box)
	}
	if planar {
		return
	}
	for n := transforms(dims[2]); n > 0; n-- {
		c.along(2, values, dims, [3]int{dims[0], dims[1], halved(dims[2], n-1)})
	}
}

// along undoes one transform of the columns along a dimension, in a box that
// begins with the first value.
func (c *columns) along(axis int, values []float64, dims, box [3]int) {
	strides := [3]int{1, dims[0], dims[0] * dims[1]}
	side, other := 0, 3-axis
	if axis == 0 {
		side, other = 1, 2
	}
	n := box[axis]
	if cap(c.rows) < n {
		c.rows = make([]row, n)
	}
	c.rows = c.rows[:n]
	low := n - n/2
	for j := range box[other] {
		for i := 0; i < box[side]; i += lanes {
			width := min(lanes, box[side]-i)
			base := j*strides[other] + i*strides[side]
			for k := range c.rows {
				at := base + k*strides[axis]
				if strides[side] == 1 {
					copy(c.rows[k][:width], values[at:])
					continue
				}
				for lane := range width {
					c.rows[k][lane] = values[at+lane*strides[side]]
				}
			}
			c.undo(low)
			for k := range c.rows {
				to := 2 * k
				if k >= low {
					to = 2*(k-low) + 1
				}
				at := base + to*strides[axis]
				if strides[side] == 1 {
					copy(values[at:at+width], c.rows[k][:])
					continue
				}
				for lane := range width {
					values[at+lane*strides[side]] = c.rows[k][lane]
				}
			}
		}
	}
}

// undo undoes the steps of a transform, whose ends are mirrored.
func (c *columns) undo(low int) {
	even, odd := c.rows[:low], c.rows[low:]
	f := &cdf97
	for i := range odd {
		for lane := range odd[i] {
			odd[i][lane] *= -f.epsilon
		}
	}
	for i := range even {
		for lane := range even[i] {
			even[i][lane] *= f.inverse
		}
	}
	liftEven(even, odd, f.delta)
	liftOdd(even, odd, f.gamma)
	liftEven(even, odd, f.beta)
	liftOdd(even, odd, f.alpha)
}

func liftEven(even, odd []row, factor float64) {
	for i := range even {
		lift(&even[i], &odd[max(i-1, 0)], &odd[min(i, len(odd)-1)], factor)
	}
}

func liftOdd(even, odd []row, factor float64) {
	for i := range odd {
		lift(&odd[i], &even[i], &even[min(i+1, len(even)-1)], factor)
	}
}

// lift takes from each value its neighbours times a factor. The product is
// rounded before the difference, on every machine.
func lift(v, a, b *row, factor float64) {
	for lane := range v {
		v[lane] -= float64(factor * (a[lane] + b[lane]))
	}
}
