"""Jobs of the tests with damaged files. Each looks at everything in a file, in one worker process, and measures itself."""
import os
import struct
import time
from pathlib import Path

import _canon
from _compare import compare
from _diff_worker import describe
from _env import MODULE

SCRATCH = Path("/dev/shm") if os.access("/dev/shm", os.W_OK) else Path(os.environ.get("TMPDIR") or "/tmp")
MAX_BYTES = 1 << 20  # larger datasets are sampled: what is declared large must not cost much


def cost(path):
    """Read all of one file: (outcome, CPU seconds, MiB at the peak above the start)."""
    reset_peak()
    before, cpu = memory("VmRSS"), time.process_time()
    result = describe(MODULE, str(path), max_bytes=MAX_BYTES)
    outcome = f"{result.kind}: {result.text}" if isinstance(result, _canon.Failure) else "opened"
    return outcome, time.process_time() - cpu, (memory("VmHWM") - before) / 1024


def damage(path, kind, first, last, progress):
    """Read a file cut at, or with a byte changed at, every offset from first to last.

    Returns (complaints, (CPU seconds, offset), MiB): texts about wrong data
    (cuts only), the dearest reading, and the peak of memory above the start.
    Before each reading the offset is written to the file progress, so that a
    death can be blamed on it.
    """
    image = Path(path).read_bytes()
    whole = describe(MODULE, str(path), max_bytes=MAX_BYTES)
    scratch = SCRATCH / f"clawh5-test-{os.getpid()}.h5"
    complaints, dearest = [], (0.0, first)
    reset_peak()
    memory_before = memory("VmRSS")
    with open(progress, "r+b", buffering=0) as mark, open(scratch, "w+b", buffering=0) as copy:
        copy.write(image)
        try:
            for offset in range(first, last) if kind == "flip" else range(last - 1, first - 1, -1):
                os.pwrite(mark.fileno(), struct.pack("<Q", offset), 0)
                if kind == "cut":
                    copy.truncate(offset)
                else:
                    os.pwrite(copy.fileno(), bytes([image[offset] ^ flip_mask(offset)]), offset)
                cpu = time.process_time()
                result = describe(MODULE, str(scratch), max_bytes=MAX_BYTES)
                dearest = max(dearest, (time.process_time() - cpu, offset))
                if kind == "flip":
                    os.pwrite(copy.fileno(), image[offset:offset + 1], offset)
                elif wrong := compare(whole, result, errors_allowed=True).wrong:
                    complaints.append(f"cut at {offset}: {wrong[0]}")
        finally:
            scratch.unlink()
    return complaints, dearest, (memory("VmHWM") - memory_before) / 1024


def flip_mask(offset):
    """Mostly one bit, in turn; every third byte whole: both near misses and wild values."""
    return 0xFF if offset % 3 == 0 else 1 << (offset // 3 % 8)


def memory(field):
    """A field of /proc/self/status, KiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1])
    return 0


def reset_peak():
    """Let VmHWM begin anew (5 is the kernel's number for that)."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass
