"""What the user calls the nodes 0 .. n-1."""
from __future__ import annotations

import collections
import difflib
import itertools
from typing import Any, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray


def as_ids(ids: Any, num_nodes: int) -> NDArray[Any]:
    """An array of distinct ids: int64, str, or objects of any hashable kind."""
    array = id_array(ids)
    if len(array) != num_nodes:
        raise ValueError(f"{len(array)} ids for {num_nodes} nodes")
    if len(set(array.tolist())) != num_nodes:
        twice = collections.Counter(array.tolist()).most_common(1)[0][0]
        raise ValueError(f"two nodes have the id {twice!r}")
    array.flags.writeable = False
    return array


def id_array(values: Any) -> NDArray[Any]:
    """One-dimensional array that keeps every id as it is (a tuple stays one id)."""
    if isinstance(values, np.ndarray) and values.ndim == 1 and values.dtype.kind in "iuU":
        return values.astype(np.int64) if values.dtype.kind in "iu" else values.copy()
    values = list(values)
    if values and all(type(v) is str for v in values):
        return np.array(values)
    if values and all(isinstance(v, (int, np.integer)) and not isinstance(v, bool)
                      and -2**63 <= v < 2**63 for v in values):
        return np.array(values, dtype=np.int64)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def number(*columns: Iterable[Any]) -> tuple[NDArray[Any], list[NDArray[np.int64]]]:
    """Numbers ids in the order in which they are first met; row by row, not column by column."""
    lists = [column.tolist() if isinstance(column, np.ndarray) else list(column)
             for column in columns]
    place: dict[Any, int] = {}
    for row in zip(*lists):
        for value in row:
            place.setdefault(value, len(place))
    numbered = [np.fromiter(map(place.__getitem__, values), np.int64, len(values))
                for values in lists]
    return id_array(place), numbered


class Index:
    """From ids to node numbers; made when first asked."""

    def __init__(self, ids: NDArray[Any]) -> None:
        self.place = {name: i for i, name in enumerate(ids.tolist())}

    def __call__(self, wanted: Iterable[Any]) -> NDArray[np.int64]:
        values = wanted.tolist() if isinstance(wanted, np.ndarray) else list(wanted)
        try:
            return np.fromiter(map(self.place.__getitem__, values), np.int64, len(values))
        except (KeyError, TypeError):
            missing = next(v for v in values if not self._has(v))
            raise KeyError(self._unknown(missing)) from None

    def _has(self, value: Any) -> bool:
        try:
            return value in self.place
        except TypeError:
            return False

    def _unknown(self, value: Any) -> str:
        names = (str(name) for name in itertools.islice(self.place, 100_000))
        near = difflib.get_close_matches(str(value), names, n=3, cutoff=0.6)
        return f"no node is called {value!r}" + (f"; near are {', '.join(near)}" if near else "")


def node_numbers(nodes: Sequence[int] | NDArray[Any], num_nodes: int) -> NDArray[np.int64]:
    """Node numbers, checked."""
    array = np.asarray(nodes)
    if array.size and array.dtype.kind not in "iu":
        raise TypeError(f"node numbers are whole numbers, not {array.dtype}")
    array = array.astype(np.int64)
    wrong = array[(array < 0) | (array >= num_nodes)]
    if wrong.size:
        raise IndexError(f"node {wrong[0]} of a graph of {num_nodes} nodes")
    return array
