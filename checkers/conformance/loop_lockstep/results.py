"""What lock step of the loop finds: steps by row, what was taken over, differences."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fencepost.checkers.conformance.lockstep.results import WIDTH

from .coverage import never


@dataclass(frozen=True, slots=True)
class LoopDivergence:
    """A step of a loop that the tables do not have, or have otherwise.

    `number` counts the steps of loops from 1; `rows` are those that were run for the step. `near` is the row that came
    nearest where none applied, or the one whose effects are not what the node says.
    """

    number: int
    time_ns: int
    node: int
    name: str
    told: Mapping[str, Any]
    reason: str
    rows: tuple[str, ...] = ()
    near: str = ""

    def text(self) -> str:
        """Return the difference as lines of text."""
        lines = [
            f"step {self.number} of the loops: {self.name}, controller {self.node} at {self.time_ns / 1e9:.6f} s",
            *textwrap.wrap(self.reason, WIDTH),
        ]
        told = ", ".join(f"{name} {value}" for name, value in self.told.items())
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
            "what": "loop",
            "message": self.reason,
            "told": dict(self.told),
            "rows": list(self.rows),
            "near": self.near,
        }


@dataclass
class LoopResult:
    """The judgement of the loops of a run.

    `steps` were told, `steps_judged` explained by rows. `unjudged` are steps that no row is about, by name and reason;
    `adopted` counts what was taken over since the tables leave it out, `declared` known defects that showed, `left`
    runs of which no more was judged from some step on, by the reason.
    """

    steps: int = 0
    steps_judged: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    unjudged: Counter[tuple[str, str]] = field(default_factory=Counter)
    adopted: Counter[str] = field(default_factory=Counter)
    declared: Counter[str] = field(default_factory=Counter)
    left: Counter[str] = field(default_factory=Counter)

    def update(self, other: LoopResult) -> None:
        """Add the counts of another run."""
        self.steps += other.steps
        self.steps_judged += other.steps_judged
        for name in ("rows", "unjudged", "adopted", "declared", "left"):
            getattr(self, name).update(getattr(other, name))

    def as_json(self) -> dict[str, Any]:
        """Return the result as JSON values."""
        return {
            "steps": self.steps,
            "steps_judged": self.steps_judged,
            "rows": dict(sorted(self.rows.items())),
            "rows_never_fired": never(self.rows),
            "not_judged": {f"{name} ({why})": count for (name, why), count in sorted(self.unjudged.items())},
            "taken_over": dict(sorted(self.adopted.items())),
            "judged_no_further": dict(sorted(self.left.items())),
        }
