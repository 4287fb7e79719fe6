"""Outlook of a partition in a state: its leader, whether writes with acks=all succeed, why not, and what would help."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from fencepost.checkers.document import Document
from fencepost.reference.kraft.controller.managers import Managers
from fencepost.reference.kraft.controller.partitions import RECOVERING, PartitionRegistration

ONLY_UNCLEAN = "only an unclean election"
"""How the words begin of what helps a partition that no broker may lead any more but by such an election."""


@dataclass(frozen=True, slots=True)
class Outlook(Document):
    """A partition: its state, whether a write with acks=all succeeds, why not, and what would help.

    `leader` is None for none, `min_isr` None where the configured value is no number. `helps` is a sentence, empty for
    a partition that can be written.
    """

    DOCUMENT = (
        "partition leader isr elr last_known_elr replicas adding removing recovery leader_epoch partition_epoch "
        "min_isr writable why helps"
    )

    partition: str
    leader: int | None
    isr: tuple[int, ...]
    elr: tuple[int, ...]
    last_known_elr: tuple[int, ...]
    replicas: tuple[int, ...]
    adding: tuple[int, ...]
    removing: tuple[int, ...]
    recovery: str
    leader_epoch: int
    partition_epoch: int
    min_isr: int | None
    writable: bool
    why: str
    helps: str

    def of_another(self, partition: str) -> Outlook:
        """Return the outlook of another partition of the topic in an equal state."""
        return replace(self, partition=partition)

    @property
    def offline(self) -> bool:
        """Whether no broker leads."""
        return self.leader is None

    @property
    def stuck(self) -> bool:
        """Whether no broker leads, and none may again but by an unclean election."""
        return self.helps.startswith(ONLY_UNCLEAN)


def partitions_of(managers: Managers) -> Iterator[tuple[str, tuple[str, int], PartitionRegistration]]:
    """Yield the partitions by topic's name and number: name, key, state."""
    replication = managers.replication
    for name in sorted(replication.topic_ids):
        id = replication.topic_ids[name]
        for number in sorted(replication.topics[id].partitions):
            yield f"{name}-{number}", (id, number), replication.partitions[id, number]


def outlooks(managers: Managers) -> list[Outlook]:
    """Return the outlook of every partition, by topic's name and number."""
    asked: dict[str, int | None] = {}
    equal: dict[tuple[str, PartitionRegistration], Outlook] = {}
    found = []
    for name, key, partition in partitions_of(managers):
        state = key[0], partition
        one = equal.get(state)
        if one is None:
            one = equal[state] = outlook(managers, name, key[0], partition, asked)
        else:
            one = one.of_another(name)
        found.append(one)
    return found


def outlook(
    managers: Managers,
    name: str,
    topic_id: str,
    partition: PartitionRegistration,
    asked: dict[str, int | None] | None = None,
) -> Outlook:
    """Return the outlook of one partition; `asked` keeps the configured minimum of each topic between calls."""
    topic = managers.replication.topics[topic_id].name
    minimums = {} if asked is None else asked
    if topic not in minimums:
        minimums[topic] = _minimum(managers, topic)
    minimum = minimums[topic]
    minimum = None if minimum is None else min(minimum, len(partition.replicas))
    why, helps = _why(managers, topic, partition, minimum)
    return Outlook(
        name,
        partition.leader if partition.has_leader else None,
        partition.isr,
        partition.elr,
        partition.last_known_elr,
        partition.replicas,
        partition.adding_replicas,
        partition.removing_replicas,
        "RECOVERING" if partition.leader_recovery_state == RECOVERING else "RECOVERED",
        partition.leader_epoch,
        partition.partition_epoch,
        minimum,
        not why,
        why,
        helps,
    )


def _minimum(managers: Managers, topic: str) -> int | None:
    """Return how many replicas of a topic have to be in sync for acks=all, None for a value that is no number."""
    try:
        return managers.configurations.min_insync_replicas(topic)
    except ValueError:
        return None


def _why(managers: Managers, topic: str, partition: PartitionRegistration, minimum: int | None) -> tuple[str, str]:
    """Return why a write with acks=all fails, and what would help; nothing twice where it succeeds."""
    cluster = managers.cluster
    if not partition.has_leader:
        return "no leader", _who_may_lead(managers, topic, partition)
    if not cluster.has_online_directory(partition.leader, partition.directory(partition.leader)):
        return (
            f"leader {partition.leader} lies in a log directory that its broker no longer has",
            "the next change of the partition moves its leader: stop that broker, or start it with the directory",
        )
    if minimum is None or len(partition.isr) >= minimum:
        return "", ""
    late = [one for one in partition.replicas if one not in partition.isr]
    missing = minimum - len(partition.isr)
    if missing in (1, len(late)):
        who = _brokers(late, "or" if missing == 1 else "and")
    else:
        who = f"{missing} of {_brokers(late, 'and')}"
    return f"{len(partition.isr)} in the ISR, below min.insync.replicas {minimum}", f"{who} in the ISR again"


def _who_may_lead(managers: Managers, topic: str, partition: PartitionRegistration) -> str:
    cluster = managers.cluster
    candidates = tuple(dict.fromkeys((*partition.isr, *partition.elr)))
    lost = [
        one
        for one in candidates
        if one in partition.replicas and not cluster.has_online_directory(one, partition.directory(one))
    ]
    left = [one for one in candidates if one not in lost]
    active = [one for one in partition.replicas if cluster.is_active(one)]
    unclean = f"; or an unclean election now, which may lose records ({_brokers(active, 'or')})" if active else ""
    if left:
        return f"{_brokers(left, 'or')} returns{unclean}"
    if lost:
        return f"{_brokers(lost, 'or')} with the log directory that failed{unclean}"
    if partition.last_known_elr:
        known = _brokers(partition.last_known_elr, "or")
        return f"{known}, the last known leader, returns: an unclean election, which may lose records{unclean}"
    if managers.configurations.unclean_leader_election(topic):
        return f"any replica returns: an unclean election, which may lose records{unclean}"
    return f"{ONLY_UNCLEAN}, which may lose records: {'elect unclean' if active else 'a replica returns first'}"


def _brokers(brokers: Sequence[int], word: str) -> str:
    if len(brokers) < 2:
        return f"broker {brokers[0]}" if brokers else "no broker"
    return f"broker {', '.join(map(str, brokers[:-1]))} {word} {brokers[-1]}"


# -- before and after --------------------------------------------------------------------------------------------------
NAMED = 4
"""So many partitions are named in a sentence."""

GROUPS = 3
"""So many groups of partitions that different things bring back are in a sentence."""

_RETURNS = re.compile(r"broker (\d+(?:(?:, | or )\d+)*) returns")


@dataclass(frozen=True, slots=True)
class Effect(Document):
    """Effects of steps on existing partitions: names of those that lost something, or got it back.

    `unclean` had a leader elected that was in neither ISR nor ELR; those that were offline or below the minimum only on
    the way are in the fields whose names say so.
    """

    DOCUMENT = "offline below_min_isr writable_again offline_on_the_way below_min_isr_on_the_way unclean gone"

    offline: tuple[str, ...]
    below_min_isr: tuple[str, ...]
    writable_again: tuple[str, ...]
    offline_on_the_way: tuple[str, ...]
    below_min_isr_on_the_way: tuple[str, ...]
    unclean: tuple[str, ...]
    gone: tuple[str, ...]

    def sentence(self, what: str, helps: Callable[[str], str], it: int | None = None) -> str:
        """Return the effect as a sentence about `what` was done; `helps` is what helps a partition by its name.

        `it` is the only broker that was stopped or killed, which the sentence calls so.
        """
        parts = []
        if self.offline:
            parts.append(f"takes {len(self.offline):,} {_partitions(self.offline)} offline: {self._until(helps, it)}")
        if self.below_min_isr:
            parts.append(f"leaves {_counted(self.below_min_isr)} below min.insync.replicas: writes with acks=all fail")
        if self.offline_on_the_way:
            parts.append(f"takes {_counted(self.offline_on_the_way)} offline for a time")
        if self.below_min_isr_on_the_way:
            parts.append(f"leaves {_counted(self.below_min_isr_on_the_way)} below min.insync.replicas for a time")
        if self.unclean:
            parts.append(f"elects {_counted(self.unclean)} uncleanly: records may be lost")
        if self.gone:
            parts.append(f"deletes {_counted(self.gone)}")
        if self.writable_again:
            parts.append(f"makes {_counted(self.writable_again)} writable with acks=all again")
        if not parts:
            parts.append("takes no partition offline, and none below min.insync.replicas")
        return f"{what} {'; '.join(parts)}"

    def _until(self, helps: Callable[[str], str], it: int | None) -> str:
        """Return the offline partitions by what brings them back, those that most have in common first."""
        groups: dict[str, list[str]] = {}
        for name in self.offline:
            groups.setdefault(helps(name), []).append(name)
        shown = sorted(groups.items(), key=lambda one: -len(one[1]))
        parts = [f"{_several(names)} {_as_until(how, it)}" for how, names in shown[:GROUPS]]
        left = sum(len(names) for _, names in shown[GROUPS:])
        return ", and ".join(parts) + (f", and {left:,} more" if left else "")


def effect(
    before: Sequence[Outlook],
    after: Sequence[Outlook],
    unclean: Sequence[str],
    offline: Sequence[str] = (),
    below: Sequence[str] = (),
) -> Effect:
    """Return what became of partitions between two states; `offline` and `below` were so at some time between."""
    then = {one.partition: one for one in before}
    now = {one.partition: one for one in after}
    both = [(then[name], now[name]) for name in then if name in now]
    is_offline = tuple(new.partition for old, new in both if new.offline and not old.offline)
    is_below = tuple(new.partition for old, new in both if not new.offline and old.writable and not new.writable)
    served = {old.partition for old, _ in both if not old.offline}
    written = {old.partition for old, _ in both if old.writable}
    return Effect(
        is_offline,
        is_below,
        tuple(new.partition for old, new in both if new.writable and not old.writable),
        tuple(one for one in offline if one in served and one not in is_offline),
        tuple(one for one in below if one in written and one not in is_below and one not in (*is_offline, *offline)),
        tuple(dict.fromkeys(unclean)),
        tuple(name for name in then if name not in now),
    )


def _counted(names: Sequence[str]) -> str:
    return f"{len(names):,} {_partitions(names)} ({_several(names)})"


def _partitions(names: Sequence[str]) -> str:
    return f"partition{'s' * (len(names) != 1)}"


def _several(names: Sequence[str]) -> str:
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def _as_until(helps: str, it: int | None) -> str:
    """Return what helps as a clause behind names of partitions: until it or broker 1 returns.

    That an unclean election would help at once is in the table of partitions.
    """
    found = _RETURNS.match(helps)
    if found is None:
        return f"(what helps: {helps})"
    ids = [int(one) for one in re.findall(r"\d+", found[1])]
    others = _brokers([one for one in ids if one != it], "or")
    who = others if it not in ids else "it" if len(ids) == 1 else f"it or {others}"
    return f"until {who} returns"


def line(one: Outlook, widths: Sequence[int]) -> str:
    """Return a partition as a line of the table of partitions."""
    leader = "–" if one.leader is None else str(one.leader)
    cells = [one.partition, leader, _list(one.isr), _list(one.elr), _list(one.last_known_elr)]
    text = "  ".join(f"{cell:<{width}}" for cell, width in zip(cells, widths, strict=True))
    notes = []
    if one.recovery == "RECOVERING":
        notes.append("RECOVERING")
    if one.adding or one.removing:
        moves = [f"adds {_list(one.adding)}"] if one.adding else []
        moves += [f"removes {_list(one.removing)}"] if one.removing else []
        notes.append(f"reassignment {', '.join(moves)}")
    notes.append("yes" if one.writable else f"no: {one.why}; helps: {one.helps}")
    return f"{text}  {', '.join(notes)}"


HEADS = ("partition", "leader", "ISR", "ELR", "last known")


def table(found: Sequence[Outlook]) -> Iterator[str]:
    """Yield the table of partitions with its head."""
    rows: list[tuple[str, ...]] = [HEADS]
    for one in found:
        rows.append((one.partition, "–", _list(one.isr), _list(one.elr), _list(one.last_known_elr)))
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADS))]
    yield "  ".join(f"{cell:<{width}}" for cell, width in zip(HEADS, widths, strict=True)) + "  writable with acks=all"
    yield from (line(one, widths) for one in found)


def _list(brokers: Sequence[Any]) -> str:
    return f"[{' '.join(map(str, brokers))}]" if brokers else "–"
