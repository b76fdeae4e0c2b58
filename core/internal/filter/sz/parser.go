package sz

import "encoding/binary"

// parser takes parts of a stream. After it was too short it gives zeros.
type parser struct {
	src   []byte
	short bool
}

func (p *parser) err() error {
	if p.short {
		return errShort
	}
	return nil
}

// take returns the following n bytes, or nil.
func (p *parser) take(n int) []byte {
	if n < 0 || n > len(p.src) {
		p.short, p.src = true, nil
		return nil
	}
	part := p.src[:n]
	p.src = p.src[n:]
	return part
}

// takes is take for a count of things of a size.
func (p *parser) takes(count uint64, size int) []byte {
	if count > uint64(len(p.src)/size) {
		p.short, p.src = true, nil
		return nil
	}
	return p.take(int(count) * size)
}

func (p *parser) uint32() uint32 {
	if b := p.take(4); b != nil {
		return binary.BigEndian.Uint32(b)
	}
	return 0
}

func (p *parser) size() uint64 {
	if b := p.take(8); b != nil {
		return binary.BigEndian.Uint64(b)
	}
	return 0
}

func takeReal[R real](p *parser) R {
	if b := p.take(realSize[R]()); b != nil {
		return getReal[R](b, binary.BigEndian)
	}
	return 0
}

func (p *parser) little32() uint32 {
	if b := p.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (p *parser) little64() uint64 {
	if b := p.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}
