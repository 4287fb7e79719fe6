"""The results of checking brokers' log directories: a verdict, the number of checks by rule, and each violation."""

from __future__ import annotations

from dataclasses import dataclass, field

from fencepost.checkers.conformance.results.ending import Ending
from fencepost.checkers.document import Document

RULES = {
    "topic-id": "a partition's folder has the topic id that the metadata log gave to the topic",
    "epoch-given": "every epoch of a checkpoint and of a batch is one in which the metadata log gave a leader",
    "epoch-order": "in a leader-epoch checkpoint epochs and start offsets rise, and nothing begins after the log's end",
    "epoch-checkpoint": "a batch has the epoch that the leader-epoch checkpoint has for its offset",
    "log-order": "the batches of a log follow one another without a gap, and their epochs do not go back",
    "log-matching": "two logs with a batch of one epoch at one offset are the same up to there",
    "committed-matching": "two logs are the same below both high watermarks",
    "high-watermark": "the high watermark of the checkpoint is within the log",
    "recovery-point": "the recovery point is within the log: what lies below it was flushed",
    "acknowledged": "an acknowledged record is in the log of the last leader and of every member of ISR and ELR",
    "one-record": "no two records were acknowledged at one offset",
}
"""Each rule by its id."""


@dataclass(frozen=True, slots=True)
class DataViolation(Document):
    """Something that brokers' directories should not have: the rule's id, whose, where, and a sentence.

    `broker` is None where it is about no single one, `offset` where it is about none of the partition's log.
    """

    rule: str
    broker: int | None
    partition: str
    offset: int | None
    message: str


@dataclass(slots=True)
class DataResult(Ending):
    """The verdict on the directories of one recording, and what it rests on.

    `asked` counts by rule what was compared. `acknowledged` is the ledger's number of records, `found` how often one
    was found where it had to be (once a broker), `unclean` those that an unclean election since explains, `lost` those
    beyond the end of a log whose tail was lost. `doubts` are sentences about what could not be checked, `notes` about
    the scope.
    """

    DOCUMENT = (
        "path verdict brokers partitions batches acknowledged found unclean lost asked violations undecided=doubts "
        "notes"
    )

    path: str
    brokers: tuple[int, ...] = ()
    partitions: int = 0
    batches: int = 0
    acknowledged: int = 0
    found: int = 0
    unclean: int = 0
    lost: int = 0
    asked: dict[str, int] = field(default_factory=lambda: dict.fromkeys(RULES, 0))
    violations: list[DataViolation] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def violate(self, rule: str, broker: int | None, partition: str, offset: int | None, message: str) -> None:
        """Add a violation."""
        self.violations.append(DataViolation(rule, broker, partition, offset, message))
