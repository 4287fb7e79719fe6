"""What a new active controller writes, by what it finds (ActivationRecordsGenerator)."""

import pytest

from fencepost.reference.kraft.controller.activation import activation_records
from fencepost.reference.kraft.controller.features import feature_level_record
from fencepost.reference.kraft.levels import ELR_VERSION, LEVELS, METADATA_VERSION
from fencepost.reference.kraft.records import Message
from fencepost.traces.logs import read_log
from fencepost.traces.records import Record
from tests.cases import each

from .replayed import RECORDED, Replayed, message_of

NEW, OLD = LEVELS["4.4-IV2"], LEVELS["3.6-IV0"]


def activated(
    level: int | None,
    bootstrap: int = NEW,
    *,
    elr: int = 0,
    transaction: int = -1,
    repaired: frozenset[str] = frozenset(),
) -> tuple[str, bool]:
    """Return the types of the records that are written, by their first letters, and whether as one batch."""
    records = (feature_level_record(METADATA_VERSION, bootstrap), feature_level_record(ELR_VERSION, elr))
    result = activation_records(transaction, records, level, 2, repaired)
    return " ".join(record.type.split("_")[0] for record in result.records), result.atomic


@each(
    ("level", "bootstrap", "elr", "transaction", "written"),
    [
        (None, NEW, 0, -1, ("BEGIN FEATURE FEATURE END", False)),
        (None, NEW, 1, -1, ("BEGIN FEATURE FEATURE CONFIG END", False)),
        (None, OLD, 0, -1, ("FEATURE FEATURE", True)),
        (None, NEW, 1, 5, ("ABORT BEGIN FEATURE FEATURE CONFIG END", False)),
        (NEW, NEW, 1, 5, ("ABORT", True)),
        (NEW, NEW, 1, -1, ("", True)),
        (OLD, NEW, 1, -1, ("", True)),
    ],
)
def test_the_table(level: int | None, bootstrap: int, elr: int, transaction: int, written: tuple[str, bool]) -> None:
    """An empty log is formatted, an open transaction aborted and never finished, and a log that is fit left alone."""
    assert activated(level, bootstrap, elr=elr, transaction=transaction) == written


def test_half_a_bootstrap_is_formatted_again_only_when_repaired() -> None:
    """Kafka takes a metadata.version in an open transaction for a log that is not empty; the repair D20 does not."""
    assert activated(NEW, transaction=5) == ("ABORT", True)
    assert activated(NEW, transaction=5, repaired=frozenset({"D20"})) == ("ABORT BEGIN FEATURE FEATURE END", False)
    assert activated(NEW, repaired=frozenset({"D20"})) == ("", True)


def test_half_a_bootstrap_that_is_finished_is_half_a_cluster() -> None:
    """S-h (S3:173): with End in the place of Abort half a bootstrap counts (L11), and nothing writes the rest."""
    bootstrap = (feature_level_record(METADATA_VERSION, NEW), feature_level_record(ELR_VERSION, 1))
    begin, version, *_ = activation_records(-1, bootstrap, None, 2).records
    (abort,) = activation_records(0, bootstrap, NEW, 2).records
    end = Message("END_TRANSACTION_RECORD", 0, {})
    aborted, finished = (Replayed().replay_all([begin, version, last]) for last in (abort, end))
    assert (aborted.features.metadata_version, aborted.features.elr_enabled) == (None, False)
    assert (finished.features.metadata_version, finished.features.elr_enabled) == (NEW, False)
    assert activation_records(-1, bootstrap, finished.features.metadata_version, 2).records == ()
    whole = Replayed().replay_all(activation_records(-1, bootstrap, None, 2).records)
    assert (whole.features.metadata_version, whole.features.elr_enabled) == (NEW, True)


@pytest.mark.parametrize("level", [None, OLD])
def test_a_transaction_that_the_level_does_not_know_is_a_fault(level: int | None) -> None:
    """Below 3.6-IV1 there are no transactions, so that one that is open cannot be dealt with."""
    with pytest.raises(RuntimeError, match="does not support transactions"):
        activated(level, OLD, transaction=5)


def test_bootstrap_records_must_say_the_level() -> None:
    """Without metadata.version in the bootstrap records nothing can be written."""
    with pytest.raises(RuntimeError, match=r"metadata.version"):
        activation_records(-1, (), None, 1)


@pytest.mark.parametrize("name", ["first-boot", "kill-nine-elr", "metadata-upgrade", "fake-chaos-elr"])
def test_the_opening_of_a_recorded_log_is_what_is_written(name: str) -> None:
    """From the features of a recorded opening, its records come out again in the same order, with the same data."""
    log = read_log(RECORDED / name)
    first = next(batch.metadata_records for batch in log.batches if batch.metadata_records)
    recorded: list[Message] = []
    for record in first:
        assert isinstance(record, Record)
        recorded.append(message_of(record))
    bootstrap = [one for one in recorded if one.type == "FEATURE_LEVEL_RECORD"]
    if recorded[0].type == "BEGIN_TRANSACTION_RECORD":
        recorded = recorded[: [one.type for one in recorded].index("END_TRANSACTION_RECORD") + 1]
    else:
        recorded = recorded[: len(bootstrap)]
    minimum = next((int(one.data["value"]) for one in recorded if one.type == "CONFIG_RECORD"), 1)
    assert list(activation_records(-1, bootstrap, None, minimum).records) == recorded
