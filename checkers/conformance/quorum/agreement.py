"""Logs of one quorum compared offset by offset: the same below what is committed, the same where an epoch is shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from fencepost.checkers.conformance.brokers.matching import same_batch, shown_batch
from fencepost.traces import Batch, Record

from .members import Member
from .results import QuorumResult, Tail


@dataclass(frozen=True, slots=True)
class Difference:
    """The first offset at which two logs differ, with the batch of each that begins there, None where none does.

    `shared` is the last offset, there or later, at which both have a batch of one epoch; None where there is none.
    """

    offset: int
    mine: Batch | None
    theirs: Batch | None
    shared: int | None


def first_difference(one: Member, other: Member, result: QuorumResult) -> Difference | None:
    """Compare two logs over the offsets that both have; batches that damage may hide are passed over."""
    start, end = max(one.start, other.start), min(one.end, other.end)
    mine, theirs = one.by_offset, other.by_offset
    offsets = sorted(at for at in mine.keys() | theirs.keys() if start <= at < end)
    for number, at in enumerate(offsets):
        here, there = mine.get(at), theirs.get(at)
        if (here is None and one.is_damaged) or (there is None and other.is_damaged):
            continue
        result.asked["log-matching"] += 1
        result.asked["whole-batches"] += here is not None and there is not None and here.epoch == there.epoch
        if same_batch(here, there):
            continue
        shared = [
            later
            for later in offsets[number:]
            if later in mine and later in theirs and mine[later].epoch == theirs[later].epoch
        ]
        return Difference(at, here, there, max(shared, default=None))
    return None


def compare_logs(members: Sequence[Member], bounds: Mapping[Member, int], result: QuorumResult) -> None:
    """Compare every two logs; `bounds` are the offsets below which each is known to be committed.

    A difference of one log with several others is one violation: of that which differs from the most.
    """
    wrong: dict[tuple[str, int], list[tuple[Member, Member, Difference]]] = {}
    for one, other in combinations(members, 2):
        bound = min(bounds[one], bounds[other], one.end, other.end)
        result.asked["committed-prefix"] += bound > max(one.start, other.start)
        found = first_difference(one, other, result)
        if found is None:
            continue
        rule = _rule(found, bound)
        if rule:
            wrong.setdefault((rule, found.offset), []).append((one, other, found))
        else:
            _tail(one, other, found, result)
    for (rule, _), pairs in sorted(wrong.items(), key=lambda item: item[0][1]):
        _report(rule, pairs, result)
    _alone(members, bounds, result)


def _rule(found: Difference, bound: int) -> str:
    """Return the rule that a difference breaks, empty where each log may have its own uncommitted end."""
    here, there = found.mine, found.theirs
    if found.offset < bound:
        return "committed-prefix"
    if here is not None and there is not None and here.epoch == there.epoch:
        return "whole-batches" if _is_part(here, there) or _is_part(there, here) else "log-matching"
    return "log-matching" if found.shared is not None else ""


def _is_part(one: Batch, other: Batch) -> bool:
    """Whether a batch is the beginning of another."""
    return one.last_offset < other.last_offset and all(
        type(mine) is type(theirs)
        and (not isinstance(mine, Record) or (mine.type, mine.data) == (theirs.type, theirs.data))  # type: ignore[union-attr]
        for mine, theirs in zip(one.records, other.records, strict=False)
    )


def _report(rule: str, pairs: Sequence[tuple[Member, Member, Difference]], result: QuorumResult) -> None:
    """Report the differences of one kind at one offset: each by the log that differs from the most others."""
    left = list(pairs)
    while left:
        counts = Counter(member for one, other, _ in left for member in (one, other))
        most = max(counts.values())
        # Of two that differ from as many, the later one is named, and the other contradicts it.
        worst = [member for member in counts if counts[member] == most][-1]
        mine = [pair for pair in left if worst in pair[:2]]
        left = [pair for pair in left if worst not in pair[:2]]
        others = [other if one is worst else one for one, other, _ in mine]
        if not worst.is_sound_below(mine[0][2].offset + 1):
            continue
        one, _, found = mine[0]
        here, there = (found.mine, found.theirs) if one is worst else (found.theirs, found.mine)
        worst.breaks(found.offset)
        both = "" if found.shared is None or rule == "committed-prefix" else f"both have one epoch at {found.shared}: "
        has = f"{both}at {found.offset} it has {shown_batch(here)}; {_named(others)} {shown_batch(there)}"
        worst.violate(result, rule, found.offset, has, [other.name for other in others])


def _named(others: Sequence[Member]) -> str:
    first = others[0].name
    return f"{first} has" if len(others) == 1 else f"{first} and {len(others) - 1} more have"


def _tail(one: Member, other: Member, found: Difference, result: QuorumResult) -> None:
    """Note the end of the log that has the older epoch where two differ: the other one's leader did not have it."""
    mine, theirs = one.epoch_at(found.offset), other.epoch_at(found.offset)
    if mine is None or theirs is None:
        return
    old, new, by = (one, other, theirs) if mine < theirs else (other, one, mine)
    if not any(tail.log == old.name and tail.first == found.offset for tail in result.tails):
        result.tails.append(Tail(old.name, found.offset, old.end - 1, _epochs(old, found.offset), by, new.name))


def _alone(members: Sequence[Member], bounds: Mapping[Member, int], result: QuorumResult) -> None:
    """Note the records that one log alone has and that nothing shows to be committed."""
    for member in members:
        others = max((other.end for other in members if other is not member), default=0)
        first = max(others, bounds[member])
        if first < member.end and not any(tail.log == member.name for tail in result.tails):
            result.tails.append(Tail(member.name, first, member.end - 1, _epochs(member, first)))


def _epochs(member: Member, first: int) -> tuple[int, ...]:
    return tuple(dict.fromkeys(batch.epoch for batch in member.batches if batch.last_offset >= first))
