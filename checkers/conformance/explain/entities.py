"""The entities of a log as people name them: a partition by its topic's name, and whether an entity is there.

What the tables call these sorts and states is data here; a sort that is not named is shown as it is.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fencepost.checkers.conformance.classes.changes import Cell, Change
from fencepost.checkers.conformance.classes.frames import UNKNOWN
from fencepost.checkers.conformance.reading.units import Item, about
from fencepost.checkers.conformance.records.kafka_names import kafka_name, range_text, told
from fencepost.checkers.conformance.records.wire import entity_text
from fencepost.checkers.conformance.state.replay import HardState, Layout
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language.render import value_text

from .history import Past, Step, key_positions

BROKER, TOPIC, PARTITION = "Broker", "Topic", "Partition"
"""The sorts that the command line names."""

THERE = {BROKER: "registered", TOPIC: "live", PARTITION: "exists"}
"""The state that says whether an entity of a sort is there; of any other sort those are, of which something is said."""

NAME = "name"
"""The state that holds the name of a topic; none of a topic that is deleted."""

REPLICAS = "replicas"
"""The state that holds the brokers of a partition."""


class Concerning:
    """Selects the units about one broker, or about a partition and, `with_brokers`, its replicas.

    A partition is given as orders-0, and may be one after the other of several topics of a name. `offsets` are those of
    further records whose units are selected.
    """

    def __init__(self, broker: int | None = None, partition: str | None = None, with_brokers: bool = False) -> None:
        self.offsets: set[int] = set()
        name, _, number = (partition or "").rpartition("-")
        self._broker, self._name, self._number = broker, name, int(number) if number.isdecimal() else None
        self._with_brokers = with_brokers
        self._partitions: set[Any] = set()
        self._layout: Layout | None = None

    def __call__(self, state: HardState, items: Sequence[Item], changes: Sequence[tuple[Change, ...]]) -> bool:
        """Return whether a unit is selected, by the state in front of it and what each of its records changes."""
        if self._layout is not state.layout:
            self._layout = state.layout
            self._sorts = [str(one.keys[0]) if one.keys else "" for one in state.layout.states]
            self._numbers = {one.name: number for number, one in enumerate(state.layout.states)}
        if self.offsets and any(item.record.offset in self.offsets for item in items):
            return True
        made = [one for some in changes for one in some if one.cell[1]]
        # A record may change nothing of what it is about.
        concerned = {(self._sorts[one.cell[0]], one.cell[1][0]) for one in made}
        concerned |= {pair for item in items if item.bound is not None for pair in about(item.bound)}
        if self._broker is not None:
            return (BROKER, self._broker) in concerned
        named = {one.cell[1][0] for one in made if one.cell[0] == self._numbers.get(NAME) and one.new == self._name}
        mine = {one for sort, one in concerned if sort == PARTITION and one[1:] == (self._number,)}
        mine = {one for one in mine if one[0] in named or self._read(state, NAME, one[0]) == self._name}
        self._partitions |= mine
        if mine or not self._with_brokers:
            return bool(mine)
        brokers = {one for sort, one in concerned if sort == BROKER}
        return bool(brokers) and any(
            not brokers.isdisjoint(members(self._read(state, REPLICAS, one))) for one in self._partitions
        )

    def _read(self, state: HardState, name: str, entity: Any) -> Any:
        return state.read((self._numbers[name], (entity,)))


class Entities:
    """The entities of a log at an offset: which are there, and how they are called."""

    def __init__(self, past: Past) -> None:
        self.past, self.state = past, past.state
        self.numbers = {one.name: number for number, one in enumerate(self.state.layout.states)}
        self.topics = self._topics()
        self._there: dict[str, list[Any]] = {}

    def _topics(self) -> dict[Any, str]:
        """Every topic up to the offset by the name that it has or had."""
        number = self.numbers.get(NAME)
        if number is None:
            return {}
        had = [(c.cell[1][0], c.old) for step in self.past.steps for c in step.changes if c.cell[0] == number]
        has = [(keys[0], value) for keys, value in self.state.frame.tables[number].items()]
        return {topic: str(name) for topic, name in (*had, *has) if name is not None and name is not UNKNOWN}

    def called(self, sort: str, entity: Any) -> str:
        """Return an entity as people name it: a topic by its name, a partition by that and its number."""
        if entity is None:
            return "none"
        if sort == TOPIC and entity in self.topics:
            return self.topics[entity]
        if sort == PARTITION and isinstance(entity, tuple) and entity[0] in self.topics:
            return entity_text((self.topics[entity[0]], *entity[1:]))
        return entity_text(entity)

    def shown(self, table: int, value: Any) -> str:
        """Return a value of a table's cells as text; a topic by its name with its id."""
        if value is UNKNOWN:
            return "unknown"
        if str(self.state.layout.states[table].kind) == TOPIC and value in self.topics:
            return f"{self.topics[value]} ({entity_text(value)})"
        return _text(value)

    def is_there(self, sort: str, entity: Any) -> Any:
        """Return whether an entity is there: true, false, or unknown."""
        number = self.numbers.get(THERE.get(sort, ""))
        return self.state.read((number, (entity,))) if number is not None else True

    def there(self, sort: str) -> list[Any]:
        """Return the entities of a sort that are there or may be, and of which something is said, in order of name."""
        if sort not in self._there:
            self._there[sort] = self._found(sort)
        return self._there[sort]

    def _found(self, sort: str) -> list[Any]:
        found = {
            keys[at]
            for number, positions in enumerate(key_positions(self.state, sort))
            for keys, value in self.state.frame.tables[number].items()
            for at in positions
            if value != self.state.layout.initial[number]
        }
        return sorted((e for e in found if self.is_there(sort, e) is not False), key=lambda e: self._order(sort, e))

    def _order(self, sort: str, entity: Any) -> tuple[Any, ...]:
        parts = entity if isinstance(entity, tuple) else (entity,)
        named = (self.topics.get(parts[0], parts[0]), *parts[1:]) if sort in (TOPIC, PARTITION) else parts
        return tuple((isinstance(part, str), part) for part in named)

    # -- what a user names -----------------------------------------------------------------------------------------
    def broker(self, number: int) -> int:
        """Return a broker of which the log says something up to the offset; raises `Refusal` for another one."""
        if next(self.past.of(BROKER, number), None) is not None or number in self.there(BROKER):
            return number
        known = sorted({e for e in (*self.there(BROKER), *self._ever(BROKER)) if isinstance(e, int)})
        raise self._refused(f"up to offset {self.past.offset} nothing is said of broker {number}", "brokers", known)

    def _ever(self, sort: str) -> Iterator[Any]:
        positions = key_positions(self.state, sort)
        for step in self.past.steps:
            for change in step.changes:
                for at in positions[change.cell[0]]:
                    yield change.cell[1][at]

    def partition(self, text: str) -> tuple[Any, int]:
        """Return the partition that is called TOPIC-NUMBER at the offset.

        Raises `Refusal` for what is no such name, and where no topic of the name is there, or it has no such partition.
        """
        name, _, number = text.rpartition("-")
        if not name or not number.isdecimal():
            raise Refusal(f"--partition {text}: give a topic's name and a partition's number, as in foo-0")
        offset = self.past.offset
        alive = {topic: called for topic, called in self.topics.items() if self.is_there(TOPIC, topic) is not False}
        topic = next((one for one, called in alive.items() if called == name), None)
        if topic is None:
            former = [one for one, called in self.topics.items() if called == name]
            if former:
                gone = max((step.offset for one in former for step in self.past.of(TOPIC, one)), default=None)
                what = f"no topic {name} is there at offset {offset}"
                raise Refusal(f"{self.past.log.path}: {what}: it was deleted at offset {gone}")
            raise self._refused(f"no topic {name} is there at offset {offset}", "topics", sorted(alive.values()))
        partition = (topic, int(number))
        if partition not in self.there(PARTITION):
            others = [str(p[1]) for p in self.there(PARTITION) if isinstance(p, tuple) and p[0] == topic]
            what = f"topic {name} has no partition {number} at offset {offset}"
            raise self._refused(what, "partitions", others)
        return partition

    def _refused(self, what: str, sort: str, known: list[Any]) -> Refusal:
        shown = ", ".join(map(str, known[:12])) + (f" and {len(known) - 12} more" if len(known) > 12 else "")
        there = f"the {sort} are {shown}" if known else f"there are no {sort}"
        return Refusal(f"{self.past.log.path}: {what}; {there}")


def changes_text(entities: Entities, step: Step, sort: str, entity: Any) -> list[str]:
    """Return what a step changed of an entity: `name old -> new` for each cell, by Kafka's names.

    The entity's own key is left out.
    """
    lines = []
    for change in step.changes:
        number, keys = change.cell
        state = entities.state.layout.states[number]
        pairs = zip(state.keys, keys, strict=True)
        others = [entities.called(str(kind), key) for kind, key in pairs if not (str(kind) == sort and key == entity)]
        beside = f"[{', '.join(others)}]" if others else ""
        old, new = entities.shown(number, change.old), entities.shown(number, change.new)
        lines.append(f"{kafka_name(state)}{beside} {old} -> {new}")
    return lines


def declared(state: HardState) -> list[int]:
    """Return the tables of the hard state in the order in which the protocol's source declares them."""
    states = state.layout.states
    hard = [number for number, one in enumerate(states) if one.what == "hard"]
    return sorted(hard, key=lambda number: (states[number].place.file, states[number].place.line, number))


def cells_of(state: HardState, sort: str, entity: Any) -> Iterator[Cell]:
    """Yield every cell of an entity: those with no other key, said or not, then those with more that are said.

    A cell of two entities is the first one's.
    """
    positions = key_positions(state, sort)
    own = [number for number in declared(state) if 0 in positions[number]]
    for number in own:
        if len(state.layout.states[number].keys) == 1:
            yield number, (entity,)
    for number in own:
        if len(state.layout.states[number].keys) > 1:
            said = (keys for keys in state.frame.tables[number] if keys[0] == entity)
            yield from ((number, keys) for keys in sorted(said, key=str))


def _text(value: Any) -> str:
    if isinstance(value, frozenset):
        return "{" + ", ".join(_text(one) for one in sorted(value, key=str)) + "}"
    if _is_struct(value):
        return range_text(value) or "(" + ", ".join(f"{name} {_text(one)}" for name, one in value) + ")"
    if isinstance(value, tuple):
        return "[" + ", ".join(_text(one) for one in value) + "]"
    return told(value) or value_text(value)


def _is_struct(value: Any) -> bool:
    """Whether a value is a struct of the wire: pairs of a field's name and its value."""
    return (
        isinstance(value, tuple)
        and bool(value)
        and all(isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], str) for one in value)
    )


def plain(value: Any) -> Any:
    """Return a value of the state as JSON: sets and composite ids as lists, what is not known as the text `unknown`."""
    if _is_struct(value):
        return {name: plain(one) for name, one in value}
    if value is UNKNOWN:
        return "unknown"
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, frozenset):
        return [plain(one) for one in sorted(value, key=str)]
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    return value


def members(value: Any) -> Iterable[Any]:
    """Return the entries of a list or set, of what is not known none."""
    return () if value is UNKNOWN or value is None else value
