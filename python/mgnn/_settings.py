"""Settings as the library reads them: lines of TOML made of Python values."""
from __future__ import annotations

import json
import math
import os
from typing import Any, Mapping

import numpy as np

from ._call import UsageError


def _value(name: str, value: Any) -> str:
    if isinstance(value, (np.bool_, np.integer, np.floating)):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if -2**63 <= value < 2**63 else json.dumps(str(value))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise UsageError(f"{name} is {value}; it is a finite number")
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return json.dumps(os.fspath(value), ensure_ascii=False)
    if isinstance(value, (list, tuple, np.ndarray, range)):
        return "[" + ", ".join(_value(name, item) for item in value) + "]"
    raise UsageError(f"{name} is of type {type(value).__name__}; settings are numbers, strings, "
                     "True or False, and lists of these")


def lines(settings: Mapping[str, Any], prefix: str = "") -> bytes:
    """One line for each setting that is not None; `a__b` is the name a.b."""
    return "".join(f"{prefix}{name.replace('__', '.')} = {_value(name, value)}\n"
                   for name, value in settings.items() if value is not None).encode()
