"""Steps of brokers: what a broker did with the data of one partition, as values beside the steps of controllers.

A line has `step` (the name), `data` (the partition: id of its topic and number) and `told`, an object of what the step
says. A step that repeats without a change of any reported field is not reported again: a fetch from the same
offset,
metadata that it has.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .errors import TraceError
from .json_values import whole_in

LEADS, FOLLOWS, CONFIGURED = "leads", "follows", "configured"
APPENDS, ASKS, NOTES, TAKES, TRUNCATES = "appends", "asks", "notes", "takes", "truncates"
LEARNS = "learns"
ACKNOWLEDGES, PROPOSES, HEARS = "acknowledges", "proposes", "hears"
STOPS, STARTS, DELETES, OFFLINE, BEGINS = "stops", "starts", "deletes", "offline", "begins"

TOLD: Mapping[str, tuple[str, ...]] = {
    LEADS: ("leader_epoch", "partition_epoch", "isr", "minimum", "offset", "start", "end", "kept"),
    FOLLOWS: ("leader", "leader_epoch", "partition_epoch", "offset", "end"),
    CONFIGURED: ("leader_epoch", "minimum", "offset"),
    APPENDS: ("leader_epoch", "base", "end"),
    ASKS: ("leader_epoch", "from", "last_epoch", "broker_epoch"),
    NOTES: ("leader_epoch", "follower", "from", "broker_epoch"),
    TAKES: ("asked", "leader_epoch", "base", "epochs", "end"),
    LEARNS: ("asked", "to", "end"),
    TRUNCATES: ("asked", "leader_epoch", "last_epoch", "answered", "answered_end", "end"),
    ACKNOWLEDGES: ("leader_epoch", "to", "isr", "maximal", "minimum", "end"),
    PROPOSES: ("leader_epoch", "partition_epoch", "isr", "epochs"),
    HEARS: ("leader_epoch", "partition_epoch", "isr", "error", "offset"),
    STOPS: ("how", "end"),
    STARTS: ("end",),
    DELETES: ("offset",),
    OFFLINE: (),
    BEGINS: ("end",),
}
"""The fields of each step beside its partition:

- `leads`, `follows`: the broker took over metadata by which it leads or follows. `offset` is that of the metadata,
  `start`
  where its log ended when the epoch began, `minimum` its min.insync.replicas, `kept` what a leader that led before
  goes on
  knowing of its followers: number, offset, broker epoch.
- `configured`: a leader reads another min.insync.replicas.
- `appends`: a leader wrote records. `asks`: a follower sent a fetch. `notes`: a leader noted one. `takes`: a follower
  wrote
  the records of an answer to what it had `asked` in an epoch; `epochs` are the leader epochs of the records with the
  offsets
  at which they begin. `truncates`: it cut its log where an answer said.
- `learns`: a follower took the high watermark of an answer to what it had `asked`, at most up to its `end`.
- `acknowledges`: a leader raised its high watermark `to` an offset.
- `proposes`: a leader sent an ISR with the broker epochs of its members, −1 where it knows none. `hears`: the answer
  was used.
- `stops` (`how`: clean shutdown, killed, halted, power loss, disk loss), `starts`: the process, with what its log has
  then.
- `deletes`: the log is gone, as the metadata up to an offset have it. `offline`: its directory failed. `begins`: it
  is begun anew where the leader's log starts.
"""


class BrokerStep(NamedTuple):
    """One thing that a broker did with a partition: `name` is one of `TOLD`, `parameters` what that says."""

    time_ns: int
    node: int
    name: str
    partition: tuple[str, int]
    parameters: Mapping[str, Any]


def columns_of_broker_step(step: BrokerStep, version: int) -> dict[str, Any]:
    """Return a step as the JSON object of its line."""
    return {
        "v": version,
        "step": step.name,
        "t_ns": step.time_ns,
        "node": step.node,
        "data": list(step.partition),
        "told": dict(step.parameters),
    }


def broker_step_of(columns: Mapping[str, Any], place: str) -> BrokerStep:
    """Return a step from its line; raises `TraceError`, KeyError or TypeError where that is none."""
    name, told = str(columns["step"]), columns["told"]
    wanted = TOLD.get(name)
    if wanted is None or set(told) != set(wanted):
        raise TraceError(f"{place}: there is no broker step {name} with {', '.join(sorted(told)) or 'nothing'}")
    topic, number = columns["data"]
    return BrokerStep(
        time_ns=whole_in(columns["t_ns"]),
        node=whole_in(columns["node"]),
        name=name,
        partition=(str(topic), whole_in(number)),
        parameters=dict(told),
    )
