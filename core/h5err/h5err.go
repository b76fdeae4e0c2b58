// Package h5err is the error vocabulary of clawh5: one type that says what was
// being read, where in the file, and whose fault it is.
//
// Programs act on the Kind, never on the message:
//
//	if errors.Is(err, h5err.NotFound) { … }
package h5err

import (
	"errors"
	"strconv"
	"strings"
)

// Kind classifies a failure. The numbers are part of the C ABI (the status is
// the negative of the kind); they are never reused.
type Kind int32

const (
	NotHDF5     Kind = 1  // no HDF5 superblock was found
	Corrupt     Kind = 2  // the file contradicts the specification or itself
	Unsupported Kind = 3  // the file is right, this library cannot read it
	NotFound    Kind = 4  // no object, link, attribute or file of that name
	Type        Kind = 5  // the datatype does not allow what was asked
	Selection   Kind = 6  // the selection does not fit the dataspace
	Space       Kind = 7  // the caller's buffer is too small
	Handle      Kind = 8  // stale or wrong handle, or a wrong argument
	Permission  Kind = 9  // access denied, or refused by policy
	Unavailable Kind = 10 // the store failed and retries did not help
	Changed     Kind = 11 // the file is not the one that was opened
	Timeout     Kind = 12
	Cancelled   Kind = 13
	Limit       Kind = 14 // a limit of the caller's options was reached
	Fork        Kind = 15 // called in a forked child of the process that loaded the library
	Internal    Kind = 16 // a bug in this library
)

var kindNames = [...]string{
	"ok", "not an HDF5 file", "corrupt file", "unsupported", "not found", "type error",
	"selection error", "buffer too small", "invalid handle or argument", "permission denied",
	"unavailable", "file changed", "timed out", "cancelled", "limit reached", "used after fork",
	"internal error",
}

func (k Kind) String() string {
	if k < 0 || int(k) >= len(kindNames) {
		return "kind " + strconv.Itoa(int(k))
	}
	return kindNames[k]
}

// Error lets a Kind be the target of errors.Is.
func (k Kind) Error() string { return k.String() }

// NoOffset is the Offset of an error that belongs to no place in the file.
const NoOffset = -1

// Error is the error of every exported call of clawh5. Each layer fills in what
// only it knows: cursor and format the structure and offset, object the path.
type Error struct {
	Kind       Kind
	Op         string // what was being done: "open", "read", "list"; may be empty
	Path       string // object path in the file; may be empty
	Structure  string // title of the structure in the specification; may be empty
	Offset     int64  // byte offset in the file, or NoOffset
	HTTPStatus int    // status of the last response, if the store speaks HTTP
	Err        error  // cause or detail
}

func (e *Error) Error() string {
	var b strings.Builder
	sep := func(s string) {
		if b.Len() > 0 {
			b.WriteString(s)
		}
	}
	if e.Op != "" {
		b.WriteString(e.Op)
	}
	if e.Path != "" {
		sep(" ")
		b.WriteString(e.Path)
	}
	sep(": ")
	b.WriteString(e.Kind.String())
	if e.Structure != "" {
		b.WriteString(": " + e.Structure)
	}
	if e.Offset >= 0 {
		b.WriteString(" at offset " + strconv.FormatInt(e.Offset, 10))
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// Is reports whether target is e's Kind.
func (e *Error) Is(target error) bool {
	k, ok := target.(Kind)
	return ok && k == e.Kind
}

// New returns an error of a kind with a detail and no place in the file.
func New(k Kind, detail string) *Error {
	return &Error{Kind: k, Offset: NoOffset, Err: errors.New(detail)}
}

// At returns an error of a kind in a structure at a file offset.
func At(k Kind, structure string, offset int64, detail string) *Error {
	return &Error{Kind: k, Structure: structure, Offset: offset, Err: errors.New(detail)}
}

// In adds the operation and the object path to err where they are still
// missing. It returns nil for nil, and makes an Internal error of a foreign one.
func In(err error, op, path string) error {
	if err == nil {
		return nil
	}
	var e *Error
	if !errors.As(err, &e) {
		return &Error{Kind: Internal, Op: op, Path: path, Offset: NoOffset, Err: err}
	}
	c := *e
	if c.Op == "" {
		c.Op = op
	}
	if c.Path == "" {
		c.Path = path
	}
	return &c
}

// KindOf returns the kind of err; Internal for a foreign error, 0 for nil.
func KindOf(err error) Kind {
	if err == nil {
		return 0
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Internal
}
