// Package codec has what the packages that undo a compression share.
package codec

// Unsupported is the error of data that may be valid and is not decoded; any
// other error of a codec says that the data is damaged.
type Unsupported string

func (u Unsupported) Error() string { return string(u) + " is not supported" }
