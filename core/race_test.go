//go:build race

package core

// raceEnabled: the race detector makes decoding ten times as slow.
const raceEnabled = true
