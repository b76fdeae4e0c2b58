package format

import (
	"strings"

	"clawh5/core/internal/cursor"
)

// Drivers that keep a file in several ones. What their driver information holds
// is written by libhdf5's drivers; the specification (II.B) gives it in part.
const (
	FamilyDriver = "NCSAfami"
	MultiDriver  = "NCSAmult"
)

// FamilyInfo is the driver information of the family driver: the file is cut
// into members of a size.
type FamilyInfo struct {
	MemberSize uint64
}

// DecodeFamilyInfo reads the data of driver information of FamilyDriver.
func DecodeFamilyInfo(c *cursor.Cursor) (FamilyInfo, error) {
	i := FamilyInfo{MemberSize: c.U64()}
	if i.MemberSize == 0 {
		c.Corrupt("family members of 0 bytes")
	}
	return i, c.Err("family driver information")
}

// MemberUsage is what a member of a multi file is for, as libhdf5 numbers it.
type MemberUsage uint8

const (
	SuperMember      MemberUsage = 1 // superblock
	BTreeMember      MemberUsage = 2
	RawMember        MemberUsage = 3 // raw data
	GlobalHeapMember MemberUsage = 4
	LocalHeapMember  MemberUsage = 5
	HeaderMember     MemberUsage = 6 // object headers

	usages = 6
)

// MultiMember is one of the files of a multi file.
type MultiMember struct {
	Usage MemberUsage
	Addr  uint64 // of its first byte
	Used  uint64 // bytes
	Name  string // %s stands for the name of the whole
}

// MultiInfo is the driver information of the multi driver: each kind of
// information has a member. The split driver's files are such ones of two members.
type MultiInfo struct {
	Members []MultiMember // by usage
	Raw     int           // the member with raw data
}

// DecodeMultiInfo reads the data of driver information of MultiDriver.
func DecodeMultiInfo(c *cursor.Cursor) (MultiInfo, error) {
	var i MultiInfo
	place := map[MemberUsage]int{}
	for usage := SuperMember; usage <= usages; usage++ {
		in := MemberUsage(c.U8())
		if in == 0 {
			in = usage
		}
		if in > usages {
			c.Corrupt("usage %d", in)
		}
		if _, ok := place[in]; !ok && !c.Failed() {
			place[in] = len(i.Members)
			i.Members = append(i.Members, MultiMember{Usage: in})
		}
		if usage == RawMember {
			i.Raw = place[in]
		}
	}
	c.Skip(2) // reserved
	for m := range i.Members {
		i.Members[m].Addr, i.Members[m].Used = c.U64(), c.U64()
	}
	for m := range i.Members {
		name := c.CString()
		c.Skip(min(7-len(name)%8, c.Len())) // padding, which the last may lack
		i.Members[m].Name = string(name)
	}
	i.check(c)
	return i, c.Err("multi driver information")
}

func (i *MultiInfo) check(c *cursor.Cursor) {
	seen := map[uint64]bool{}
	for _, m := range i.Members {
		switch {
		case c.Failed():
		case seen[m.Addr] || m.Addr+m.Used < m.Addr:
			c.Corrupt("members that overlap")
		case strings.Count(m.Name, "%") != 1 || !strings.Contains(m.Name, "%s"):
			c.Corrupt("member name %q", m.Name)
		}
		seen[m.Addr] = true
	}
}

// DefaultMultiInfo returns the members that libhdf5 has where nothing was said:
// one for each usage, evenly spaced. Used is not known.
func DefaultMultiInfo() MultiInfo {
	const letters = "sbrglo"
	i := MultiInfo{Raw: int(RawMember - SuperMember)}
	for n, letter := range letters {
		i.Members = append(i.Members, MultiMember{Usage: SuperMember + MemberUsage(n),
			Addr: uint64(n) * ((Undefined - 1) / usages), Name: "%s-" + string(letter) + ".h5"})
	}
	return i
}
