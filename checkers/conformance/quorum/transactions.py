"""Transactions across epochs: what an epoch leaves open the next leader aborts before it writes anything else."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.checkers.conformance.records.control_records import opens
from fencepost.traces import Batch, Record
from fencepost.traces.record_types import ABORT_TRANSACTION_RECORD, BEGIN_TRANSACTION_RECORD, END_TRANSACTION_RECORD

from .members import Member
from .results import QuorumResult

_TYPES = (BEGIN_TRANSACTION_RECORD, END_TRANSACTION_RECORD, ABORT_TRANSACTION_RECORD)


def check_transactions(members: Sequence[Member], result: QuorumResult) -> None:
    """Check the transactions of every log; a violation that several logs share is one."""
    seen: set[tuple[str, int]] = set()
    for member in members:
        if not member.is_damaged:
            _Walk(member, result, seen).run()


class _Walk:
    """The transactions of one log: `open` is the offset of the Begin, -1 for none, None where that is unknown."""

    def __init__(self, member: Member, result: QuorumResult, seen: set[tuple[str, int]]) -> None:
        self.member, self.result, self.seen = member, result, seen
        self.open: int | None = -1 if member.start == 0 else None
        self.left_open = False

    def run(self) -> None:
        """Walk the batches of the log."""
        for batch in self.member.batches:
            if opens(batch):
                self.left_open = self.open is not None and self.open >= 0
            elif not batch.is_control:
                self._data(batch)

    def _data(self, batch: Batch) -> None:
        if self.left_open:
            self.left_open = False
            self.result.asked["transaction-aborted"] += 1
            first = batch.records[0] if batch.records else None
            if isinstance(first, Record) and first.type != ABORT_TRANSACTION_RECORD:
                self._violate(
                    "transaction-aborted", batch.base_offset,
                    f"the transaction from {self.open} was open when epoch {batch.epoch} began, and its first record, "
                    f"at {first.offset}, is a {first.type}",
                )  # fmt: skip
        for record in batch.records_of(_TYPES):
            self.result.asked["transaction-order"] += 1
            begins = record.type == BEGIN_TRANSACTION_RECORD
            if begins and self.open is not None and self.open >= 0:
                message = f"a transaction begins at {record.offset}, inside the one from {self.open}"
                self._violate("transaction-order", record.offset, message)
            elif not begins and self.open == -1:
                message = f"there is a {record.type} at {record.offset}, and no transaction is open"
                self._violate("transaction-order", record.offset, message)
            self.open = record.offset if begins else -1

    def _violate(self, rule: str, offset: int, message: str) -> None:
        if (rule, offset) not in self.seen:
            self.seen.add((rule, offset))
            self.member.violate(self.result, rule, offset, message)
