"""What lock step of data finds: steps by row, what was taken over, where the theorem was not asked, differences."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fencepost.checkers.conformance.lockstep.results import WIDTH


@dataclass(frozen=True, slots=True)
class DataDivergence:
    """A step of a broker, or a decision about a partition, that the tables do not have, or have otherwise.

    `number` counts the steps of brokers and controllers from 1; `rows` are those that were run for the step. `near`
    is the
    row that came nearest where none applied, "" otherwise.
    """

    number: int
    time_ns: int
    node: int
    name: str
    partition: tuple[str, int]
    parameters: Mapping[str, Any]
    reason: str
    rows: tuple[str, ...] = ()
    near: str = ""

    def text(self) -> str:
        """Return the difference as lines of text."""
        who = f"broker {self.node}" if self.node < 3000 else f"controller {self.node}"
        lines = [
            f"step {self.number}: {self.name} of {who} at {self.time_ns / 1e9:.6f} s, "
            f"partition {self.partition[0]}-{self.partition[1]}",
            *textwrap.wrap(self.reason, WIDTH),
        ]
        told = ", ".join(f"{name} {value}" for name, value in self.parameters.items())
        lines += textwrap.wrap(f"told      {told}", WIDTH, subsequent_indent="          ") if told else []
        if self.rows:
            lines.append(f"rows      {', '.join(self.rows)}")
        return "\n".join(lines)

    def as_json(self) -> dict[str, Any]:
        """Return the difference as JSON values."""
        return {
            "step": self.number,
            "name": self.name,
            "node": self.node,
            "time_ns": self.time_ns,
            "partition": list(self.partition),
            "what": "data",
            "message": self.reason,
            "told": dict(self.parameters),
            "rows": list(self.rows),
            "near": self.near,
        }


@dataclass
class DataResult:
    """The judgement of what the brokers of a run did with data.

    `steps` were told by brokers, `steps_judged` explained by rows (a step of several records by several). `decisions`
    are the
    controllers' about partitions, `decisions_judged` those that are a row. `unjudged` are steps that no row is about,
    by name
    and reason; `adopted` counts what was taken over from steps since the slice leaves it out; `left` partitions of
    which the
    theorem was no longer asked, by the reason. `declared` counts known defects that showed. `asked` counts how often
    a claim
    of the theorem was asked.
    """

    steps: int = 0
    steps_judged: int = 0
    decisions: int = 0
    decisions_judged: int = 0
    partitions: int = 0
    records: int = 0
    asked: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    unjudged: Counter[tuple[str, str]] = field(default_factory=Counter)
    adopted: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)
    declared: Counter[str] = field(default_factory=Counter)

    def update(self, other: DataResult) -> None:
        """Add the counts of another run."""
        for name in ("steps", "steps_judged", "decisions", "decisions_judged", "partitions", "records", "asked"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("rows", "unjudged", "adopted", "left", "declared"):
            getattr(self, name).update(getattr(other, name))

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        from .coverage import never

        return {
            "steps": self.steps,
            "steps_judged": self.steps_judged,
            "decisions": self.decisions,
            "decisions_judged": self.decisions_judged,
            "partitions": self.partitions,
            "records": self.records,
            "claims_asked": self.asked,
            "rows": dict(sorted(self.rows.items())),
            "rows_never_fired": never(self.rows),
            "not_judged": {f"{name} ({why})": count for (name, why), count in sorted(self.unjudged.items())},
            "taken_over": dict(sorted(self.adopted.items())),
            "theorem_not_asked": dict(sorted(self.left.items())),
        }
