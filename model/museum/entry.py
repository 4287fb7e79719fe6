"""What a museum entry is: an edit of a base protocol, its story, and what must become of which property."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from fencepost.model.language import Protocol


@dataclass(frozen=True)
class Expected:
    """The verdict that an engine must give: the property that fails, and the length of a shortest trace in rows.

    `bound` is the bound at which exploration finds it, `sizes` what differs from it. `induction` says that proof refutes
    the property with a counterexample to induction; `row` is then the row that breaks it.
    """

    property: str
    length: int
    bound: str = "tiny"
    sizes: Mapping[str, int] | None = None
    row: str = ""


@dataclass(frozen=True)
class Entry:
    """A historical defect: its name, the ids under which Kafka knows it, the edit, and why it was wrong."""

    name: str
    base: str
    known_as: str
    why: str
    edit: Callable[[Protocol], Protocol]
    expected: tuple[Expected, ...]
