"""The epochs of each log, and of all together: one leader an epoch, which opens it once, at one offset."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.checkers.conformance.leaders import leader_of, opens

from .members import Member, Term
from .results import QuorumResult


def check_epochs(members: Sequence[Member], result: QuorumResult) -> None:
    """Check the epochs within each log, then those that several logs have."""
    for member in members:
        _within(member, result)
        _checkpoint(member, result)
    epochs = sorted({term.epoch for member in members for term in member.terms})
    result.epochs = len(epochs)
    for epoch in epochs:
        _between(epoch, members, result)


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
    """Check the leader-epoch checkpoint, which begins where the log does and may name epochs that wrote nothing yet."""
    entries = member.files.epochs
    if entries is None:
        return
    told = dict(entries)
    for term in member.terms:
        result.asked["epoch-checkpoint"] += 1
        start = told.get(term.epoch)
        if start != term.start and not (start is not None and not term.is_opened and start <= term.start):
            has = "does not name it" if start is None else f"begins it at {start}"
            message = f"epoch {term.epoch} begins at {term.start}, and the leader-epoch checkpoint {has}"
            member.violate(result, "epoch-checkpoint", term.start, message)


def _between(epoch: int, members: Sequence[Member], result: QuorumResult) -> None:
    opened = [
        (member, term)
        for member in members
        for term in member.terms
        if term.epoch == epoch and term.is_opened and member.is_sound_below(term.start + 1)
    ]
    for rule, of in (("one-leader", _leader), ("one-opening", _start)):
        said: dict[int | None, list[tuple[Member, Term]]] = {}
        for member, term in opened:
            result.asked[rule] += 1
            said.setdefault(of(term), []).append((member, term))
        usual = max(said, key=lambda value: len(said[value]), default=None)
        for value, holders in said.items():
            if value == usual:
                continue
            against = [member.name for member, _ in said[usual]]
            verb = "is led by" if rule == "one-leader" else "begins at"
            for member, term in holders:
                member.breaks(term.start)
                message = f"epoch {epoch} {verb} {value}, and in {against[0]} it {verb} {usual}"
                member.violate(result, rule, term.start, message, against)


def _leader(term: Term) -> int | None:
    return term.leader


def _start(term: Term) -> int:
    return term.start
