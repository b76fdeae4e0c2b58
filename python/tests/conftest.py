"""What all tests share: the module under test, a range server, and the tables printed at the end."""
import signal
import pytest

import _env
import _workers
from _server import Server

TABLES = []

# A runner that was started in the background hands down an ignored SIGINT; the
# tests press Ctrl-C as in a session where it counts.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def reader():
    """The module under test."""
    return _env.module()


@pytest.fixture(scope="session")
def corpus():
    """(name, path, sha256) of every file that must be readable."""
    return _env.corpus_files()


@pytest.fixture(scope="session")
def local(corpus):
    """name -> what the module under test says about each file of the corpus, read from disk."""
    jobs = [("_diff_worker", "describe", dict(reader=_env.MODULE, location=str(path))) for _, path, _ in corpus]
    return dict(zip((name for name, _, _ in corpus), _workers.run(jobs, 2, _workers.Limits(seconds=120))))


@pytest.fixture
def table():
    """Call it with a title and lines: they are printed at the end of the run."""
    return lambda title, lines: TABLES.append((title, list(lines)))


@pytest.fixture
def serve():
    """Call it with a folder and options of clawh5 serve: a running Server, stopped after the test."""
    servers = []

    def start(folder, **options):
        servers.append(Server(folder, **options))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def pytest_terminal_summary(terminalreporter):
    for title, lines in TABLES:
        terminalreporter.section(title)
        for line in lines:
            terminalreporter.write_line(line)
