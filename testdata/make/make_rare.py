#!/usr/bin/env python3
"""Write small files of features that few files have, each with what h5py reads from it.

    python3 make_rare.py OUTDIR         (testdata/files/rare)

The format of x.json is that of make_core.py, but that of long values it has the SHA-256. What h5py reads is compared
here with what was written, where libhdf5 could be wrong about it. Needs h5py 3.16 (HDF5 2.0).
"""
import base64
import ctypes
import glob
import hashlib
import io
import itertools
import json
import os
import sys
import zlib

import h5py
import numpy as np
from h5py import h5d, h5p, h5s, h5t, h5z

import make_core

LONG = 1500
DEFLATE, SHUFFLE, FLETCHER32, SZIP, NBIT, SCALEOFFSET, LZF = 1, 2, 3, 4, 5, 6, 32000
EARLY, LATE, INCREMENTAL = h5d.ALLOC_TIME_EARLY, h5d.ALLOC_TIME_LATE, h5d.ALLOC_TIME_INCR
DONT_FILTER_PARTIAL_CHUNKS = 2
UNLIMITED = h5s.UNLIMITED

library, = glob.glob(os.path.join(os.path.dirname(h5py.__file__), '..', 'h5py.libs', 'libhdf5-*'))
libhdf5 = ctypes.CDLL(library)


def call(name, *args):
    types = [ctypes.c_void_p if a is None or isinstance(a, ctypes.c_void_p) else ctypes.c_int64 for a in args]
    function = getattr(libhdf5, name)
    function.argtypes = types
    if function(*args) < 0:
        raise RuntimeError(name)


def address(value):
    return ctypes.c_void_p(ctypes.addressof(value))


def dataset(f, name, tid, shape, chunk=None, maxshape=None, filters=(), fill=None, alloc=None, fill_time=None,
            options=0, layout=None):
    """fill: bytes as in memory, a ctypes value, or False for an undefined one."""
    dcpl = h5p.create(h5p.DATASET_CREATE)
    dcpl.set_obj_track_times(False)
    if chunk:
        dcpl.set_chunk(chunk)
    if layout is not None:
        dcpl.set_layout(layout)
    for fid, *params in filters:
        dcpl.set_filter(fid, 0 if fid == FLETCHER32 else h5z.FLAG_OPTIONAL, tuple(p % 2**32 for p in params))
    tid = tid if isinstance(tid, h5t.TypeID) else h5t.py_create(np.dtype(tid), logical=True)
    if fill is False:
        call('H5Pset_fill_value', dcpl.id, tid.id, None)
    elif fill is not None:
        buffer = ctypes.create_string_buffer(fill, len(fill)) if isinstance(fill, bytes) else fill
        call('H5Pset_fill_value', dcpl.id, tid.id, address(buffer))
    if alloc is not None:
        dcpl.set_alloc_time(alloc)
    if fill_time is not None:
        dcpl.set_fill_time(fill_time)
    if options:
        call('H5Pset_chunk_opts', dcpl.id, options)
    space = h5s.create_simple(shape, maxshape or shape) if shape else h5s.create(h5s.SCALAR)
    group, _, last = name.rpartition('/')
    parent = f.require_group(group) if group else f
    return h5py.Dataset(h5d.create(parent.id, last.encode(), tid, space, dcpl))


def numbers(shape, dtype='<i4', factor=7):
    return (np.arange(int(np.prod(shape))) * factor % 251 + 1).astype(dtype).reshape(shape)


wanted = []


def holds(d, want):
    """Have what d reads compared with want, once the file has been closed."""
    wanted.append((d.name, np.asarray(want).tobytes()))


def check(f):
    for name, want in wanted:
        got = f[name][()]
        assert got.tobytes() == want, (name, got)
    wanted.clear()


# ----------------------------------------------------------------------------------------------------------- chunks

def paged_fixed_array(f):
    """Pages of 1024 chunks, of which some were never written to."""
    for name, filters in dict(plain=(), filtered=[(FLETCHER32,)]).items():
        d = dataset(f, name, 'u1', (3500,), (1,), filters=filters, fill=b'\x07')
        want = np.full(3500, 7, 'u1')
        for i in (*range(1020, 1024), *range(2048, 2060), 3071, 3498):  # pages 0, 2 and 3; not 1
            d[i] = want[i] = i % 250
        holds(d, want)
    d = dataset(f, 'plane', 'u1', (40, 110), (1, 2), fill=b'\x09')
    want = np.full((40, 110), 9, 'u1')
    for y, x in ((0, 3), (18, 60), (39, 109), (39, 0)):
        d[y, x] = want[y, x] = y + x
    holds(d, want)
    d = dataset(f, 'empty', 'u1', (3000,), (1,), fill=b'\x05')
    holds(d, np.full(3000, 5, 'u1'))


def implicit(f):
    """Chunks are counted in the largest extent, whatever the extent is."""
    for rank, (shape, chunk, largest, later) in enumerate((
            ((7,), (3,), (20,), (13,)), ((5, 7), (2, 3), (9, 14), (8, 5)), ((3, 4, 5), (2, 2, 2), (4, 9, 7), (4, 3, 7)))):
        d = dataset(f, f'rank{rank + 1}', '<i2', shape, chunk, largest, alloc=EARLY, fill=b'\x63\x00')
        d[...] = numbers(shape, '<i2')
        holds(d, numbers(shape, '<i2'))
        d = dataset(f, f'rank{rank + 1}_resized', '<i2', shape, chunk, largest, alloc=EARLY, fill=b'\x63\x00')
        d[...] = numbers(shape, '<i2')
        d.resize(later)
        want = np.full(later, 99, '<i2')
        common = tuple(slice(0, min(a, b)) for a, b in zip(shape, later))
        want[common] = numbers(shape, '<i2')[common]
        holds(d, want)


def encoded(data, filters):
    """The bytes of one chunk that went through filters."""
    with h5py.File('scratch', 'w', driver='core', backing_store=False) as f:
        d = dataset(f, 'd', data.dtype, data.shape, data.shape, filters=filters)
        d[...] = data
        f.flush()
        mask, raw = d.id.read_direct_chunk((0,) * data.ndim)
        assert mask == 0
        return raw


def masks(f):
    """Each chunk skipped other filters."""
    filters = [(SHUFFLE, 4), (DEFLATE, 6), (FLETCHER32,)]
    single = dict(single=((6, 4), None))
    for name, (shape, largest) in dict(fixed=((12, 16), None), extensible=((12, 16), (UNLIMITED, 16)),
                                       tree=((12, 16), (UNLIMITED, UNLIMITED)), **single).items():
        d = dataset(f, name, '<i4', shape, (6, 4), largest, filters)
        want = numbers(shape) // 60
        for i, at in enumerate(itertools.product(range(0, shape[0], 6), range(0, shape[1], 4))):
            mask = 7 - i
            chunk = np.ascontiguousarray(want[at[0]:at[0] + 6, at[1]:at[1] + 4])
            used = [x for bit, x in enumerate(filters) if not mask >> bit & 1]
            d.id.write_direct_chunk(at, encoded(chunk, used) if used else chunk.tobytes(), mask)
        holds(d, want)


def partial_edges(f):
    """Chunks that reach over the extent are not filtered, until they no longer do."""
    filters = [(SHUFFLE, 4), (DEFLATE, 6)]
    for name, largest in dict(fixed=(23, 17), extensible=(UNLIMITED, 17), tree=(UNLIMITED, UNLIMITED)).items():
        d = dataset(f, name, '<i4', (10, 13), (4, 5), largest, filters, options=DONT_FILTER_PARTIAL_CHUNKS)
        d[...] = numbers((10, 13))
        f.flush()
        sizes = {d.id.get_chunk_info(i).size for i in range(d.id.get_num_chunks())}
        assert len(sizes) > 1 and 80 in sizes, sizes
        holds(d, numbers((10, 13)))
        for suffix, later in dict(_grown=(12, 17), _shrunk=(9, 7)).items():
            e = dataset(f, name + suffix, '<i4', (10, 13), (4, 5), largest, filters, fill=b'\xff\0\0\0',
                        options=DONT_FILTER_PARTIAL_CHUNKS)
            e[...] = numbers((10, 13))
            e.resize(later)
            want = np.full(later, 255, '<i4')
            common = tuple(slice(0, min(a, b)) for a, b in zip((10, 13), later))
            want[common] = numbers((10, 13))[common]
            holds(e, want)
    d = dataset(f, 'checksum', '<i4', (10, 13), (4, 5), None, [*filters, (FLETCHER32,)], options=DONT_FILTER_PARTIAL_CHUNKS)
    d[...] = numbers((10, 13))
    holds(d, numbers((10, 13)))


def odd_sizes(f):
    """Filters that are given bytes that make no whole elements: a checksum was added before."""
    pipelines = dict(
        shuffled=[(FLETCHER32,), (SHUFFLE, 3)], deflated=[(FLETCHER32,), (SHUFFLE, 3), (DEFLATE, 6)],
        lzf=[(FLETCHER32,), (SHUFFLE, 3), (LZF,)], twice=[(FLETCHER32,), (SHUFFLE, 3), (FLETCHER32,)],
        shuffled_twice=[(SHUFFLE, 3), (FLETCHER32,), (SHUFFLE, 5), (DEFLATE, 1)])
    for size in (1, 3, 5, 7, 10):
        for name, filters in pipelines.items():
            filters = [(SHUFFLE, size) if x == (SHUFFLE, 3) else x for x in filters]
            d = dataset(f, f'{name}/{size}', f'V{size}', (9, 5), (4, 3), filters=filters)
            want = numbers((9, 5, size), 'u1').view(f'V{size}')[..., 0]
            d.id.write(h5s.ALL, h5s.ALL, np.ascontiguousarray(want))
            holds(d, want)


def szip(f):
    """Lines that are no multiple of a block, shorter than one, and longer than szip takes."""
    raw, nearest, entropy = 128, 32, 4
    for dtype in ('u1', '<i2', '>i2', '<i4', '<f4', '>f8'):
        for i, (shape, chunk, block) in enumerate((
                ((10, 21), (4, 7), 2), ((10, 21), (3, 10), 8), ((5, 100), (5, 33), 32), ((3, 3, 3), (2, 2, 2), 4),
                ((1000,), (333,), 16), ((7, 40), (7, 9), 10))):
            for method in (nearest, entropy):
                d = dataset(f, f'{np.dtype(dtype).str[1:]}{"be" if dtype[0] == ">" else ""}/{i}_{method}', dtype,
                            shape, chunk, filters=[(SZIP, method | raw, block)], fill=bytes(np.dtype(dtype).itemsize))
                want = (np.cumsum(np.arange(np.prod(shape)) % 5 % 3) % 100).astype(dtype).reshape(shape)
                d[...] = want
                holds(d, want)


def packed(f):
    """Scale-offset and n-bit at the ends of their ranges, with chunks that were never written."""
    for code in ('<i8', '>i8', '<u8', '<i4', '>u4', '<i2', 'i1', 'u1'):
        info = np.iinfo(np.dtype(code))
        want = np.full(20, 3, code)
        want[:7] = [info.min, info.max, 0, 1, info.max, info.min, 3]
        for name, fill in dict(no_fill=False, fill=np.array(3, code).tobytes(), default=None).items():
            d = dataset(f, f'scaleoffset/{name}/{np.dtype(code).str[1:]}{"be" if code[0] == ">" else ""}', code, (20,), (8,),
                        filters=[(SCALEOFFSET, h5z.SO_INT, 0)], fill=fill)
            d[:16] = want[:16]
            assert d[:16].tobytes() == want[:16].tobytes(), d.name
        near = np.full(20, info.max, code)
        near[:8] -= np.arange(8).astype(code)
        d = dataset(f, f'scaleoffset/near/{np.dtype(code).str[1:]}{"be" if code[0] == ">" else ""}', code, (20,), (8,),
                    filters=[(SCALEOFFSET, h5z.SO_INT, 0)], fill=np.array(info.max, code).tobytes())
        d[:8] = near[:8]
        holds(d, near)
    for code in ('<f4', '>f4', '<f8', '>f8'):
        x = np.array([0, 1.25, -3.5, 99.75, -99.75, 1e-3, 50, 7] * 2, code)
        for digits in (0, 2, -1):
            for name, fill in dict(no_fill=False, fill=np.array(1.25, code).tobytes()).items():
                d = dataset(f, f'scaled_floats/{name}/{code[1:]}{"be" if code[0] == ">" else ""}_{digits}', code, (20,), (8,),
                            filters=[(SCALEOFFSET, h5z.SO_FLOAT_DSCALE, digits)], fill=fill)
                d[:16] = x
    for base, precision, offset in ((h5t.STD_I32LE, 17, 5), (h5t.STD_U16BE, 9, 7), (h5t.STD_I64BE, 63, 0),
                                    (h5t.STD_U64LE, 64, 0), (h5t.STD_I8LE, 1, 7)):
        t = base.copy()
        t.set_precision(precision)
        t.set_offset(offset)
        d = dataset(f, f'nbit/{precision}_{offset}', t, (20,), (8,), filters=[(NBIT,)])
        unsigned = base.get_sign() == h5t.SGN_NONE
        low = 0 if unsigned else -2 ** (precision - 1)
        values = np.array([low + (i * 7919) % 2**min(precision, 40) for i in range(14)], 'u8' if unsigned else 'i8')
        d.id.write(h5s.create_simple((14,)), hyperslab((20,), (0,), (14,)), values)


def hyperslab(shape, start, count):
    s = h5s.create_simple(shape)
    s.select_hyperslab(start, count)
    return s


# ------------------------------------------------------------------------------------------------------ fill values

class Sequence(ctypes.Structure):
    _fields_ = [('length', ctypes.c_size_t), ('data', ctypes.c_void_p)]


def fill_values(f):
    """Datasets of every class of which nothing or not all was written."""
    record = np.dtype([('a', '<i2'), ('b', '>f8'), ('s', 'S3'), ('v', '<u4', (2,))])
    text, utf8 = h5t.C_S1.copy(), h5t.C_S1.copy()
    text.set_size(h5t.VARIABLE)
    utf8.set_size(h5t.VARIABLE)
    utf8.set_cset(h5t.CSET_UTF8)
    some = (ctypes.c_int32 * 3)(5, -6, 7)
    word = ctypes.create_string_buffer('w\u00f6rd'.encode())
    enum = h5t.enum_create(h5t.STD_I16LE)
    for name, value in (('no', -1), ('yes', 300)):
        enum.enum_insert(name.encode(), value)
    kinds = {
        'integer': ('<i4', np.int32(-5).tobytes()),
        'big_integer': ('>i8', np.array(-2**63, '>i8').tobytes()),
        'largest': ('<u8', np.array(2**64 - 1, '<u8').tobytes()),
        'float': ('<f4', np.float32(1.5).tobytes()),
        'nan': ('>f8', np.array(np.nan, '>f8').tobytes()),
        'text': ('S5', b'abc\0\0'),
        'opaque': ('V3', b'\x01\xfe\x03'),
        'enum': (enum, np.int16(300).tobytes()),
        'bitfield': (h5t.STD_B16BE, b'\x12\x34'),
        'array': (h5t.array_create(h5t.STD_I16LE, (2, 2)), np.arange(1, 5, dtype='<i2').tobytes()),
        'compound': (record, np.array((-2, 2.5, b'xyz', (1, 2**32 - 1)), record).tobytes()),
        'complex': ('<c8', np.complex64(1 - 2j).tobytes()),
        'string': (utf8, ctypes.c_char_p(ctypes.addressof(word))),
        'sequence': (h5t.vlen_create(h5t.STD_I32LE), Sequence(3, ctypes.addressof(some))),
    }
    times = dict(at_allocation=h5d.FILL_TIME_ALLOC, if_set=h5d.FILL_TIME_IFSET)
    for kind, (tid, fill) in kinds.items():
        variable = kind in ('string', 'sequence')
        for when, alloc in dict(early=EARLY, late=LATE, incremental=INCREMENTAL).items():
            for fills, fill_time in times.items():
                suffix = f'{kind}_{when}_{fills}'
                dataset(f, f'chunked/{suffix}', tid, (5,), (2,), fill=fill, alloc=alloc, fill_time=fill_time)
                if alloc != INCREMENTAL and not variable:
                    dataset(f, f'contiguous/{suffix}', tid, (3,), fill=fill, alloc=alloc, fill_time=fill_time)
        dataset(f, f'default/{kind}', tid, (5,), (2,))
        dataset(f, f'contiguous_default/{kind}', tid, (3,))
        dataset(f, f'scalar/{kind}', tid, (), fill=fill)
        if not variable:
            dataset(f, f'compact/{kind}', tid, (3,), fill=fill, layout=h5d.COMPACT)
        d = dataset(f, f'partly/{kind}', tid, (5,), (2,), (UNLIMITED,), fill=fill)
        d.resize((9,))
        d.resize((7,))
    for kind in ('integer', 'text', 'string', 'sequence'):
        d = f[f'partly/{kind}']
        d[2] = {'integer': 8, 'text': b'12345', 'string': 'other', 'sequence': np.array([9], 'i4')}[kind]
    assert f['partly/string'][...].tolist() == ['w\u00f6rd'.encode()] * 2 + [b'other'] + ['w\u00f6rd'.encode()] * 4
    assert [v.tolist() for v in f['partly/sequence'][...]] == [[5, -6, 7]] * 2 + [[9]] + [[5, -6, 7]] * 4
    assert (f['partly/integer'][...] == [-5, -5, 8, -5, -5, -5, -5]).all()
    assert f['chunked/compound_late_if_set'][4].tobytes() == kinds['compound'][1]


class Record(ctypes.Structure):
    _fields_ = [('n', ctypes.c_int32), ('s', ctypes.c_void_p), ('q', Sequence)]


def variable_fill_values(f):
    """Fill values that lead into the heap from within; core/rare_test.go has what they are."""
    text = h5t.C_S1.copy()
    text.set_size(h5t.VARIABLE)
    sequence = h5t.vlen_create(h5t.STD_I32LE)
    word, some = ctypes.create_string_buffer(b'word'), (ctypes.c_int32 * 3)(5, -6, 7)
    s, q = ctypes.addressof(word), Sequence(3, ctypes.addressof(some))
    record = h5t.create(h5t.COMPOUND, ctypes.sizeof(Record))
    for name, offset, member in ((b'n', Record.n.offset, h5t.STD_I32LE), (b's', Record.s.offset, text),
                                 (b'q', Record.q.offset, sequence)):
        record.insert(name, offset, member)
    for name, alloc in dict(late=LATE, early=EARLY).items():
        dataset(f, f'record_{name}', record, (3,), (2,), fill=Record(9, s, q), alloc=alloc)
        dataset(f, f'record_contiguous_{name}', record, (3,), fill=Record(9, s, q), alloc=alloc)
        dataset(f, f'text_contiguous_{name}', text, (3,), fill=ctypes.c_void_p(s), alloc=alloc)
        dataset(f, f'sequence_contiguous_{name}', sequence, (3,), fill=q, alloc=alloc)
    dataset(f, 'record_default', record, (3,), (2,))
    dataset(f, 'texts', h5t.array_create(text, (2,)), (3,), (2,), fill=(ctypes.c_void_p * 2)(s, s))
    two = (Sequence * 2)(q, Sequence(1, ctypes.addressof(some)))
    dataset(f, 'sequences', h5t.vlen_create(sequence), (3,), (2,), fill=Sequence(2, ctypes.addressof(two)))
    dataset(f, 'text_compact', text, (3,), fill=ctypes.c_void_p(s), layout=h5d.COMPACT)
    dataset(f, 'sequence_compact', sequence, (3,), fill=q, layout=h5d.COMPACT)


def no_fill_values(f):
    """libhdf5 refuses to read them."""
    for name, tid in dict(integer='<i4', float='>f8', text='S5', compound=[('a', '<i2'), ('b', '>f8')]).items():
        dataset(f, name, tid, (5,), (2,), fill=False)
        dataset(f, name + '_contiguous', tid, (5,), fill=False)


def old_fill_values(f):
    for name, dtype, fill in (('integer', '<i4', np.int32(-5).tobytes()), ('float', '>f8', np.array(2.5, '>f8').tobytes()),
                              ('text', 'S5', b'abc\0\0'), ('record', [('a', 'i1'), ('b', '<i4')], b'\x01\x02\0\0\0')):
        dataset(f, name, dtype, (5,), (2,), fill=fill)
        dataset(f, name + '_contiguous', dtype, (5,), fill=fill)


def only_old_fill_values(path):
    """Make the newer of two messages that say the fill value one that says nothing."""
    with open(path, 'rb') as file:
        raw = bytearray(file.read())
    count = 0
    for at in range(0, len(raw) - 16, 8):
        kind, size = int.from_bytes(raw[at:at + 2], 'little'), int.from_bytes(raw[at + 2:at + 4], 'little')
        if kind == 5 and raw[at + 4:at + 8] == b'\1\0\0\0' and raw[at + 8] == 2 and size <= 24 and raw[at + 11] == 1:
            raw[at:at + 2] = bytes(2)
            count += 1
    assert count == 8, count
    with open(path, 'wb') as file:
        file.write(raw)


# ----------------------------------------------------------------------------------------------------------- others

def extremes(f):
    for code in ('i1', 'u1', '<i2', '>u2', '<i4', '>u4', '<i8', '>i8', '<u8', '>u8'):
        info = np.iinfo(np.dtype(code))
        values = np.array([info.min, info.min + 1, 0, info.max - 1, info.max], code)
        if info.min == 0:
            values[1] = info.max // 2 + 1
        f[code.replace('<', 'le_').replace('>', 'be_')] = values
        f.attrs[code.replace('<', 'le_').replace('>', 'be_')] = values[-1]
    f['floats'] = np.array([0.0, -0.0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, np.inf, -np.inf, np.nan])
    for base in (np.int64, np.uint64):
        info = np.iinfo(base)
        t = h5t.enum_create(h5t.py_create(np.dtype(base)))
        for name, value in ((b'least', info.min), (b'most', info.max)):  # h5py inserts no more than an int64
            call('H5Tenum_insert', t.id, ctypes.c_void_p(ctypes.cast(name, ctypes.c_void_p).value),
                 address(ctypes.c_uint64(int(value) % 2**64)))
        d = dataset(f, f'enum_{base.__name__}', t, (2,))
        d.id.write(h5s.ALL, h5s.ALL, np.array([info.max, info.min], base), t)


def large_attributes(f):
    """Of more than a header takes; and as large as the header takes."""
    if f.libver[0] != 'earliest':
        g = f.create_group('dense')
        g.attrs.create('96_KB', numbers((12288,), '<f8', 11))
        g.attrs.create('matrix', numbers((3, 8000), '>i4', 13))
        g.attrs.create('small', np.int16(-7))
    g = f.create_group('compact')
    # libhdf5 also writes some that are larger, which it cannot read, into old headers
    least = 65472 if f.libver[0] == 'earliest' else 65486
    g.attrs.create('largest', numbers((least,), 'u1', 5))
    g.attrs.create('next', np.arange(5))
    assert not dense(g)


def dense(g):
    return h5py.h5o.get_info(g.id).meta_size.attr.heap_size > 0


def heap_ends(f):
    """A collection of the global heap for each text, which fills it."""
    for i in range(16):
        f.create_dataset(f'left_{i:02}', data=chr(ord('a') + i) * 4072, dtype=h5py.string_dtype())
    f.create_dataset('last', data='a' * 4072, dtype=h5py.string_dtype())


def lengthen_heaps(path):
    """Let collection i have i bytes after its object, which are too few for another one from 16 on."""
    with open(path, 'rb') as file:
        raw = bytearray(file.read())
    at, seen = raw.find(b'GCOL'), 0
    while at >= 0:
        size = int.from_bytes(raw[at + 8:at + 16], 'little')
        assert size == 16 + 16 + 4072, size
        raw[at + 8:at + 16] = (size + raw[at + 32] - ord('a')).to_bytes(8, 'little')
        at, seen = raw.find(b'GCOL', at + size), seen + 1
    assert seen == 17, seen
    with open(path, 'wb') as file:
        file.write(raw)


OLD, NEW = ('earliest',), ('latest',)
FILES = dict(
    paged_fixed_array=(paged_fixed_array, NEW), implicit=(implicit, NEW), masks=(masks, OLD + NEW),
    partial_edges=(partial_edges, NEW), odd_sizes=(odd_sizes, NEW), szip=(szip, NEW), packed=(packed, NEW),
    fill_values=(fill_values, OLD + NEW), no_fill_values=(no_fill_values, OLD + NEW),
    variable_fill_values=(variable_fill_values, OLD + NEW),
    old_fill_values=(old_fill_values, OLD), extremes=(extremes, NEW), large_attributes=(large_attributes, OLD + NEW),
    heap_ends=(heap_ends, OLD))
AFTERWARDS = dict(old_fill_values=only_old_fill_values, heap_ends=lengthen_heaps)


def shorten(entry):
    if isinstance(entry.get('values'), str) and len(entry['values']) > LONG:
        entry['values'] = 'sha256:' + hashlib.sha256(base64.b64decode(entry['values'])).hexdigest()
    for attribute in entry.get('attributes', {}).values():
        shorten(attribute)


def main(out):
    os.makedirs(out, exist_ok=True)
    total = 0
    for name, (write, versions) in FILES.items():
        for libver in versions:
            path = os.path.join(out, f'{name}_{libver}.h5')
            with h5py.File(path, 'w', libver=(libver, 'latest')) as f:
                write(f)
            if name != 'heap_ends':
                AFTERWARDS.get(name, lambda path: None)(path)
            if name in ('no_fill_values', 'variable_fill_values'):
                continue
            # libhdf5 has to write a fill value of variable length somewhere to read it.
            with open(path, 'rb') as raw, h5py.File(io.BytesIO(raw.read()), 'r+') as f, open(path[:-2] + 'json', 'w') as j:
                check(f)
                objects = make_core.golden(f)
                for entry in objects.values():
                    shorten(entry)
                json.dump(objects, j, indent=None, separators=(',', ':'), sort_keys=True)
                j.write('\n')
            if name == 'heap_ends':  # libhdf5 2.0 reads none whose size is not a multiple of 8
                AFTERWARDS[name](path)
            size = os.path.getsize(path), os.path.getsize(path[:-2] + 'json')
            print(path, *size)
            total += sum(size)
    print(total)


if __name__ == '__main__':
    if len(sys.argv) != 2 or sys.argv[1].startswith('-'):
        sys.exit(__doc__)
    main(sys.argv[1])
