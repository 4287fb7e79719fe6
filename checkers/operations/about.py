"""Subjects of queries about a log: a partition, a broker, a topic, each by its usual name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from fencepost.checkers.conformance.state.replay import HardState
from fencepost.checkers.document import Document
from fencepost.checkers.verdicts import Refusal
from fencepost.traces import CONTROL_TYPES, RECORD_TYPES
from fencepost.traces.forks import SHIPPED, Fork, shipped

from .watching import Cells

SHOWN = 12
"""So many names are given in an answer to one that is none."""


def about_of(
    partition: str | None,
    broker: int | None,
    topic: str | None,
    types: Iterable[str] | None = None,
    fork: Fork | None = None,
) -> About:
    """Return what is asked about, of the options of a command; raises `Refusal` for a name that can be none."""
    if partition is not None and not (partition.rpartition("-")[0] and partition.rpartition("-")[2].isdecimal()):
        raise Refusal(f"--partition {partition}: give a topic's name and a partition's number, as in orders-0")
    return About(partition, broker, topic, tuple(dict.fromkeys(type_called(one, fork) for one in types or ())))


def type_called(name: str, own: Fork | None = None) -> str:
    """Return a type of record as dumps print it: PARTITION_CHANGE_RECORD for PartitionChange, KRaftVoters of Raft's.

    Those of forks that are shipped, and of the fork that is given, are among them. Raises `Refusal` for a name that no
    type has.
    """
    plain = name.replace("_", "").lower().removesuffix("record")
    declared = (record.name for fork in (own, *map(shipped, SHIPPED)) if fork is not None for record in fork.records)
    for one in chain(RECORD_TYPES, CONTROL_TYPES, declared):
        if one.replace("_", "").lower().removesuffix("record") == plain:
            return one
    known = {one.lower(): one for one in (*RECORD_TYPES, *CONTROL_TYPES)}
    close = [known[one] for one in difflib.get_close_matches(name.lower(), known, 3, 0.4)]
    near = f"; near it are {', '.join(close)}" if close else "; Kafka's dump has them, as PARTITION_CHANGE_RECORD"
    raise Refusal(f"--type {name}: no record is of this type{near}")


@dataclass(frozen=True, slots=True)
class About(Document):
    """The subject of a story, or of a list of records: each event has to touch all the given entities.

    Partitions are named orders-0. `types` are types of records, as Kafka's dumps print them; none for all.
    """

    DOCUMENT = "partition broker topic types:or_null"

    partition: str | None = None
    broker: int | None = None
    topic: str | None = None
    types: tuple[str, ...] = ()

    @property
    def everything(self) -> bool:
        """Whether nothing is left out."""
        return self.partition is None and self.broker is None and self.topic is None and not self.types

    def require_known(self, path: str, state: HardState, names: Mapping[str, str]) -> None:
        """Refuse what nothing in a log is about, whose last state is given; `names` are those that its topics had."""
        brokers = sorted(one for one in state.domains.get("Broker", ()) if isinstance(one, int))
        if self.broker is not None and self.broker not in brokers:
            raise Refusal(f"{path}: nothing is said of broker {self.broker}; the brokers are {some(brokers)}")
        cells = Cells(state)
        called = {**names, **{one: str(cells("name", one)) for one in cells.keys("live")}}
        asked = self.topic or (self.partition or "").rpartition("-")[0]
        if asked and asked not in called.values():
            raise Refusal(f"{path}: there is no topic {asked}; the topics are {some(sorted(set(called.values())))}")
        partitions = (f"{called.get(one[0])}-{one[1]}" for one in state.domains.get("Partition", ()))
        if self.partition is not None and self.partition not in partitions:
            raise Refusal(f"{path}: topic {asked} never had a partition {self.partition}")


def words_of(about: Mapping[str, Any]) -> str:
    """Return what is asked, of its JSON, as people read it; empty for all."""
    told = [f"{name} {about[name]}" for name in ("partition", "broker", "topic") if about[name] is not None]
    return ", ".join([*told, *(about["types"] or ())])


def some(names: list[Any]) -> str:
    """Return names as text, the first few of many."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(map(str, names[:SHOWN])) + more if names else "none"
