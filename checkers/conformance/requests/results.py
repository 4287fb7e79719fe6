"""The results of checking an event trace: events checked by kind, rows that answered, and every difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

from fencepost.checkers.conformance.results.ending import code_of
from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import ExitCode, Verdict

if TYPE_CHECKING:
    from .outcomes import Outcome

SHOWN = 12
"""Records of an answer that are kept."""


@dataclass(frozen=True, slots=True)
class Answer(Document):
    """A possible answer of the tables: the rows, one a part of the request, the answered values, and the records."""

    rows: tuple[str, ...]
    told: Mapping[str, Any]
    records: tuple[str, ...]

    @classmethod
    def of(cls, outcome: Outcome, told: Mapping[str, Any]) -> Self:
        """Return an outcome as an answer with these values, with its first records."""
        records = [str(one.value) for group in outcome.groups for one in group]
        more = [f"and {len(records) - SHOWN} more"] if len(records) > SHOWN else []
        return cls(outcome.rows, told, (*records[:SHOWN], *more))

    @property
    def key(self) -> tuple[Any, ...]:
        """The key that distinguishes answers: outcomes with one key are one answer."""
        return self.rows, tuple(sorted((name, str(one)) for name, one in self.told.items())), self.records


def different(answers: Iterable[Answer]) -> tuple[Answer, ...]:
    """Return the answers that differ, in order."""
    found: dict[tuple[Any, ...], Answer] = {}
    for one in answers:
        found.setdefault(one.key, one)
    return tuple(found.values())


def listed(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return reported values by name as JSON values: sequences are lists, and sets in an order."""
    return {name: list(ordered(one)) if isinstance(one, (tuple, frozenset)) else one for name, one in told.items()}


def ordered(values: tuple[Any, ...] | frozenset[Any]) -> tuple[Any, ...]:
    """Return values in their order, those of a set in that of their texts."""
    return values if isinstance(values, tuple) else tuple(sorted(values, key=str))


@dataclass(frozen=True, slots=True)
class Difference(Document):
    """An event on which the controller and the tables differ.

    `line` counts from 1, `offset` is the end of the log at that time. `what` is `answer` (the records fit, the answer
    does not), `records` (the answer fits, the records do not), `both`, `row` (no row applies), or `log` (records are in
    front of the request that neither a request of the trace nor a task of the controller wrote). `recorded` is the part
    of the answer that is compared, `expected` what the tables could have answered.
    """

    line: int
    request: str
    offset: int
    what: str
    message: str
    recorded: Mapping[str, Any]
    expected: tuple[Answer, ...]


@dataclass(slots=True)
class EventResult(Document):
    """The judgement of an event trace against one log.

    `events` counts all, `judged` those checked by request, `not_judged` those that no row could be evaluated for, by
    request and reason, and leave the verdict open. `unasked` counts those that no row need be evaluated for, since they
    were refused before that or never ran: they wrote nothing. `corrected` says where the controller's own log was
    believed, and not the trace. `inactive` counts requests that reached a controller which had lost its leadership:
    they must be answered NOT_CONTROLLER. `rows` counts the rows that answered, `between` the rows that explain what
    records between the requests.
    """

    DOCUMENT = (
        "path log verdict events judged:sorted not_judged:sorted unasked:sorted corrected inactive rows:sorted "
        "between:sorted differences notes"
    )

    path: str
    log: str
    events: int = 0
    judged: Counter[str] = field(default_factory=Counter)
    not_judged: dict[str, Counter[str]] = field(default_factory=dict)
    unasked: dict[str, Counter[str]] = field(default_factory=dict)
    corrected: list[str] = field(default_factory=list)
    inactive: int = 0
    rows: Counter[str] = field(default_factory=Counter)
    between: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> Verdict:
        """Violates with a difference, undecided where an event, or every event, was not checked; conforms otherwise."""
        if self.differences:
            return Verdict.VIOLATES
        return Verdict.UNDECIDED if self.not_judged or not self.judged or self.notes else Verdict.CONFORMS

    @property
    def exit_code(self) -> ExitCode:
        """6 with a difference, 3 where an event was not checked, 0 otherwise."""
        return code_of(self.verdict)
