"""Injected bugs, and the few ways of changing a running controller from outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.results import ControllerResult

Operation = Callable[[Any], ControllerResult[Any]]


@dataclass(frozen=True)
class Bug:
    """A historical bug: its id in the museum, the issue, the wrong behaviour, and how a controller gets it.

    `needs` are settings of the run by name (`faults`, `release`, Kafka's settings) without which it cannot show;
    `seeds` is within how many seeds, from 1 on, a run of ten minutes finds it.
    """

    id: str
    issue: str
    wrong: str
    install: Callable[[QuorumController], None]
    needs: Mapping[str, str] = field(default_factory=dict)
    seeds: int = 5


def wrap(owner: object, name: str, make: Callable[[Any], Any]) -> None:
    """Replace a method of one object by what `make` makes of it."""
    setattr(owner, name, make(getattr(owner, name)))


def wrap_operation(controller: QuorumController, request: type, make: Callable[[Operation], Operation]) -> None:
    """Replace what the controller does with one kind of request."""
    name, operation = controller.operations[request]
    controller.operations[request] = (name, make(operation))


def wrap_replay(controller: QuorumController, record: str, make: Callable[[Any], Any]) -> None:
    """Replace what a controller's memory makes of one type of record."""
    controller.managers.replays[record] = make(controller.managers.replays[record])


def while_running(controller: QuorumController, request: type, owner: object, name: str, value: Any) -> None:
    """Replace a method of one object, but only while one kind of request is dealt with."""

    def make(operation: Operation) -> Operation:
        def run(asked: Any) -> ControllerResult[Any]:
            kept = getattr(owner, name)
            setattr(owner, name, value)
            try:
                return operation(asked)
            finally:
                setattr(owner, name, kept)

        return run

    wrap_operation(controller, request, make)


def each_builder(controller: QuorumController, change: Callable[[Any], None]) -> None:
    """Change every partition change builder before it builds."""

    def make(builder: Callable[..., Any]) -> Callable[..., Any]:
        def changed(*arguments: Any, **more: Any) -> Any:
            one = builder(*arguments, **more)
            change(one)
            return one

        return changed

    wrap(controller.managers.replication.state, "builder", make)
