"""Arrays of others, in the forms that the library reads; copied only where they must be."""
from __future__ import annotations

import warnings
from typing import Any, Iterable

import numpy as np
from numpy.typing import NDArray

from . import _abi, _arrow
from ._call import PerformanceWarning, UsageError, borrowed, pointer, struct
from ._ids import id_array
from ._optional import need

_LARGE = 100_000_000  # bytes of a copy that is worth a warning


def host(array: Any) -> NDArray[Any]:
    """Any array in main memory as a NumPy array, its memory shared where that can be."""
    if isinstance(array, np.ndarray):
        return array
    if getattr(array, "requires_grad", False):
        raise UsageError("this tensor needs gradients, which mgnn would not give: detach() it")
    device = getattr(array, "device", None)
    if device is not None and getattr(device, "type", "cpu") != "cpu":
        raise UsageError(f"this tensor is on {device}; mgnn works in main memory: use .cpu()")
    if hasattr(array, "__dlpack__"):
        return np.from_dlpack(array)
    return np.asarray(array)


def require_whole_numbers(array: NDArray[Any], what: str) -> None:
    if array.size and array.dtype.kind not in "iu":
        raise UsageError(f"{what} has numbers of type {array.dtype}; nodes are whole numbers")


def ends(source: Any, target: Any) -> tuple[Any, Any]:
    """Both ends of edges that were given in one of the ways of Graph.from_edges."""
    if target is not None:
        first, second = _column(source), _column(target)
        if len(first) != len(second):
            raise UsageError(f"{len(first)} sources and {len(second)} targets")
        return first, second
    if hasattr(source, "shape") or hasattr(source, "__dlpack__"):
        return _split(host(source))
    pairs = list(source)
    if not all(len(pair) == 2 for pair in pairs):
        raise UsageError("edges are pairs; weights and the like are not taken here")
    return id_array(p[0] for p in pairs), id_array(p[1] for p in pairs)


def _column(values: Any) -> NDArray[Any]:
    array = host(values) if hasattr(values, "shape") else id_array(values)
    if array.ndim != 1:
        raise UsageError(f"sources and targets are one-dimensional, not {array.shape}")
    return array if array.dtype.kind in "iuU" or not array.size else id_array(array.tolist())


def _split(array: NDArray[Any]) -> tuple[Any, Any]:
    if array.ndim != 2 or 2 not in array.shape:
        raise UsageError(f"edges have the shape {array.shape}; it is (edges, 2) or (2, edges)")
    if array.shape == (2, 2):
        raise UsageError("a 2 x 2 array can be read by rows or by columns: pass sources and "
                         "targets as two arguments")
    first, second = array if array.shape[0] == 2 else array.T
    return (first, second) if array.dtype.kind in "iu" else (_column(first), _column(second))


def are_numbers(*arrays: NDArray[Any]) -> bool:
    return all(array.dtype.kind in "iu" or not array.size for array in arrays)


def strided_pair(first: Any, second: Any) -> tuple[Any, Any, int, int]:
    """Two arrays of indices with one type and one distance between elements, where they are."""
    if not (first.dtype == second.dtype and first.dtype in (np.int32, np.int64)
            and first.strides == second.strides and first.strides[0] > 0
            and first.strides[0] % first.itemsize == 0 and first.flags.aligned
            and second.flags.aligned):
        first, second = (np.ascontiguousarray(a, dtype=np.int64) for a in (first, second))
    return first, second, first.strides[0] // first.itemsize, first.itemsize


def address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


def index_array(array: Any) -> NDArray[Any]:
    """Contiguous int32 or int64."""
    array = np.asarray(array)
    require_whole_numbers(array, "an array of indices")
    kind = array.dtype if array.dtype in (np.int32, np.int64) else np.int64
    return np.ascontiguousarray(array, dtype=kind)


def features(array: Any) -> NDArray[np.float32]:
    """Contiguous float32; a copy of more than 100 MB is warned of."""
    array = host(array)
    if array.ndim != 2:
        raise UsageError(f"features have the shape {array.shape}; it is (nodes, columns)")
    if array.dtype.kind not in "fiub":
        raise UsageError(f"features are numbers, not {array.dtype}")
    if array.dtype != np.float32 or not array.flags.c_contiguous:
        if array.size * 4 > _LARGE:
            warnings.warn(f"features of {array.dtype} are copied ({array.size * 4 / 1e6:.0f} MB); "
                          "contiguous float32 would not be", PerformanceWarning, stacklevel=3)
        return np.ascontiguousarray(array, dtype=np.float32)
    return array  # type: ignore[no-any-return]


def csr_matrix(data: NDArray[Any], indices: Any, indptr: Any, n: int) -> Any:
    """A scipy.sparse.csr_array that shares data and indices (indptr becomes int32)."""
    sparse = need("scipy.sparse")
    if len(data) < 2**31 - 1:
        indptr = indptr.astype(np.int32)
    matrix = sparse.csr_array((n, n), dtype=data.dtype)
    matrix.data, matrix.indices, matrix.indptr = data, indices, indptr
    matrix.has_canonical_format = True
    return matrix


# ---- ids

def c_ids(ids: NDArray[Any]) -> tuple[Any, Any]:
    """Ids as the library takes them, and what must live as long. Other objects go by their str."""
    if ids.dtype.kind in "iu":
        return struct(_abi.ids, kind=_abi.INTEGER_IDS, count=len(ids),
                      number=pointer(ids)), ids
    names = [str(name).encode() for name in ids.tolist()]
    if len(set(names)) < len(names):  # 1 and "1": the library calls them 0, 1, ...
        return struct(_abi.ids, kind=_abi.NO_IDS), None
    start = np.zeros(len(names) + 1, np.int64)
    np.cumsum([len(name) for name in names], out=start[1:])
    text = np.frombuffer(b"".join(names) + b"\0", np.uint8)
    return struct(_abi.ids, kind=_abi.STRING_IDS, count=len(names), text=pointer(text),
                  start=pointer(start)), (text, start)


def python_ids(owner: Any, info: Any) -> NDArray[Any]:
    if info.kind == _abi.INTEGER_IDS:
        return borrowed(owner, info.number, info.count, np.int64)
    start = borrowed(owner, info.start, info.count + 1, np.int64)
    text = borrowed(owner, info.text, int(start[-1]), np.uint8).tobytes()
    names = np.array([text[a:b].decode("utf-8", "replace") for a, b in zip(start, start[1:])])
    names.flags.writeable = False
    return names


# ---- tables

def frame_columns(frame: Any, names: Iterable[str]) -> list[Any]:
    """Columns of a pandas frame, of a mapping, or of an Arrow stream."""
    if hasattr(frame, "__arrow_c_stream__") and not hasattr(frame, "iloc"):  # pandas
        return list(_arrow.columns(frame, names))
    known = list(getattr(frame, "columns", frame))
    missing = [name for name in names if name not in known]
    if missing:
        raise UsageError(f"there is no column {missing[0]!r}; there are "
                         f"{', '.join(map(repr, known))}")
    return [_plain(frame[name]) for name in names]


def _plain(column: Any) -> Any:
    array = column.to_numpy()
    missing = np.asarray(column.isna() if hasattr(column, "isna") else array != array)
    if np.any(missing):
        raise UsageError(f"row {int(np.argmax(missing))} has no value in the column "
                         f"{getattr(column, 'name', '')!r}")
    return array


def sparse_features(matrix: Any) -> tuple[Any, Any, NDArray[np.float32], tuple[int, int]]:
    """indptr, indices, values of a sparse matrix with sorted rows; borrowed where it has them."""
    rows = matrix.tocsr()
    if not rows.has_canonical_format:
        rows = rows.copy()
        rows.sum_duplicates()
    values = np.ascontiguousarray(rows.data, np.float32)
    return index_array(rows.indptr), index_array(rows.indices), values, rows.shape


def rectangular(data: Any, indices: Any, indptr: Any, shape: tuple[int, int]) -> Any:
    """A csr_array of any shape that shares data and indices."""
    matrix = need("scipy.sparse").csr_array(shape, dtype=data.dtype)
    matrix.data, matrix.indices, matrix.indptr = data, indices, indptr.astype(np.int32)
    matrix.has_canonical_format = True
    return matrix
