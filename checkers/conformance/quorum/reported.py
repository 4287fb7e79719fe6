"""Compares what controllers' own logs say of their loop with the logs of the quorum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fencepost.traces import Record
from fencepost.traces.loop_lines import (
    Answered,
    Appended,
    Claim,
    Committed,
    FirstHighWatermark,
    Led,
    LoopLine,
    LoopLines,
    Parked,
    Renounced,
    Started,
    Transaction,
)

from .committed import Known
from .members import Member, Term
from .results import QuorumResult


@dataclass(slots=True)
class _Node:
    """A node as far as its lines say: what was in front of the first one is unknown, None.

    `committed` is the last offset of data that is committed for it, `open` whether a transaction is open then.
    """

    claim: int | None = None
    is_active: bool | None = None
    epoch: int | None = None
    committed: int | None = None
    parked: dict[str, int] = field(default_factory=dict)
    is_open: bool = False

    def stands_by(self) -> None:
        """Note that the controller is not active any more: waiting requests are answered with an error."""
        # A node that was never seen to be active may claim in words that are not understood.
        self.claim, self.is_active = None, None if self.is_active is None else False
        self.parked.clear()


TOLD = "was notified that it is committed"


def commits_of(lines: LoopLines, members: Sequence[Member]) -> list[Known]:
    """Return what the lines of a file show to be committed, each once."""
    found: dict[tuple[int, int, int | None], Known] = {}
    epochs: dict[int, int | None] = {}

    def note(line: LoopLine, offset: int, epoch: int, by: int | None, why: str) -> None:
        said = f"line {line.line} of {lines.path}: node {line.node} {why}"
        found.setdefault((offset, epoch, by), Known(offset + 1, epoch, by, None, said, lines.path, line.line))

    for line in lines.lines:
        match line:
            case Started():
                epochs[line.node] = None
            case Led() | Claim():
                epochs[line.node] = line.epoch
            case Committed():
                by = epochs.get(line.node)
                note(line, line.offset, line.epoch, None if by is None else max(by, line.epoch), TOLD)
            case FirstHighWatermark():
                note(line, line.end - 1, line.epoch, line.epoch, "knows so as the leader")
            case Renounced():
                has = {
                    epoch
                    for member in members
                    if any(term.epoch == line.epoch for term in member.terms)
                    and (epoch := member.epoch_at(line.reverted_to)) is not None
                }
                if len(has) == 1 and max(has) <= line.epoch:
                    note(line, line.reverted_to, has.pop(), line.epoch, "keeps it when it renounces")
    return list(found.values())


class Reports:
    """The lines of one file, each checked against the logs in its turn."""

    def __init__(
        self, lines: LoopLines, members: Sequence[Member], bounds: Mapping[Member, int], result: QuorumResult
    ) -> None:
        self.path, self.members, self.result = lines.path, members, result
        self.nodes: dict[int, _Node] = {}
        self.claimed: dict[int, Claim] = {}
        self.transactions: list[Transaction] = []
        # Without a claim no line shows who is active: another release may have another text for it.
        self.has_claims = any(isinstance(line, Claim) for line in lines.lines)
        for line in lines.lines:
            self._line(line, self.nodes.setdefault(line.node, _Node()))
        self._transactions(bounds)

    def _line(self, line: LoopLine, node: _Node) -> None:
        match line:
            case Started():
                self.nodes[line.node] = _Node(is_active=False if self.has_claims else None)
            case Led():
                self._leads(line, line.epoch, line.leader, "one-leader")
                node.epoch = line.epoch
                if node.claim is not None and node.claim < line.epoch:
                    node.stands_by()
            case Claim():
                self._claim(line, node)
            case Renounced():
                self._renounced(line, node)
            case Committed():
                self._committed(line, node)
            case Appended():
                self._appended(line, node)
            case Transaction():
                self.transactions.append(line)
                node.is_open = line.record == "Begin"
            case FirstHighWatermark():
                self._high_watermark(line)
            case Parked():
                node.parked[line.operation] = line.offset
            case Answered():
                self._answered(line, node)

    # -- leadership ------------------------------------------------------------------------------------------------
    def _leads(self, line: LoopLine, epoch: int, leader: int | None, rule: str) -> None:
        """Compare the leader of an epoch with the leader changes of the logs."""
        for member, term in self._terms(epoch):
            if leader is None or term.leader is None:
                continue
            self.result.asked[rule] += 1
            if term.leader != leader:
                message = (
                    f"it has node {leader} as the leader of epoch {epoch}, and its leader change names {term.leader}"
                )
                self._violate(rule, line, term.start, epoch, message, member)
                return

    def _claim(self, line: Claim, node: _Node) -> None:
        self.result.asked["claim"] += 1
        first = self.claimed.setdefault(line.epoch, line)
        if first is not line:
            message = (
                f"node {line.node} claims epoch {line.epoch}, which node {first.node} claimed in line {first.line}"
            )
            self._violate("claim", line, line.next_write, line.epoch, message, None)
        self._leads(line, line.epoch, line.node, "claim")
        if all(term.epoch != line.epoch for member in self.members for term in member.terms):
            later = next((member for member in self.members if member.terms[-1].epoch > line.epoch), None)
            # A claimer's log has the leader change of its epoch, and it was committed before the claim.
            if later is not None:
                message = f"node {line.node} claims epoch {line.epoch}, and no log has a record of it"
                self._violate("claim", line, line.next_write, line.epoch, message, later)
        for member, term in self._terms(line.epoch):
            if not term.start < line.next_write <= (term.end if term.data is None else term.data):
                if line.next_write > term.end and term is member.terms[-1]:
                    continue
                wrote = "" if term.data is None else f", and its first record is at {term.data}"
                message = f"node {line.node} writes next at {line.next_write}: the epoch begins at {term.start}{wrote}"
                self._violate("claim", line, line.next_write, line.epoch, message, member)
                break
        node.claim = node.epoch = line.epoch
        node.is_active = True

    def _renounced(self, line: Renounced, node: _Node) -> None:
        self.result.asked["renounce"] += 1
        at = line.reverted_to
        if node.claim is not None and node.claim != line.epoch:
            message = f"node {line.node} renounces epoch {line.epoch}, and it had claimed {node.claim}"
            self._violate("renounce", line, at, line.epoch, message, None)
        self._leads(line, line.epoch, line.node, "renounce")
        if node.committed is not None and at != node.committed and not (node.is_open and at < node.committed):
            message = f"node {line.node} keeps what ends at {at}, and was notified that {node.committed} is committed"
            self._violate("renounce", line, at, line.epoch, message, None)
        for member, _ in self._terms(line.epoch):
            batch = member.batch_at(at) if member.is_sound_below(at + 1) else None
            if batch is not None and batch.last_offset != at:
                message = f"node {line.node} keeps what ends at {at}, inside {batch.base_offset} to {batch.last_offset}"
                self._violate("renounce", line, at, batch.epoch, message, member)
                break
        node.stands_by()

    # -- commits ---------------------------------------------------------------------------------------------------
    def _committed(self, line: Committed, node: _Node) -> None:
        self.result.asked["commit"] += 1
        if line.is_active and node.is_active is False:
            message = f"node {line.node} answers as the active controller, and it is none"
            self._violate("commit", line, line.offset, line.epoch, message, None)
        for member in self.members:
            batch = member.batch_at(line.offset) if member.is_sound_below(line.offset + 1) else None
            if batch is not None and batch.epoch == line.epoch and batch.last_offset != line.offset:
                message = (
                    f"the commit of node {line.node} ends at {line.offset}, inside the batch {batch.base_offset} to "
                    f"{batch.last_offset}"
                )
                self._violate("commit", line, line.offset, line.epoch, message, member)
                break
        if not line.is_control:
            node.committed = line.offset if node.committed is None else max(node.committed, line.offset)

    def _high_watermark(self, line: FirstHighWatermark) -> None:
        self._leads(line, line.epoch, line.node, "one-leader")
        self.result.asked["commit"] += 1
        for member, term in self._terms(line.epoch):
            if line.end <= term.start:
                message = f"the first that epoch {line.epoch} commits ends at {line.end}, and it begins at {term.start}"
                self._violate("commit", line, line.end - 1, line.epoch, message, member)
                break

    def _answered(self, line: Answered, node: _Node) -> None:
        offset = node.parked.pop(line.operation, None)
        if offset is None:
            return
        self.result.asked["answer"] += 1
        if node.committed is None or node.committed < offset:
            known = "nothing" if node.committed is None else f"what ends at {node.committed}"
            message = f"node {line.node} answers {line.operation}, which waits for {offset}: {known} is committed"
            self._violate("answer", line, offset, node.claim, message, None)

    # -- appends ---------------------------------------------------------------------------------------------------
    def _appended(self, line: Appended, node: _Node) -> None:
        self.result.asked["append"] += 1
        if node.is_active is False:
            message = f"node {line.node} appends up to {line.offset}, and it has not claimed"
            self._violate("append", line, line.offset, node.epoch, message, None)
        if node.claim is None:
            return
        for member, term in self._terms(node.claim):
            batch = member.batch_at(line.offset) if member.is_sound_below(line.offset + 1) else None
            if line.offset < term.start:
                message = (
                    f"node {line.node} appends up to {line.offset} in epoch {node.claim}, which begins at {term.start}"
                )
            elif batch is None or batch.epoch != node.claim or not line.is_atomic:
                continue
            elif line.offset - line.records + 1 < batch.base_offset:
                message = (
                    f"{line.records} records up to {line.offset} are atomic, and a batch begins at {batch.base_offset}"
                )
            else:
                continue
            self._violate("append", line, line.offset, node.claim, message, member)
            break

    def _transactions(self, bounds: Mapping[Member, int]) -> None:
        """Check the lines of transactions against what is committed, where every log has the same record."""
        for line in self.transactions:
            for member in self.members:
                batch = member.batch_at(line.offset) if line.offset < bounds[member] else None
                if batch is None or not member.is_sound_below(line.offset + 1):
                    continue
                self.result.asked["transaction-line"] += 1
                record = next((one for one in batch.records if one.offset == line.offset), None)
                wanted = f"{line.record.upper()}_TRANSACTION_RECORD"
                if not isinstance(record, Record) or record.type != wanted:
                    has = record.type if isinstance(record, Record) else "none of the controller's"
                    message = f"node {line.node} replays a {wanted} at {line.offset}, and the record there is {has}"
                    self._violate("transaction-line", line, line.offset, batch.epoch, message, member)
                    break

    # -- shared ----------------------------------------------------------------------------------------------------
    def _terms(self, epoch: int) -> list[tuple[Member, Term]]:
        return [
            (member, term)
            for member in self.members
            for term in member.terms
            if term.epoch == epoch and term.is_opened and member.is_sound_below(term.start + 1)
        ]

    def _violate(
        self, rule: str, line: LoopLine, offset: int, epoch: int | None, message: str, member: Member | None
    ) -> None:
        against = () if member is None else (member.name,)
        self.result.violate(rule, self.path, "", offset, epoch, message, against, line.line)
