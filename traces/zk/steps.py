"""Steps of a ZooKeeper-era cluster: every atomic thing that a process did, in order, as values and as NDJSON.

One step is one atomic thing: one state change of one partition or one replica with its read and its conditional write,
one phase of a reassignment, one delivery to a broker. Anything else may happen between any two.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from fencepost.traces.errors import TraceError
from fencepost.traces.event_files import lines_of, write_lines
from fencepost.traces.json_values import object_in, text_in, whole_in

VERSION = 1
"""The version of the columns of a step, in every line's `v`."""

NOBODY = -1
"""The node of steps that no broker's process makes: a client's, or ZooKeeper's own."""

RefusedBy = Literal["epoch", "znode", "session"]
"""Causes of refused writes: the check of /controller_epoch, the znode that it was for, or the loss of the session."""


class ZnodeWrite(NamedTuple):
    """A write that happened: `op` is create, set or delete, `version` the znode's after it (of a delete: before)."""

    path: str
    op: str
    data: Any
    version: int


class Refusal(NamedTuple):
    """Why a write did not happen: ZooKeeper's name of the error, and what it concerned."""

    error: str
    by: RefusedBy


class SentRequest(NamedTuple):
    """A part of a request that was put into a batch: LeaderAndIsr, StopReplica or UpdateMetadata of one partition.

    `partition` is empty for an UpdateMetadata of the live brokers only. `fields` are Kafka's, without the names that
    stand in the other columns.
    """

    kind: str
    broker: int
    partition: str
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ZkStep:
    """One atomic thing that happened in a ZooKeeper-era cluster.

    `time_ms` is the wall clock, `node` the broker whose process did it (`NOBODY`: a client or ZooKeeper), `name` what
    it was, `parameters` of what, `outcome` empty for done, else the reason. `epoch` is the controller epoch that the
    node holds, -1 for none; `zxid` ZooKeeper's last after the step. `writes` are the znode operations that happened,
    in order, `refused` why another one did not. `memory` is what changed in the controller's memory, None for nothing;
    after an election the whole memory. `sent` is what the step put into the controller's batch: the batch goes to the
    send queues when its operation closes it, and is lost if the process dies or resigns before.
    """

    time_ms: int
    node: int
    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    outcome: str = ""
    epoch: int = -1
    zxid: int = 0
    writes: tuple[ZnodeWrite, ...] = ()
    refused: Refusal | None = None
    memory: Mapping[str, Any] | None = None
    sent: tuple[SentRequest, ...] = ()


def columns_of_step(step: ZkStep) -> dict[str, Any]:
    """Return a step as the JSON object of its line; what is as it is by default is left out."""
    found: dict[str, Any] = {
        "v": VERSION,
        "t_ms": step.time_ms,
        "node": step.node,
        "step": step.name,
        "parameters": dict(step.parameters),
    }
    if step.outcome:
        found["outcome"] = step.outcome
    found |= {"epoch": step.epoch, "zxid": step.zxid}
    if step.writes:
        found["writes"] = [list(one) for one in step.writes]
    if step.refused is not None:
        found["refused"] = list(step.refused)
    if step.memory is not None:
        found["memory"] = dict(step.memory)
    if step.sent:
        found["sent"] = [[one.kind, one.broker, one.partition, dict(one.fields)] for one in step.sent]
    return found


def step_of(columns: Mapping[str, Any], place: str) -> ZkStep:
    """Return a step from the columns of its line; raises `TraceError` where that is none."""
    try:
        if columns["v"] != VERSION:
            raise TraceError(f"{place}: steps of version {columns['v']}; this reads version {VERSION}")
        refused, memory = columns.get("refused"), columns.get("memory")
        return ZkStep(
            time_ms=whole_in(columns["t_ms"]),
            node=whole_in(columns["node"]),
            name=text_in(columns["step"]),
            parameters=object_in(columns["parameters"]),
            outcome=text_in(columns.get("outcome", "")),
            epoch=whole_in(columns["epoch"]),
            zxid=whole_in(columns["zxid"]),
            writes=tuple(_write(one) for one in columns.get("writes", ())),
            refused=None if refused is None else _refusal(refused),
            memory=None if memory is None else object_in(memory),
            sent=tuple(_sent(one) for one in columns.get("sent", ())),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise TraceError(
            f"{place}: this line is no step ({error!r}); give the steps.ndjson of a simulated run"
        ) from None


def step_line(step: ZkStep) -> str:
    """Return a step as a line of NDJSON, its end included."""
    return json.dumps(columns_of_step(step), separators=(",", ":")) + "\n"


def write_zk_steps(path: str | Path, steps: Iterable[ZkStep]) -> None:
    """Write steps as NDJSON, gzipped where the name ends so; the same steps give the same bytes."""
    write_lines(path, map(step_line, steps))


def read_zk_steps(path: str | Path) -> Iterator[ZkStep]:
    """Yield the steps of a file, lazily; raises `TraceError` for what is no trace of steps, with file and line."""
    for number, columns in lines_of(Path(path)):
        yield step_of(columns, f"{path}:{number}")


def _write(value: Any) -> ZnodeWrite:
    path, operation, data, version = value
    return ZnodeWrite(text_in(path), text_in(operation), data, whole_in(version))


def _refusal(value: Any) -> Refusal:
    error, by = value
    if by not in get_args(RefusedBy):
        raise ValueError(value)
    return Refusal(text_in(error), by)


def _sent(value: Any) -> SentRequest:
    kind, broker, partition, fields = value
    return SentRequest(text_in(kind), whole_in(broker), text_in(partition), object_in(fields))
