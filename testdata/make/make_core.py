#!/usr/bin/env python3
"""Write the small files that the tests of package core read, each with what h5py reads from it.

    python3 make_core.py OUTDIR         (testdata/files/core)

Beside x.h5 lies x.json: for each dataset its shape, numpy dtype and the base64 of its bytes in C order; for
variable-length strings the list of texts, for sequences the list of lists; for each attribute the same; for each
group its links. The bytes of the files depend on the HDF5 version, what they hold does not.
"""
import base64
import json
import os
import sys

import h5py
import numpy as np


def small_groups(f):
    g = f.create_group('a/b/c')
    g['one'] = np.int32(1)
    f['soft'] = h5py.SoftLink('/a/b/c/one')
    f['dangling'] = h5py.SoftLink('/a/nothing')
    f['external'] = h5py.ExternalLink('links_target.h5', '/data')
    f['hard'] = g
    for i in range(40):
        f.create_group('many/group_%02d' % i)


def datatypes(f):
    f['i1'] = np.arange(-5, 5, dtype='i1')
    f['u2be'] = np.arange(10, dtype='>u2') * 1000
    f['i8'] = np.array([np.iinfo('i8').min, -1, 0, np.iinfo('i8').max])
    f['f4'] = np.array([0, -0.0, 1.5, np.inf, -np.inf, np.nan, 1e-45], 'f4')
    f['f8be'] = np.linspace(-1, 1, 11).astype('>f8')
    f['f2'] = np.array([0.5, 65504, 6e-8], 'f2')
    f['fixed'] = np.array([b'abc', b'', b'abcdefgh'], 'S8')
    f['compound'] = np.array([(1, 2.5, b'xy'), (-1, -2.5, b'')], [('n', '<i2'), ('x', '>f8'), ('s', 'S3')])
    f['array'] = np.arange(24, dtype='i4').reshape(2, 3, 4).view([('m', 'i4', (4,))]).reshape(2, 3)
    f['opaque'] = np.array([b'\x01\x02\x03', b'\xff\xfe\xfd'], 'V3')
    f.create_dataset('enum', data=np.array([0, 2, 1], 'u1'),
                     dtype=h5py.enum_dtype({'RED': 0, 'GREEN': 1, 'BLUE': 2}, 'u1'))
    f['bool'] = np.array([True, False, True])
    f['complex'] = np.array([1 + 2j, -3.5j], 'c8')
    f['strings'] = ['', 'one', 'zwei', '\u4e09 \u00fc', 'x' * 5000]
    d = f.create_dataset('sequences', (4,), h5py.vlen_dtype('<i4'))
    for i in range(3):
        d[i] = np.arange(i * 3, dtype='i4')
    f['scalar'] = np.float64(3.25)
    f['scalar_string'] = 'hello'
    f['empty'] = h5py.Empty('f4')
    f['zero'] = np.zeros((0, 3), 'i2')
    f['reference'] = np.array([f['i1'].ref, f.ref], h5py.ref_dtype)


def layouts(f):
    a = np.arange(7 * 11, dtype='<i4').reshape(7, 11)
    f['contiguous'] = a
    f.create_dataset('chunked', data=a, chunks=(3, 4))
    f.create_dataset('deflate', data=a, chunks=(3, 4), compression=6)
    f.create_dataset('shuffled', data=a, chunks=(3, 4), compression=6, shuffle=True, fletcher32=True)
    f.create_dataset('lzf', data=a, chunks=(7, 11), compression='lzf')
    f.create_dataset('grown', data=a, chunks=(3, 4), maxshape=(None, 11))
    f.create_dataset('grown2', data=a, chunks=(3, 4), maxshape=(None, None))
    f.create_dataset('unwritten', (5, 5), 'i2', chunks=(2, 2), fillvalue=-7)
    f.create_dataset('unwritten_contiguous', (5,), '>i4', fillvalue=9)
    d = f.create_dataset('holes', (10, 10), 'f4', chunks=(2, 5), fillvalue=1.5)
    d[4:6] = 3
    dcpl = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    dcpl.set_layout(h5py.h5d.COMPACT)
    space = h5py.h5s.create_simple(a.shape)
    h5py.h5d.create(f.id, b'compact', h5py.h5t.STD_I32LE, space, dcpl).write(h5py.h5s.ALL, h5py.h5s.ALL, a)


def attributes(f):
    g = f.create_group('few')
    g.attrs['text'] = 'a variable string'
    g.attrs['fixed'] = np.bytes_('fixed')
    g.attrs['numbers'] = np.arange(6, dtype='>i2').reshape(2, 3)
    g.attrs['strings'] = ['x', 'yy', '']
    g.attrs['nothing'] = h5py.Empty('i4')
    m = f.create_group('dense')
    for i in range(60):
        m.attrs['attribute_%02d' % i] = np.int64(i * i)
    if f.libver[0] != 'earliest':
        f.create_group('large').attrs.create('table', np.arange(9000, dtype='f8'))
    f['committed'] = np.dtype([('a', 'i4'), ('b', 'f8')])
    f.create_dataset('typed', data=np.zeros(2, f['committed'].dtype), dtype=f['committed'])


def links_target(f):
    f['data'] = np.arange(5, dtype='i8')


FILES = dict(small_groups=small_groups, datatypes=datatypes, layouts=layouts, attributes=attributes)


def plain(a, dtype):
    """Values as JSON: base64 of the bytes, or texts and lists where the dtype holds objects."""
    if h5py.check_vlen_dtype(dtype) and np.asarray(a).dtype != object:
        sequence, a = a, np.empty(1, object)  # of a scalar
        a[0] = sequence
    a = np.asarray(a, dtype=None if dtype.hasobject or dtype.subdtype else dtype)
    if h5py.check_ref_dtype(dtype):
        return 'reference'
    if not dtype.hasobject:
        return base64.b64encode(a.tobytes()).decode()
    return [v.decode() if isinstance(v, bytes) else v if isinstance(v, str) else v.tolist() for v in a.ravel()]


def value(item, dtype, shape):
    if shape is None:
        return dict(shape=None, dtype=dtype.str, values=None)
    return dict(shape=list(shape), dtype=dtype.str, values=plain(item, dtype))


def golden(f):
    objects = {}

    def visit(name, o):
        entry = dict(kind=type(o).__name__.lower())
        if isinstance(o, h5py.Dataset):
            entry.update(value(o[()] if o.shape is not None else None, o.dtype, o.shape))
        if isinstance(o, h5py.Group):
            entry['links'] = sorted(o)
        entry['attributes'] = {k: value(None if o.attrs.get_id(k).shape is None else o.attrs[k], o.attrs.get_id(k).dtype,
                                        o.attrs.get_id(k).shape) for k in o.attrs}
        objects['/' + name] = entry

    visit('', f)
    f.visititems(visit)
    return objects


def main(out):
    os.makedirs(out, exist_ok=True)
    with h5py.File(os.path.join(out, 'links_target.h5'), 'w') as f:
        links_target(f)
    for name, write in FILES.items():
        for libver in ('earliest', 'latest'):
            path = os.path.join(out, f'{name}_{libver}.h5')
            with h5py.File(path, 'w', libver=(libver, 'latest')) as f:
                write(f)
            with h5py.File(path) as f, open(path[:-2] + 'json', 'w') as j:
                json.dump(golden(f), j, indent=1, sort_keys=True)


if __name__ == '__main__':
    if len(sys.argv) != 2 or sys.argv[1].startswith('-'):
        sys.exit(__doc__)
    main(sys.argv[1])
