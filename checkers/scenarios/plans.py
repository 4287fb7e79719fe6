"""Plans of operators: what is done to which broker or partition, and what the order of it may be."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fencepost.checkers.verdicts import Refusal
from fencepost.reference.kraft.controller.partitions import PartitionRegistration
from fencepost.reference.kraft.levels import ELR_RECORDS, ELR_VERSION, METADATA_VERSION, NAMES

from .brokers import Key
from .reading import Line
from .running import Scenario

MOVED = "moved"
"""The text of an act without a directory, for a replica that was in it."""

ANY = "any"
"""The order that is not given: every one is explored."""


class Act(NamedTuple):
    """One act of a plan: what is done, to which broker (−1 for none), with which words.

    `kind` is restart, start, stop, unregister, change (`text` is a step), reassign (`replicas` are the new ones),
    assign and without (a directory is left, then the broker restarts without it).
    """

    kind: str
    broker: int = -1
    text: str = ""
    replicas: tuple[int, ...] = ()

    def words(self) -> str:
        """Return the act in an order: the broker's id, or what is done."""
        if self.kind == "restart":
            return str(self.broker)
        if self.kind == "without":
            return f"restart {self.broker} without it"
        return self.text or f"{self.kind} {self.broker}"


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan for a cluster: its acts for each partition, and the orders that they may have.

    `orders` are those to choose from, the first is tried first; with `is_any` every permutation of the first may be
    chosen. `of` gives the acts that concern a partition, by its key and state, in the order of the plan. `moves` is the
    directory that the plan leaves, by broker and id.
    """

    title: str
    orders: tuple[tuple[Act, ...], ...]
    of: Callable[[Key, PartitionRegistration], tuple[Act, ...]]
    is_any: bool = False
    moves: tuple[int, str] | None = None
    changes: str = ""
    notes: tuple[str, ...] = ()


USAGES = {
    "rolling-restart": "rolling-restart",
    "remove-broker": "remove-broker N",
    "raise-min-isr": "raise-min-isr TOPIC N",
    "upgrade-metadata": "upgrade-metadata LEVEL",
    "elr-on": "elr-on",
    "move-off-directory": "move-off-directory [BROKER:]DIRECTORY",
}
"""The plans, each as it is written."""


def plan_of(text: str, order: str | None, scenario: Scenario) -> Plan:
    """Return a plan for a cluster; raises Refusal for what is none, or cannot be done to it."""
    words = text.split() or [""]
    usage = USAGES.get(words[0])
    if usage is None:
        close = difflib.get_close_matches(words[0], USAGES, 1)
        hint = f"did you mean {close[0]}?" if close else f"plans are {', '.join(USAGES.values())}"
        raise Refusal(f"--plan {text}: {words[0]!r} is no plan; {hint}")
    if order is not None and words[0] != "rolling-restart":
        raise Refusal(f"--order {order}: only rolling-restart has an order to choose; leave it out")
    line = Line("--plan", words, f"--plan '{usage}'")
    plan = _PLANS[words[0]](line, scenario, order)
    line.end()
    return plan


def _registered(scenario: Scenario) -> list[int]:
    return sorted(scenario.machine.controller.managers.cluster.registrations)


def _down(scenario: Scenario) -> list[int]:
    known = scenario.brokers.known
    return [one for one in _registered(scenario) if one not in known or not known[one].runs]


# -- rolling restart ---------------------------------------------------------------------------------------------------
def _rolling_restart(line: Line, scenario: Scenario, order: str | None) -> Plan:
    line.end()
    every = _registered(scenario)
    if not every:
        raise Refusal("--plan rolling-restart: there is no broker; begin with a log, or with brokers 1,2,3")
    chosen, is_any = tuple(every), order in (None, ANY)
    if order is not None and not is_any:
        words = Line("--order", ["", order], "--order 1,2,3 or --order any")
        chosen = words.different(words.brokers())
        for one in chosen:
            if one not in every:
                raise Refusal(f"--order {order}: there is no broker {one}; the brokers are {_listed(every)}")
    down = _down(scenario)
    if is_any:
        # A broker that does not run takes nothing away when it starts.
        chosen = tuple(sorted(every, key=lambda one: (one not in down, one)))
    acts = {one: Act("restart", one) for one in chosen}

    def of(key: Key, partition: PartitionRegistration) -> tuple[Act, ...]:
        return tuple(acts[one] for one in acts if one in partition.replicas)

    left = [one for one in every if one not in acts]
    notes = (f"brokers that the order leaves out are not restarted: {_listed(left)}",) if left else ()
    return Plan("a rolling restart", (tuple(acts.values()),), of, is_any, notes=notes)


def _listed(brokers: Sequence[int]) -> str:
    return ", ".join(map(str, brokers)) or "none"


# -- a broker less -----------------------------------------------------------------------------------------------------
def _remove_broker(line: Line, scenario: Scenario, order: str | None) -> Plan:
    broker = line.broker()
    every, down = _registered(scenario), _down(scenario)
    if broker not in every:
        raise Refusal(f"--plan remove-broker {broker}: there is no broker {broker}; the brokers are {_listed(every)}")
    partitions = scenario.machine.controller.managers.replication.partitions
    counts = {one: 0 for one in every if one not in down and one != broker}
    for _, partition in partitions.items():
        for one in partition.replicas:
            if one in counts:
                counts[one] += 1
    moved: dict[Key, Act] = {}
    alone = 0
    for key in sorted(partitions):
        replicas = partitions[key].replicas
        if broker not in replicas:
            continue
        free = [one for one in counts if one not in replicas]
        if not free and len(replicas) == 1:
            raise Refusal(
                f"--plan remove-broker {broker}: no other broker runs that could take its replicas; start one"
            )
        target = min(free, key=lambda one: counts[one]) if free else None
        alone += target is None
        if target is not None:
            counts[target] += 1
        new = tuple(one if one != broker else target for one in replicas)
        moved[key] = Act("reassign", replicas=tuple(one for one in new if one is not None))
    leaves = [] if broker in down else [Act("stop", broker)]
    end = (*leaves, Act("unregister", broker))

    def of(key: Key, partition: PartitionRegistration) -> tuple[Act, ...]:
        return (moved[key], *end) if key in moved else ()

    notes = [f"each of its {len(moved):,} replicas moves to a running broker with fewest replicas that has none"]
    if alone:
        notes.append(f"{alone:,} of them to none: every running broker has a replica; the partitions keep the others")
    first = Act("reassign", broker, text=f"reassign its {len(moved):,} partitions")
    return Plan(f"removing broker {broker}", ((first, *end),), of, notes=tuple(notes))


# -- one change, with brokers that return before or behind it ----------------------------------------------------------
def _changing(title: str, text: str, scenario: Scenario, of_topic: str | None) -> Plan:
    """Return the plan of one step, in front of or behind which the brokers that do not run may start."""
    change = Act("change", text=text)
    starts = tuple(Act("start", one) for one in _down(scenario))
    topics = scenario.machine.controller.managers.replication.topics

    def of(key: Key, partition: PartitionRegistration) -> tuple[Act, ...]:
        own = (change,) if of_topic in (None, topics[key[0]].name) else ()
        return (*own, *(one for one in starts if one.broker in partition.replicas))

    orders = ((change, *starts), (*starts, change)) if starts else ((change,),)
    return Plan(title, orders, of, changes=text)


def _raise_min_isr(line: Line, scenario: Scenario, order: str | None) -> Plan:
    topic, value = line.topic(), line.number("min.insync.replicas", least=1)
    names = scenario.machine.controller.managers.replication.topic_ids
    if topic not in names:
        raise Refusal(f"--plan raise-min-isr {topic} {value}: there is no topic {topic}; name one that exists")
    text = f"config topic {topic} min.insync.replicas={value}"
    return _changing(f"setting min.insync.replicas={value} for {topic}", text, scenario, topic)


def _upgrade_metadata(line: Line, scenario: Scenario, order: str | None) -> Plan:
    level = line.level(METADATA_VERSION)
    text = f"feature {METADATA_VERSION} {level} upgrade"
    return _changing(f"upgrading metadata.version to {NAMES.get(level, level)}", text, scenario, None)


def _elr_on(line: Line, scenario: Scenario, order: str | None) -> Plan:
    level = scenario.machine.controller.managers.features.metadata_version_or_throw()
    if level < ELR_RECORDS:
        raise Refusal(
            f"--plan elr-on: {ELR_VERSION} needs metadata.version {NAMES[ELR_RECORDS]}, and the cluster has "
            f"{NAMES[level]}; ask for upgrade-metadata first"
        )
    return _changing("switching eligible leader replicas on", f"feature {ELR_VERSION} 1 upgrade", scenario, None)


# -- a directory less --------------------------------------------------------------------------------------------------
def _move_off_directory(line: Line, scenario: Scenario, order: str | None) -> Plan:
    word = line.take("log directory")
    head, colon, name = word.rpartition(":")
    registrations = scenario.machine.controller.managers.cluster.registrations
    owners = [
        (one.id, id)
        for one in registrations.values()
        for id in one.directories
        if name in (id, scenario.brokers.names.get(id)) and (not colon or head == str(one.id))
    ]
    if not owners:
        raise Refusal(f"--plan move-off-directory {word}: no broker has that log directory; "
                      "show LOG --broker 1 lists those of a broker")  # fmt: skip
    if len(owners) > 1:
        brokers = _listed([one for one, _ in owners])
        raise Refusal(
            f"--plan move-off-directory {word}: brokers {brokers} have one of that name; write {owners[0][0]}:{name}"
        )
    ((broker, id),) = owners
    if len(registrations[broker].directories) < 2:
        raise Refusal(f"--plan move-off-directory {word}: broker {broker} has no other log directory; add one first")
    if broker in _down(scenario):
        raise Refusal(f"--plan move-off-directory {word}: broker {broker} does not run; start {broker} first")
    assign, without = Act("assign", broker, text=f"move the replicas off {name}"), Act("without", broker, MOVED)
    stays = Act("without", broker)

    def of(key: Key, partition: PartitionRegistration) -> tuple[Act, ...]:
        if broker not in partition.replicas:
            return ()
        return (assign, without) if partition.directory(broker) == id else (stays,)

    return Plan(f"taking log directory {name} from broker {broker}", ((assign, without),), of, moves=(broker, id))


_PLANS: Mapping[str, Callable[[Line, Scenario, str | None], Plan]] = {
    "rolling-restart": _rolling_restart,
    "remove-broker": _remove_broker,
    "raise-min-isr": _raise_min_isr,
    "upgrade-metadata": _upgrade_metadata,
    "elr-on": _elr_on,
    "move-off-directory": _move_off_directory,
}
