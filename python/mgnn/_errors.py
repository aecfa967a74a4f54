"""Errors of the library as exceptions."""
from __future__ import annotations

import warnings
from ctypes import byref, sizeof
from typing import Any, Iterable

from . import _abi


class Error(RuntimeError):
    """Something that should work did not: a full disk, no network."""


class UsageError(Error, ValueError):
    """Something impossible was asked for: an unknown name, options that contradict."""


class DataError(Error, ValueError):
    """The data are wrong; `path` and `line` say where, if known."""

    def __init__(self, message: str, path: str | None = None, line: int | None = None) -> None:
        super().__init__(message)
        self.path, self.line = path, line

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.path, self.line)


class PerformanceWarning(UserWarning):
    """Something takes more time or memory than it needs to."""


class NoteWarning(UserWarning):
    """What was guessed, changed or not used, and what makes scores doubtful."""


def tell(sentences: Iterable[str]) -> None:
    """Notes as warnings at the line that called the caller's function."""
    for sentence in sentences:
        warnings.warn(sentence, NoteWarning, stacklevel=3)


_ADVICE = {  # what to do about it, in Python's words; the library says what is wrong
    "overwrite": "use overwrite=True to replace it",
    "string_ids": "use ids='string' if ids are names",
    "separator": "use separator=... for another",
    "trim": "use trim=True or fix the file",
    "nodes": "name the table of these nodes with nodes=FILE",
    "label_column": "give a table with nodes=FILE, label=COLUMN, or learn without labels with "
                    "task='unsupervised'",
    "type_column": "give them in a table with nodes=FILE, type_column=NAME",
    "target_column": "name their column with target_column=NAME",
    "relation_column": "name the column of an edge list with relation_column=NAME",
    "end_columns": "name them with from_column=NAME, to_column=NAME",
    "model": "use another model",
    "list_settings": "mgnn.settings() lists all",
    "list_datasets": "mgnn.datasets() lists those known",
    "download": "mgnn.load with download=True fetches it",
    "train": "mgnn.train(..., output=FOLDER) makes one",
    "resume": "use overwrite=True to replace it",
    "embed": "Run.embed gives its vectors",
}


def _text(value: bytes | None) -> str:
    return (value or b"").decode("utf-8", "replace")


def _advice(hint: str, value: str) -> str:
    if hint == "setting":
        name, _, stated = value.partition("=")
        return f"use {name}={stated}"
    return _ADVICE.get(hint, "")


def last_error(library: Any, kind: int) -> BaseException:
    """The error of the call that has just returned `kind`."""
    info = _abi.error_info(size=sizeof(_abi.error_info))
    library.mgnn_error(byref(info))
    message, advice = _text(info.message), _advice(_text(info.hint), _text(info.hint_value))
    if advice:
        message = f"{message}; {advice}"
    if kind == _abi.INTERRUPTED:
        return KeyboardInterrupt(message)
    if kind == _abi.MEMORY:
        return MemoryError(message)
    if kind == _abi.DATA:
        return DataError(message, _text(info.path) or None, info.line or None)
    return UsageError(message) if kind == _abi.USAGE else Error(message)
