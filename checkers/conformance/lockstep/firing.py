"""The rows of a protocol fired one at a time beside something that runs: properties asked, and all counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from fencepost.checkers.unexplained import no_row_of
from fencepost.model import language
from fencepost.model.language.errors import EvaluationError

from .cells import Change, earlier
from .claims import CompiledClaims, Instance
from .nearest import first_false
from .whole import Ran, WholeRows


class Diverged(Exception):
    """A step differs from the tables; the checker makes a divergence of it."""


class ReportedStep(Protocol):
    """A step as a trace reports it: the event, its parameters, and the node that did it, a number or a name."""

    @property
    def name(self) -> str:
        """The name of the event."""

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters, by name."""

    @property
    def node(self) -> int | str:
        """The node that did it."""


@dataclass(frozen=True, slots=True)
class StepDivergence:
    """A step that the tables do not have, or have otherwise: its number in the trace, why, and the rows run for it."""

    number: int
    step: ReportedStep
    reason: str
    rows: tuple[str, ...]

    def __str__(self) -> str:
        rows = f" (rows {', '.join(self.rows)})" if self.rows else ""
        told = ", ".join(f"{name}={value}" for name, value in self.step.parameters.items())
        node = self.step.node if isinstance(self.step.node, str) else f"node {self.step.node}"
        return f"step {self.number}: {self.step.name}({told}) of {node}: {self.reason}{rows}"


@dataclass
class Tally:
    """The counts of a check: how often each row was run, and which declared violations occurred.

    `unjudged` are steps that no row is about, by name; `adopted` what was taken over from steps, by reason.
    """

    steps: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    unjudged: Counter[str] = field(default_factory=Counter)
    adopted: Counter[str] = field(default_factory=Counter)
    declared: Counter[str] = field(default_factory=Counter)


class Firing:
    """The rows of the tables, run for each step: `step` checks one, `divergences` has the differences, `tally` counts.

    `_ran` has the rows of this step, `_changed` the cells that the last row gave another value, each with the value
    before.
    """

    def __init__(self, protocol: language.Protocol, properties: bool = True, rows: WholeRows | None = None) -> None:
        self.rows = WholeRows(protocol) if rows is None else rows
        self.tally = Tally()
        self.claims = CompiledClaims(protocol, self.rows.printer) if properties else None
        self.divergences: list[StepDivergence] = []
        self._known: dict[str, set[Instance]] = {}
        self._ran: list[Ran] = []
        self._changed: list[Change] = []

    def step(self, step: Any) -> StepDivergence | None:
        """Check a step; return its difference from the tables, None if it is a row."""
        self.tally.steps += 1
        self._ran.clear()
        try:
            self._judge(step)
        except (Diverged, EvaluationError) as error:
            found = StepDivergence(self.tally.steps, step, str(error), tuple(ran.row.id for ran in self._ran))
            self.divergences.append(found)
            self._adopt(step)
            return found
        finally:
            self.tally.rows.update(ran.row.id for ran in self._ran)
        return None

    def _judge(self, step: Any) -> None:
        """Run the rows of a step; raises `Diverged` where it is none of them."""
        raise NotImplementedError

    def _adopt(self, step: Any) -> None:
        """Continue in the state that a step reports, after a divergence."""
        raise NotImplementedError

    def _fire(self, event: str, given: bool = True, **parameters: Any) -> Ran:
        """Run the row of an event that applies; raises `Diverged` where none does or a property breaks."""
        ran = self.rows.applicable(event, parameters, given)
        if ran is None:
            why = first_false(self.rows, event, parameters)
            raise Diverged(no_row_of(event) + (f"; nearest is {why}" if why else ""))
        changed = self._changed = self.rows.apply(ran)
        self._ran.append(ran)
        if self.claims is not None:
            now, binding = self.rows.cells, {var: parameters[var.name] for var in self.rows.events[event].params}
            before = earlier(now, changed)
            breaches = [
                *self.claims.touched(changed, before, now, self._known, whole=False),
                *self.claims.touched(changed, before, now, self._known, whole=True),
                *self.claims.of_row(ran.row.id, binding, before, changed),
            ]
            self.tally.declared.update(one.claim.id for one in breaches if one.claim.expected == "violated")
            broken = [f"{one.claim.id} ({one.entity})" for one in breaches if one.claim.expected == "holds"]
            if broken:
                raise Diverged(f"{ran.row.id} breaks {', '.join(broken)}")
        return ran

    def _answers(self, ran: Ran, outcome: str, says: Mapping[str, str] | None = None) -> None:
        said = getattr(ran.answer, "value", ran.answer)
        if isinstance(said, int):
            said = "" if said == 0 else ran.answer.name
        told = (says or {}).get(outcome, outcome)
        if said != told:
            raise Diverged(f"the outcome is {told or 'done'!r}, {ran.row.id} says {said or 'done'!r}")
