"""A worker process: reads jobs (module, function, arguments) and answers with results. See _workers.py."""
import importlib
import os
import pickle
import struct
import sys
import traceback

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def main():
    jobs = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever a library prints must not land between the answers
    while len(head := jobs.read(8)) == 8:
        size, = struct.unpack("<Q", head)
        name, function, arguments = pickle.loads(jobs.read(size))
        try:
            answer = True, getattr(importlib.import_module(name), function)(**arguments)
        except Exception:
            answer = False, traceback.format_exc()
        frame = pickle.dumps(answer)
        answers.write(struct.pack("<Q", len(frame)) + frame)
        answers.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
