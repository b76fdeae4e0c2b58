//go:build race

package exec

// raceEnabled: the race detector makes pools forget, so allocations tell nothing.
const raceEnabled = true
