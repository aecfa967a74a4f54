"""Columns of an Arrow stream (`__arrow_c_stream__`), read through the C data interface."""
from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from typing import Any, Iterable

import numpy as np
from numpy.typing import NDArray

from ._call import UsageError


class Schema(Structure):
    pass


Schema._fields_ = [
    ("format", c_char_p), ("name", c_char_p), ("metadata", c_void_p), ("flags", c_int64),
    ("n_children", c_int64), ("children", POINTER(POINTER(Schema))),
    ("dictionary", POINTER(Schema)), ("release", CFUNCTYPE(None, POINTER(Schema))),
    ("private", c_void_p)]


class Array(Structure):
    pass


Array._fields_ = [
    ("length", c_int64), ("null_count", c_int64), ("offset", c_int64), ("n_buffers", c_int64),
    ("n_children", c_int64), ("buffers", POINTER(c_void_p)),
    ("children", POINTER(POINTER(Array))), ("dictionary", POINTER(Array)),
    ("release", CFUNCTYPE(None, POINTER(Array))), ("private", c_void_p)]


class Stream(Structure):
    pass


Stream._fields_ = [
    ("get_schema", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Schema))),
    ("get_next", CFUNCTYPE(c_int, POINTER(Stream), POINTER(Array))),
    ("get_last_error", CFUNCTYPE(c_void_p, POINTER(Stream))),
    ("release", CFUNCTYPE(None, POINTER(Stream))), ("private", c_void_p)]

_NUMBERS = {b"c": "i1", b"C": "u1", b"s": "i2", b"S": "u2", b"i": "i4", b"I": "u4", b"l": "i8",
            b"L": "u8"}
_TEXT = {b"u": np.int32, b"U": np.int64}


def _values(address: int, count: int, dtype: Any) -> NDArray[Any]:
    size = np.dtype(dtype).itemsize * count
    return np.frombuffer(ctypes.string_at(address, size), dtype) if size else np.empty(0, dtype)


def _has_nulls(array: Any) -> bool:
    if array.null_count >= 0 or not array.buffers[0]:
        return bool(array.null_count > 0)
    end = array.offset + array.length
    bits = np.unpackbits(_values(array.buffers[0], (end + 7) // 8, np.uint8), bitorder="little")
    return not bits[array.offset:end].all()


def _viewed(array: Any, i: int) -> str:
    """String i of views: up to 12 bytes in place, or a length, 4 bytes, and where the rest is."""
    view = ctypes.string_at(array.buffers[1] + 16 * i, 16)
    length, _, buffer, offset = map(int, np.frombuffer(view, np.int32))
    if length <= 12:
        return view[4:4 + length].decode()
    return ctypes.string_at(array.buffers[2 + buffer] + offset, length).decode()


def _column(array: Any, form: bytes, name: str) -> list[Any]:
    if _has_nulls(array):
        raise UsageError(f"a row has no value in the column {name!r}")
    first, end = array.offset, array.offset + array.length
    if form in _NUMBERS:
        return list(_values(array.buffers[1], end, _NUMBERS[form])[first:].tolist())
    if form == b"vu":
        return [_viewed(array, i) for i in range(first, end)]
    if form not in _TEXT:
        raise UsageError(f"the column {name!r} is of Arrow's type {form.decode()!r}; ids are whole "
                         "numbers or strings (utf8, large_utf8, utf8_view): cast it")
    if array.length == 0:
        return []
    starts: Any = _values(array.buffers[1], end + 1, _TEXT[form])
    start = starts[first:].tolist()
    text = _values(array.buffers[2], start[-1], np.uint8).tobytes()
    return [text[a:b].decode() for a, b in zip(start, start[1:])]


def _checked(stream: Any, result: int) -> None:
    if result:
        told = ctypes.cast(stream.contents.get_last_error(stream), c_char_p)
        message = told.value or b"unknown error"
        raise UsageError(f"the Arrow stream failed: {message.decode('utf-8', 'replace')}")


def columns(frame: Any, names: Iterable[str]) -> list[list[Any]]:
    """The values of some columns of the stream, all batches."""
    capsule, wanted = frame.__arrow_c_stream__(), list(names)
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = c_void_p, [ctypes.py_object, c_char_p]
    stream = ctypes.cast(pointer_of(capsule, b"arrow_array_stream"), POINTER(Stream))
    schema = Schema()
    _checked(stream, stream.contents.get_schema(stream, ctypes.byref(schema)))
    try:
        children = [schema.children[i].contents for i in range(schema.n_children)]
        known = [child.name.decode() for child in children]
        for name in wanted:
            if name not in known:
                raise UsageError(f"there is no column {name!r}; there are "
                                 f"{', '.join(map(repr, known))}")
        places = [known.index(name) for name in wanted]
        forms = [b"dictionary" if children[i].dictionary else children[i].format for i in places]
        return _read(stream, places, forms, wanted)
    finally:
        schema.release(ctypes.byref(schema))  # the capsule releases the stream


def _read(stream: Any, places: list[int], forms: list[bytes], names: list[str]) -> list[list[Any]]:
    found: list[list[Any]] = [[] for _ in places]
    while True:
        batch = Array()
        _checked(stream, stream.contents.get_next(stream, ctypes.byref(batch)))
        if not batch.release:
            return found
        try:
            if batch.offset:
                raise UsageError("an Arrow batch with an offset of its own is not read: copy it")
            for values, place, form, name in zip(found, places, forms, names):
                values += _column(batch.children[place].contents, form, name)
        finally:
            batch.release(ctypes.byref(batch))
