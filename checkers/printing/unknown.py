"""The value of what a log does not show."""

from __future__ import annotations

from typing import Final


class Unknown:
    """The value of what the log does not show."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "?"

    def __reduce__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final = Unknown()
