"""A plugin of pytest: networkx's own tests must have reached every function of the backend."""
import collections

from mgnn.networkx import _Backend

NAMES = [name for name in vars(_Backend) if not name.startswith(("_", "convert", "can", "should"))]
calls = collections.Counter()


def _counted(name, function):
    def call(*args, **kwargs):
        calls[name] += 1
        return function(*args, **kwargs)

    return staticmethod(call)


for _name in NAMES:
    setattr(_Backend, _name, _counted(_name, getattr(_Backend, _name)))


def pytest_sessionfinish(session):
    if not all(calls[name] for name in NAMES):
        session.exitstatus = 1


def pytest_terminal_summary(terminalreporter):
    for name in NAMES:
        terminalreporter.write_line(f"{name}: {calls[name]} calls reached mgnn")
