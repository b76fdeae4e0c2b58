package core

import (
	"context"

	"clawh5/core/h5err"
	"clawh5/core/internal/format"
	"clawh5/core/internal/object"
)

// LinkKind is what a link leads by. The numbers are those of the Link message
// (spec IV.A.2.g); those above ExternalLink are the user's own.
type LinkKind uint8

const (
	HardLink     LinkKind = 0
	SoftLink     LinkKind = 1
	ExternalLink LinkKind = 64
)

// Link is a link of a group, not followed.
type Link struct {
	Name    string
	Kind    LinkKind
	Address uint64 // HardLink: of the object's header
	File    string // ExternalLink: the file that holds Target
	Target  string // SoftLink and ExternalLink: a path

	Charset  Charset // of the name
	Order    int64   // of creation
	HasOrder bool
}

// Links returns the links of a group in the byte order of their names, or in
// that of their creation if byCreation asks for it and the group tracks it.
func (o *Object) Links(ctx context.Context, byCreation bool) ([]Link, error) {
	h, err := o.group(ctx)
	if err != nil {
		return nil, err
	}
	all, err := o.file.objects.Links(ctx, h, byCreation)
	if err != nil {
		return nil, h5err.In(err, "list", o.path)
	}
	links := make([]Link, len(all))
	for i := range all {
		links[i] = publicLink(&all[i])
	}
	return links, nil
}

// Link returns the link at path below o without following it; the links on the
// way to it are followed.
func (o *Object) Link(ctx context.Context, path string) (Link, error) {
	dir, name := splitPath(path)
	g, err := o.Open(ctx, dir)
	if err != nil {
		return Link{}, err
	}
	h, err := g.group(ctx)
	if err != nil {
		return Link{}, err
	}
	l, err := g.file.objects.Link(ctx, h, name)
	return publicLink(&l), h5err.In(err, "link", joinPath(o.path, path))
}

func publicLink(l *object.Link) Link {
	kind := LinkKind(l.Type)
	if l.Type == format.UserLink {
		kind = LinkKind(l.UserType)
	}
	return Link{Name: l.Name, Kind: kind, Address: l.Addr, File: l.File, Target: l.Target,
		Charset: Charset(l.Charset), Order: l.Order, HasOrder: l.HasOrder}
}

// PrefetchLinks reads ahead the headers of the objects that hard links lead to,
// and what these name, in few batches. It is of use before the objects are opened
// one by one, and does nothing for a local file. What is wrong with an object
// shows when it is opened.
func (f *File) PrefetchLinks(ctx context.Context, links []Link) error {
	var addresses []uint64
	for i := range links {
		if links[i].Kind == HardLink {
			addresses = append(addresses, links[i].Address)
		}
	}
	return h5err.In(f.prefetch(ctx, addresses), "read ahead", "")
}
