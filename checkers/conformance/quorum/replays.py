"""Snapshots of one node compared with the log of another, by the judgement that compares a log with its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from fencepost.checkers.conformance.results.results import LogResult
from fencepost.traces import MetadataLog, Snapshot

from .members import Member
from .results import QuorumResult

Replay = Callable[[MetadataLog], LogResult]


def check_snapshots(
    members: Sequence[Member], bounds: Mapping[Member, int], replay: Replay | None, result: QuorumResult
) -> None:
    """Give each snapshot to a log of another node that has its end, and check that log with it."""
    given: dict[Member, list[tuple[Member, Snapshot]]] = {}
    alone = 0
    for member in members:
        for snapshot in member.log.snapshots:
            if snapshot.end_offset == 0:
                continue
            if any(one.segment == snapshot.segment for one in member.log.quarantined):
                result.doubts.append(f"{member.name}/{snapshot.segment} cannot be read whole: it was not compared")
                continue
            other = _other(member, snapshot, members, bounds)
            if other is None:
                alone += 1
            else:
                given.setdefault(other, []).append((member, snapshot))
    if alone:
        result.notes.append(f"{alone} snapshots end where no other log can be replayed to: they were not compared")
    for other, snapshots in given.items():
        if replay is None:
            result.notes.append(f"{len(snapshots)} snapshots were not compared with {other.name}: no tables were given")
        else:
            _compare(other, snapshots, replay, result)


def _other(owner: Member, snapshot: Snapshot, members: Sequence[Member], bounds: Mapping[Member, int]) -> Member | None:
    """Return the log of another that can be replayed to the end of a snapshot: of several the one that begins first."""
    end = snapshot.end_offset
    fit = [
        member
        for member in members
        if member is not owner and not member.is_damaged and member.is_sound_below(end)
        and member.start < end <= min(member.end, bounds[member])
        and (member.start == 0 or any(0 < one.end_offset < end for one in member.log.snapshots))
    ]  # fmt: skip
    return min(fit, key=lambda member: (member.start, -member.end), default=None)


def _compare(other: Member, snapshots: Sequence[tuple[Member, Snapshot]], replay: Replay, result: QuorumResult) -> None:
    log = other.log
    names = {}
    renamed = []
    for number, (owner, snapshot) in enumerate(snapshots):
        # Two nodes give their snapshots the same name: a message about one must name its node.
        name = f"{owner.name}/{snapshot.segment}"
        names[name] = (owner, snapshot)
        batches = tuple(replace(batch, segment=name) for batch in snapshot.batches)
        renamed.append((snapshot.end_offset, snapshot.epoch, number, replace(snapshot, segment=name, batches=batches)))
    together = sorted(
        [*((one.end_offset, one.epoch, -1, one) for one in log.snapshots), *renamed], key=lambda one: one[:3]
    )
    found = replay(replace(log, snapshots=tuple(one[3] for one in together)))
    result.asked["snapshot"] += len(snapshots)
    for violation in found.violations:
        if violation.rule == "snapshot" and violation.segment in names:
            owner, snapshot = names[violation.segment]
            owner_epoch = snapshot.epoch
            result.violate(
                "snapshot", owner.name, snapshot.segment, violation.offset, owner_epoch, violation.message, [other.name]
            )
    for doubt in found.doubts:
        if any(name in doubt.message for name in names):
            result.doubts.append(doubt.message)
