"""Records that a new active controller writes first (S3:168-173, ActivationRecordsGenerator)."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.reference.kraft.levels import ELR_VERSION, METADATA_VERSION, TRANSACTIONS
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.traces.record_types import (
    ABORT_TRANSACTION_RECORD,
    BEGIN_TRANSACTION_RECORD,
    END_TRANSACTION_RECORD,
    FEATURE_LEVEL_RECORD,
)

from .config_schema import MIN_INSYNC_REPLICAS
from .configurations import CLUSTER_DEFAULT, config_record

_NO_TRANSACTION = -1


def activation_records(
    transaction_start_offset: int,
    bootstrap: Sequence[Message],
    metadata_version: int | None,
    min_insync_replicas: int,
    repaired: frozenset[str] = frozenset(),
) -> ControllerResult[None]:
    """Return the records that make a new active controller's log fit to be written to.

    `transaction_start_offset` is where an open transaction begins, −1 without one; `metadata_version` is None where the
    state has none, which Kafka takes for an empty log. Raises RuntimeError for a transaction that the metadata.version
    does not know, and for bootstrap records without metadata.version.
    """
    is_open = transaction_start_offset != _NO_TRANSACTION
    # Only the bootstrap is written in a transaction, so that what is in an open one is no log yet.
    is_empty = metadata_version is None or ("D20" in repaired and is_open)
    level = _bootstrap_level(bootstrap, METADATA_VERSION) if is_empty else metadata_version
    if level is None:
        raise RuntimeError(f"the bootstrap records do not say which {METADATA_VERSION} to write")
    if is_open and level < TRANSACTIONS:
        raise RuntimeError(
            f"Detected in-progress transaction at offset {transaction_start_offset}, but the {METADATA_VERSION} "
            f"{level} does not support transactions. Cannot continue."
        )
    abort = [Message(ABORT_TRANSACTION_RECORD, 0, {"reason": "Controller failover"})] if is_open else []
    if not is_empty:
        return ControllerResult(tuple(abort), None, atomic=True)
    records = list(bootstrap)
    if (_bootstrap_level(bootstrap, ELR_VERSION) or 0) > 0:
        records.append(config_record(CLUSTER_DEFAULT, MIN_INSYNC_REPLICAS, str(min_insync_replicas)))
    if level < TRANSACTIONS:
        return ControllerResult(tuple(records), None, atomic=True)
    begin = Message(BEGIN_TRANSACTION_RECORD, 0, {"name": "Bootstrap records"})
    end = Message(END_TRANSACTION_RECORD, 0, {})
    return ControllerResult((*abort, begin, *records, end), None)


def _bootstrap_level(bootstrap: Sequence[Message], name: str) -> int | None:
    levels = [
        record.data["featureLevel"]
        for record in bootstrap
        if record.type == FEATURE_LEVEL_RECORD and record.data["name"] == name
    ]
    return levels[-1] if levels else None
