"""Altered copies of recorded brokers' directories, each of which one rule alone refutes."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.conformance.brokers.results import RULES
from fencepost.checkers.verdicts import ExitCode, Verdict
from fencepost.traces import Batch
from fencepost.traces.brokers import EpochEntry

from .altered import HIGH_WATERMARKS, RECOVERY_POINTS, Copied


def other_topic_id(copied: Copied) -> None:
    """Another topic's id is in a folder."""
    text = (copied.folder(3, "alone-0") / "partition.metadata").read_text()
    (copied.folder(3, "ledger-1") / "partition.metadata").write_text(text)


def unknown_partition(copied: Copied) -> None:
    """A broker has a partition that the metadata log does not."""
    copied.folder(3, "ledger-2").rename(copied.folder(3, "ledger-7"))


def leaderless_epoch(copied: Copied) -> None:
    """A checkpoint has an epoch in which the partition had no leader."""
    copied.epochs(1, "ledger-0", lambda entries: [*entries, EpochEntry(6, 349)])


def batch_of_a_leaderless_epoch(copied: Copied) -> None:
    """The last batch, and the checkpoint with it, have an epoch that was never given."""
    copied.batches(3, "ledger-0", lambda batches: [*batches[:-1], replace(batches[-1], epoch=9)])
    copied.epochs(3, "ledger-0", lambda entries: [*entries, EpochEntry(9, 332)])


def epoch_twice(copied: Copied) -> None:
    """A checkpoint has an epoch a second time, from the log's end on."""
    copied.epochs(1, "ledger-0", lambda entries: [*entries, EpochEntry(entries[-1].epoch, 349)])


def epoch_beyond_the_end(copied: Copied) -> None:
    """A broker that stopped cleanly has an epoch that begins beyond the end of its log."""
    copied.epochs(3, "ledger-1", lambda entries: [*entries, EpochEntry(6, 340)])


def shifted_epoch(copied: Copied) -> None:
    """An epoch begins one record later in the checkpoint than in the log."""
    copied.epochs(
        2, "ledger-0", lambda entries: [*entries[:2], EpochEntry(2, entries[2].start_offset + 1), *entries[3:]]
    )


def gap(copied: Copied) -> None:
    """A batch is missing within a log that need not have the acknowledged records."""
    copied.batches(3, "ledger-0", lambda batches: [*batches[:50], *batches[51:]])


def other_content(copied: Copied) -> None:
    """A batch has another time under a right checksum, in a log that need not have the acknowledged records."""

    def change(batches: list[Batch]) -> list[Batch]:
        old = batches[50]
        return [*batches[:50], replace(old, max_timestamp=old.max_timestamp + 1), *batches[51:]]

    copied.batches(3, "ledger-0", change)


def committed_under_two_epochs(copied: Copied) -> None:
    """The last record of a log has a later epoch than elsewhere, and both high watermarks are above it."""
    copied.batches(3, "ledger-2", lambda batches: [*batches[:-1], replace(batches[-1], epoch=8)])
    copied.epochs(3, "ledger-2", lambda entries: [*entries, EpochEntry(8, 331)])
    copied.offset(3, HIGH_WATERMARKS, ("ledger", 2), 332)


def high_watermark_beyond_the_end(copied: Copied) -> None:
    """A high watermark was checkpointed that the log does not reach."""
    copied.offset(1, HIGH_WATERMARKS, ("ledger", 0), 350)


def flushed_beyond_the_end(copied: Copied) -> None:
    """More was flushed than there is."""
    copied.offset(1, RECOVERY_POINTS, ("ledger", 0), 350)


def acknowledged_record_missing(copied: Copied) -> None:
    """An eligible replica lacks the last acknowledged records, which lie above its checkpointed high watermark."""
    copied.batches(2, "ledger-0", lambda batches: [one for one in batches if one.last_offset < 344])


def acknowledged_elsewhere(copied: Copied) -> None:
    """The ledger has a record at an offset at which the logs have another."""
    copied.ledger(
        lambda lines: [
            {**one, "id": "r999999"}
            if (one["topic"], one["partition"], one.get("offset")) == ("ledger", 0, 20)
            else one
            for one in lines
        ]
    )


def acknowledged_twice(copied: Copied) -> None:
    """Another record was acknowledged where one is, at an offset that is in no log any more."""
    for broker in (1, 2, 3):
        copied.batches(broker, "ledger-0", lambda batches: [one for one in batches if one.base_offset >= 149])
        copied.epochs(broker, "ledger-0", lambda entries: entries[2:])
        (copied.folder(broker, "ledger-0") / "00000000000000000000.log.gz").unlink()
        copied.offset(broker, "log-start-offset-checkpoint", ("ledger", 0), 149)
    copied.ledger(
        lambda lines: [
            *lines,
            *(
                {**one, "id": "r999999"}
                for one in lines
                if (one["topic"], one["partition"], one.get("offset")) == ("ledger", 0, 20)
            ),
        ]
    )


ALTERATIONS: list[tuple[Callable[[Copied], None], str]] = [
    (other_topic_id, "topic-id"),
    (unknown_partition, "topic-id"),
    (leaderless_epoch, "epoch-given"),
    (batch_of_a_leaderless_epoch, "epoch-given"),
    (epoch_twice, "epoch-order"),
    (epoch_beyond_the_end, "epoch-order"),
    (shifted_epoch, "epoch-checkpoint"),
    (gap, "log-order"),
    (other_content, "log-matching"),
    (committed_under_two_epochs, "committed-matching"),
    (high_watermark_beyond_the_end, "high-watermark"),
    (flushed_beyond_the_end, "recovery-point"),
    (acknowledged_record_missing, "acknowledged"),
    (acknowledged_elsewhere, "acknowledged"),
    (acknowledged_twice, "one-record"),
]


def test_the_copy_conforms_before_it_is_altered(tmp_path: Path) -> None:
    """No rule refutes the recording itself."""
    assert Copied(tmp_path).judged().verdict is Verdict.CONFORMS


@pytest.mark.parametrize(("alter", "rule"), ALTERATIONS, ids=[alter.__name__ for alter, _ in ALTERATIONS])
def test_one_rule_alone_refutes_it(tmp_path: Path, alter: Callable[[Copied], None], rule: str) -> None:
    """An altered copy violates this rule and no other."""
    copied = Copied(tmp_path)
    alter(copied)
    found = copied.judged()
    assert {one.rule for one in found.violations} == {rule}
    assert (found.verdict, found.exit_code) == (Verdict.VIOLATES, ExitCode.DOES_NOT_CONFORM)


def test_every_rule_is_refuted() -> None:
    """There is an alteration for every rule."""
    assert {rule for _, rule in ALTERATIONS} == set(RULES)
