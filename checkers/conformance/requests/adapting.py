"""Shared code of the adapters of recorded requests: the class of an adapter, and how names and answers are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from fencepost.checkers.conformance.records.wire import BoundRecord
from fencepost.model.kraft import state as k
from fencepost.model.language import Map, Map2
from fencepost.model.language.interpreter import CellKey
from fencepost.model.language.state import State
from fencepost.traces import events as trace

from .outcomes import Outcome, Reading
from .results import Answer

Upcoming = Sequence[BoundRecord | None]
T = TypeVar("T")


class Asked(Protocol):
    """A state that adapters ask: its cells, and the entities that were seen, by the names of their sorts."""

    @property
    def domains(self) -> Mapping[str, Mapping[Any, object]]:
        """The entities of each sort."""

    def read(self, state: State[Any], keys: tuple[Any, ...], /) -> Any:
        """Return a cell's value; raises `EvaluationError` for one that has none."""


class Beforehand(ValueError):
    """A request that is refused with an error before the checks of the tables."""

    def __init__(self, error: str) -> None:
        super().__init__(f"it must be answered {error} before any row is asked")
        self.error = error


def at(variable: Map[Any, Any] | Map2[Any, Any, Any], *keys: Any) -> CellKey:
    """Return the cell of a variable at keys."""
    return variable.state, keys


def as_range(name: str, lowest: int, highest: int) -> tuple[tuple[str, Any], ...]:
    """Return the levels of a feature as the entity that they are in a log: the struct's fields, sorted by name."""
    return ("maxSupportedVersion", highest), ("minSupportedVersion", lowest), ("name", name)


def value(controller: Asked, variable: Map[Any, Any], *keys: Any) -> Any:
    """Return a cell's present value."""
    return controller.read(variable.state, keys)


def is_true(value: str | None) -> bool:
    """Parse a text as a truth value as Kafka does: anything that is not true is false."""
    return value is not None and value.lower() == "true"


def topic_named(controller: Asked, name: str) -> str | None:
    """Return the id of the live topic of a name, None where there is none."""
    topics = controller.domains["Topic"]
    return next(
        (t for t in topics if controller.read(k.name.state, (t,)) == name and controller.read(k.live.state, (t,))), None
    )


def only_error(event: trace.Event, outcome: Outcome) -> dict[str, Any]:
    """Return the error of a request of one part."""
    return {"error": outcome.parts[0].error if outcome.parts else "NONE"}


def errors(event: trace.Event, outcome: Outcome) -> dict[str, Any]:
    """One error a part; none where the whole request is refused, which the reply of its event says."""
    first = outcome.parts[0] if outcome.parts else None
    if first is not None and "whole_request" in first.reply and first.reply["whole_request"]():
        return {"error": first.error, "answers": ()}
    return {"error": "NONE", "answers": tuple(part.error for part in outcome.parts)}


def recorded(*columns: str, **named: str) -> Callable[[Any], dict[str, Any]]:
    """Return what was recorded: the error, and columns of the answer under their names, or under other ones."""
    names = {one: one for one in columns} | named
    return lambda event: {"error": event.error, **{name: getattr(event, column) for name, column in names.items()}}


recorded_error = recorded()

FAILED = "UNKNOWN_SERVER_ERROR"
"""The answer to an operation that threw: the controller gives up its leadership with it."""

INACTIVE = "NOT_CONTROLLER"
"""The answer of a controller that is not the active one."""

TIMED_OUT = "REQUEST_TIMED_OUT"
"""The answer to an operation whose deadline passed while it waited for its turn: it never ran."""


@dataclass(frozen=True, slots=True)
class Tried:
    """An outcome of rows beside what was recorded: its answer, whether that is the recorded one, and how many of the
    records at hand are its own, None where others are there.
    """

    outcome: Outcome
    told: Mapping[str, Any]
    answered: bool
    length: int | None

    @property
    def fits(self) -> bool:
        """Whether answer and records are those that were recorded."""
        return self.answered and self.length is not None

    def answer(self) -> Answer:
        """Return the answer of the tables, which would have been right."""
        return Answer.of(self.outcome, self.told)


@dataclass(frozen=True)
class Adapter:
    """One kind of request: how it is read as events of the tables, what they answer, and what was recorded.

    `events` names the events of the tables that it evaluates. Only recorded values are compared. `in_front` are errors
    that no row is about: of checks of names, values and sizes that ask for nothing in the tables.
    """

    events: tuple[str, ...]
    read: Callable[[Any, Asked, Upcoming], Iterator[Reading]]
    tell: Callable[[Any, Outcome], Mapping[str, Any]] = only_error
    recorded: Callable[[Any], Mapping[str, Any]] = recorded_error
    in_front: frozenset[str] = frozenset()

    def tried(self, request: Any, outcome: Outcome, records: Upcoming) -> Tried:
        """Compare an outcome with the answer that was recorded, and with the records at hand."""
        told: Mapping[str, Any] = {"error": FAILED} if outcome.thrown else self.tell(request, outcome)
        seen = self.recorded(request)
        answered = all(seen[name] == one for name, one in told.items())
        return Tried(outcome, told, answered, outcome.ends(records))


def by_topic(items: Sequence[T], topic: Callable[[T], Any]) -> list[T]:
    """Return the items topic by topic, as requests and answers hold them: topics in the order of their first item."""
    order = list(dict.fromkeys(map(topic, items)))
    return sorted(items, key=lambda item: order.index(topic(item)))


def partition_cells(controller: Asked, partition: tuple[str, int]) -> dict[CellKey, Any]:
    """Return what is to be known of a partition that the log has not shown: its topic and number."""
    if partition in controller.domains["Partition"]:
        return {}
    return {at(k.topic, partition): partition[0], at(k.index, partition): partition[1]}


def registered(controller: Asked) -> list[int]:
    """Return the registered brokers."""
    return [b for b in controller.domains["Broker"] if value(controller, k.registered, b)]
