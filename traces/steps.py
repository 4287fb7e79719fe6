"""Steps: everything that an active controller did, one after the other, as values; a superset of the event trace.

A line of a request has the columns of `traces.events` beside its own, so that a reader of event traces reads it too.
A line without `req` is something that the controller did by itself: a periodic task, its activation, a contact that it
noted on arrival of a heartbeat, that it claimed or renounced its leadership. A line with `data` is what a broker did
with
a partition (`broker_steps`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from .broker_steps import BrokerStep, broker_step_of, columns_of_broker_step
from .errors import TraceError
from .event_files import lines_of, write_lines
from .events import Event, columns_of, event_of
from .json_values import whole_in

VERSION = 1
"""The version of the columns of a step, in every line's `v`."""

CLAIM, RENOUNCE, CONTACT, SILENCE, CONTROL = "claim", "renounce", "contact", "silence", "control"
"""The names of steps that are no events of Kafka's queue.

By `SILENCE` a contact is over, where no clock says so; `CONTROL` are records that Raft wrote in the midst of an epoch.
"""

ContactState = Literal["nothing", "recent", "expired"]
"""The state of a broker's contact under its current epoch."""


class BrokerState(NamedTuple):
    """An active controller's soft state of a registered broker; offsets are −1 for none."""

    broker: int
    fenced: bool
    shutdown_offset: int
    reported: int
    contact: ContactState
    registration_offset: int


class WrittenRecord(NamedTuple):
    """A metadata record as it was appended: type and data as kafka-dump-log prints them."""

    type: str
    version: int
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that an active controller did.

    `name` is Kafka's name of the event, or one of `CLAIM`, `RENOUNCE`, `CONTACT`, `SILENCE`, `CONTROL`; `epoch` is
    the leader epoch of the claim.
    `base_offset` is the offset of the next record before the step; of a claim, where its epoch begins, of Raft's
    own records that of the first. `fault` is the
    exception that ended it, empty for none. `soft` is the soft state after it, null where it was not recorded. `stable`
    is the offset below which the log is committed then, −1 if not recorded. `last_epoch` is, of a claim, the leader
    epoch of the last record in front of it, −1 for none; `snapshot` the last offset of the snapshot that the memory of
    the node was made from, −1 for none. `contact` names, of a contact or
    a silence, the broker and its epoch.
    """

    time_ns: int
    node: int
    epoch: int
    name: str
    base_offset: int
    request: Event | None = None
    records: tuple[WrittenRecord, ...] = ()
    fault: str = ""
    soft: tuple[BrokerState, ...] | None = None
    stable: int = -1
    last_epoch: int = -1
    snapshot: int = -1
    contact: tuple[int, int] | None = None


AnyStep = Step | BrokerStep
"""A step of a controller, or of a broker with its data."""


def columns_of_step(step: AnyStep) -> dict[str, Any]:
    """Return a step as the JSON object of its line; what is as it is by default is left out."""
    if isinstance(step, BrokerStep):
        return columns_of_broker_step(step, VERSION)
    found: dict[str, Any] = {} if step.request is None else columns_of(step.request)
    found |= {
        "v": VERSION,
        "step": step.name,
        "t_ns": step.time_ns,
        "node": step.node,
        "epoch": step.epoch,
        "base": step.base_offset,
    }
    if step.records:
        found["records"] = [[one.type, one.version, dict(one.data)] for one in step.records]
    if step.fault:
        found["fault"] = step.fault
    if step.soft is not None:
        found["soft"] = [list(one) for one in step.soft]
    if step.stable >= 0:
        found["stable"] = step.stable
    if step.last_epoch >= 0:
        found["last_epoch"] = step.last_epoch
    if step.snapshot >= 0:
        found["snapshot"] = step.snapshot
    if step.contact is not None:
        found["contact"] = list(step.contact)
    return found


def step_of(columns: Mapping[str, Any], line: int, place: str) -> AnyStep:
    """Return a step from its line; raises `TraceError` where that is none."""
    try:
        if columns["v"] != VERSION:
            raise TraceError(f"{place}: steps of version {columns['v']}; this reads version {VERSION}")
        if "data" in columns:
            return broker_step_of(columns, place)
        soft, contact = columns.get("soft"), columns.get("contact")
        return Step(
            time_ns=whole_in(columns["t_ns"]),
            node=whole_in(columns["node"]),
            epoch=whole_in(columns["epoch"]),
            name=str(columns["step"]),
            base_offset=whole_in(columns["base"]),
            request=None if columns.get("req") is None else event_of(columns, line, place),
            records=tuple(WrittenRecord(str(one[0]), whole_in(one[1]), one[2]) for one in columns.get("records", ())),
            fault=str(columns.get("fault", "")),
            soft=None if soft is None else tuple(_broker(one) for one in soft),
            stable=whole_in(columns.get("stable", -1)),
            last_epoch=whole_in(columns.get("last_epoch", -1)),
            snapshot=whole_in(columns.get("snapshot", -1)),
            contact=None if contact is None else (whole_in(contact[0]), whole_in(contact[1])),
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise TraceError(f"{place}: this line is no step ({error!r}); give a trace of steps") from None


def _broker(value: Any) -> BrokerState:
    broker, fenced, shutdown, reported, contact, registration = value
    if contact not in get_args(ContactState) or not isinstance(fenced, bool):
        raise ValueError(value)
    return BrokerState(
        whole_in(broker), fenced, whole_in(shutdown), whole_in(reported), contact, whole_in(registration)
    )


def step_line(step: AnyStep) -> str:
    """Return a step as a line of NDJSON, its end included."""
    return json.dumps(columns_of_step(step), separators=(",", ":")) + "\n"


def write_steps(path: str | Path, steps: Iterable[AnyStep]) -> None:
    """Write steps as NDJSON, gzipped where the name ends so; the same steps give the same bytes."""
    write_lines(path, map(step_line, steps))


def read_steps(path: str | Path) -> Iterator[AnyStep]:
    """Yield the steps of a trace, lazily; lines of requests alone, without a step, are refused.

    Raises `TraceError` for what is no trace of steps, with file and line.
    """
    for number, columns in lines_of(Path(path)):
        yield step_of(columns, number, f"{path}:{number}")
