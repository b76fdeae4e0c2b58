package dump

import (
	"fmt"
	"strings"

	"clawh5/core"
)

var strategies = map[core.SpaceStrategy]string{
	core.StrategyFreeSpace: "H5F_FSPACE_STRATEGY_FSM_AGGR", core.StrategyPaged: "H5F_FSPACE_STRATEGY_PAGE",
	core.StrategyAggregation: "H5F_FSPACE_STRATEGY_AGGR", core.StrategyNone: "H5F_FSPACE_STRATEGY_NONE",
}

// printSuperblock prints how the file was created.
func (d *dumper) printSuperblock() {
	p := d.file.Properties()
	persist := "FALSE"
	if p.Persist {
		persist = "TRUE"
	}
	lines := []string{
		fmt.Sprintf("SUPERBLOCK_VERSION %d", p.Superblock),
		"FREELIST_VERSION 0",
		"SYMBOLTABLE_VERSION 0",
		"OBJECTHEADER_VERSION 0",
		fmt.Sprintf("OFFSET_SIZE %d", p.OffsetSize),
		fmt.Sprintf("LENGTH_SIZE %d", p.LengthSize),
		fmt.Sprintf("BTREE_RANK %d", p.GroupK),
		fmt.Sprintf("BTREE_LEAF %d", p.GroupLeafK),
		fmt.Sprintf("ISTORE_K %d", p.ChunkK),
		"FILE_SPACE_STRATEGY " + nameOr(strategies, p.Strategy, "Unknown strategy"),
		"FREE_SPACE_PERSIST " + persist,
		fmt.Sprintf("FREE_SPACE_SECTION_THRESHOLD %d", p.Threshold),
		fmt.Sprintf("FILE_SPACE_PAGE_SIZE %d", p.PageSize),
		"USER_BLOCK {",
		fmt.Sprintf("   USERBLOCK_SIZE %d", p.UserBlock),
		"}",
	}
	indent := strings.Repeat(d.format.Indent, d.indent+1)
	d.print("\nSUPER_BLOCK {\n%s%s\n}", indent, strings.Join(lines, "\n"+indent))
}

var contentNames = map[core.Kind]string{core.GroupKind: "group", core.DatasetKind: "dataset", core.DatatypeKind: "datatype"}

// printContents lists the objects and links of the file.
func (d *dumper) printContents() {
	d.print("FILE_CONTENTS {\n")
	for _, e := range d.tables(d.file).unnamed() {
		d.print(" %-10s /#%d\n", "datatype", e.address)
	}
	d.visit(d.file.Root(), visitor{
		object: func(o *core.Object, path, seen string) {
			d.print(" %-10s %s", nameOr(contentNames, o.Kind(), "unknown object type"), path)
			if seen != "" {
				d.print(" -> %s\n", seen)
				return
			}
			d.print("\n")
			if d.opts.contentsAttributes {
				d.listAttributes(o, path)
			}
		},
		link: func(l *core.Link, path string) {
			switch l.Kind {
			case core.SoftLink:
				d.print(" %-10s %s -> %s\n", "link", path, l.Target)
			case core.ExternalLink:
				d.print(" %-10s %s -> %s %s\n", "ext link", path, l.File, l.Target)
			default:
				d.print(" %-10s %s -> ???\n", "unknown type of UD link", path)
			}
		},
		failed: func(path string, err error) {
			d.explain(err)
			d.status = exitFailure
		},
	})
	d.print(" }\n")
}

func (d *dumper) listAttributes(o *core.Object, path string) {
	names, err := d.attributeNames(o)
	if err != nil {
		d.explain(err)
		return
	}
	for _, name := range names {
		d.print(" %-10s %s/%s\n", "attribute", strings.TrimSuffix(path, "/"), name)
	}
}
