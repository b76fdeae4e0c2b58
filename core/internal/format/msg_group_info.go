package format

import "clawh5/core/internal/cursor"

// GroupInfo is a group info message (spec IV.A.2.k): hints of the creator.
type GroupInfo struct {
	MaxCompact, MinDense uint16 // 8 and 6 if not stored
	Entries, NameLength  uint16 // estimates; 4 and 8 if not stored
}

const (
	groupHasPhaseChange = 1 << 0
	groupHasEstimates   = 1 << 1
)

// DecodeGroupInfo reads a group info message.
func DecodeGroupInfo(c *cursor.Cursor, _ Sizes) (GroupInfo, error) {
	g := GroupInfo{MaxCompact: 8, MinDense: 6, Entries: 4, NameLength: 8}
	c.Version(0, 0)
	flags := c.U8()
	if flags&^(groupHasPhaseChange|groupHasEstimates) != 0 {
		c.Unsupported("unknown flags %#x", flags)
	}
	if flags&groupHasPhaseChange != 0 {
		g.MaxCompact, g.MinDense = c.U16(), c.U16()
	}
	if flags&groupHasEstimates != 0 {
		g.Entries, g.NameLength = c.U16(), c.U16()
	}
	return g, c.Err("group info message")
}
