"""The results of lock step with a slice: steps by row, differences, and what was taken over or checked no further."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self

from fencepost.checkers.document import Document
from fencepost.checkers.unexplained import no_row_of, sentence
from fencepost.model.language import Protocol

from .cells import Cells
from .nearest import nearest
from .results import WIDTH
from .whole import Ran, WholeRows

SELDOM = "it did not happen in these runs"


def _listed(head: str, values: Mapping[str, Any]) -> list[str]:
    text = ", ".join(f"{name} {value}" for name, value in values.items())
    return textwrap.wrap(f"{head:<10}{text}", WIDTH, subsequent_indent=" " * 10) if text else []


class Differs(Exception):
    """A difference between a step and the tables; `near` is the row that came nearest, or whose effects differ."""

    def __init__(self, reason: str, near: str = "") -> None:
        super().__init__(reason)
        self.near = near


class SliceState:
    """The cells of one entity that a slice is about, for which its rows are evaluated: `rows` are shared by several.

    `fired` are the rows that were run since its last turn.
    """

    def __init__(self, rows: WholeRows, out: SliceResult, listed: Iterable[str] = ()) -> None:
        self.rows, self.out = rows, out
        self._domains: dict[str, dict[Any, None]] = {name: {} for name in rows.domains}
        for name in listed:
            self._domains[name][0] = None
        self.cells = Cells([{} for _ in rows.states], self._domains)
        self.fired: list[str] = []
        self._counted, self._running = out.rows, rows.running

    def turn(self) -> None:
        """Evaluate the rows in this state from now on."""
        if self.fired:
            self.fired = []
        rows = self.rows
        if rows.cells is not self.cells:
            rows.cells, rows.domains = self.cells, self._domains

    def fire(self, event: str, **parameters: Any) -> None:
        """Run the row of an event that applies; raises `Differs` where none does."""
        self.run(event, *[parameters[name] for name in self.rows.names[event]])

    def run(self, event: str, *values: Any) -> None:
        """Run the row of an event that applies, its parameters given in the event's order, as `fire` does."""
        row = self._running[event](self.cells, *values)
        if row is None:
            raise self._no_row(event, values)
        self.fired.append(row.id)
        self._counted[row.id] += 1

    def _no_row(self, event: str, values: Sequence[Any]) -> Differs:
        near, why = nearest(self.rows, event, dict(zip(self.rows.names[event], values, strict=True)))
        return Differs(f"{sentence(no_row_of(event))}; {near} comes nearest, but {why} is not so.", near)

    def take(self, ran: Ran) -> None:
        """Make the changes of a row."""
        self.rows.apply(ran)
        self.fired.append(ran.row.id)
        self._counted[ran.row.id] += 1

    @property
    def last(self) -> str:
        """The row that was run last, "" where there was none."""
        return self.fired[-1] if self.fired else ""


@dataclass(frozen=True, slots=True)
class SliceDivergence(Document):
    """A step that the tables of a slice do not have, or have otherwise.

    `number` counts the steps from 1; `told` is what the step said of itself, `rows` are those that were run for it.
    `near` is the row that came nearest where none applied, or the one whose effects are not what the node says, ""
    where there is none.
    """

    DOCUMENT = "step=number name node time_ns what message=reason told rows near"  # codespell:ignore

    what: ClassVar[str]
    number: int
    time_ns: int
    node: int
    name: str
    told: Mapping[str, Any]
    reason: str
    rows: tuple[str, ...] = field(default=(), kw_only=True)
    near: str = field(default="", kw_only=True)

    def heading(self) -> str:
        """Return the line that says which step it is."""
        raise NotImplementedError

    def text(self) -> str:
        """Return the difference as lines of text."""
        lines = [self.heading(), *textwrap.wrap(self.reason, WIDTH), *_listed("reported", self.told)]
        if self.rows:
            lines.append(f"{'rows':<10}{', '.join(self.rows)}")
        return "\n".join(lines)


@dataclass(slots=True)
class SliceResult(Document):
    """The judgement of the steps of a run by the tables of a slice.

    `steps` were reported, `steps_judged` explained by rows. `unjudged` are steps that no row is about, by name and
    reason; `adopted` counts what was taken over since the tables leave it out, `declared` known defects that showed,
    `left` what was checked no further from some step on, by the reason. `reasons` are why rows of the `protocol` may
    stay out of a run.
    """

    DOCUMENT = "steps steps_judged rows:sorted rows_never_fired not_judged=by_reason taken_over=adopted:sorted"

    protocol: ClassVar[Protocol]
    reasons: ClassVar[Mapping[str, str]]
    steps: int = 0
    steps_judged: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    unjudged: Counter[tuple[str, str]] = field(default_factory=Counter)
    adopted: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    declared: Counter[str] = field(default_factory=Counter)

    @property
    def by_reason(self) -> dict[str, int]:
        """The steps that were not checked, counted by name and reason."""
        return {f"{name} ({why})": count for (name, why), count in sorted(self.unjudged.items())}

    def rows_never_fired(self) -> dict[str, str]:
        """Return the rows that no step was, each with the reason."""
        return {row.id: self.reasons.get(row.id, SELDOM) for row in self.protocol.rows if not self.rows.get(row.id)}

    def update(self, other: Self) -> None:
        """Add the counts of another run."""
        for one in fields(self):
            mine, more = getattr(self, one.name), getattr(other, one.name)
            setattr(self, one.name, mine + more)
