"""A reference controller that follows tables which differ from it: a release, or a variant with other rows.

Each result of the reference is evaluated by the tables before it is written. Where they do something else, their
records are written in place of those of the reference, and their answer is given, so that the scenario goes on as in a
controller with these rows.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fencepost.checkers.conformance.lockstep import LockStep
from fencepost.checkers.conformance.records.wire import encode
from fencepost.checkers.conformance.requests.adapting import Tried
from fencepost.model.kraft import state as k
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.observer import Operation
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.controller.write_event import WriteEvent
from fencepost.reference.kraft.errors import ApiError, Errors
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.results import ControllerResult
from fencepost.reference.kraft.steps import StepWriter
from fencepost.traces.steps import Step

_HEARTBEAT = {"isCaughtUp": "is_caught_up", "isFenced": "is_fenced", "shouldShutDown": "should_shut_down"}
"""Cells of the tables for a heartbeat's answer, by its fields."""


def follow(controller: QuorumController, tables: LockStep) -> None:
    """Let a controller write and answer what tables do, wherever that is something else than what it does."""
    append, deferred = controller.queue.append, controller.queue.schedule_deferred

    def appended(event: Any, deadline_ns: int | None = None) -> None:
        append(_led(event, controller, tables), deadline_ns)

    def scheduled(tag: str, time_ns: int, event: Any) -> None:
        deferred(tag, time_ns, _led(event, controller, tables))

    controller.queue.append = appended  # type: ignore[method-assign]
    controller.queue.schedule_deferred = scheduled  # type: ignore[method-assign]


def adopt(controller: QuorumController, tables: LockStep) -> None:
    """Give partitions the state that the tables have of them, where rows replay a record in another way."""
    replication = controller.managers.replication
    state = tables.logs[controller.claim_epoch].controller
    for key, old in list(replication.partitions.items()):
        if key not in state.domains["Partition"]:
            continue
        new = dataclasses.replace(
            old,
            isr=_as_listed(old.isr, state.read(k.isr.state, (key,))),
            elr=_as_listed(old.elr, state.read(k.elr.state, (key,))),
            last_known_elr=_as_listed(old.last_known_elr, state.read(k.last_known.state, (key,))),
            partition_epoch=state.read(k.partition_epoch.state, (key,)),
            leader_epoch=state.read(k.leader_epoch.state, (key,)),
        )
        if new != old:
            replication.partitions[key] = new
            replication.indexes.changed(*key, old, new)


def _as_listed(old: tuple[int, ...], new: Any) -> tuple[int, ...]:
    """Return brokers in the order that they have, those that are new behind them."""
    return (*(one for one in old if one in new), *sorted(one for one in new if one not in old))


def _led(event: Any, controller: QuorumController, tables: LockStep) -> Any:
    if isinstance(event, WriteEvent) and event.name not in ("completeActivation", "rewrite"):
        event.generate = _by_tables(event, event.generate, controller, tables)
    return event


def _by_tables(
    event: WriteEvent, generate: Callable[[], ControllerResult[Any]], controller: QuorumController, tables: LockStep
) -> Callable[[], ControllerResult[Any]]:
    def generated() -> ControllerResult[Any]:
        refused: ApiError | None = None
        result: ControllerResult[Any] = ControllerResult((), None)
        try:
            result = generate()
        except ApiError as error:
            refused = error
        found = tables.otherwise(_step(event, controller, result, refused))
        if found is None:
            if refused is not None:
                raise refused
            return result
        return _instead(event.request, result, found)

    return generated


def _step(
    event: WriteEvent, controller: QuorumController, result: ControllerResult[Any], refused: ApiError | None
) -> Step:
    """Return the step that a result would be."""
    steps: list[Step] = []
    now = controller.scheduler.now_ns
    StepWriter(steps.append).operation(
        Operation(
            controller.node_id, controller.claim_epoch, now, event.arrived_ns, event.name, event.request,
            controller.offsets.next_write_offset, tuple(result.records), (),
            None if refused is not None else result.response,
            Errors.NONE if refused is None else refused.error, "", result.atomic,
        ),
        controller,
    )  # fmt: skip
    return steps[0]


def _instead(request: m.Request | None, result: ControllerResult[Any], found: Tried) -> ControllerResult[Any]:
    """Return the result of the tables; raises ApiError where they refuse the whole request."""
    error = str(found.told.get("error", "NONE"))
    response = result.response
    if error != Errors.NONE.name and isinstance(request, _WHOLE):
        raise ApiError(Errors[error], "")
    if isinstance(request, m.BrokerHeartbeatRequest):
        old = response or m.BrokerHeartbeatResponse(False, True, False, False)
        changes = {_HEARTBEAT[name]: value for name, value in found.told.items() if name in _HEARTBEAT}
        response = dataclasses.replace(old, **changes)
    told = found.told.get("answers")
    if isinstance(told, tuple) and isinstance(response, tuple) and len(told) == len(response):
        # The answers of the parts are in the order of the request; the one that differs says nothing but its error.
        response = tuple(
            one if one.error.name == each else dataclasses.replace(one, error=Errors[each])
            for one, each in zip(response, told, strict=True)
        )
    return ControllerResult(tuple(_records(result.records, found)), response, atomic=result.atomic)


_WHOLE = (m.BrokerRegistrationRequest, m.BrokerHeartbeatRequest, m.UnregisterBrokerRequest)
"""The requests whose error is that of the whole answer."""


def _records(written: Any, found: Tried) -> Iterator[Message]:
    """Yield the records of the tables.

    What they do not say, a version or a field that no row is about, is that of the reference's record of the type.
    """
    others: Mapping[str, Message] = {one.type: one for one in reversed(written)}
    for group in found.outcome.groups:
        for one in group:
            record = one.value.record
            other = others.get(record.type, Message(record.type, 0, {}))
            version = other.version if one.version is None else one.version
            data = {name: other.data[name] for name in record.ignored if name in other.data}
            data |= encode(record, one.value.fields)
            # What a record leaves out is in none of the reference's records.
            for field in record.fields:
                if field.name not in one.value.fields:
                    data = {name: value for name, value in data.items() if name not in field.wire.names}
            yield Message(record.type, version, data)
