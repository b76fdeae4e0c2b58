package format

import (
	"testing"

	"clawh5/core/internal/cursor"
)

func FuzzMessage(f *testing.F) {
	for _, tc := range messageCases {
		f.Add(uint16(tc.typ), uint8(0), unhex(f, tc.hex))
	}
	f.Add(uint16(MsgDatatype), uint8(FlagShared), unhex(f, "03 01 0001020304050607"))
	f.Fuzz(func(t *testing.T, typ uint16, flags uint8, p []byte) {
		for _, z := range []Sizes{{8, 8}, {4, 4}, {2, 16}} {
			m := Message{Type: MessageType(typ), Flags: MessageFlags(flags), Body: p}
			body, err := m.Decode(z)
			if (err == nil) != (body != nil) {
				t.Fatalf("%v, %v", body, err)
			}
			if a, ok := body.(Attribute); ok {
				_, _ = a.Type.Decode(z)
				_, _ = a.Space.Decode(z)
			}
		}
	})
}

func FuzzDatatype(f *testing.F) {
	for _, tc := range datatypeCases {
		f.Add(unhex(f, tc.hex))
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		d, err := decodeDatatypeBytes(p)
		if err != nil {
			return
		}
		d.HasVariableLength()
		for _, m := range d.Members {
			if uint64(m.Offset)+uint64(m.Type.Size) > uint64(d.Size) {
				t.Fatalf("member %q lies outside of its type", m.Name)
			}
		}
	})
}

func FuzzGlobalHeap(f *testing.F) {
	f.Add(unhex(f, heapHex))
	f.Fuzz(func(t *testing.T, p []byte) {
		h, err := decodeHeapBytes(p)
		if err != nil {
			return
		}
		for _, o := range h.Objects {
			if _, ok := h.Object(uint32(o.Index)); !ok {
				t.Fatalf("object %d is not found", o.Index)
			}
		}
	})
}

func FuzzVirtualMappings(f *testing.F) {
	f.Add(unhex(f, virtualV0))
	f.Add(unhex(f, virtualV1))
	f.Fuzz(func(t *testing.T, p []byte) {
		_, _ = decodeVirtualBytes(p)
		_, _ = decodeVirtualBytes(withChecksum(p))
	})
}

func FuzzReference(f *testing.F) {
	for _, tc := range selectionCases {
		f.Add(unhex(f, tc.hex))
	}
	f.Add(unhex(f, "02 00 08 0003000000000000 00000000000000"))
	f.Add(unhex(f, "08 0003000000000000 10000000 02000000 03000000 01000000 0000000000000000"))
	f.Fuzz(func(t *testing.T, p []byte) {
		_, _ = decodeSelectionBytes(p)
		_, _ = DecodeRegionReference(cursor.New(p, 0), wide)
		_, _ = DecodeReferenceElement(cursor.New(p, 0), wide)
		for kind := ObjectReference2; kind <= AttributeReference; kind++ {
			_, _ = DecodeReferenceBlock(cursor.New(p, 0), &ReferenceElement{Kind: kind, External: len(p)%2 == 0})
		}
	})
}
