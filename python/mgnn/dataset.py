"""A graph, or a set of graphs, with all that is known of it."""
from __future__ import annotations

import os
from ctypes import byref, c_char_p, c_int64, c_void_p
from typing import Any, Mapping, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _abi, _arrays, _settings
from ._call import (Call, Handle, UsageError, borrowed, document, library, new, pointer, struct,
                    tell, text)
from ._optional import need
from .graph import Graph, as_graph


class Split(NamedTuple):
    """Numbers of the items to train on, to select by, and to test with."""

    train: NDArray[np.int64]
    validation: NDArray[np.int64]
    test: NDArray[np.int64]


_ROLES = {"train": _abi.TRAIN, "validation": _abi.VALIDATION, "test": _abi.TEST}


class Dataset:
    """What a network learns from; `mgnn.load` reads one, or make one of arrays.

    `x` are features (nodes, columns), dense or sparse, None for none; `y` classes (-1: unknown),
    numbers to predict (floating, NaN: unknown), class names, or a list of lists of those: several
    for an item (none: unknown). Items are nodes, or graphs where `graph_start` says where each
    graph of a set begins. `num_attributes` says how many of the first columns are measured (None:
    all); those are standardised in training. `relations` names typed edges, (2, edges) each.
    """

    def __init__(self, graph: Any, x: Any = None, y: Any = None, *, name: str = "data",
                 class_names: Sequence[str] | None = None,
                 feature_names: Sequence[str] | None = None, num_attributes: int | None = None,
                 graph_start: Any = None, node_type: Any = None, arc_weight: Any = None,
                 splits: Mapping[str, Any] | None = None,
                 relations: Mapping[str, Any] | None = None) -> None:
        self._handle = new("dataset")
        self._forget()
        made = as_graph(graph)
        library.mgnn_dataset_new(made._handle, text(name), byref(self._handle))
        self._graph: Graph | None = made
        if graph_start is not None:
            starts = np.ascontiguousarray(graph_start, np.int64)
            library.mgnn_dataset_set_graphs(self._handle, len(starts) - 1, pointer(starts))
        if x is not None:
            self._set_features(x, -1 if num_attributes is None else num_attributes)
        if feature_names is not None:
            library.mgnn_dataset_set_feature_names(self._handle, *_strings(feature_names))
        if y is not None:
            self._set_answers(y, class_names)
        if node_type is not None:
            self._set_types(node_type)
        if arc_weight is not None:
            weight = np.ascontiguousarray(arc_weight, np.float32)
            library.mgnn_dataset_set_arc_weights(self._handle, len(weight), pointer(weight))
        for relation, edges in (relations or {}).items():
            self._add_relation(relation, edges)
        for split_name, split in (splits or {}).items():
            self._add_split(split_name, split)

    @classmethod
    def _of(cls, handle: Handle) -> Dataset:
        made = cls.__new__(cls)
        made._handle = handle
        made._forget()
        return made

    def _forget(self) -> None:
        self._graph = None
        self._kept_pointers: Any = None
        self._info: dict[str, Any] | None = None

    @classmethod
    def from_graphs(cls, graphs: Sequence[Any], x: Sequence[Any] | None = None, y: Any = None,
                    **options: Any) -> Dataset:
        """A set of graphs, with features (nodes, columns) of each and an answer for each."""
        made = [as_graph(graph) for graph in graphs]
        start = np.concatenate([[0], np.cumsum([len(g) for g in made])]).astype(np.int64)
        arcs = [g.edge_index() + first for g, first in zip(made, start)]
        union = Graph.from_edge_index(np.concatenate(arcs, 1) if arcs else np.empty((2, 0), int),
                                      num_nodes=int(start[-1]))
        stacked = None if x is None else _stack(x)
        return cls(union, stacked, y, graph_start=start, **options)

    # ---- filling it

    def _set_features(self, x: Any, attributes: int) -> None:
        if not hasattr(x, "tocsr"):
            x = _arrays.features(x)
            if not x.size:
                library.mgnn_dataset_set_features(self._handle, *x.shape, pointer(x), attributes)
                return
            self._handle.kept = x  # with the handle live views of it, and runs
            library.mgnn_dataset_borrow_features(self._handle, *x.shape, pointer(x), attributes,
                                                 None, None)
            return
        indptr, indices, values, shape = _arrays.sparse_features(x)
        library.mgnn_dataset_set_sparse_features(
            self._handle, *shape, pointer(indptr), indptr.itemsize, pointer(indices),
            indices.itemsize, pointer(values), attributes)

    def _set_answers(self, y: Any, class_names: Sequence[str] | None) -> None:
        if isinstance(y, (list, tuple)) and any(isinstance(v, _SETS) for v in y):
            self._set_label_sets(y, class_names)
            return
        y = _arrays.host(y)
        if y.dtype.kind == "f":
            if class_names is not None:
                raise UsageError("y has floating numbers, which are targets, and class_names; "
                                 "give classes as whole numbers")
            target = np.ascontiguousarray(y, np.float64)
            library.mgnn_dataset_set_targets(self._handle, len(target), pointer(target))
            return
        if y.dtype.kind not in "iu":
            if class_names is None:
                class_names = sorted({str(v) for v in y.tolist() if v is not None})
            place = {str(name): i for i, name in enumerate(class_names)}
            strange = [v for v in y.tolist() if v is not None and str(v) not in place]
            if strange:
                raise UsageError(f"y has the class {strange[0]!r}, which is not in class_names")
            y = np.array([-1 if v is None else place[str(v)] for v in y.tolist()], np.int64)
        label = np.ascontiguousarray(y, np.int64)
        count, names = (0, None) if class_names is None else _strings(class_names)
        library.mgnn_dataset_set_labels(self._handle, len(label), pointer(label), count, names)

    def _set_label_sets(self, y: Any, class_names: Sequence[str] | None) -> None:
        sets = [() if labels is None else labels for labels in y]
        if not all(isinstance(labels, _SETS) for labels in sets):
            raise UsageError("y has several labels for some items: give all of them as lists")
        flat = [label for labels in sets for label in labels]
        if class_names is None and any(isinstance(label, str) for label in flat):
            class_names = sorted(set(map(str, flat)))
        place = {str(name): i for i, name in enumerate(class_names or [])}
        numbers = [sorted({_class_number(label, place) for label in labels}) for labels in sets]
        start = np.zeros(len(numbers) + 1, np.int64)
        np.cumsum([len(labels) for labels in numbers], out=start[1:])
        label = np.array([i for labels in numbers for i in labels], np.int64)
        count, names = (0, None) if class_names is None else _strings(class_names)
        library.mgnn_dataset_set_label_sets(self._handle, len(numbers), pointer(start),
                                            pointer(label), count, names)

    def _set_types(self, node_type: Any) -> None:
        names, number = np.unique(np.asarray(node_type), return_inverse=True)
        self._set_numbered_types(number, names.tolist())

    def _set_numbered_types(self, number: Any, names: Sequence[Any]) -> None:
        kinds = np.ascontiguousarray(number, np.int64)
        library.mgnn_dataset_set_types(self._handle, len(kinds), pointer(kinds), *_strings(names))
        self._kept_pointers = self._info = None

    def _add_relation(self, name: str, edges: Any) -> None:
        ends = _arrays.host(edges)
        if ends.ndim != 2 or ends.shape[0] != 2:
            raise UsageError(f"relation {name!r} has the shape {ends.shape}; it is (2, edges)")
        _arrays.require_whole_numbers(ends, f"relation {name!r}")
        source, target = (np.ascontiguousarray(end, np.int64) for end in ends)
        library.mgnn_dataset_add_relation(self._handle, text(name), len(source), pointer(source),
                                          pointer(target))

    def _add_split(self, name: str, split: Any) -> None:
        role = np.zeros(self.num_items, np.uint8)
        parts = split if isinstance(split, Mapping) else dict(zip(_ROLES, split))
        for part, items in parts.items():
            if part not in _ROLES:
                raise UsageError(f"a split has train, validation and test, not {part!r}")
            if np.any(role[items]):
                raise UsageError(f"split {name!r}: an item is in two parts")
            role[items] = _ROLES[part]
        library.mgnn_dataset_add_split(self._handle, text(name), len(role), pointer(role))
        self._info = None

    def with_features(self, kind: str, *, seed: int = 0) -> Dataset:
        """The same with other features: "structure", "constant", ...; this one stays as it is."""
        other = self._copy()
        with Call(None, False) as call:
            library.mgnn_dataset_choose_features(call, other._handle, text(kind), seed)
        return other

    def _copy(self) -> Dataset:
        return _restored_dataset(*self.__reduce__()[1])

    # ---- what is in it

    @property
    def info(self) -> dict[str, Any]:
        """Names and counts."""
        if self._info is None:
            self._info = document(library.mgnn_dataset_info, self._handle)
        return self._info

    @property
    def _pointers(self) -> Any:
        if self._kept_pointers is None:
            self._kept_pointers = struct(_abi.dataset_arrays)
            library.mgnn_dataset_get_arrays(self._handle, byref(self._kept_pointers))
        return self._kept_pointers

    @property
    def graph(self) -> Graph:
        if self._graph is None:
            handle = new("graph")
            library.mgnn_dataset_graph(self._handle, byref(handle))
            self._graph = Graph(handle)
        return self._graph

    def _array(self, name: str, shape: Any, dtype: Any) -> Any:
        address = getattr(self._pointers, name)
        return None if not address else borrowed(self._handle, address, shape, dtype)

    @property
    def num_nodes(self) -> int:
        return int(self._pointers.num_nodes)

    @property
    def num_items(self) -> int:
        """Nodes, or graphs of a set."""
        return int(self._pointers.num_items)

    @property
    def num_features(self) -> int:
        return int(self._pointers.num_features)

    @property
    def x(self) -> Any:
        """(nodes, columns) features: an array, a scipy.sparse.csr_array, or None; read-only."""
        n, columns = self.num_nodes, self.num_features
        dense = self._array("features", (n, columns), np.float32)
        if dense is not None or not self._pointers.feature_indptr:
            return dense
        indptr = self._array("feature_indptr", n + 1, np.int64)
        count = int(indptr[-1])
        return _arrays.rectangular(
            self._array("feature_values", count, np.float32),
            self._array("feature_indices", count, np.int32), indptr, (n, columns))

    @property
    def y(self) -> Any:
        """(items,) classes, -1: unknown; or numbers to predict; or None. Read-only. Where items
        have several labels: a list with an array of classes for each."""
        if self.info["multilabel"]:
            return self._label_sets()
        label = self._array("label", self.num_items, np.int32)
        return label if label is not None else self._array("target", self.num_items, np.float64)

    def _label_sets(self) -> list[NDArray[np.int32]]:
        start = np.zeros(self.num_items + 1, np.int64)
        library.mgnn_dataset_label_sets(self._handle, pointer(start), None)
        label = np.zeros(int(start[-1]), np.int32)
        library.mgnn_dataset_label_sets(self._handle, pointer(start), pointer(label))
        return np.split(label, start[1:-1])

    @property
    def graph_start(self) -> Any:
        """(graphs + 1) where each graph of a set begins; None for one graph."""
        return self._array("graph_start", self._pointers.num_graphs + 1, np.int32)

    @property
    def node_type(self) -> Any:
        return self._array("node_type", self.num_nodes, np.int32)

    @property
    def arc_weight(self) -> Any:
        return self._array("arc_weight", self.graph.num_arcs, np.float32)

    @property
    def ids(self) -> Any:
        """What the nodes are called; None: 0 .. n-1."""
        return self.graph.ids

    @property
    def name(self) -> str:
        return str(self.info["name"])

    @property
    def class_names(self) -> list[str]:
        return list(self.info.get("class_names") or [])

    @property
    def feature_names(self) -> list[str]:
        return list(self.info.get("feature_names") or [])

    @property
    def relations(self) -> dict[str, NDArray[np.int64]]:
        """Typed edges, (2, edges) for each relation."""
        found = {}
        for i in range(len(self.info.get("relations") or [])):
            name, count, edges = c_char_p(), c_int64(), c_void_p()
            library.mgnn_dataset_relation(self._handle, i, byref(name), byref(count), byref(edges))
            pairs = borrowed(self._handle, edges.value, (count.value, 2), np.int32)
            found[(name.value or b"").decode()] = pairs.T.astype(np.int64)
        return found

    @property
    def splits(self) -> list[str]:
        """Names of the splits that come with the data."""
        return [s if isinstance(s, str) else s["name"] for s in self.info.get("splits") or []]

    def split(self, name: str = "random", seed: int = 0, *, repetition: int = 0, folds: int = 5,
              fold: int = 0) -> Split:
        """The items of a split: "random", or one of `splits`."""
        role = np.zeros(self.num_items, np.uint8)
        library.mgnn_dataset_split(self._handle, text(name), seed, repetition, folds, fold,
                                   pointer(role))
        return Split(*(np.flatnonzero(role == number) for number in _ROLES.values()))

    def graphs(self) -> list[Graph]:
        """The graphs of a set, one by one."""
        if self.graph_start is None:
            return [self.graph]
        ends = self.graph_start.tolist()
        return [self.graph.subgraph(np.arange(a, b)) for a, b in zip(ends, ends[1:])]

    def __len__(self) -> int:
        return self.num_items

    def __repr__(self) -> str:
        parts = [repr(self.graph)[6:-1]]
        if self.graph_start is not None:
            parts.insert(0, f"{self.num_items} graphs")
        parts += [f"{self.num_features} features"] * bool(self.num_features)
        parts += [f"{len(self.class_names)} classes"] * bool(self.class_names)
        return f"Dataset({self.name}: {', '.join(parts)})"

    # ---- to other libraries

    def write(self, path: Any, *, format: str | None = None, overwrite: bool = False) -> None:
        """As a graph file of the format that the ending says; .safetensors holds all of it."""
        with Call(None, False) as call:
            library.mgnn_dataset_write(call, self._handle, text(os.fspath(path)), text(format),
                                       overwrite)

    def __reduce__(self) -> Any:
        options = dict(
            name=self.name, class_names=self.class_names or None,
            feature_names=self.feature_names or None,
            num_attributes=self.info.get("num_attributes"), graph_start=self.graph_start,
            arc_weight=self.arc_weight, relations=self.relations,
            splits={split["name"]: self._stored_split(split) for split in self.info["splits"]})
        types = None if self.node_type is None else (self.node_type, self.info["node_type_names"])
        return _restored_dataset, (self.graph, self.x, self.y, options, types)

    def _stored_split(self, known: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        """Without the validation items that `split` draws where the data have none."""
        train, validation, test = self.split(known["name"])
        if known["validation"]:
            return train, validation, test
        return np.sort(np.concatenate([train, validation])), [], test

    def to_pyg(self) -> Any:
        """A torch_geometric Data, or a list of them for a set of graphs."""
        from . import pyg
        return pyg.from_dataset(self)


def _restored_dataset(graph: Graph, x: Any, y: Any, options: dict[str, Any],
                      types: tuple[Any, list[str]] | None = None) -> Dataset:
    made = Dataset(graph, x, y, **options)
    if types is not None:
        made._set_numbered_types(*types)
    return made


_SETS = (list, tuple, set, frozenset, np.ndarray)


def _class_number(label: Any, place: Mapping[str, int]) -> int:
    if isinstance(label, (int, np.integer)) and not isinstance(label, bool):
        return int(label)
    if str(label) not in place:
        raise UsageError(f"y has the class {label!r}, which is not in class_names")
    return place[str(label)]


def _strings(names: Sequence[Any]) -> tuple[int, Any]:
    encoded = [str(name).encode() for name in names]
    return len(encoded), (c_char_p * len(encoded))(*encoded)


def _stack(parts: Sequence[Any]) -> Any:
    if parts and hasattr(parts[0], "tocsr"):
        return need("scipy.sparse").vstack(parts, format="csr")
    return np.concatenate([_arrays.features(part) for part in parts])


def load(what: Any, *, nodes: Any = None, label: str | None = None,
         features: Sequence[str] | None = None, undirected: bool | None = None,
         data_dir: Any = None, download: bool = True, seed: int = 0, threads: int | None = None,
         progress: Any = None, **columns: Any) -> Dataset:
    """Everything that the tool reads: a dataset's name, a graph file, or a folder.

    `nodes` is a table of nodes, `label` its column of classes, `features` its columns to learn
    from (None: all others). More settings (`id_column`, `separator`, `target_column`, ...) are
    those of data.* in `mgnn.settings()`. What is odd in the data is said by a `NoteWarning`.
    """
    stated = dict(nodes=nodes, label_column=label, undirected=undirected, data_dir=data_dir,
                  download=None if download else False, seed=seed or None,
                  feature_columns=None if features is None else list(features), **columns)
    handle = new("dataset")
    with Call(threads, progress) as call:
        library.mgnn_dataset_load(call, text(os.fspath(what)), _settings.lines(stated),
                                  byref(handle))
    dataset = Dataset._of(handle)
    tell(dataset.info["remarks"])
    return dataset


class DatasetInfo(NamedTuple):
    """A dataset that has a name."""

    name: str
    here: bool
    facts: dict[str, Any]


def datasets(here: bool = False, *, data_dir: Any = None) -> list[DatasetInfo]:
    """The datasets known by name; `here`: only those that need no download."""
    listed = document(library.mgnn_datasets, text(data_dir))
    rows = listed["datasets"] if isinstance(listed, dict) else listed
    found = [DatasetInfo(row["name"], bool(row.get("here")), row) for row in rows]
    return [info for info in found if info.here or not here]


def settings(**stated: Any) -> list[dict[str, Any]]:
    """Every setting of a training: name, type, default, help, choices."""
    found = document(library.mgnn_settings, _settings.lines(stated) or None)
    return list(found["settings"] if isinstance(found, dict) else found)
