"""The result of a scenario: each step with the operations of the controller, expectations, the partitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict

from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import ExitCode, worst

from .machine import Machine
from .outlook import Effect, Outlook


class WrittenField(TypedDict):
    """A record of an operation: its offset, its type, what it is about, the fields that say a change."""

    offset: int
    type: str
    about: str
    fields: dict[str, Any]


class GivenAnswer(TypedDict):
    """An answer: what it is about, empty for the whole request, the error's name, and further words."""

    about: str
    error: str
    says: str


class Shown(TypedDict):
    """A known defect that showed: its id, and the row or the property that has it."""

    finding: str
    by: str


@dataclass(frozen=True, slots=True)
class OperationDone(Document):
    """One operation of the controller: what was asked, answers, records, what became of brokers and partitions.

    `seconds` are of the scenario's clock. `rows` are the ids of the rows that it was; `differs` is where reference and
    tables disagree, as text, `unexplained` why no row explains it, `declared` the same where the scenario expects it,
    each empty for nothing.
    """

    DOCUMENT = "asked kind answers records words rows findings differs unexplained declared seconds"

    asked: str
    kind: str
    answers: tuple[GivenAnswer, ...]
    records: tuple[WrittenField, ...]
    words: tuple[str, ...]
    rows: tuple[str, ...]
    findings: tuple[Shown, ...]
    differs: str
    unexplained: str
    seconds: float
    declared: str = ""
    unclean: tuple[str, ...] = ()
    refused: bool = False


def number_of(place: str) -> str:
    """Return the number of a line, or of an argument, in the place of a step."""
    return place.replace(":", " ").rpartition(" ")[2]


@dataclass(frozen=True, slots=True)
class StepDone(Document):
    """A step: its place and text, its operations but heartbeats that changed nothing, and what it was found to be.

    `kept` is None for a step that expects nothing, else whether it is as expected; `message` says how it is then.
    `partitions` are there for `show`. `requests` counts all operations.
    """

    DOCUMENT = "place text operations requests kept message notes partitions"

    place: str
    text: str
    operations: tuple[OperationDone, ...] = ()
    requests: int = 0
    kept: bool | None = None
    message: str = ""
    notes: tuple[str, ...] = ()
    partitions: tuple[Outlook, ...] = ()
    is_setup: bool = False

    @property
    def number(self) -> str:
        """The number of its line, or of its argument."""
        return number_of(self.place)


class FindingShown(TypedDict):
    """A known defect that showed in a scenario: the first step, how many operations."""

    finding: str
    by: str
    place: str
    times: int


@dataclass(frozen=True, slots=True)
class Against(Document):
    """The same scenario under other tables: the first step that differs, empty for none, and how it ends there.

    `here` and `instead` are the first operation that differs, each empty where that side has none. `stopped` is why the
    scenario could not go on there, `breaks` are the properties that do not hold, `differs` is where the reference could
    not follow these tables.
    """

    DOCUMENT = "protocol place step here instead answer partitions stopped breaks differs"

    protocol: str
    place: str
    step: str
    here: tuple[OperationDone, ...]
    instead: tuple[OperationDone, ...]
    answer: str
    partitions: tuple[Outlook, ...]
    stopped: str
    breaks: tuple[str, ...]
    differs: tuple[str, ...]


# -- plans -------------------------------------------------------------------------------------------------------------
UNCLEAN, STUCK, OFFLINE, BELOW = "unclean", "stuck", "offline", "below_min_isr"
KINDS = (UNCLEAN, STUCK, OFFLINE, BELOW)
"""Effects of an act on a partition, the worst first: a leader outside ISR and ELR; no leader any more but by such an
election; no leader for a time at least; led, and writes with acks=all fail."""

SHOWN = 30
"""So many broker ids of an order are named."""

DOES = {
    UNCLEAN: "may elect {} uncleanly: records may be lost",
    STUCK: "leaves {} to an unclean election",
    OFFLINE: "takes {} offline",
    BELOW: "leaves {} below min.insync.replicas: writes with acks=all fail",
}
"""The kinds in words."""


@dataclass(frozen=True, slots=True)
class Harm(Document):
    """Partitions that a plan does something to, by what it does: each list may be empty."""

    DOCUMENT = "unclean stuck offline below_min_isr"

    unclean: tuple[str, ...] = ()
    stuck: tuple[str, ...] = ()
    offline: tuple[str, ...] = ()
    below_min_isr: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(self.of(kind) for kind in KINDS)

    def of(self, kind: str) -> tuple[str, ...]:
        """Return the partitions of a kind."""
        found: tuple[str, ...] = getattr(self, kind)
        return found

    def words(self) -> str:
        """Return it as what a plan does, "takes no partition offline ..." for nothing."""
        parts = [
            DOES[kind].format(_counted(self.of(kind))) for kind in (OFFLINE, BELOW, STUCK, UNCLEAN) if self.of(kind)
        ]
        return (
            "; ".join(parts) or "takes no partition offline, none below min.insync.replicas, none to an unclean leader"
        )


@dataclass(frozen=True, slots=True)
class FirstSequence(Document):
    """The first sequence that does something: a partition, its steps, what they do, and the steps as they were done."""

    DOCUMENT = "partition steps kinds waits done"

    partition: str
    steps: tuple[str, ...]
    kinds: tuple[str, ...]
    waits: bool
    done: tuple[StepDone, ...] = ()


@dataclass(frozen=True, slots=True)
class Planned(Document):
    """The result of exploring a plan.

    `order` is the one that was given, or the best that was found, `harm` what it does if each act waits until its
    replicas are in their ISRs again, `now` what a change does before any broker returns, `always` what every order
    does, `without_waiting` what the order may do if acts do not wait. `first` is the first sequence that does
    something, None for none. `bound` says in words what was explored, `reached` which bound ended it, empty for none.
    `refused` is how the controller answered an act with an error.
    """

    DOCUMENT = (
        "plan answer order is_given=given harm now always without_waiting first bound reached refused notes "
        "classes partitions states transitions"
    )

    plan: str
    order: tuple[str, ...]
    given: bool
    harm: Harm
    now: Harm
    always: Harm
    without_waiting: Harm
    first: FirstSequence | None
    bound: str
    reached: str
    refused: str
    notes: tuple[str, ...]
    classes: int
    partitions: int
    states: int
    transitions: int
    differs: tuple[str, ...] = ()
    unexplained: tuple[str, ...] = ()
    chosen: bool = False

    @property
    def answer(self) -> str:
        """The answer in a sentence."""
        if self.refused:
            return f"{self.plan}: the controller refuses it with {self.refused}"
        if self.reached:
            return f"{self.plan}: not known: the bound of {self.reached} was reached"
        order = f"in the order {_order(self.order)}"
        if not self.chosen:
            return f"{self.plan}{f' {order}' if self.given else ''} {self.harm.words()}"
        if self.now != self.harm:
            return f"{self.plan} now {self.now.words()}; {order} it {self.harm.words()}"
        if not self.harm:
            return f"{self.plan} {order} {self.harm.words()}"
        if self.always == self.harm:
            return f"{self.plan} {self.harm.words()}, whatever the order is; no other partition {order}"
        return f"{self.plan} does harm in every order; {order} it {self.harm.words()}"

    @property
    def code(self) -> ExitCode:
        """The exit code: 0 where an order does no harm, 1 where none does, 3 where the bound was reached."""
        if self.differs:
            return ExitCode.DISAGREEMENT
        if self.reached:
            return ExitCode.INCONCLUSIVE
        if self.harm or self.refused:
            return ExitCode.VIOLATED
        return ExitCode.DIFFERS_FROM_BASELINE if self.unexplained else ExitCode.AS_DECLARED


def _order(words: Sequence[str]) -> str:
    more = f" and {len(words) - SHOWN} more" if len(words) > SHOWN else ""
    return f"{', '.join(words[:SHOWN])}{more}"


def _counted(names: Sequence[str], most: int = 3) -> str:
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return f"{len(names):,} partition{'s' * (len(names) != 1)} ({', '.join(names[:most])}{more})"


@dataclass(frozen=True)
class Report(Document):
    """A scenario that was run: its steps, the partitions at its end, what became of those that there were at first.

    `answer` is one sentence. `assumed` says what was assumed of a log's brokers, `begins` where its state is from.
    `plan` is what a plan does behind the steps, `against` what the same steps do under other tables.
    """

    DOCUMENT = "scenario answer begins assumed steps partitions effect counts plan against"

    scenario: str
    answer: str
    begins: Mapping[str, Any] | None
    assumed: tuple[str, ...]
    steps: tuple[StepDone, ...]
    partitions: tuple[Outlook, ...]
    effect: Effect
    counts: Mapping[str, int]
    further: tuple[str, ...] = ()
    plan: Planned | None = None
    against: Against | None = None
    machine: Machine | None = field(default=None, compare=False, repr=False)

    @property
    def protocol(self) -> str:
        """The name of the tables."""
        return "" if self.machine is None else self.machine.protocol.name

    @property
    def operations(self) -> list[tuple[StepDone, OperationDone]]:
        """Every operation with its step."""
        return [(step, one) for step in self.steps for one in step.operations]

    @property
    def code(self) -> ExitCode:
        """The exit code: a difference of the engines goes before an expectation that fails, that before a gap."""
        found = [ExitCode.DISAGREEMENT] if self.further or (self.against and self.against.differs) else []
        for _, one in self.operations:
            if one.differs:
                found.append(ExitCode.DISAGREEMENT)
            if one.unexplained:
                found.append(ExitCode.DIFFERS_FROM_BASELINE)
        found += [ExitCode.VIOLATED for step in self.steps if step.kept is False]
        found += [self.plan.code] if self.plan is not None else []
        return worst(found)

    def findings(self) -> list[FindingShown]:
        """Return the known defects that showed, each once."""
        found: dict[tuple[str, str], FindingShown] = {}
        for step, one in self.operations:
            for shown in one.findings:
                key = shown["finding"], shown["by"]
                first: FindingShown = {"finding": key[0], "by": key[1], "place": step.place, "times": 0}
                found.setdefault(key, first)["times"] += 1
        return list(found.values())
