"""The results of checking the logs of a quorum: a verdict, what was compared, violations, uncommitted tails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fencepost.checkers.conformance.results.ending import Ending
from fencepost.checkers.document import Document


class Rule(NamedTuple):
    """A rule: the rows and properties of kraft-loop or kraft-voters of which it is an instance, and what it says."""

    claims: tuple[str, ...]
    text: str


RULES = {
    "committed-prefix": Rule(("QL2d", "QL5c"), "two logs are the same below what both are known to have committed"),
    "log-matching": Rule(("QR1", "QL6n"), "two logs with a batch of one epoch at one offset are the same up to there"),
    "whole-batches": Rule(("QL8",), "a batch is in a log as its leader wrote it, never a part of it"),
    "committed-record": Rule(("QL2d", "QL6n"), "no two records are committed at one offset"),
    "later-leader": Rule(("QL5c", "QL2d"), "the log of every later epoch has what was committed before it"),
    "one-leader": Rule(("QL6",), "an epoch has one leader, in every log and every line"),
    "one-opening": Rule(
        ("QR1", "QL6a"), "an epoch begins with the one leader change that it has, at the same offset in every log"
    ),
    "log-order": Rule(("QL6n",), "the batches of a log follow one another without a gap"),
    "epoch-order": Rule(("QR1",), "epochs do not go back within a log"),
    "epoch-checkpoint": Rule(("QR1",), "the leader-epoch checkpoint has the epochs of the log, where they begin"),
    "transaction-aborted": Rule(
        ("QA3", "QA4"), "a transaction that an epoch leaves open is aborted by the first record of the next leader"
    ),
    "transaction-order": Rule(("QL9", "QL9e"), "transactions do not nest, and only an open one ends"),
    "voters-change": Rule(
        ("VP3", "VP5", "VP6"), "voters change by one, are never none, and no node votes with two directories"
    ),
    "voters-level": Rule(("VP7", "VP7l"), "voters are written with kraft.version 1 only, and it is never lowered"),
    "elected-by-voters": Rule(
        ("VQ1", "VP12"), "a leader is a voter of its log, and a majority of these voters elected it"
    ),
    "snapshot": Rule(("QL5", "QL5r"), "a snapshot is the state to which the log of another node replays"),
    "claim": Rule(("QK1", "QL6"), "an epoch is claimed once, by its leader, which writes next where the log says"),
    "renounce": Rule(("QK3", "QL4r"), "a node that renounces keeps what is stable: it is committed, and ends a batch"),
    "commit": Rule(("QC1", "QC2", "QL8"), "a commit that a node is notified of ends a batch of that epoch"),
    "append": Rule(("QL6a", "QL8"), "only the claimer of an epoch appends to it; an atomic result is one batch"),
    "answer": Rule(("QL2", "QL14"), "an answer that waits in the purgatory leaves when its offset is committed"),
    "transaction-line": Rule(("QC3", "QC4"), "a transaction begins and ends where the log has its records"),
}
"""Each rule by its id."""


@dataclass(frozen=True, slots=True)
class QuorumViolation(Document):
    """Something that the logs of one quorum should not have: the rule's id, where, and a sentence.

    `log` is the log that has it, with its file `segment`, or a controller.log, with the number of its `line`. `against`
    are the logs, or the lines, that contradict it; empty where it contradicts itself.
    """

    DOCUMENT = "rule claims log segment line offset epoch against message"

    rule: str
    log: str
    segment: str
    offset: int | None
    epoch: int | None
    message: str
    against: tuple[str, ...] = ()
    line: int | None = None

    @property
    def claims(self) -> tuple[str, ...]:
        """The rows and properties of kraft-loop or kraft-voters that do not allow it."""
        return RULES[self.rule].claims


@dataclass(frozen=True, slots=True)
class Tail(Document):
    """The end of a log that is not known to be committed: offsets [first, last] of some epochs.

    `replaced_by` is the epoch that another log, `other`, has at the first of them: it is to be cut, or was. Both are
    empty where no other log reaches there.
    """

    DOCUMENT = "log first_offset=first last_offset=last epochs replaced_by other:or_null"

    log: str
    first: int
    last: int
    epochs: tuple[int, ...]
    replaced_by: int | None = None
    other: str = ""


@dataclass(slots=True)
class QuorumResult(Ending):
    """The verdict on the logs of one quorum, and what it rests on.

    `ends` has the end of every log that could be read, `committed` the offset below which the log of which most is
    known is committed, and `committed_by` says why. `asked` counts by rule what was compared, `lines` the lines of
    controllers' own logs by form, `other_lines` those of other forms. `doubts` are sentences about what could not be
    checked, `notes` about the scope.
    """

    DOCUMENT = (
        "paths verdict nodes ends epochs committed committed_by snapshots lines other_lines asked violations tails "
        "undecided=doubts notes"
    )

    paths: tuple[str, ...]
    nodes: tuple[int, ...] = ()
    ends: dict[str, int] = field(default_factory=dict)
    epochs: int = 0
    committed: int = 0
    committed_by: str = ""
    snapshots: int = 0
    lines: dict[str, int] = field(default_factory=dict)
    other_lines: int = 0
    asked: dict[str, int] = field(default_factory=lambda: dict.fromkeys(RULES, 0))
    violations: list[QuorumViolation] = field(default_factory=list)
    tails: list[Tail] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _places: set[tuple[str, str, int | None, int | None]] = field(default_factory=set, repr=False)

    def violate(
        self,
        rule: str,
        log: str,
        segment: str,
        offset: int | None,
        epoch: int | None,
        message: str,
        against: Sequence[str] = (),
        line: int | None = None,
    ) -> None:
        """Add a violation, but one of the same rule at the same place only once."""
        assert rule in RULES, rule
        place = (rule, log, offset, line)
        if place not in self._places:
            self._places.add(place)
            self.violations.append(QuorumViolation(rule, log, segment, offset, epoch, message, tuple(against), line))
