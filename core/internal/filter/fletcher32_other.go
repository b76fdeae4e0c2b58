//go:build !amd64

package filter

// addLanes sets l to the sums of the steps of data.
func addLanes(l *fletcherLanes, data []byte) { addLanesGeneric(l, data) }
