"""Training, and what trained networks say."""
from __future__ import annotations

import json
import os
import tomllib
from ctypes import POINTER, addressof, byref, c_char_p, c_int64, cast
from typing import Any, Callable, Mapping, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _abi, _settings
from ._call import (Call, Handle, UsageError, borrowed, bytes_of, document, library, matrix_array,
                    new, pointer, struct, tell, text)
from ._optional import need
from .dataset import Dataset
from .embedding import as_dataset
from .explanation import Explanation


class EpochRecord(NamedTuple):
    """What a callback is told after every evaluation on validation data."""

    run: int
    epoch: int
    train_loss: float
    validation_loss: float
    validation_metric: float


class _Callback:
    """The caller's function as the library calls it; an exception ends the training."""

    def __init__(self, function: Callable[[EpochRecord], Any] | None, call: Call) -> None:
        self.function, self.call = function, call
        self.c: Any = _abi.epoch_function(self._validated) if function else None

    def _validated(self, _context: int, record: int) -> int:
        epoch = cast(record, POINTER(_abi.epoch)).contents
        try:
            assert self.function is not None
            return int(bool(self.function(EpochRecord(
                epoch.run, epoch.epoch, epoch.train_loss, epoch.validation_loss,
                epoch.validation_metric))))
        except BaseException as error:
            self.call.error = error
            return 1


def _path(path: Any) -> bytes | None:
    return None if path is None else os.fsencode(path)


def train(data: Any, *, task: str | None = None, model: str | None = None, seed: int = 0,
          seeds: int = 1, output: Any = None, overwrite: bool = False, config: Any = None,
          callback: Callable[[EpochRecord], Any] | None = None, threads: int | None = None,
          progress: Any = None, **settings: Any) -> Run:
    """Trains a network and gives it back with its scores.

    `data`: a Dataset, or what `mgnn.load` reads. `settings` are the names that `mgnn.settings()`
    lists; `a__b` stands for a.b, and the last part of a name will do (`epochs=100`). `config` is a
    TOML file whose settings come first. `callback(record)` is called after each validated epoch;
    True stops that repetition. `output` is a folder for the run. What was guessed or not used, and
    what makes the scores doubtful, is said by a `NoteWarning`.
    """
    dataset = data if isinstance(data, Dataset) else None
    if dataset is None and not isinstance(data, (str, os.PathLike)):
        dataset = as_dataset(data)
    stated: dict[str, Any] = dict(_file_settings(config))
    stated.update({"task": task, "model.name": model, "seed": seed, "seeds": seeds})
    if dataset is None:
        stated["data.source"] = os.fspath(data)
    stated.update(settings)
    running, handle = Call(threads, progress), new("run")
    watcher = _Callback(callback, running)
    options = struct(_abi.train_options, settings=_settings.lines(stated), output=_path(output),
                     overwrite=int(overwrite))
    if watcher.c is not None:
        options.validated = watcher.c
    with running as call:
        library.mgnn_train(call, dataset and dataset._handle, byref(options), byref(handle))
    run = Run(handle, dataset)
    known = dataset.info["remarks"] if dataset is not None else []
    tell(note for note in run.scores["notes"] + run.scores["warnings"] if note not in known)
    return run


def _file_settings(config: Any) -> Mapping[str, Any]:
    if config is None or isinstance(config, Mapping):
        return _flat(config or {})
    with open(config, "rb") as file:
        return _flat(tomllib.load(file))


def _flat(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in table.items():
        flat.update(_flat(value, f"{prefix}{name}.") if isinstance(value, Mapping)
                    else {prefix + name: value})
    return flat


class Predictions:
    """What a network says of every item: `label` (or `value`), `probability` and `ids`."""

    def __init__(self, probability: NDArray[np.float32], class_names: list[str], ids: Any) -> None:
        self.probability, self.class_names, self.ids = probability, class_names, ids
        self.is_regression = not class_names

    @property
    def value(self) -> NDArray[np.float32]:
        """(items,) numbers, of regression."""
        if not self.is_regression:
            raise UsageError("this network predicts classes: use label or probability")
        return self.probability[:, 0]

    @property
    def index(self) -> NDArray[np.int64]:
        """(items,) the number of the likeliest class."""
        if self.is_regression:
            raise UsageError("this network predicts numbers: use value")
        likeliest: NDArray[np.int64] = self.probability.argmax(axis=1)
        return likeliest

    @property
    def label(self) -> NDArray[Any]:
        """(items,) the name of the likeliest class."""
        return np.asarray(self.class_names)[self.index]

    def to_pandas(self) -> Any:
        pandas = need("pandas")
        if self.is_regression:
            return pandas.DataFrame({"value": self.value}, index=self.ids)
        frame = pandas.DataFrame(self.probability, columns=self.class_names, index=self.ids)
        frame.insert(0, "prediction", self.label)
        return frame

    def __len__(self) -> int:
        return len(self.probability)

    def __repr__(self) -> str:
        what = "numbers" if self.is_regression else f"{len(self.class_names)} classes"
        return f"Predictions({len(self)} items, {what})"


class Ranking:
    """The likeliest pairs without an edge, highest score first."""

    def __init__(self, handle: Handle, ids: Any) -> None:
        arrays = struct(_abi.ranking_arrays)
        library.mgnn_ranking_get_arrays(handle, byref(arrays))
        count, parts = arrays.count, arrays.num_parts

        def array(name: str, dtype: Any, shape: Any = count) -> NDArray[Any]:
            return borrowed(handle, getattr(arrays, name), shape, dtype)

        self.source, self.target = array("from", np.int32), array("to", np.int32)
        self.score, self.probability = array("score", np.float32), array("probability", np.float64)
        self.contributions = array("parts", np.float32, (count, parts)) if parts else None
        self.info: dict[str, Any] = document(library.mgnn_ranking_info, handle)
        self.ids = ids

    def to_pandas(self) -> Any:
        def names(nodes: NDArray[Any]) -> NDArray[Any]:
            named: NDArray[Any] = nodes if self.ids is None else np.asarray(self.ids)[nodes]
            return named

        frame = need("pandas").DataFrame({
            "source": names(self.source), "target": names(self.target), "score": self.score,
            "probability": self.probability})
        if self.contributions is not None:
            parts = self.info.get("parts") or range(self.contributions.shape[1])
            for name, column in zip(parts, self.contributions.T):
                frame[str(name)] = column
        return frame

    def __len__(self) -> int:
        return len(self.score)

    def __repr__(self) -> str:
        return f"Ranking({len(self)} pairs)"


class Run:
    """A trained network. `Run.load` opens a run's folder or a model file."""

    def __init__(self, handle: Handle, data: Dataset | None = None) -> None:
        self._handle, self._data = handle, data
        self._result: dict[str, Any] | None = None
        self._classes: list[str] | None = None

    @classmethod
    def load(cls, path: Any) -> Run:
        """A run's folder or a model file; nothing in it is executed."""
        handle = new("run")
        with Call(None, False) as call:
            library.mgnn_run_open(call, _path(path), byref(handle))
        return cls(handle)

    @classmethod
    def from_bytes(cls, data: bytes) -> Run:
        handle = new("run")
        with Call(None, False) as call:
            library.mgnn_run_from_bytes(call, data, len(data), byref(handle))
        return cls(handle)

    def to_bytes(self) -> bytes:
        """The model file (safetensors)."""
        return bytes_of(library.mgnn_run_to_bytes, self._handle)

    def save(self, path: Any, *, overwrite: bool = False) -> None:
        """Writes the model file."""
        library.mgnn_run_save(self._handle, _path(path), int(overwrite))

    def report(self, path: Any, *, overwrite: bool = False, threads: int | None = None) -> None:
        """Writes the page of `mgnn train --report`: learning curves, confusions, motif counts, a map.

        Of a run that `train` gave; one that was loaded has no record of its training.
        """
        with Call(threads, False) as call:
            library.mgnn_run_report(call, self._handle, _path(path), int(overwrite))

    # ---- what came of the training

    @property
    def scores(self) -> dict[str, Any]:
        """As `mgnn train --json`: test and validation scores, epochs, costs, warnings."""
        if self._result is None:
            self._result = document(library.mgnn_run_result, self._handle)
        return self._result

    @property
    def history(self) -> list[dict[str, Any]]:
        """The validated epochs of all repetitions."""
        return list(document(library.mgnn_run_history, self._handle))

    @property
    def config(self) -> dict[str, Any]:
        """Every setting, by table."""
        return tomllib.loads(bytes_of(library.mgnn_run_config, self._handle).decode())

    @property
    def confusion(self) -> Any:
        """(classes, classes) test items by true and predicted class; None where there are none."""
        found = document(library.mgnn_run_confusion, self._handle)
        if isinstance(found, dict):
            found = found.get("matrix", found.get("counts"))
        return None if found is None else np.asarray(found, np.int64)

    @property
    def task(self) -> str:
        return str(self.scores["task"])

    @property
    def class_names(self) -> list[str]:
        if self._classes is None:
            data = self.to_bytes()
            end = 8 + int.from_bytes(data[:8], "little")
            self._classes = json.loads(json.loads(data[8:end])["__metadata__"].get("classes", "[]"))
        return list(self._classes)

    def weights(self) -> dict[str, NDArray[np.float32]]:
        """The network's weights by name; read-only views."""
        count = c_int64()
        library.mgnn_run_num_weights(self._handle, byref(count))
        found = {}
        for i in range(count.value):
            info = struct(_abi.weight_info)
            library.mgnn_run_weight(self._handle, i, byref(info))
            found[info.name.decode()] = borrowed(self._handle, info.values,
                                                 (info.rows, info.cols), np.float32)
        return found

    # ---- what it says of data

    def _matrix(self, data: Any, what: int, threads: int | None) -> NDArray[np.float32]:
        dataset = None if data is None else as_dataset(data)
        made = new("matrix")
        with Call(threads, False) as call:
            library.mgnn_run_predict(call, self._handle, dataset and dataset._handle, what,
                                     byref(made))
        return matrix_array(made)

    def predict(self, data: Any = None, *, threads: int | None = None) -> Predictions:
        """Of all items of `data`; None: of the data of the training."""
        chance = self._matrix(data, _abi.PROBABILITIES, threads)
        dataset = self._data if data is None else as_dataset(data)
        ids = dataset.ids if dataset is not None and dataset.graph_start is None else None
        return Predictions(chance, self.class_names, ids)

    def outputs(self, data: Any = None, *, threads: int | None = None) -> NDArray[np.float32]:
        """(items, outputs) logits, scaled numbers, or vectors of the ends of links."""
        return self._matrix(data, _abi.OUTPUTS, threads)

    def embed(self, data: Any = None, *, threads: int | None = None) -> NDArray[np.float32]:
        """(items, ...) what comes before the last linear layers."""
        return self._matrix(data, _abi.REPRESENTATIONS, threads)

    def score_pairs(self, pairs: Any, data: Any = None, *, probability: bool = False,
                    threads: int | None = None) -> NDArray[Any]:
        """Scores of (pairs, 2) node numbers, or calibrated probabilities; of networks for links."""
        ends = np.ascontiguousarray(np.asarray(pairs, np.int64).reshape(-1, 2).T)
        score, chance = np.empty(ends.shape[1], np.float32), np.empty(ends.shape[1], np.float64)
        dataset = None if data is None else as_dataset(data)
        with Call(threads, False) as call:
            library.mgnn_run_score_pairs(
                call, self._handle, dataset and dataset._handle, ends.shape[1], pointer(ends[0]),
                pointer(ends[1]), pointer(score), pointer(chance))
        if probability:
            return chance
        return score

    def rank(self, *, top: int = 1000, between: str | Sequence[str] | None = None,
             relation: str | None = None, node: Any = None, data: Any = None,
             threads: int | None = None, progress: Any = None) -> Ranking:
        """The likeliest pairs that no edge joins; of networks for links."""
        if between is not None and not isinstance(between, str):
            between = ",".join(between)
        options = struct(_abi.rank_options, top=top, between=text(between),
                         relation=text(relation), partner_of=text(node))
        dataset, handle = None if data is None else as_dataset(data), new("ranking")
        with Call(threads, progress) as call:
            library.mgnn_run_rank(call, self._handle, dataset and dataset._handle, byref(options),
                                  byref(handle))
        of = dataset or self._data
        return Ranking(handle, None if of is None else of.ids)

    def explain(self, *, node: Any = None, pair: Sequence[Any] | None = None, graph: Any = None,
                class_name: str | None = None, top: int = 10, recount: bool = True, seed: int = 0,
                data: Any = None, threads: int | None = None, progress: Any = None) -> Explanation:
        """Why it answers what it does about a node, a pair of nodes or a graph of a set.

        They are named as in the data. `class_name` explains the logit of that class in place of the
        predicted one. `recount=False` leaves out fidelity and the counterfactual, which count motifs
        anew without some arcs.
        """
        asked = [(kind, item) for kind, item in (("node", node), ("pair", pair), ("graph", graph))
                 if item is not None]
        if len(asked) != 1:
            raise UsageError("give one of node, pair and graph")
        subject, item = asked[0]
        if subject == "pair" and (isinstance(item, str) or len(item) != 2):
            raise UsageError("pair is two nodes: pair=(a, b)")
        first, second = item if subject == "pair" else (item, None)
        if top < 1:
            raise UsageError(f"top is {top}; use at least 1")
        options = struct(_abi.explain_options, subject=text(subject), first=text(str(first)),
                         second=None if second is None else text(str(second)),
                         class_name=text(class_name), top=top, no_recount=int(not recount),
                         seed=seed)
        dataset = None if data is None else as_dataset(data)

        def draw(how: str) -> bytes:
            with Call(threads, progress) as call:
                return bytes_of(library.mgnn_run_explain_as, call, self._handle,
                                dataset and dataset._handle, byref(options), text(how))

        with Call(threads, progress) as call:
            found = document(library.mgnn_run_explain, call, self._handle,
                             dataset and dataset._handle, byref(options))
        return Explanation(found, draw)

    # ----

    def __reduce__(self) -> Any:
        return Run.from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        scores = self.scores
        metric, test = scores.get("metric"), scores.get("test") or {}
        shown = f", test {metric} {test['mean']:.3f}" if test.get("mean") is not None else ""
        return f"Run({scores.get('model')} for {scores.get('task')}{shown})"


def _strings(names: Sequence[str]) -> Any:
    return (c_char_p * len(names))(*(name.encode() for name in names))


def compare(data: Any, models: Sequence[str], *, seed: int = 0, seeds: int = 5,
            folder: Any = None, threads: int | None = None, progress: Any = None,
            **settings: Any) -> dict[str, Any]:
    """Several networks and embeddings on the same splits, with p-values of their differences."""
    dataset, names = _data_of(data), _strings(list(models))
    lines = _settings.lines({"seed": seed, "seeds": seeds, **settings})
    options = struct(_abi.compare_options, num_models=len(names), settings=lines,
                     folder=_path(folder))
    options.models = addressof(names)
    with Call(threads, progress) as call:
        found: dict[str, Any] = document(library.mgnn_compare, call, dataset._handle,
                                         byref(options))
    return found


def search(data: Any, *, trials: int | None = None, rungs: str | None = None, seed: int = 0,
           space: Mapping[str, str] | None = None, folder: Any = None, threads: int | None = None,
           progress: Any = None, **settings: Any) -> list[dict[str, Any]]:
    """Trials of settings on validation data; `space` maps names to ranges such as "0..0.7".

    `trials` (30 if nothing is given) all have the same seeds; `rungs`, "40x1,10x3,3x6", trains the
    best of each rung of trials with more seeds.
    """
    if rungs is not None and trials is not None:
        raise UsageError("rungs say how many trials there are; give trials or rungs")
    dataset = _data_of(data)
    dimensions = _strings([f"{name.replace('__', '.')}={of}" for name, of in (space or {}).items()])
    options = struct(_abi.search_options, trials=trials or 0, seed=seed, rungs=text(rungs),
                     num_dimensions=len(dimensions), settings=_settings.lines(settings),
                     folder=_path(folder))
    options.dimensions = addressof(dimensions) if len(dimensions) else None
    with Call(threads, progress) as call:
        found = document(library.mgnn_search, call, dataset._handle, byref(options))
    return list(found["trials"] if isinstance(found, dict) else found)

def _data_of(data: Any) -> Dataset:
    from .dataset import load
    return load(data) if isinstance(data, (str, os.PathLike)) else as_dataset(data)
