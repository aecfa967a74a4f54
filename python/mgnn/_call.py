"""How a call works: its threads, its progress, its interruption, and what it gives back."""
from __future__ import annotations

import _signal  # type: ignore  # `signal` wraps it in enums, 10 µs a call
import contextlib
import contextvars
import ctypes
import functools
import itertools
import json
import signal
import threading
from ctypes import byref, c_void_p, sizeof
from types import FrameType, TracebackType
from typing import Any, Callable, Iterator, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from . import _abi, _progress
from ._errors import (DataError, Error, NoteWarning, PerformanceWarning, UsageError, last_error,
                      tell)
from ._library import open_library

__all__ = [
    "Call", "DataError", "Error", "Handle", "NoteWarning", "PerformanceWarning", "UsageError",
    "borrowed", "bytes_of", "document", "get_num_threads", "library", "pointer",
    "set_num_threads", "struct", "tell", "text", "threads"]


def _check(result: int, _function: Any, _arguments: Any) -> int:
    if result:
        raise last_error(library, result)
    return result


library = open_library(_check)

S = TypeVar("S", bound=ctypes.Structure)


def struct(kind: type[S], /, **fields: Any) -> S:
    """A structure of the interface with its size set; names that Python reserves end in _."""
    made = kind(size=sizeof(kind))
    for name, value in fields.items():
        setattr(made, name.rstrip("_"), value)
    return made


def text(value: Any) -> bytes | None:
    """A string for the library; None stays None."""
    return None if value is None else str(value).encode()


# ---- threads

_threads: contextvars.ContextVar[int | None] = contextvars.ContextVar("mgnn_threads", default=None)
_default_threads = 0


def _checked_threads(n: int | None) -> int:
    if n is None or isinstance(n, bool) or int(n) != n or n < 0:
        raise UsageError(f"threads is {n!r}; it is a whole number, 0 for all that there are")
    return int(n)


def set_num_threads(n: int) -> None:
    """Threads of all later calls that do not say otherwise; 0: as many as OpenMP says."""
    global _default_threads
    _default_threads = _checked_threads(n)


def get_num_threads() -> int:
    """How many threads a call would use now."""
    number = _threads.get()
    number = _default_threads if number is None else number
    if number:
        return number
    available = ctypes.c_int64()
    library.mgnn_threads(byref(available))
    return available.value


@contextlib.contextmanager
def threads(n: int) -> Iterator[None]:
    """Within the block, calls of this thread (or asynchronous task) use `n` threads."""
    token = _threads.set(_checked_threads(n))
    try:
        yield
    finally:
        _threads.reset(token)


# ---- progress and interruption

_SIGNALS = tuple(int(getattr(signal, name)) for name in (
    "SIGINT", "SIGTERM", "SIGALRM", "SIGHUP", "SIGUSR1", "SIGUSR2") if hasattr(signal, name))
_running: dict[int, "Call"] = {}
_numbers = itertools.count(1)


def _poll(context: int) -> int:
    call = _running.get(context)
    return int(call is not None and call.error is not None)


def _report(context: int, label: bytes, done: int, total: int, unit: bytes, note: bytes,
            finished: int) -> None:
    call = _running.get(context)
    if call is None or call.error is not None:
        return
    try:
        if call.sink is None:
            call.sink = _progress.sink(call.progress)
        call.sink(label.decode(), done, total, unit.decode(), note.decode(), bool(finished))
    except BaseException as error:  # it ends the call, which raises it
        call.error = error


_c_poll = _abi.poll_function(_poll)
_c_report = _abi.progress_function(_report)
_c_silent = _abi.progress_function(0)
_LOUD, _SILENT = (bytes(_abi.call(sizeof(_abi.call), 0, report, None, _c_poll))
                  for report in (_c_report, _c_silent))


class Call:
    """Use as `with Call(threads, progress) as call: library.mgnn_x(call, ...)`.

    A signal whose handler raises, as that of Ctrl-C does, ends the call within some 50 ms. The
    handler runs inside a wrapper that keeps its exception, since Python would lose it between the
    frames of the library; it is raised when the call is over.
    """

    __slots__ = ("error", "progress", "sink", "handlers", "threads", "number")

    def __init__(self, threads: int | None = None, progress: Any = None) -> None:
        self.error: BaseException | None = None
        self.progress, self.sink = progress, cast(Any, None)
        self.handlers: list[tuple[int, Any]] = []
        number = _threads.get() if threads is None else _checked_threads(threads)
        self.threads = _default_threads if number is None else number

    def __enter__(self) -> Any:
        number = self.number = next(_numbers)
        _running[number] = self
        if threading.get_ident() == threading.main_thread().ident:
            self._wrap_handlers()
        made = _abi.call.from_buffer_copy(_SILENT if self.progress is False else _LOUD)
        made.threads, made.progress_context, made.poll_context = self.threads, number, number
        return byref(made)

    def _wrap_handlers(self) -> None:
        for number in _SIGNALS:
            handler = _signal.getsignal(number)
            if callable(handler):
                self.handlers.append((number, handler))
                _signal.signal(number, self._handle)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        try:
            dict(self.handlers)[number](number, frame)
        except BaseException as error:
            self.error = error

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        for number, handler in self.handlers:
            _signal.signal(number, handler)
        del _running[self.number]
        if self.sink is not None:
            self.sink.close()
        if self.error is not None:
            raise self.error from None


# ---- handles and memory

class Handle(c_void_p):
    """An object of the library, freed when nobody uses it any more."""

    free: Any = None
    kept: Any = None  # memory of the caller that the object uses

    def __del__(self) -> None:
        if self.value and self.free is not None:
            self.free(self)


@functools.lru_cache(None)
def _kind(name: str) -> type[Handle]:
    free = getattr(library, f"mgnn_{name}_free")
    return type(name.capitalize() + "Handle", (Handle,), {"free": staticmethod(free)})


def new(name: str) -> Handle:
    """An empty handle to be filled by a call: pass byref(it)."""
    return _kind(name)()


class _Memory:
    """Memory of the library that keeps its owner alive."""

    def __init__(self, owner: Any, address: int, shape: tuple[int, ...], dtype: Any,
                 writable: bool) -> None:
        self.owner = owner
        self.__array_interface__ = {"data": (address, not writable), "shape": shape,
                                    "typestr": np.dtype(dtype).str, "version": 3}


def borrowed(owner: Any, address: int | None, shape: int | tuple[int, ...], dtype: Any,
             writable: bool = False) -> NDArray[Any]:
    """An array over memory of `owner`, which lives at least as long as the array."""
    shape = shape if isinstance(shape, tuple) else (shape,)
    if not address or 0 in shape:
        empty = np.empty(shape, dtype)
        empty.flags.writeable = writable
        return empty
    return np.asarray(_Memory(owner, address, shape, dtype, writable))


def pointer(array: Any) -> int | None:
    """The address of a contiguous array; the caller keeps the array."""
    if array is None:
        return None
    try:
        return ctypes.addressof(ctypes.c_char.from_buffer(array))  # four times as fast
    except (TypeError, ValueError):
        pass  # read-only, or empty
    assert array.flags.c_contiguous
    return int(array.__array_interface__["data"][0])


def matrix_array(handle: Handle) -> NDArray[np.float32]:
    """The values of a matrix that the library has just made: writable, and never copied."""
    rows, cols, values = ctypes.c_int64(), ctypes.c_int64(), c_void_p()
    library.mgnn_matrix_data(handle, byref(rows), byref(cols), byref(values))
    return borrowed(handle, values.value, (rows.value, cols.value), np.float32, writable=True)


def bytes_of(function: Callable[..., Any], *arguments: Any) -> bytes:
    """What a function writes into its last argument, an mgnn_buffer."""
    buffer, data, size = new("buffer"), c_void_p(), ctypes.c_int64()
    function(*arguments, byref(buffer))
    library.mgnn_buffer_data(buffer, byref(data), byref(size))
    return ctypes.string_at(data.value or 0, size.value) if size.value else b""


def document(function: Callable[..., Any], *arguments: Any) -> Any:
    """The same, which is JSON."""
    return json.loads(bytes_of(function, *arguments))
