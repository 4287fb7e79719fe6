"""What a museum entry is: an edit of a base protocol, its story, and what must become of which property."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from fencepost.model.language import Bound, Protocol, Term


@dataclass(frozen=True)
class Expected:
    """The verdict that an engine must give: the property that fails, and the length of a shortest trace in rows.

    `bound` is the bound at which exploration finds it, `sizes` what differs from it; `start` and `given` replace its
    start condition and what it assumes of events. Proof refutes the property with a counterexample to induction; `row`
    is then the row that breaks it.
    """

    property: str
    length: int
    bound: str = "tiny"
    sizes: Mapping[str, int] | None = None
    row: str = ""
    start: Term[bool] | None = None
    given: Mapping[str, Term[bool]] | None = None

    def at(self, protocol: Protocol) -> Bound:
        """Return where the edited protocol and its base are explored; raises `KeyError` for an unknown bound."""
        base = protocol.bounds[self.bound]
        return replace(
            base,
            sizes={**base.sizes, **(self.sizes or {})},
            start=base.start if self.start is None else self.start,
            given=base.given if self.given is None else self.given,
        )


@dataclass(frozen=True)
class Entry:
    """A historical defect: its name, the ids under which Kafka knows it, the edit, and why it was wrong."""

    name: str
    base: str
    known_as: str
    why: str
    edit: Callable[[Protocol], Protocol]
    expected: tuple[Expected, ...]
