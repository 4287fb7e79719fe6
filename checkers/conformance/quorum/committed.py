"""The committed part of the logs of a quorum: the evidence for it, and whether later leaders have it.

A log alone does not say what is committed: a record that a majority has may still be replaced. Known it is by
- a record that a controller wrote in an epoch: a leader claims when it has applied what lies in front of its epoch, and
  a standby applies only what is committed (QK1, QL16);
- a snapshot, which is made of what is committed;
- a majority of the voters whose logs end in the epoch in which their Raft clients are, as quorum-state says: each has
  it before it can vote in a later epoch (QR1, QR3);
- lines of controllers' own logs;
- the caller, by --high-watermark.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .members import Member
from .results import QuorumResult


@dataclass(frozen=True, slots=True)
class Known:
    """Everything below `end` is committed, in a log whose last record there is of `epoch`.

    `by` is an epoch in which it was, at the latest; None where that is unknown. `source` is the log that shows it;
    where it is None, the `line` of the controller.log `path` does. `said` says how, as words of a sentence.
    """

    end: int
    epoch: int
    by: int | None
    source: Member | None
    said: str
    path: str = ""
    line: int | None = None

    @property
    def place(self) -> str:
        """The log, or the controller.log with its line, that shows it."""
        return f"{self.path}:{self.line}" if self.source is None else self.source.name


def known_of_logs(members: Sequence[Member]) -> list[Known]:
    """Return what logs and the files beside them show to be committed."""
    found = [one for member in members for one in _of_claims(member)]
    found += [one for member in members for one in _of_snapshots(member)]
    return found + _of_majorities(members)


def _of_claims(member: Member) -> Iterable[Known]:
    for term in member.terms:
        before = member.epoch_at(term.start - 1)
        if term.is_opened and term.data is not None and before is not None:
            said = f"the controller's record at {term.data} of epoch {term.epoch}, in {member.name}"
            yield Known(term.start, before, term.epoch, member, said)


def _of_snapshots(member: Member) -> Iterable[Known]:
    for snapshot in member.log.snapshots:
        if snapshot.end_offset > 0:
            said = f"the snapshot {snapshot.segment} of {member.name}"
            yield Known(snapshot.end_offset, snapshot.epoch, member.files.epoch, member, said)


def _of_majorities(members: Sequence[Member]) -> list[Known]:
    """Return what a majority has of the epoch in which their Raft clients are; each node counts once.

    The voters are those of the longest log of the epoch, the newest that its leader counts with. A majority of an older
    set of voters, from which one change leads to them, shares a voter with each of their majorities.
    """
    found = []
    for epoch in sorted({one.files.epoch for one in members if one.files.epoch is not None}):
        at_end = [one for one in members if one.terms[-1].epoch == epoch]
        if not at_end:
            continue
        voters = max(at_end, key=lambda one: one.end).voters
        ends: dict[int, tuple[int, Member]] = {}
        for member in at_end:
            node = member.files.node
            is_there = member.files.epoch == epoch
            if is_there and node in voters and node is not None and (node not in ends or ends[node][0] < member.end):
                ends[node] = (member.end, member)
        most = len(voters) // 2 + 1
        if voters and len(ends) >= most:
            end, member = sorted(ends.values(), key=lambda pair: -pair[0])[most - 1]
            said = (
                f"{len(ends)} of {len(voters)} voters, which have it in their epoch {epoch}, {member.name} among them"
            )
            found.append(Known(end, epoch, epoch, member, said))
    return found


def bounds_of(members: Sequence[Member], known: Iterable[Known], high_watermark: int | None) -> dict[Member, int]:
    """Return the offset below which each log is known to be committed; 0 where nothing is known of it."""
    facts = list(known)
    return {
        member: max(
            high_watermark or 0,
            *(one.end for one in facts if one.source is member or member.epoch_at(one.end - 1) == one.epoch),
            0,
        )
        for member in members
    }


def check_committed(members: Sequence[Member], known: Sequence[Known], result: QuorumResult) -> None:
    """Check what is known to be committed against itself, and against the log of every later epoch."""
    facts = [one for one in known if one.source is None or one.source.is_sound_below(one.end)]
    wrong = _one_record(facts, result)
    for fact in (one for one in facts if one not in wrong):
        for member in members:
            if member is not fact.source:
                _in(member, fact, result)


def _one_record(facts: Sequence[Known], result: QuorumResult) -> list[Known]:
    """No offset has two committed records: neither by two facts about it, nor by one and a log committed beyond it.

    Returns the facts that are contradicted by more than say the same.
    """
    refuted: list[Known] = []
    furthest: dict[Member, int] = {}
    for fact in facts:
        if fact.source is not None:
            furthest[fact.source] = max(fact.end, furthest.get(fact.source, 0))
    at_end: dict[int, list[Known]] = {}
    for fact in facts:
        at_end.setdefault(fact.end, []).append(fact)
    for end, told in sorted(at_end.items()):
        result.asked["committed-record"] += 1
        by_epoch: dict[int, list[Known]] = {}
        for fact in told:
            by_epoch.setdefault(fact.epoch, []).append(fact)
        for member, beyond in furthest.items():
            epoch = member.epoch_at(end - 1) if end <= beyond else None
            if epoch is not None:
                said = f"what is committed beyond it in {member.name}"
                by_epoch.setdefault(epoch, []).append(Known(end, epoch, None, member, said))
        # What most say is taken for right, so that one wrong log or line is one violation.
        usual = max(by_epoch.values(), key=len)
        for epoch, wrong in by_epoch.items():
            if wrong is not usual:
                _contradicted(epoch, wrong, usual, result)
                refuted += wrong
    return refuted


def _contradicted(epoch: int, wrong: Sequence[Known], usual: Sequence[Known], result: QuorumResult) -> None:
    first, other = wrong[0], usual[0]
    at, against = first.end - 1, list(dict.fromkeys(one.place for one in usual))
    message = (
        f"the record at {at} is committed in epoch {epoch}, says {first.said}, and in epoch {other.epoch}, says "
        f"{other.said}"
    )
    if first.source is None:
        result.violate("committed-record", first.path, "", at, epoch, message, against, first.line)
    else:
        first.source.violate(result, "committed-record", at, message, against)


def _in(member: Member, fact: Known, result: QuorumResult) -> None:
    """A log with a later epoch has what was committed before that epoch."""
    if fact.by is None or not member.is_sound_below(fact.end):
        return
    for term in member.terms:
        if term.epoch <= fact.by or not (term.is_opened or term.start > member.start):
            continue
        result.asked["later-leader"] += 1
        has = member.epoch_at(fact.end - 1)
        if term.start >= fact.end and has in (None, fact.epoch):
            continue
        at = min(term.start, fact.end - 1)
        what = (
            f"its epoch {term.epoch} begins at {term.start}"
            if term.start < fact.end
            else f"its epoch {term.epoch} begins above a record of epoch {has} at {fact.end - 1}"
        )
        message = (
            f"{what}, and everything up to {fact.end - 1}, of epoch {fact.epoch}, was committed by epoch {fact.by}: "
            f"{fact.said}"
        )
        member.violate(result, "later-leader", at, message, [fact.place])
        member.breaks(at)
        return
