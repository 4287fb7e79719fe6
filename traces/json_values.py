"""JSON values in the lines of a trace: each as it is, if it is of the kind that is needed there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def object_in(value: Any) -> Mapping[str, Any]:
    """Return a JSON object as it is; raises ValueError for what is none."""
    if not isinstance(value, dict):
        raise ValueError(f"{value!r} is no object")
    return value


def text_in(value: Any) -> str:
    """Return a text as it is; raises ValueError for what is none."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is no text")
    return value


def whole_in(value: Any) -> int:
    """Return a whole number as it is; raises ValueError for what is none, which true and false are too."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{value!r} is no whole number")
    return value
