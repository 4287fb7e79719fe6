"""The epochs of each log, and of all together: one leader an epoch, which opens it once, at one offset."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from fencepost.checkers.conformance.records.control_records import leader_of, opens

from .members import Member, Term
from .results import QuorumResult


def check_epochs(members: Sequence[Member], result: QuorumResult) -> None:
    """Check the epochs within each log, and that logs name one leader for an epoch that they share."""
    for member in members:
        _within(member, result)
        _checkpoint(member, result)
    epochs = sorted({term.epoch for member in members for term in member.terms})
    result.epochs = len(epochs)
    for epoch in epochs:
        _same("one-leader", epoch, members, result)


def check_beginnings(members: Sequence[Member], result: QuorumResult) -> None:
    """Check that an epoch begins at one offset, in logs that do not differ in front of it."""
    for epoch in sorted({term.epoch for member in members for term in member.terms}):
        _same("one-opening", epoch, members, result)


def _within(member: Member, result: QuorumResult) -> None:
    before: Term | None = None
    for term in member.terms:
        result.asked["epoch-order"] += 1
        if before is not None and term.epoch < before.epoch:
            _violate(
                "epoch-order", member, term, f"epoch {term.epoch} follows epoch {before.epoch} at {term.start}", result
            )
        result.asked["one-opening"] += 1
        # Where a log begins inside an epoch its leader change was in front of it.
        if not term.is_opened and (before is not None or term.start == 0):
            _violate("one-opening", member, term, f"epoch {term.epoch} begins at {term.start} without one", result)
        before = term
    for earlier, later in pairwise(member.batches) if not member.is_damaged else ():
        result.asked["log-order"] += 1
        if later.base_offset != earlier.last_offset + 1:
            message = f"a batch that ends at {earlier.last_offset} is followed by one from {later.base_offset} on"
            member.breaks(min(later.base_offset, earlier.last_offset + 1))
            member.violate(result, "log-order", later.base_offset, message)
    leader: int | None = None
    epoch = -1
    for batch in member.batches:
        if not opens(batch):
            continue
        named = next((node for node in map(leader_of, batch.records) if node is not None), None)
        if batch.epoch == epoch:
            rule = "one-opening" if named == leader else "one-leader"
            message = (
                f"epoch {epoch} has a second leader change at {batch.base_offset}: {leader} led, and it names {named}"
            )
            member.breaks(batch.base_offset)
            member.violate(result, rule, batch.base_offset, message)
        epoch, leader = batch.epoch, named


def _violate(rule: str, member: Member, term: Term, message: str, result: QuorumResult) -> None:
    member.breaks(term.start)
    member.violate(result, rule, term.start, message)


def _checkpoint(member: Member, result: QuorumResult) -> None:
    """Check the leader-epoch checkpoint, which may name epochs that wrote nothing yet.

    Kafka moves its oldest entry to the log's start, which is the end of the oldest snapshot once older ones are
    deleted, and lies anywhere in a segment file, which keeps its records (the quorum trimmed-4.4.0 of
    traces/recorded). A copy of a trimmed log without a snapshot does not say how far it is trimmed.
    """
    entries = member.files.epochs
    if entries is None:
        return
    told = dict(entries)
    oldest = entries[0].epoch if entries else None
    ends = [one.end_offset for one in member.log.snapshots if one.end_offset > 0]
    trimmed = min(ends) if ends else (member.end if member.start > 0 else 0)
    for term in member.terms:
        result.asked["epoch-checkpoint"] += 1
        start = told.get(term.epoch)
        if start is None:
            fits = term.end <= trimmed and (oldest is None or term.epoch < oldest)
        elif start > term.start:
            fits = term.epoch == oldest and start <= trimmed
        else:
            fits = start == term.start or not term.is_opened
        if not fits:
            has = "does not name it" if start is None else f"begins it at {start}"
            message = f"epoch {term.epoch} begins at {term.start}, and the leader-epoch checkpoint {has}"
            member.violate(result, "epoch-checkpoint", term.start, message)


def _same(rule: str, epoch: int, members: Sequence[Member], result: QuorumResult) -> None:
    """Compare what logs say of an epoch: its leader, or where it begins."""
    said: dict[int | None, list[tuple[Member, Term]]] = {}
    for member in members:
        for term in member.terms:
            if term.epoch == epoch and term.is_opened and member.is_sound_below(term.start + 1):
                result.asked[rule] += 1
                value = term.leader if rule == "one-leader" else term.start
                said.setdefault(value, []).append((member, term))
    usual = max(said, key=lambda value: len(said[value]), default=None)
    against = [member.name for member, _ in said.get(usual, ())]
    verb = "is led by" if rule == "one-leader" else "begins at"
    for value, holders in said.items():
        for member, term in holders if value != usual else ():
            member.breaks(term.start)
            message = f"epoch {epoch} {verb} {value}, and in {against[0]} it {verb} {usual}"
            member.violate(result, rule, term.start, message, against)
