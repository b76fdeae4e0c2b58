#!/usr/bin/env python3
"""How fast clawh5 reads, beside other readers and beside the limit of the machine.

    python bench/bench.py [--quick] [--only WORD] [--data FOLDER] [--write docs/benchmarks.md]

Only ratios within one run mean anything: every reader works in a process of
its own, their runs take turns, and medians are given. The page cache is warm
and destinations are touched beforehand.

h5py tuned   h5py with an allocator that keeps its memory, read_direct: the honest peer
h5py         h5py as it comes, read_direct
hidefix      the fastest other reader for plain numbers; makes its result itself
pread        the bytes of the file, undecoded
limit        limit.c: pread, libdeflate and SSE2 unshuffle on all cores
"""
import argparse
import importlib.metadata
import json
import os
import platform
import select
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import h5py

ROOT = Path(__file__).resolve().parents[1]
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "testdata" / "make"))
import shapes  # noqa: E402

TUNED = {"MALLOC_MMAP_THRESHOLD_": str(1 << 30), "MALLOC_TRIM_THRESHOLD_": str(1 << 32),
         "MALLOC_TOP_PAD_": str(64 << 20)}
LOCAL = ("clawh5", "h5py tuned", "h5py", "hidefix", "pread", "limit")
REMOTE = ("clawh5", "download", "fsspec")
DEADLINE = 90  # seconds one run may take; slower readers are left out
LARGEST_DOWNLOAD = 2 << 30

WHOLE = [("contig512", "data"), ("contig128be", "data"), ("defl512", "data"), ("defl512_latest", "data"),
         ("int16", "data"), ("cmip_like", "tas"), ("imerg_like", "Grid/precipitation"), ("cmip_bad_eg.nc", "tas")]
CONTIGUOUS = ("contig512", "contig128be")
PARTS = [("1 % of the chunks", "some_chunks", "defl512", "data"), ("1 % of the chunks", "some_chunks", "cmip_like", "tas"),
         ("1,000 slices of (1, 16, 16)", "small_slices", "contig512", "data"),
         ("1,000 slices of (1, 16, 16)", "small_slices", "cmip_like", "tas")]
CODECS = ("lzf", "szip", "scaleoffset", "bzip2", "lz4", "zstd", "blosc", "blosc2", "bitshuffle", "zfp", "sz", "sz3",
          "sperr")
LISTINGS = [("shape and type, loop", "listing"), ("with 5 attributes each, loop", "listing_with_attributes"),
            ("one bulk call, shape and type", "bulk"), ("one bulk call, attributes included", "bulk_with_attributes"),
            ("that call, then every shape and type taken from it", "bulk_looked_at")]
LIKE_LOOP = {"bulk": "listing", "bulk_with_attributes": "listing_with_attributes",
             "bulk_looked_at": "listing_with_attributes"}
REMOTES = [("imerg_like", "tree", None), ("imerg_like", "whole", "Grid/precipitation"),
           ("cmip_like", "tree", None), ("cmip_like", "step", "tas"), ("cmip_like", "region", "tas"),
           ("cmip_like", "whole", "tas"), ("cmip_bad_eg.nc", "tree", None), ("cmip_bad_eg.nc", "step", "tas"),
           ("cmip_bad_eg.nc", "region", "tas"), ("cmip_bad_eg.nc", "whole", "tas"), ("many10k_earliest", "tree", None),
           ("many10k_latest", "tree", None), ("sparse1g", "tree", None), ("scattered", "step", "data")]


class Failed(Exception):
    pass


class Child:
    """A process that answers each line with a number."""

    def __init__(self, command, env=None):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
                                        text=True, bufsize=1, env={**os.environ, **(env or {})})
        if self.answer() != "ready":
            raise Failed("did not start")

    def answer(self):
        ready, _, _ = select.select([self.process.stdout], [], [], DEADLINE)
        line = self.process.stdout.readline().strip() if ready else ""
        if line:
            return line
        self.close()
        self.errors.seek(0)
        said = self.errors.read().decode(errors="replace").strip().splitlines()
        raise Failed(f"> {DEADLINE} s" if not ready else said[-1][:80] if said else "died")

    def run(self, word=""):
        self.process.stdin.write(word + "\n")
        return float(self.answer())

    def close(self):
        self.process.kill()
        self.process.wait()


def peer(reader, task, location, dataset=None):
    command = [sys.executable, str(HERE / "peer.py"), reader, task, str(location)] + ([dataset] if dataset else [])
    return Child(command, TUNED if reader == "h5py tuned" else None)


class Limit:
    """The compiled limit.c, and the tables of chunks it reads."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.program = self.folder / "limit"
        subprocess.run(["gcc", "-O3", "-march=native", "-o", str(self.program), str(HERE / "limit.c"), "-ldeflate",
                        "-lpthread"], check=True)

    def child(self, path, name):
        with h5py.File(path, "r") as file:
            dataset = file[name]
            chunk_bytes = dataset.dtype.itemsize
            for n in dataset.chunks:
                chunk_bytes *= n
            infos = [dataset.id.get_chunk_info(i) for i in range(dataset.id.get_num_chunks())]
            shuffled = int(dataset.shuffle)
            itemsize = dataset.dtype.itemsize
        table = self.folder / "table"
        table.write_text("".join(f"{i.byte_offset} {i.size} {shuffled}\n" for i in infos))
        return Child([str(self.program), str(path), str(table), str(itemsize), str(chunk_bytes), str(os.cpu_count())])


class Bench:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.repeats = 3 if arguments.quick else 9
        self.limit = Limit(folder)
        self.lines = []

    def say(self, *lines):
        for line in lines:
            print(line, flush=True)
            self.lines.append(line)

    def wanted(self, *words):
        return not self.arguments.only or any(self.arguments.only in word for word in words if word)

    def path(self, name):
        """The file of a name: one of the real files, or a shape, made if need be."""
        if name.endswith(".nc"):
            path = Path(self.arguments.real) / name
            return path if path.exists() else None
        return Path(shapes.ensure(name, self.arguments.data))

    def medians(self, children):
        """reader -> median seconds; their runs take turns."""
        times = {reader: [] for reader in children}
        for _ in range(self.repeats):
            for reader, child in children.items():
                if child is not None and times[reader] is not None:
                    try:
                        times[reader].append(child.run())
                    except Failed:
                        times[reader] = None
        return {reader: statistics.median(t) for reader, t in times.items() if t}

    def local(self, task, path, dataset, readers):
        children = {}
        for reader in readers:
            try:
                if reader == "limit":
                    children[reader] = self.limit.child(path, dataset)
                else:
                    children[reader] = peer(reader, task, path, dataset)
            except Failed as error:
                print(f"  ({reader} on {path.name}: {error})", file=sys.stderr)
        try:
            seconds = self.medians(children)
            peaks = {r: children[r].run("peak") for r in ("clawh5", "h5py tuned") if r in seconds and task == "whole"}
        finally:
            for child in children.values():
                child.close()
        return seconds, peaks

    def whole(self):
        self.say("", "## Whole datasets", "", table_head("dataset", LOCAL), table_rule(LOCAL))
        peaks = {}
        for name, dataset in WHOLE:
            path = self.path(name) if self.wanted("whole", name) else None
            if path is None:
                continue
            readers = [r for r in LOCAL if r != ("limit" if name in CONTIGUOUS else "pread")]
            seconds, peaks[name] = self.local("whole", path, dataset, readers)
            self.say(table_row(f"{name} `{dataset}`", seconds, LOCAL))
        self.say("", "Peak of memory beyond the destination while these were read, MiB:", "",
                 "| dataset | clawh5 | h5py tuned |", "|---|---|---|")
        for name, peak in peaks.items():
            self.say(f"| {name} | " + " | ".join(f"{peak[r] / 2**20:.1f}" if r in peak else "–"
                                                 for r in ("clawh5", "h5py tuned")) + " |")

    def parts(self):
        readers = LOCAL[:4]
        self.say("", "## Parts", "", table_head("what", readers), table_rule(readers))
        for title, task, name, dataset in PARTS:
            if self.wanted("parts", task, name):
                seconds, _ = self.local(task, self.path(name), dataset, readers)
                self.say(table_row(f"{title}, {name}", seconds, readers))

    def others(self):
        readers = LOCAL[:3]
        self.say("", "## Other filters and layouts", "", table_head("dataset", readers), table_rule(readers))
        for name, dataset in [("virtual64", "data"), *(("codecs", codec) for codec in CODECS)]:
            if self.wanted("others", name, dataset):
                seconds, _ = self.local("whole", self.path(name), dataset, readers)
                self.say(table_row(f"{name} `{dataset}`", seconds, readers))

    def listings(self):
        readers = LOCAL[:3]
        self.say("", "## Opening and listing 10,000 datasets", "",
                 "A bulk call is compared with h5py's loop that takes as much.", "",
                 table_head("what", readers), table_rule(readers))
        for name in ("many10k_earliest", "many10k_latest"):
            if not self.wanted("listings", name):
                continue
            loops = {}
            for title, task in LISTINGS:
                others = () if task in LIKE_LOOP else readers[1:]
                seconds, _ = self.local(task, self.path(name), None, (readers[0], *others))
                loops[task] = seconds
                if task in LIKE_LOOP:
                    seconds |= {r: s for r, s in loops[LIKE_LOOP[task]].items() if r != "clawh5"}
                self.say(table_row(f"{name}: {title}", seconds, readers))

    def remote(self):
        self.say("", "## Remote: 20 ms to the first byte, 100 MB/s a connection", "",
                 "Seconds / requests / MB from opening the file to the result. download: the whole file, then h5py. "
                 "fsspec: h5py over fsspec with a block cache of 4 MiB.", "",
                 "| file | what | " + " | ".join(REMOTE) + " | download / clawh5 | fsspec / clawh5 |",
                 "|---|---|" + "---|" * (len(REMOTE) + 2))
        for name, what, dataset in REMOTES:
            path = self.path(name) if self.wanted("remote", name) else None
            if path is None:
                continue
            results = {reader: self.remote_run(reader, what, path, dataset) for reader in REMOTE}
            cells = [f"{r[0]:.3f} / {r[1]} / {r[2] / 1e6:.1f}" if isinstance(r, tuple) else r for r in results.values()]
            own = results["clawh5"]
            ratios = [f"{results[r][0] / own[0]:.2f}" if isinstance(results[r], tuple) and isinstance(own, tuple) else "–"
                      for r in REMOTE[1:]]
            self.say(f"| {name} | {what} | " + " | ".join(cells + ratios) + " |")

    def remote_run(self, reader, what, path, dataset):
        """(seconds, requests, bytes) of the best of some runs, or why there is none."""
        if reader == "download" and path.stat().st_size > LARGEST_DOWNLOAD:
            return "too large"
        command = [str(self.arguments.cli), "serve", str(path.parent), "--port", "0", "--latency", "20ms",
                   "--bandwidth", "100MB"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        child = None
        try:
            address = server.stdout.readline().rsplit(" at ", 1)[1].strip().rstrip("/")
            child = peer(reader, f"remote_{what}", f"{address}/{path.name}", dataset)
            runs = []
            for _ in range(2 if self.arguments.quick else 3):
                get(address, "__reset")
                seconds = child.run()
                counted = settled(address)
                runs.append((seconds, counted["requests"], counted["bytes"]))
                if seconds > 5:
                    break
            return min(runs)
        except Failed as error:
            return str(error).replace("|", "/")
        finally:
            server.kill()
            server.wait()
            if child:
                child.close()


def settled(address):
    """The server's counters once it has counted what it served: it does so when the whole answer is away."""
    last, counted = None, {}
    while counted != last or not counted["requests"]:
        time.sleep(0.05)
        stats = json.loads(get(address, "__stats"))
        last, counted = counted, {what: stats[what] for what in ("requests", "bytes")}
    return counted


def get(address, what):
    with urllib.request.urlopen(f"{address}/{what}") as answer:
        return answer.read()


def table_head(first, readers):
    ratios = [f"{r} / clawh5" for r in readers[1:]]
    return f"| {first} | " + " | ".join([f"{r}, s" for r in readers] + ratios) + " |"


def table_rule(readers):
    return "|---|" + "---|" * (2 * len(readers) - 1)


def table_row(title, seconds, readers):
    """Seconds of each reader, then how many times as long as clawh5 the others took."""
    own = seconds.get("clawh5")
    cells = [f"{seconds[r]:.4f}" if r in seconds else "–" for r in readers]
    ratios = [f"{seconds[r] / own:.2f}" if r in seconds and own else "–" for r in readers[1:]]
    return f"| {title} | " + " | ".join(cells + ratios) + " |"


def machine():
    model = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), platform.processor())
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 30
    yield f"{os.cpu_count()} cores of {model}, {memory} GiB, {platform.system()} {platform.release()}, " \
          f"Python {platform.python_version()}, {time.strftime('%Y-%m-%d')}."
    names = ("clawh5", "h5py", "hdf5plugin", "numpy", "hidefix", "fsspec", "aiohttp")
    yield "Versions: " + ", ".join(f"{name} {version(name)}" for name in names) + f", HDF5 {h5py.version.hdf5_version}."


def version(name):
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


SECTIONS = ("whole", "parts", "others", "listings", "remote")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few repetitions")
    parser.add_argument("--only", metavar="WORD", help="only files, tasks or sections whose name holds WORD")
    parser.add_argument("--section", choices=SECTIONS, action="append", help="only these sections")
    parser.add_argument("--data", default=os.environ.get("CLAWH5_SHAPES") or ROOT / "build" / "testdata" / "shapes",
                        help="where the files of testdata/make/shapes.py are, or are made (1.4 GB)")
    parser.add_argument("--real", default=ROOT.parent / "shared" / "real", help="where cmip_bad_eg.nc is")
    parser.add_argument("--cli", default=os.environ.get("CLAWH5_CLI") or ROOT / "build" / "clawh5")
    parser.add_argument("--write", metavar="FILE", help="write the tables into this file too, after what it says first")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments, folder)
        bench.say(*machine())
        for section in arguments.section or SECTIONS:
            getattr(bench, section)()
    if arguments.write:
        write(Path(arguments.write), bench.lines)


BEGIN = "<!-- figures: what follows is written by bench/bench.py -->"


def write(path, lines):
    """Replace what follows the BEGIN line; what stands before it is kept."""
    before = path.read_text().partition(BEGIN)[0] if path.exists() else "# Benchmarks\n\n"
    path.write_text(before + BEGIN + "\n\n" + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
