#!/usr/bin/env python3
"""What libhdf5 converts numbers of any layout to, for core/internal/convert.

    make_convert_layouts.py [core/internal/convert/testdata/layouts.json.gz]

Types: the predefined integers and floating-point types in both byte orders,
bfloat16, the 8-, 6- and 4-bit kinds, VAX, x86 extended precision, quad; and
random integers, floating-point types and bitfields. Each type has a list of
elements: edge values and random bits. Cases: for a pair of types what H5Tconvert
makes of the elements of the first, one at a time (some of libhdf5's conversions
carry state from one element to the next). Needs h5py.
"""

import base64
import gzip
import json
import random
import sys
from pathlib import Path

import h5py
import numpy as np
from h5py import h5t

ORDERS = {"le": h5t.ORDER_LE, "be": h5t.ORDER_BE, "vax": h5t.ORDER_VAX}
PADS = [h5t.PAD_ZERO, h5t.PAD_ONE]
NORMS = {"none": h5t.NORM_NONE, "implied": h5t.NORM_IMPLIED}


def integer(size, signed, order="le", offset=0, precision=None, pads=(0, 0)):
    return dict(Class="integer", Size=size, Order=order, Offset=offset, Precision=precision or 8 * size, Pads=pads, Signed=bool(signed))


def bitfield(size, order="le", offset=0, precision=None, pads=(0, 0)):
    return dict(Class="bitfield", Size=size, Order=order, Offset=offset, Precision=precision or 8 * size, Pads=pads)


def floating(size, exponent, mantissa, order="le", bias=None, norm="implied", precision=None, sign=None, places=None, offset=0, pads=(0, 0)):
    at = places or (mantissa, 0)
    bias = (1 << (exponent - 1)) - 1 if bias is None else bias
    precision = precision or 8 * size
    sign = precision - 1 if sign is None else sign
    return dict(Class="float", Size=size, Order=order, Offset=offset, Precision=precision, Pads=pads,
                Fields=[sign, at[0], exponent, at[1], mantissa], Bias=bias, Norm=norm)


def predefined():
    for order in ("le", "be"):
        for size in (1, 2, 4, 8):
            if size > 1 or order == "le":
                yield integer(size, True, order)
                yield integer(size, False, order)
        yield floating(2, 5, 10, order)
        yield floating(4, 8, 23, order)
        yield floating(8, 11, 52, order)
        yield floating(2, 8, 7, order)  # bfloat16
        yield floating(16, 15, 112, order)  # quad
        yield floating(16, 15, 64, order, norm="none", precision=80)
        yield integer(16, True, order)
    yield floating(12, 15, 64, norm="none", precision=80)
    yield floating(1, 4, 3)
    yield floating(1, 5, 2)
    yield floating(1, 2, 3, precision=6)
    yield floating(1, 3, 2, precision=6)
    yield floating(1, 2, 1, precision=4)
    yield floating(4, 8, 23, "vax", bias=0x81)
    yield floating(8, 8, 55, "vax", bias=0x81)
    yield integer(3, True)
    yield integer(2, False, offset=3, precision=10)


def random_types(rng, n):
    for _ in range(n):
        size = rng.choice([1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 11, 16, 17])
        order, bits = rng.choice(["le", "be"]), 8 * size
        pads = (rng.randint(0, 1), rng.randint(0, 1))
        kind = rng.choice(["integer", "float", "float"])
        precision = rng.randint(max(2, bits // 2), bits)
        offset = rng.randint(0, bits - precision)
        if kind == "integer":
            yield integer(size, rng.randint(0, 1), order, offset, precision, pads)
            continue
        if precision < 5:
            precision, offset = bits, 0
        exponent = rng.randint(2, min(17, precision - 2))
        mantissa = rng.randint(1, min(precision - 1 - exponent, 115))
        parts = [("s", 1), ("e", exponent), ("m", mantissa)]
        rng.shuffle(parts)
        at, where = offset, {}
        for name, width in parts:  # what is left over are bits inside without a meaning
            where[name], at = at, at + width
        bias = rng.choice([(1 << (exponent - 1)) - 1, rng.randint(1, 1 << exponent)])
        yield floating(size, exponent, mantissa, order, bias, rng.choice(["implied", "implied", "none"]), precision,
                       where["s"], (where["e"], where["m"]), offset, pads)


def make(d):
    if d["Class"] == "float":
        t = h5t.IEEE_F64LE.copy()
        t.set_size(64)
        t.set_precision(256)
        t.set_fields(*d["Fields"])
        t.set_ebias(d["Bias"])
        t.set_norm(NORMS[d["Norm"]])
    else:
        t = (h5t.STD_I64LE if d.get("Signed") else h5t.STD_U64LE).copy()
        t.set_size(2 * max(d["Size"], 8))
    t.set_offset(d["Offset"])
    t.set_precision(d["Precision"])
    t.set_size(d["Size"])
    t.set_pad(*[PADS[p] for p in d["Pads"]])
    t.set_order(ORDERS[d["Order"]])
    got = (t.get_size(), t.get_precision(), t.get_offset(), t.get_order())
    if got != (d["Size"], d["Precision"], d["Offset"], ORDERS[d["Order"]]):
        raise ValueError(f"{d}: {got}")
    if d["Class"] == "float" and list(t.get_fields()) != d["Fields"]:
        raise ValueError(f"{d}: {t.get_fields()}")
    if d["Class"] == "bitfield":  # h5py cannot set its properties: they are those of an integer
        raw = bytearray(t.encode())
        raw[2] |= 4
        t = h5t.decode(bytes(raw))
    return t


def in_order(value, d):
    """The bytes of an element from its bits."""
    raw = value.to_bytes(d["Size"], "little")
    if d["Order"] == "be":
        return raw[::-1]
    if d["Order"] == "vax":
        return b"".join(raw[i : i + 2] for i in range(len(raw) - 2, -2, -2))
    return raw


def integer_bits(d):
    n, signed = d["Precision"], d.get("Signed")
    for k in sorted({0, 1, 2, 3, 7, 8, 11, 15, 16, 24, 31, 32, 53, 63, n - 2, n - 1}):
        for v in ((1 << k) - 1, 1 << k, (1 << k) + 1, 3 << k, -(1 << k), 1 - (1 << k), -1 - (1 << k)):
            if (-(1 << n - 1) <= v < 1 << n - 1) if signed else 0 <= v < 1 << n:
                yield v & ((1 << n) - 1)


def float_bits(d):
    _, _, e, _, m = d["Fields"]
    bias, top = d["Bias"], (1 << e) - 1
    lead = 1 << (m - 1) if d["Norm"] == "none" else 0
    low = max(m - 1, 1) if lead else m
    tie = 1 << max(low - 24, 0)
    fractions = {0, 1, (1 << low) - 1, 1 << (low - 1), 3 << max(low - 2, 0) & ((1 << low) - 1), tie, tie + 1, 3 * tie & ((1 << low) - 1)}
    for f in sorted(fractions):
        fields = {0, 1, top - 1, top, bias} | {bias + k for k in (-150, -25, -15, -2, -1, 1, 6, 7, 8, 15, 16, 31, 62, 63, 127)}
        for field in sorted(fields):
            if 0 <= field <= top and (f in (0, 1, (1 << low) - 1) or field in (bias, bias + 7, bias + 16, 0)):
                yield field, f | (lead if field else 0)
    if lead:
        for f in (1, (1 << low) - 1):
            yield 0, f


def elements(d, rng):
    if d["Class"] == "float":
        s, ea, es, ma, ms = d["Fields"]
        values = sorted({sign << s | field << ea | f << ma for field, f in float_bits(d) for sign in (0, 1)})
    else:
        values = sorted({v << d["Offset"] for v in integer_bits(d)})
    if len(values) > 90:
        values = sorted(rng.sample(values, 90))
    values += [rng.getrandbits(8 * d["Size"]) for _ in range(8)]
    return [in_order(v, d) for v in values]


def converted(src, dst, data):
    out = b""
    for element in data:
        buf = np.zeros(64, "u1")
        buf[: len(element)] = np.frombuffer(element, "u1")
        h5t.convert(src, dst, 1, buf)
        out += buf[: dst.get_size()].tobytes()
    return out


def main():
    root = Path(__file__).resolve().parents[2]
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "core/internal/convert/testdata/layouts.json.gz"
    rng = random.Random(20250101)
    fixed, free = list(predefined()), list(random_types(rng, 150))
    fields = [bitfield(1), bitfield(2, "be"), bitfield(4), bitfield(8, "be"), bitfield(2, "le", 3, 10, (1, 0)), bitfield(3, "be", 1, 17, (0, 1))]
    types = fixed + free + fields
    made = [make(d) for d in types]
    data = [elements(d, rng) for d in types]
    pairs = [(i, j) for i in range(len(fixed)) for j in range(len(fixed)) if i != j]
    pairs += [(rng.randrange(len(fixed) + len(free)), len(fixed) + rng.randrange(len(free))) for _ in range(300)]
    pairs += [(len(fixed) + rng.randrange(len(free)), rng.randrange(len(fixed))) for _ in range(300)]
    first = len(fixed) + len(free)
    pairs += [(first + i, first + j) for i in range(len(fields)) for j in range(len(fields)) if i != j]
    cases = []
    for i, j in pairs:
        result = converted(made[i], made[j], data[i][: len(data[i]) if max(i, j) >= len(fixed) else None])
        cases.append({"From": i, "To": j, "Out": base64.b64encode(result).decode()})
    for d, values in zip(types, data):
        d["In"] = base64.b64encode(b"".join(values)).decode()
    out.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"Types": types, "Cases": cases}, separators=(",", ":"))
    out.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{out}: {len(cases)} cases, {out.stat().st_size} bytes; h5py {h5py.version.version}, HDF5 {h5py.version.hdf5_version}")


if __name__ == "__main__":
    main()
