"""What running a scenario found: each step with the operations of the controller, expectations, the partitions."""

from __future__ import annotations

from collections.abc import Mapping
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


class FindingShown(TypedDict):
    """A known defect that showed in a scenario: the first step, how many operations."""

    finding: str
    by: str
    place: str
    times: int


@dataclass(frozen=True)
class Report(Document):
    """A scenario that was run: its steps, the partitions at its end, what became of those that there were at first.

    `answer` is one sentence. `assumed` says what was assumed of a log's brokers, `begins` where its state is from.
    """

    DOCUMENT = "scenario answer begins assumed steps partitions effect counts"

    scenario: str
    answer: str
    begins: Mapping[str, Any] | None
    assumed: tuple[str, ...]
    steps: tuple[StepDone, ...]
    partitions: tuple[Outlook, ...]
    effect: Effect
    counts: Mapping[str, int]
    further: tuple[str, ...] = ()
    machine: Machine | None = field(default=None, compare=False, repr=False)

    @property
    def operations(self) -> list[tuple[StepDone, OperationDone]]:
        """Every operation with its step."""
        return [(step, one) for step in self.steps for one in step.operations]

    @property
    def code(self) -> ExitCode:
        """The exit code: a difference of the engines goes before an expectation that fails, that before a gap."""
        found = [ExitCode.DISAGREEMENT] if self.further else []
        for _, one in self.operations:
            if one.differs:
                found.append(ExitCode.DISAGREEMENT)
            if one.unexplained:
                found.append(ExitCode.DIFFERS_FROM_BASELINE)
        found += [ExitCode.VIOLATED for step in self.steps if step.kept is False]
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
