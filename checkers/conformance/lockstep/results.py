"""The results of lock step: steps checked by row or counted by name, the first divergence on one screen, findings."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypedDict

from fencepost.checkers.conformance.requests.results import Answer
from fencepost.checkers.document import Document
from fencepost.traces.steps import BrokerState, Step

WIDTH = 100
SHOWN = 6
"""Lines of one kind that a divergence shows."""

NOTED = "the arrival is noted; its row is asked when the heartbeat is dealt with"
NOTHING_TO_DO = "the periodic task found nothing to do"
OF_RAFT = "Raft wrote records of its own; offsets go on behind them"
GOES_BACK = "the controller gave up; its state goes back to what is committed"
LEADS_NO_MORE = "Raft took no records: the log has another leader"
BEFORE_THE_ROWS = "refused by a check of names and values"
"""The beginning of the reason for a request that is refused before the checks of the tables."""


def changes_nothing(reason: str) -> bool:
    """Whether a step that no row explains, for this reason, could change nothing: there is nothing to be explained."""
    return reason in (NOTED, NOTHING_TO_DO, GOES_BACK, LEADS_NO_MORE, OF_RAFT) or reason.startswith(BEFORE_THE_ROWS)


@dataclass(frozen=True, slots=True)
class Divergence(Document):
    """A step that the tables do not explain.

    `number` counts the steps from 1. `what` is `row` (none applies), `answer`, `records`, `both`, `soft` (the state of
    brokers that no record holds), `property`, `log` (the step does not begin where the one before it ended) or `order`
    (it comes from a controller that was not active). `expected` is what the tables could have done, `seen` the part of
    the answer that is compared, `soft` each broker's state as the tables have it and as it was reported.
    """

    DOCUMENT = (
        "step=number name=step.name node=step.node epoch=step.epoch time_ns=step.time_ns offset=step.base_offset "
        "what message seen expected"
    )

    number: int
    step: Step
    what: str
    message: str
    expected: tuple[Answer, ...] = ()
    seen: Mapping[str, Any] = field(default_factory=dict)
    soft: tuple[tuple[BrokerState, BrokerState | None], ...] = ()

    def text(self) -> str:
        """Return the divergence as a screen of text."""
        step = self.step
        lines = [
            f"step {self.number}: {step.name} of controller {step.node} in epoch {step.epoch}, "
            f"at {step.time_ns / 1e9:.6f} s, offset {step.base_offset}",
            *textwrap.wrap(self.message, WIDTH),
        ]
        if step.request is not None:
            lines += textwrap.wrap(f"request   {step.request}", WIDTH, subsequent_indent="          ")[:4]
        lines += _listed("answered  ", [f"{name} {_value(one)}" for name, one in self.seen.items()])
        lines += _listed("wrote     ", [f"{one.type} {one.version} {dict(one.data)}" for one in step.records])
        for answer in self.expected[:3]:
            lines.append(f"{', '.join(dict.fromkeys(answer.rows)) or 'no row'} would")
            lines += _listed("  answer  ", [f"{name} {_value(one)}" for name, one in answer.told.items()])
            lines += _listed("  write   ", list(answer.records) or ["nothing"])
        if len(self.expected) > 3:
            lines.append(f"and {len(self.expected) - 3} more")
        for tables, told in self.soft:
            lines += [f"tables    {tables}", f"reported  {told}"]
        return "\n".join(line[: WIDTH * 2] for line in lines)


def _listed(head: str, items: list[str]) -> list[str]:
    if not items:
        return []
    more = [f"and {len(items) - SHOWN} more"] if len(items) > SHOWN else []
    pad = " " * len(head)
    return [(head if number == 0 else pad) + item[: WIDTH * 2] for number, item in enumerate([*items[:SHOWN], *more])]


def _value(value: Any) -> str:
    return "[" + ", ".join(map(str, value)) + "]" if isinstance(value, tuple) else str(value)


@dataclass(frozen=True, slots=True)
class StepFinding(Document):
    """A step at which the tables themselves say that a claim does not hold: a row or a property with a finding."""

    DOCUMENT = "step=number rule finding entity"

    number: int
    rule: str
    finding: str
    entity: str


class NotJudged(TypedDict):
    """Steps of one name that no row is about, for one reason."""

    name: str
    reason: str
    count: int


@dataclass(slots=True)
class LockStepResult(Document):
    """The judgement of the steps of one run.

    `rows` counts the rows that explained a step, a part of a request each; `steps_judged` the steps that rows
    explained. `not_judged` counts the steps that no row is about, by name and reason. `findings` are breaches that are
    declared, some of each; `finding_counts` counts them all. `mended` counts the records after which the state was set
    as Kafka has it, since the tables leave something out knowingly (`gaps.py`).
    """

    DOCUMENT = "steps steps_judged rows:sorted not_judged=by_reason divergences findings finding_counts:sorted mended"

    steps: int = 0
    steps_judged: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    not_judged: Counter[tuple[str, str]] = field(default_factory=Counter)
    divergences: list[Divergence] = field(default_factory=list)
    findings: list[StepFinding] = field(default_factory=list)
    finding_counts: Counter[str] = field(default_factory=Counter)
    mended: int = 0

    @property
    def by_reason(self) -> list[NotJudged]:
        """The steps that were not checked, counted by name and reason."""
        found = sorted(self.not_judged.items())
        return [{"name": name, "reason": reason, "count": count} for (name, reason), count in found]
