"""The questions of the recorded answers: small inputs, all of a product that its function states, in a fixed order.

`traces/recorded/oracle/README.md` describes the columns.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from fencepost.model.kraft.levels import METADATA_VERSION_LEVELS

Line = dict[str, Any]

NEWEST, NO_DIRECTORIES, ELR_LEVEL = "4.4-IV2", "3.6-IV2", "4.0-IV1"
MIN, UNCLEAN, OTHER = "min.insync.replicas", "unclean.leader.election.enable", "retention.ms"
LEVELS = {number: name for name, number in METADATA_VERSION_LEVELS.items()}
TRUTH = (False, True)


# -- configurations ----------------------------------------------------------------------------------------------------
_RESOURCES = (("TOPIC", "a"), ("TOPIC", "gone"), ("BROKER", ""), ("BROKER", "1"))
_VALUES = {MIN: ("1", "2"), UNCLEAN: ("true", "false"), OTHER: ("100", "200")}


def configurations() -> Iterator[Line]:
    """One key of one resource, and whole resources; there is a topic `a`, and none called `gone`."""
    state = {"mv": NEWEST, "topics": {"a": []}}
    for (kind, name), key, elr, permitted, dry in product(_RESOURCES, _VALUES, (0, 1), TRUTH, TRUTH):
        refused = "bad" if kind == "TOPIC" else "long"
        for before, value in product((None, *_VALUES[key]), (None, *_VALUES[key], refused)):
            stored = [] if before is None or name == "gone" else [[kind, name, key, before]]
            if name == "gone" and before is not None:
                continue
            yield {
                "op": "incremental", **state, "E": elr, "configs": stored, "type": kind, "name": name, "key": key,
                "value": value, "permitted": permitted, "dry": dry,
            }  # fmt: skip
    # What the cluster has holds for a topic that has no value of its own.
    for key, elr, own, of_cluster in product((MIN, UNCLEAN), (0, 1), (None, 0, 1), (0, 1)):
        values = _VALUES[key]
        stored = [["BROKER", "", key, values[of_cluster]]]
        stored += [] if own is None else [["TOPIC", "a", key, values[own]]]
        for (kind, name), value in product((("TOPIC", "a"), ("BROKER", "")), (None, *values)):
            yield {
                "op": "incremental", **state, "E": elr, "configs": stored, "type": kind, "name": name, "key": key,
                "value": value, "permitted": True, "dry": False,
            }  # fmt: skip
    yield from _whole_resources(state)


def _whole_resources(state: Line) -> Iterator[Line]:
    befores = ({}, {MIN: "2"}, {UNCLEAN: "false"}, {OTHER: "100"}, {MIN: "2", UNCLEAN: "true", OTHER: "100"})
    wanted = (
        {}, {MIN: "1"}, {MIN: "2"}, {UNCLEAN: "true"}, {UNCLEAN: "false", OTHER: "200"}, {OTHER: "100"},
        {MIN: "1", UNCLEAN: "true", OTHER: "200"},
    )  # fmt: skip
    for (kind, name), before, to, elr, dry in product(_RESOURCES, befores, wanted, (0, 1), TRUTH):
        if name == "gone" and before:
            continue
        yield {
            "op": "legacy", **state, "E": elr,
            "configs": [[kind, name, key, value] for key, value in before.items()], "type": kind, "name": name,
            "wanted": [[key, value] for key, value in to.items()], "permitted": True, "dry": dry,
        }  # fmt: skip
    for (kind, name), before, elr, permitted in product(_RESOURCES, ({}, {MIN: "2"}), (0, 1), TRUTH):
        refused = "bad" if kind == "TOPIC" else "long"
        if name == "gone" and before:
            continue
        for to in ({OTHER: refused}, {OTHER: "100"}):
            yield {
                "op": "legacy", **state, "E": elr,
                "configs": [[kind, name, key, value] for key, value in before.items()], "type": kind, "name": name,
                "wanted": [[key, value] for key, value in to.items()], "permitted": permitted, "dry": False,
            }  # fmt: skip


# -- features ----------------------------------------------------------------------------------------------------------
METADATA, ELR, KRAFT = "metadata.version", "eligible.leader.replicas.version", "kraft.version"
_OWN = {METADATA: (7, 34), ELR: (0, 1), KRAFT: (0, 1), "group.version": (0, 1), "transaction.version": (0, 2),
        "share.version": (0, 1), "streams.version": (0, 1)}  # fmt: skip
"""What the active controller supports; brokers and other controllers support as much unless a line says otherwise."""


def _ranges(**other: tuple[int, int] | None) -> list[list[Any]]:
    """Return what a node supports: as much as the controller, but for features that it has otherwise or not at all."""
    found = {**_OWN, **{name.replace("_", "."): levels for name, levels in other.items()}}
    return [[name, *levels] for name, levels in found.items() if levels is not None]


def _update(level: int, elr: int, feature: str, to: int, way: int, **more: Any) -> Line:
    nodes = {
        "localRanges": _ranges(),
        "brokerRanges": _ranges(),
        "controllerRanges": _ranges() if level >= 15 else None,
    }
    return {
        "op": "update", "mv": LEVELS[level], "E": elr, **nodes, "feature": feature, "to": to, "way": way,
        "dry": False, **more,
    }  # fmt: skip


def features() -> Iterator[Line]:
    """One feature; `way` is 0 unknown, 1 upgrade, 2 safe and 3 unsafe downgrade."""
    targets = (0, 6, 7, 8, 11, 12, 13, 14, 15, 17, 22, 23, 24, 30, 31, 32, 33, 34, 35)
    for level, to, way in product((7, 12, 14, 15, 22, 23, 27, 31, 33), targets, range(4)):
        yield _update(level, 0, METADATA, to, way)
    for level, to, way in product((14, 22, 33), (8, 13, 22, 31, 33), (1, 2)):
        yield _update(level, 0, METADATA, to, way, dry=True)
        yield _update(level, 0, METADATA, to, way, brokerRanges=_ranges(metadata_version=(7, to - 1)))
        yield _update(level, 0, METADATA, to, way, brokerRanges=_ranges(metadata_version=(to + 1, 40)))
        yield _update(level, 0, METADATA, to, way, brokerRanges=_ranges(metadata_version=None))
        if level >= 15:
            yield _update(level, 0, METADATA, to, way, controllerRanges=_ranges(metadata_version=(7, to - 1)))
    yield from _elr_updates()
    for feature, level, now in (("group.version", 33, 0), ("group.version", 33, 1), ("transaction.version", 33, 1),
                                ("share.version", 33, 0), ("streams.version", 33, 1), (KRAFT, 33, 0),
                                ("no.such.feature", 33, 0)):  # fmt: skip
        for to, way, dry in product((0, 1, 2, 3), range(4), TRUTH):
            levels = [[feature, now]] if now else []
            yield _update(level, 0, feature, to, way, dry=dry, levels=levels)
    # What a feature may depend on: the level of metadata.version.
    others = ("group.version", "transaction.version", "share.version", "streams.version", KRAFT)
    for feature, level, to in product(others, (14, 21, 22, 26, 31), (0, 1)):
        yield _update(level, 0, feature, to, 1)


def _elr_updates() -> Iterator[Line]:
    stored: list[list[list[str]]] = [
        [], [["BROKER", "", MIN, "1"]], [["BROKER", "1", MIN, "2"]],
        [["BROKER", "", MIN, "2"], ["BROKER", "1", MIN, "1"]], [["BROKER", "1", UNCLEAN, "true"]],
    ]  # fmt: skip
    for (level, elr), to, way, configs, dry in product(
        ((21, 0), (22, 0), (23, 0), (23, 1), (33, 0), (33, 1)), (0, 1, 2), range(4), stored, TRUTH
    ):
        yield _update(level, elr, ELR, to, way, configs=configs, staticMin=2, dry=dry)
    for (level, elr), to, way, levels in product(((23, 0), (33, 1)), (0, 1), (1, 2), ((0, 0), (1, 1), None)):
        yield _update(level, elr, ELR, to, way, brokerRanges=_ranges(eligible_leader_replicas_version=levels))
        yield _update(level, elr, ELR, to, way, controllerRanges=_ranges(eligible_leader_replicas_version=levels))


# -- elections ---------------------------------------------------------------------------------------------------------
def _broker(number: int, word: str) -> list[Any]:
    """A active, F fenced, S in controlled shutdown, O active without the directory that it is placed in, U none,
    C active with all directories cordoned, D active with two directories, N active with none."""
    state = {"F": "FENCED", "S": "ICS", "U": "UNREGISTERED"}.get(word, "ACTIVE")
    own = f"d{number}"
    directories = {"O": [f"d{number}0"], "D": [own, f"d{number}0"], "N": []}.get(word, [own])
    return [state, directories, directories if word == "C" else []]


def _brokers(words: str) -> list[list[Any]]:
    return [_broker(number, word) for number, word in enumerate(words, 1)]


def _partition(replicas: Sequence[int], isr: Sequence[int], leader: int, **more: Any) -> Line:
    return {"rep": list(replicas), "isr": list(isr), "ld": leader, "dirs": [f"d{b}" for b in replicas], **more}


_THREE = (1, 2, 3)
_WITHOUT_ELR = [
    _partition(_THREE, isr, leader)
    for isr, leader in (
        ((1, 2, 3), 1), ((1, 2, 3), 2), ((3, 2, 1), 3), ((2, 3), 2), ((3,), 3), ((2,), -1), ((1, 2), -1), ((3, 2), -1),
    )
]  # fmt: skip
_WITH_ELR = [
    _partition(_THREE, (1, 2, 3), 2),
    _partition(_THREE, (2,), 2, elr=[1]),
    _partition(_THREE, (2,), -1, elr=[1]),
    _partition(_THREE, (), -1, elr=[2]),
    _partition(_THREE, (), -1, elr=[2, 3]),
    _partition(_THREE, (), -1, elr=[3], last=[1]),
    _partition(_THREE, (), -1, last=[1]),
    _partition(_THREE, (), -1),
    _partition(_THREE, (3,), 3, rec=1),
]
_ELECTIONS = (("preferred", False), ("balance", False), ("unclean", False), ("rescue", False), ("rescue", True))


def _configured(topic: str, least: int, unclean: bool) -> list[list[str]]:
    found = [["TOPIC", topic, MIN, str(least)]]
    return [*found, ["TOPIC", topic, UNCLEAN, "true"]] if unclean else found


def elections() -> Iterator[Line]:
    """The leader of one partition: asked for (preferred, unclean), or by a task of the controller (balance, rescue)."""
    for elr, partitions in ((0, _WITHOUT_ELR), (1, _WITH_ELR)):
        for words, partition, (op, unclean) in product(product("AFSO", "AFSO", "AFO"), partitions, _ELECTIONS):
            if op in ("unclean", "rescue") and partition["ld"] >= 0 and words != ("A", "A", "A"):
                continue
            yield _election(op, elr, "".join(words), partition, _configured("t", 2, unclean))
    for op, unclean, partition, words in product(
        ("preferred", "unclean"), TRUTH, _WITH_ELR[2:8], ("AAA", "SAF", "OFA")
    ):
        yield _election(op, 1, words, partition, _configured("t", 1, unclean))
    # What the cluster allows, the topic inherits.
    for words, partition, of_cluster, own in product(
        ("AAA", "FSA", "SSF"), (_WITHOUT_ELR[5], _WITH_ELR[7]), ("true", "false"), (None, "true", "false")
    ):
        configs = [["BROKER", "", UNCLEAN, of_cluster], *([] if own is None else [["TOPIC", "t", UNCLEAN, own]])]
        yield _election("rescue", int(not partition["isr"]), words, partition, configs)
    # The node of the controller that is asked comes between the two; another node's value decides nothing (D31).
    for of_cluster, (node, of_node), own, partition in product(
        (None, "true", "false"), product(("3000", "3001", "1"), ("true", "false")), (None, "true", "false"),
        (_WITHOUT_ELR[5], _WITH_ELR[7]),
    ):  # fmt: skip
        values = [["BROKER", "", UNCLEAN, of_cluster], ["BROKER", node, UNCLEAN, of_node], ["TOPIC", "t", UNCLEAN, own]]
        told = [[kind, name, key, value] for kind, name, key, value in values if value is not None]
        yield _election("rescue", int(not partition["isr"]), "FSA", partition, told)
    moving = [
        _partition((4, 2, 3, 1), (1, 2, 3), 1, rem=[1], add=[4]),
        _partition((4, 2, 3, 1), (4, 2, 3), 2, rem=[1], add=[4]),
        _partition((1, 2, 3, 4), (2, 3), -1, add=[4]),
    ]
    for partition, words, op in product(moving, ("AAAA", "FAAA", "AAAF", "FFFA"), ("preferred", "balance", "unclean")):
        yield _election(op, 0, words, partition, [])
    for op, topic, number in product(("preferred", "unclean"), ("t", "gone"), (0, 1)):
        yield {**_election(op, 0, "AAA", _WITHOUT_ELR[1], []), "topic": topic, "p": number}


def _election(op: str, elr: int, words: str, partition: Line, configs: list[list[str]]) -> Line:
    return {
        "op": op, "mv": NEWEST, "E": elr, "brokers": _brokers(words), "topics": {"t": [partition]}, "configs": configs,
        "topic": "t", "p": 0,
    }  # fmt: skip


# -- reassignment ------------------------------------------------------------------------------------------------------
_STILL = [
    _partition(_THREE, (1, 2, 3), 1), _partition(_THREE, (2, 1), 2), _partition(_THREE, (3,), 3),
    _partition(_THREE, (2,), -1),
]  # fmt: skip
_MOVING = [
    _partition((4, 2, 3, 1), (1, 2, 3), 1, rem=[1], add=[4]),
    _partition((4, 2, 3, 1), (4, 2, 3), 2, rem=[1], add=[4]),
    _partition((4, 2, 3, 1), (4,), 4, rem=[1], add=[4]),
    _partition((4, 1, 2, 3), (4,), -1, rem=[1, 2, 3], add=[4]),
    _partition((1, 2, 3), (1, 2), 1, add=[3]),
    _partition((3, 2, 1), (3,), 3, add=[3]),
    _partition((2, 3, 1), (1, 3), 1, rem=[1]),
]
_MOVING_ELR = [
    _partition((4, 2, 3, 1), (), -1, rem=[1], add=[4], elr=[1]),
    _partition((4, 2, 3, 1), (4,), 4, rem=[1], add=[4], elr=[2]),
    _partition((4, 2, 3, 1), (4,), 4, rem=[1], add=[4], elr=[1, 2, 3]),
    _partition((4, 2, 3, 1), (), -1, rem=[1], add=[4], last=[2]),
    _partition((4, 2, 3, 1), (2,), 2, rem=[1], add=[4], elr=[1, 3]),
]
_TARGETS: tuple[tuple[int, ...], ...] = (
    (1, 2, 3), (2, 1, 3), (1, 2), (3,), (4, 2, 3), (4,), (2, 3, 4), (4, 3, 2, 1), (), (1, 1), (5, 1), (4, 5),
)  # fmt: skip
_ABOUT = ("AAAAU", "FAAAU", "AAAFU", "AAASU", "OAAAU", "FFFAU", "SOFAU", "AAACU", "AAOAU")


def reassignment() -> Iterator[Line]:
    """One partition gets other replicas, or its reassignment is cancelled (`target` null)."""
    both = [*((0, one) for one in (*_STILL, *_MOVING)), *((1, one) for one in _MOVING_ELR)]
    for words, (elr, partition) in product(_ABOUT, both):
        for unclean in TRUTH:
            yield _reassigned(words, elr, partition, None, unclean)
        for target in _TARGETS:
            yield _reassigned(words, elr, partition, target, unclean=False)
    for (elr, partition), target in product(both, _TARGETS):
        yield {**_reassigned("AAAAU", elr, partition, target, unclean=False), "allow": False}
        yield _reassigned("FFAAU", elr, partition, target, unclean=True)
    for partition, target in product((_STILL[0], _MOVING[1]), ((4, 2, 3), (2, 3), None)):
        places = {"dirs": [one if one != "d2" else "MIGRATING" for one in partition["dirs"]]}
        for words in ("AADD", "AANN", "AAFU"):
            yield _reassigned(words, 0, {**partition, **places}, target, unclean=False)
    for topic, number, target in product(("t", "gone"), (0, 1), ((1, 2), None)):
        yield {**_reassigned("AAAAU", 0, _STILL[0], target, unclean=False), "topic": topic, "p": number}


def _reassigned(words: str, elr: int, partition: Line, target: Sequence[int] | None, unclean: bool) -> Line:
    return {
        "op": "reassign", "mv": NEWEST, "E": elr, "brokers": _brokers(words), "topics": {"t": [partition]},
        "configs": _configured("t", 2, unclean), "topic": "t", "p": 0,
        "target": None if target is None else list(target), "allow": True,
    }  # fmt: skip


# -- topics ------------------------------------------------------------------------------------------------------------
_SETTINGS: tuple[list[list[str]], ...] = (
    [], [[MIN, "2"]], [[UNCLEAN, "true"], [OTHER, "100"]], [[MIN, "1"], [UNCLEAN, "false"]],
)  # fmt: skip
_PLACED: tuple[tuple[tuple[int, ...], ...], ...] = (
    ((1, 2),), ((2, 1),), ((3,),), ((1, 2), (2, 3)), ((2, 3), (3, 2)), ((1, 2, 3),), ((1,), (2,), (3,)),
)  # fmt: skip
_ODD: tuple[tuple[tuple[int, ...], ...], ...] = (((1, 1),), ((4,),), ((),), ((1, 2), (3,)), ((1, 2), ()))
_FIRST_OF = {2: 0, 3: 2, 4: 2, 5: 2, 6: 5}
"""Which of so many partitions a table of Kafka names first: its placer is asked for as many replicas as that has."""
_CLUSTERS = ("AAA", "AFS", "FSA", "FFF", "DNF", "CAA", "SFN")


def topics() -> Iterator[Line]:
    """A topic is created, grows, is deleted; where it is not `manual`, `placed` is the placer's choice."""
    for words, elr, settings, manual in product(_CLUSTERS, (0, 1), _SETTINGS, TRUTH):
        for placed in (*_PLACED, *_ODD) if manual else _PLACED:
            if not manual and "C" in words and any(1 in one for one in placed):
                continue
            yield _created(words, elr, placed, manual, settings)
    for words, placed, manual in product(("AAA", "FFA"), _PLACED[:4], TRUTH):
        yield {**_created(words, 1, placed, manual, _SETTINGS[1]), "dry": True}
        yield {**_created(words, 0, placed, manual, []), "mv": NO_DIRECTORIES}
        yield {**_created(words, 1, placed, manual, []), "mv": ELR_LEVEL}
        yield {**_created(words, 1, placed, manual, []), "topic": "old"}
        yield {**_created(words, 1, placed, manual, [[MIN, "bad"]])}
        yield {**_created(words, 1, placed, manual, _SETTINGS[1]), "permitted": False}
    grown = ((), ((1, 2),), ((3, 1),), ((2, 3),), ((1, 2), (2, 3)), ((3, 2), (1, 2)), ((1, 2), (3, 2)))
    for words, elr, own, placed, manual in product(_CLUSTERS, (0, 1), (1, 2), grown, TRUTH):
        closed = "C" in words and any(1 in one for one in placed)
        if not manual and (closed or not placed):
            continue
        yield _grown(words, elr, own, own + len(placed), placed, manual)
    for words, own, count, placed in product(
        ("AAA", "AFS"), (1, 2), (0, 1, 2, 3), (((1, 2),), ((1, 1),), ((4, 1),), ((3,),), ((),))
    ):
        yield _grown(words, 0, own, count, placed, manual=True)
    for own, count, dry in product((1, 2), (0, 1, 2), TRUTH):
        yield {**_grown("AAA", 0, own, count, ((1, 2),), manual=False), "dry": dry}
    for manual, placed in product(TRUTH, (((1, 2, 3),), ((3, 2),))):
        # While the partition that is there is being reassigned it has a replica too many (D17).
        if manual or len(placed[0]) == 3:
            line = _grown("AAA", 0, 1, 2, placed, manual)
            yield {**line, "topics": {"t": [_partition(_THREE, (1, 2, 3), 1, rem=[3])]}}
    yield {**_grown("AAA", 0, 1, 2, ((1, 2),), manual=False), "topic": "gone"}
    for own, one, manual in product((2, 3, 4, 5, 6), ((1,), _THREE), TRUTH):
        # Of these partitions only `other` has another number of replicas; one of them says how many a new one gets.
        for other, placed in product(range(own), ((2, 3), one)):
            there = [_partition(*((one, one) if p == other else ((1, 2), (1, 2))), 1) for p in range(own)]
            if manual or (placed == one) == (other == _FIRST_OF[own]):
                yield {**_grown("AAA", 0, own, own + 1, (placed,), manual), "topics": {"t": there}}
    for name, elr, configs in product(("t", "gone"), (0, 1), ([], _configured("t", 2, unclean=True))):
        yield {
            "op": "delete", "mv": NEWEST, "E": elr, "brokers": _brokers("AAA"), "configs": configs,
            "topics": {"t": [_partition((1, 2), (1,), 1), _partition((2, 3), (2, 3), 3)]}, "topic": name,
        }  # fmt: skip


def _created(words: str, elr: int, placed: Sequence[Sequence[int]], manual: bool, settings: list[list[str]]) -> Line:
    return {
        "op": "create", "mv": NEWEST, "E": elr, "brokers": _brokers(words),
        "topics": {"old": [_partition((1,), (1,), 1)]}, "topic": "t", "manual": manual,
        "placed": [list(one) for one in placed], "settings": settings, "permitted": True, "dry": False,
    }  # fmt: skip


def _grown(words: str, elr: int, own: int, count: int, placed: Sequence[Sequence[int]], manual: bool) -> Line:
    there = [_partition((1, 2), (1, 2), 1), _partition((2, 3), (3,), 3)][:own]
    return {
        "op": "grow", "mv": NEWEST, "E": elr, "brokers": _brokers(words), "topics": {"t": there}, "topic": "t",
        "count": count, "manual": manual, "placed": [list(one) for one in placed], "dry": False,
    }  # fmt: skip


KINDS: tuple[Callable[[], Iterator[Line]], ...] = (configurations, features, elections, reassignment, topics)
"""The kinds that the answers are recorded as."""


def questions(kind: Callable[[], Iterator[Line]]) -> list[str]:
    """Return the questions of a kind as JSON, each once."""
    return list(dict.fromkeys(json.dumps(line, separators=(",", ":")) for line in kind()))
