package format

// FillState tells whether a fill value exists.
type FillState uint8

const (
	FillDefault   FillState = iota // zeros
	FillDefined                    // Value
	FillUndefined                  // the writer left it undefined
)

// FillValue is a fill value message (spec IV.A.2.e, IV.A.2.f).
type FillValue struct {
	State     FillState
	AllocTime uint8  // 1 early, 2 late, 3 incremental; 0 not stored
	WriteTime uint8  // 0 on allocation, 1 never, 2 if set by the user
	Value     []byte // one element in the file's datatype, if FillDefined
}
