"""Progress on a terminal, in a notebook, or to a function of the caller."""
from __future__ import annotations

import sys
from typing import Any, Callable


def _watched() -> bool:
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except ValueError:  # closed
        return False


def sink(progress: Any) -> Any:
    """None: a bar where a person watches; True: a bar; or f(label, done, total, note)."""
    if callable(progress):
        return _Function(progress)
    notebook = "ipykernel" in sys.modules
    if progress is None and not notebook and not _watched():
        return _Nothing()
    return _Notebook() if notebook and _tqdm() else _Bar()


class _Nothing:
    def __call__(self, *told: Any) -> None:
        pass

    def close(self) -> None:
        pass


class _Function:
    def __init__(self, function: Callable[[str, int, int, str], Any]) -> None:
        self.function = function

    def __call__(self, label: str, done: int, total: int, unit: str, note: str, last: bool) -> None:
        self.function(label, done, total, note)

    def close(self) -> None:
        pass


class _Bar:
    """One line on standard error that is redrawn and wiped at the end."""

    width = 24

    def __init__(self) -> None:
        self.drawn = 0

    def __call__(self, label: str, done: int, total: int, unit: str, note: str, last: bool) -> None:
        if last:
            return self.close()
        if total > 0:
            filled = int(self.width * min(done / total, 1))
            middle = f"[{'#' * filled}{'.' * (self.width - filled)}] {100 * done // total} %"
        else:
            middle = f"{done} {unit}".rstrip()
        line = f"{label} {middle} {note}".rstrip()[:100]
        sys.stderr.write("\r" + line.ljust(self.drawn))
        sys.stderr.flush()
        self.drawn = len(line)

    def close(self) -> None:
        if self.drawn and sys.stderr is not None:
            sys.stderr.write("\r" + " " * self.drawn + "\r")
            sys.stderr.flush()
        self.drawn = 0


def _tqdm() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


class _Notebook:
    def __init__(self) -> None:
        self.bar: Any = None
        self.label = ""

    def __call__(self, label: str, done: int, total: int, unit: str, note: str, last: bool) -> None:
        if label != self.label:
            self.close()
            self.bar = _tqdm()(total=total or None, desc=label, unit=unit or "it")
            self.label = label
        self.bar.set_postfix_str(note, refresh=False)
        self.bar.update(done - self.bar.n)
        if last:
            self.close()

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
        self.bar, self.label = None, ""
