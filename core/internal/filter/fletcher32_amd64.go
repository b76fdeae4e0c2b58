package filter

// addLanes sets l to the sums of the steps of data.
func addLanes(l *fletcherLanes, data []byte) { addLanesSSE2(l, &data[0], len(data)/fletcherStep) }

//go:noescape
func addLanesSSE2(l *fletcherLanes, data *byte, steps int)
