"""The history of znodes: the leaderships that were written, their terms, and the elections."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fencepost.traces.zk import Operation, TopicPartition, Transaction, ZnodeTree
from fencepost.traces.zk.znode_data import (
    CONTROLLER,
    CONTROLLER_EPOCH,
    RECOVERING,
    ControllerEpoch,
    PartitionState,
    reading_of,
)

from .known import Term
from .leaderships import Leadership, Leaderships

_ISR_CHANGES = "/isr_change_notification/isr_change_"


@dataclass(frozen=True, slots=True)
class Write:
    """A state znode written: the leadership, and the term whose session wrote it, None for a session without one.

    `raises` says that it has another leader epoch than the write before: a controller's change, and not a leader's.
    """

    partition: TopicPartition
    leadership: Leadership
    term: Term | None
    transaction: Transaction
    raises: bool


@dataclass(slots=True)
class History:
    """Lookups in a history, made before it is checked.

    `writes` are the writes of state znodes by their zxid, `by_key` those of a term by partition and version in order;
    `terms` are the terms by the session that was elected, each with the zxid of its election. `leaders_write` says that
    leaders write their ISRs themselves, as they do below inter.broker.protocol.version 2.7.
    """

    writes: dict[int, Write]
    by_key: dict[tuple[Term, TopicPartition, int], list[Write]]
    terms: dict[str, list[tuple[int, Term]]]
    leaderships: Leaderships
    transactions: list[Transaction]
    leaders_write: bool = False

    @staticmethod
    def of(transactions: Iterable[Transaction]) -> History:
        """Return the history of transactions, each read once."""
        found = History({}, {}, {}, Leaderships(closed=True), list(transactions))
        for transaction in found.transactions:
            if not transaction.happened:
                continue
            term = elected(transaction)
            if term is not None:
                found.terms.setdefault(transaction.session, []).append((transaction.zxid, term))
            for operation in transaction.operations:
                found._note(transaction, operation)
        found.leaders_write = found._written_by_leaders()
        return found

    def _written_by_leaders(self) -> bool:
        """Whether leaders report ISRs that they wrote, or there are some and no controller wrote one for a leader."""
        wishes = [write for write in self.writes.values() if not write.raises]
        own = sum(is_of_leader(write) for write in wishes)
        return (own > 1 and own == len(wishes)) or any(
            one.op == "create" and (one.path or "").startswith(_ISR_CHANGES)
            for transaction in self.transactions
            if transaction.happened
            for one in transaction.operations
        )

    def _note(self, transaction: Transaction, operation: Operation) -> None:
        if operation.op not in ("create", "set") or not (operation.path or "").endswith("/state"):
            return
        reading = reading_of(operation.path or "", operation.data, f"{transaction.file}:{operation.line}")
        if not isinstance(reading, PartitionState):
            return
        one = Leadership(
            reading.leader,
            reading.isr,
            reading.leader_epoch,
            operation.version or 0,
            reading.controller_epoch,
            reading.recovery == RECOVERING,
            transaction.zxid,
        )
        last = self.leaderships.last(reading.partition)
        raises = operation.op == "create" or last is None or last.leader_epoch != one.leader_epoch
        write = Write(reading.partition, one, self.term_of(transaction), transaction, raises)
        self.writes[transaction.zxid] = write
        self.leaderships.add(reading.partition, one)
        if write.term is not None:
            self.by_key.setdefault((write.term, reading.partition, one.version), []).append(write)

    def term_of(self, transaction: Transaction) -> Term | None:
        """Return the last term that a session was elected for, None for a session that never was."""
        found = self.terms.get(transaction.session, ())
        return next((term for zxid, term in reversed(found) if zxid <= transaction.zxid), None)


def is_of_leader(write: Write) -> bool:
    """Whether the leader has written its ISR itself: one operation, on nothing but the version of the znode."""
    one = write.transaction
    return not write.raises and len(one.operations) == 1 and one.writer == write.leadership.leader


def elected(transaction: Transaction) -> Term | None:
    """Return the term that a transaction begins: /controller is created and /controller_epoch written."""
    if transaction.writer is None:
        return None
    epoch = created = None
    for operation in transaction.operations:
        if operation.path == CONTROLLER and operation.op == "create":
            created = operation
        elif operation.path == CONTROLLER_EPOCH and operation.op == "set":
            reading = reading_of(CONTROLLER_EPOCH, operation.data)
            epoch = reading.epoch if isinstance(reading, ControllerEpoch) else None
    return None if created is None or epoch is None else Term(transaction.writer, epoch)


def closed_paths(transaction: Transaction, tree: ZnodeTree) -> tuple[str, ...]:
    """Return the ephemeral znodes that go with a session that a transaction closes."""
    for operation in transaction.operations:
        if operation.op == "closeSession":
            return tree.owned(transaction.session) if operation.paths is None else operation.paths
    return ()


def registered(operation: Operation) -> int | None:
    """Return the broker that an operation registers or removes, None for another path."""
    path = operation.path or ""
    head, _, number = path.rpartition("/")
    return int(number) if head == "/brokers/ids" and number.isdecimal() else None
