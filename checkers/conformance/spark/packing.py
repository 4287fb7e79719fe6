"""Tables on their way to a worker: terms are pickled as calls of their classes. Nothing comes back this way."""

from __future__ import annotations

import io
import pickle
import sys
from dataclasses import fields
from typing import Any

from fencepost.model.language import Term


class _Packer(pickle.Pickler):
    """Pickles terms as calls of their classes, so that equal terms are one object on the other side too."""

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, Term):
            return type(obj), tuple(getattr(obj, field.name) for field in fields(obj))  # type: ignore[arg-type]
        return NotImplemented


def packed(value: Any) -> bytes:
    """Return anything with terms in it as bytes for `pickle.loads`."""
    out = io.BytesIO()
    limit = sys.getrecursionlimit()
    # Terms nest deeper than Python's limit foresees: several frames of the pickler a level.
    sys.setrecursionlimit(max(limit, 20_000))
    try:
        _Packer(out, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
    finally:
        sys.setrecursionlimit(limit)
    return out.getvalue()
