"""All that `mgnn` has at its top."""
from __future__ import annotations

from ._call import (DataError, Error, NoteWarning, PerformanceWarning, UsageError,
                    get_num_threads, set_num_threads, threads)
from ._version import __version__, doctor, show_versions
from .dataset import Dataset, DatasetInfo, Split, datasets, load, settings
from .embedding import embed, embed_unseen, methods
from .explanation import Explanation
from .graph import Dropped, Graph
from .motifs import (Census, MotifMatrices, NullModel, census, motif_features, motif_matrices,
                     motif_table, null_model, triad_census)
from .runs import EpochRecord, Predictions, Ranking, Run, compare, search, train

__all__ = [
    "Census", "DataError", "Dataset", "DatasetInfo", "Dropped", "EpochRecord", "Error",
    "Explanation", "Graph", "MotifMatrices", "NoteWarning", "NullModel", "PerformanceWarning", "Predictions", "Ranking",
    "Run", "Split", "UsageError", "__version__", "census", "compare", "datasets", "doctor",
    "embed", "embed_unseen", "get_num_threads", "load", "methods", "motif_features",
    "motif_matrices", "motif_table", "null_model", "search", "set_num_threads", "settings",
    "show_versions", "threads", "train", "triad_census"]
