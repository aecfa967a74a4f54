"""The Arrow C stream interface, with a producer of our own: no library of Debian 12 has one."""
import ctypes

import numpy as np
import pytest

import mgnn
from mgnn._arrow import Array, Schema, Stream

_NEW = ctypes.pythonapi.PyCapsule_New
_NEW.restype, _NEW.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Frame:
    """Batches of columns: (format, buffers, length, null_count, offset) by name."""

    def __init__(self, *batches):
        self.batches, self.kept, self.released = list(batches), [], 0
        self.message = ctypes.create_string_buffer(b"broken")
        self.release_schema = Schema._fields_[7][1](lambda s: self._release(s.contents))
        self.release_array = Array._fields_[8][1](lambda a: self._release(a.contents))

    def _release(self, of):
        of.release = type(of.release)(0)
        self.released += 1

    def _pointers(self, kind, made):
        pointers = (ctypes.POINTER(kind) * len(made))(*map(ctypes.pointer, made))
        self.kept += [made, pointers]
        return pointers

    def _array(self, form, buffers, length, null_count=0, offset=0):
        at = (ctypes.c_void_p * (1 + len(buffers)))(None, *(b.ctypes.data for b in buffers))
        self.kept += [at, buffers]
        return Array(length=length, null_count=null_count, offset=offset, n_buffers=len(at),
                     buffers=at, release=self.release_array)

    def _get_schema(self, _, schema):
        made = [Schema(format=column[0], name=name.encode(), release=self.release_schema)
                for name, column in self.batches[0].items()]
        schema[0] = Schema(format=b"+s", name=b"", n_children=len(made),
                           children=self._pointers(Schema, made), release=self.release_schema)
        return 0

    def _get_next(self, _, array):
        if not self.batches:
            array[0] = Array()
            return 0
        made = [self._array(*column) for column in self.batches.pop(0).values()]
        array[0] = Array(length=made[0].length, n_children=len(made),
                         children=self._pointers(Array, made), release=self.release_array)
        return 0

    def __arrow_c_stream__(self, requested_schema=None):
        fields = dict(Stream._fields_)
        self.stream = Stream(get_schema=fields["get_schema"](self._get_schema),
                             get_next=fields["get_next"](self._get_next),
                             get_last_error=fields["get_last_error"](
                                 lambda _: ctypes.addressof(self.message)))
        return _NEW(ctypes.addressof(self.stream), b"arrow_array_stream", None)


def text(values, form=b"u", kind=np.int32, skip=0):
    encoded = [value.encode() for value in values]
    start = np.cumsum([0, *map(len, encoded)]).astype(kind)
    data = np.frombuffer(b"".join(encoded) + b"\0", np.uint8)
    return form, [start, data], len(values) - skip, 0, skip


def numbers(values, form=b"l", kind=np.int64, skip=0):
    return form, [np.array(values, kind)], len(values) - skip, 0, skip


def test_strings_of_several_batches():
    frame = Frame({"source": text(["a", "ü"]), "target": text(["ü", "cc"], b"U", np.int64)},
                  {"source": text(["x", "cc"], skip=1),
                   "target": text(["x", "a"], b"U", np.int64, 1)})
    graph = mgnn.Graph.from_pandas(frame)
    assert graph.ids.tolist() == ["a", "ü", "cc"]
    assert graph.edge_index().tolist() == [[0, 1, 2], [1, 2, 0]]
    assert frame.released == 3  # the schema and two batches


def views(values):
    table, long = b"", b""
    for value in values:
        data = value.encode()
        where = data[:4] + np.array([0, len(long)], np.int32).tobytes()
        table += np.int32(len(data)).tobytes()
        table += data.ljust(12, b"\0") if len(data) <= 12 else where
        long += data if len(data) > 12 else b""
    sizes = np.array([len(long)], np.int64)
    buffers = [np.frombuffer(table, np.uint8), np.frombuffer(long + b"\0", np.uint8), sizes]
    return b"vu", buffers, len(values)


def test_views_of_strings():
    names = ["a", "exactly12byt", "thirteen byte", "something much longer than that ü", ""]
    frame = Frame({"source": views(names), "target": views(names[1:] + names[:1])})
    assert mgnn.Graph.from_pandas(frame).ids.tolist() == names


def test_whole_numbers():
    frame = Frame({"w": numbers([9, 9]), "to": numbers([1, 2], b"i", np.int32),
                   "from": numbers([7, 0, 1], skip=1)})
    graph = mgnn.Graph.from_pandas(frame, "from", "to")
    assert graph.edge_index().tolist() == [[0, 1], [1, 2]] and graph.ids is None


def test_refusals():
    good = numbers([1, 2])
    with pytest.raises(mgnn.UsageError, match="no column 'target'; there are 'source'"):
        mgnn.Graph.from_pandas(Frame({"source": good}))
    with pytest.raises(mgnn.UsageError, match="type 'g'"):
        mgnn.Graph.from_pandas(Frame({"source": good, "target": (b"g", [np.zeros(2)], 2)}))
    with pytest.raises(mgnn.UsageError, match="no value in the column 'target'"):
        mgnn.Graph.from_pandas(Frame({"source": good, "target": (*good[:3], 1)}))
    broken = Frame({"source": good})
    broken._get_schema = lambda *_: 5
    with pytest.raises(mgnn.UsageError, match="stream failed: broken"):
        mgnn.Graph.from_pandas(broken)
