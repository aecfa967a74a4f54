"""Motif graph neural networks: graphs, motif counts and matrices, embeddings, trained networks.

NumPy is all that is needed; it and the library are loaded at the first use. `mgnn.torch`,
`mgnn.pyg`, `mgnn.sklearn`, `mgnn.networkx` and `mgnn.karateclub` are for those frameworks. The same
seed gives the same bits for any number of threads.
"""
from __future__ import annotations

TYPE_CHECKING = False  # what typing.TYPE_CHECKING is, without its import

if TYPE_CHECKING:
    from ._api import *  # noqa: F403
    from ._api import __version__ as __version__
else:
    def _load():
        from . import _api
        globals().update({name: getattr(_api, name) for name in _api.__all__},
                         __all__=_api.__all__)
        return globals()

    def __getattr__(name):
        if not name.startswith("_") or name in ("__all__", "__version__"):
            try:
                return _load()[name]
            except KeyError:
                pass
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)

    def __dir__():
        return sorted(_load())
