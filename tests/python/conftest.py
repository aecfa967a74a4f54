"""What the tests share: random graphs, real data, the tool."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import warnings

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOL = os.environ.get("MGNN_TOOL", str(ROOT / "build/release/bin/mgnn"))
if "MGNN_INSTALLED" not in os.environ:
    sys.path.insert(0, str(ROOT / "python"))


if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # as shells leave it behind "&"
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items):
    """Networks of tests learn little, which is said; tests with filters of their own look at it."""
    for item in items:
        if item.get_closest_marker("filterwarnings") is None:
            item.add_marker(pytest.mark.filterwarnings("ignore::mgnn.NoteWarning"))


@contextlib.contextmanager
def without_warnings():
    """Around what other packages warn of themselves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def random_arcs(seed, n=40, arcs=200):
    rng = np.random.default_rng(seed)
    return rng.integers(0, n, (2, arcs))


@pytest.fixture(params=range(4))
def graph(request):
    import mgnn
    n, arcs = [(40, 200), (12, 60), (30, 40), (1, 0)][request.param]
    return mgnn.Graph.from_edge_index(random_arcs(request.param, n, arcs), num_nodes=n)


@pytest.fixture(scope="session")
def data_dir():
    for place in (os.environ.get("MGNN_DATA_DIR"), ROOT.parent / "shared/data",
                  ROOT.parent.parent / "shared/data"):
        if place and pathlib.Path(place).is_dir():
            return str(place)
    pytest.skip("no data folder here: set MGNN_DATA_DIR")


@pytest.fixture(scope="session")
def tool():
    if not os.path.exists(TOOL):
        pytest.skip("the tool mgnn is not built")

    def run(*arguments):
        done = subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def tool_json(tool):
    return lambda *arguments: json.loads(tool(*arguments, "--json"))
