//go:build !race

package filter_test

const raceDetector = false
