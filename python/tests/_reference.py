"""What h5py says about a file, kept under build/ because it does not change."""
import hashlib
import os
import pickle
from functools import lru_cache
from pathlib import Path

import _canon
import _diff_worker
import _workers
from _env import CACHE

# Loading hdf5plugin's libraries costs more than most files: the reference side
# of a cold run is bounded by this many files a worker at once.
LIMITS = _workers.Limits(seconds=180)

# We take the names of external raw files from the file's directory; libhdf5 does so if it is told to.
ENV = {"HDF5_EXTFILE_PREFIX": "${ORIGIN}"}


@lru_cache
def _version():
    sources = b"".join(Path(m.__file__).read_bytes() for m in (_canon, _diff_worker))
    return _diff_worker.library_versions() + "-" + hashlib.sha256(sources).hexdigest()[:12]


def _cached(path, sha256):
    key = sha256 or f"{path.name}-{path.stat().st_size}"
    return CACHE / "h5py" / _version() / key[:2] / f"{key}.pickle"


def descriptions(files, workers=2):
    """h5py's description of each (name, path, sha256); a WorkerError where h5py died or hung."""
    results, missing = {}, []
    for name, path, sha256 in files:
        cached = _cached(path, sha256)
        if cached.exists():
            results[name] = pickle.loads(cached.read_bytes())
        else:
            missing.append((name, path, cached))
    jobs = [("_diff_worker", "describe", dict(reader="h5py", location=str(path))) for _, path, _ in missing]
    answers = _workers.run(jobs, workers, LIMITS, env=ENV, retry_deaths=True)
    for (name, _, cached), answer in zip(missing, answers):
        results[name] = answer
        cached.parent.mkdir(parents=True, exist_ok=True)
        part = cached.with_suffix(f".{os.getpid()}.part")
        part.write_bytes(pickle.dumps(answer))
        part.replace(cached)
    return results
