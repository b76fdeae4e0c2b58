package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"clawh5/core"
)

// description is the part of a core description that the commands print.
type description struct {
	Types   []datatype `json:"types"`
	Objects []object   `json:"objects"`
}

type object struct {
	Kind        string      `json:"kind"`
	Name        string      `json:"name"`
	Address     uint64      `json:"address"`
	Error       string      `json:"error"`
	Comment     string      `json:"comment"`
	Type        int         `json:"type"`
	Space       string      `json:"space"`
	Shape       []uint64    `json:"shape"`
	MaxShape    []*uint64   `json:"maxshape"`
	Layout      layout      `json:"layout"`
	Filters     []filter    `json:"filters"`
	Fill        fill        `json:"fill"`
	Links       []link      `json:"links"`
	NAttributes uint64      `json:"nattributes"`
	Attributes  []attribute `json:"attributes"`
}

type layout struct {
	Class  string   `json:"class"`
	Chunks []uint64 `json:"chunks"`
	Index  string   `json:"index"`
	Offset *uint64  `json:"offset"`
}

type filter struct {
	ID     uint16   `json:"id"`
	Name   string   `json:"name"`
	Params []uint32 `json:"params"`
}

type fill struct {
	State string `json:"state"`
}

type link struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Address uint64 `json:"address"`
	Target  string `json:"target"`
	File    string `json:"file"`
}

type attribute struct {
	Name  string   `json:"name"`
	Type  int      `json:"type"`
	Space string   `json:"space"`
	Shape []uint64 `json:"shape"`
}

type datatype struct {
	Class    string    `json:"class"`
	Size     uint64    `json:"size"`
	Order    string    `json:"order"`
	Signed   bool      `json:"signed"`
	Variable bool      `json:"variable"`
	Tag      string    `json:"tag"`
	Kind     string    `json:"kind"`
	Dims     []uint64  `json:"dims"`
	Base     *datatype `json:"base"`
	Names    []string  `json:"names"`
	Members  []struct {
		Name string   `json:"name"`
		Type datatype `json:"type"`
	} `json:"members"`
}

func describe(ctx context.Context, f *core.File, path string, flags core.DescribeFlags) (*description, []byte, error) {
	text, _, err := f.Root().AppendDescription(ctx, nil, path, flags)
	if err != nil {
		return nil, nil, err
	}
	var d description
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, nil, fmt.Errorf("reading a description: %w", err)
	}
	return &d, text, nil
}

// String names a datatype in a few words: "float32", ">i2" has the big-endian
// order said, "compound {a: int32, b: string[8]}".
func (t *datatype) String() string {
	switch t.Class {
	case "integer":
		sign := "u"
		if t.Signed {
			sign = ""
		}
		return fmt.Sprintf("%sint%d%s", sign, 8*t.Size, t.order())
	case "float":
		return fmt.Sprintf("float%d%s", 8*t.Size, t.order())
	case "string":
		if t.Variable {
			return "string"
		}
		return fmt.Sprintf("string[%d]", t.Size)
	case "opaque":
		return fmt.Sprintf("opaque[%d]", t.Size)
	case "compound":
		parts := make([]string, len(t.Members))
		for i := range t.Members {
			parts[i] = t.Members[i].Name + ": " + t.Members[i].Type.String()
		}
		return "compound {" + strings.Join(parts, ", ") + "}"
	case "enum":
		return fmt.Sprintf("enum of %s {%s}", t.Base, strings.Join(t.Names, ", "))
	case "array":
		return fmt.Sprintf("%s%v", t.Base, t.Dims)
	case "vlen":
		return fmt.Sprintf("sequence of %s", t.Base)
	case "complex":
		return fmt.Sprintf("complex of %s", t.Base)
	case "reference":
		return t.Kind + " reference"
	}
	return fmt.Sprintf("%s%d", t.Class, 8*t.Size)
}

func (t *datatype) order() string {
	if t.Order == "be" && t.Size > 1 {
		return " big-endian"
	}
	return ""
}

// shape writes the extent of a dataset: "(780/unlimited, 144, 192)".
func (o *object) shape() string {
	switch o.Space {
	case "null":
		return "null"
	case "scalar":
		return "scalar"
	}
	parts := make([]string, len(o.Shape))
	for i, n := range o.Shape {
		parts[i] = fmt.Sprint(n)
		if i >= len(o.MaxShape) {
			continue
		}
		if most := o.MaxShape[i]; most == nil {
			parts[i] += "/unlimited"
		} else if *most != n {
			parts[i] += fmt.Sprintf("/%d", *most)
		}
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// storage writes layout and filters: "chunked (1, 144, 192), shuffle, deflate 1".
func (o *object) storage() string {
	s := o.Layout.Class
	if o.Layout.Chunks != nil {
		s += " " + tuple(o.Layout.Chunks)
	}
	for _, f := range o.Filters {
		s += ", " + f.Name
		if f.Name == "deflate" && len(f.Params) > 0 {
			s += fmt.Sprintf(" %d", f.Params[0])
		}
	}
	return s
}

func tuple(n []uint64) string {
	parts := make([]string, len(n))
	for i := range n {
		parts[i] = fmt.Sprint(n[i])
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
