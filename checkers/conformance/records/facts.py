"""Facts about KRaft's logs beside the tables: what a snapshot leaves out, and which events are one request."""

from __future__ import annotations

from dataclasses import dataclass

from fencepost.model.findings.nodes import NODES
from fencepost.model.language import Step


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Variables that a snapshot leaves out while another, without keys, has a value; the finding that this is."""

    variables: frozenset[str]
    while_: tuple[str, object]
    finding: str


@dataclass(frozen=True, slots=True)
class LogFacts:
    """A monitor's facts about a protocol's logs, by the names of variables and events.

    A name that the protocol does not have is skipped. `rebuilt` are variables that are in no snapshot: the node that
    loads one computes them from the rest. `left_out` says what snapshots leave out. `chained` are events that are parts
    of one request, in their order: all are evaluated in the state in front of the first. `active` is the variable that
    holds the node that leads the log, as the leader changes of its epochs show, `raft_level` that of kraft.version's
    level, as Raft's own records show. `left_over` is a variable that counts how often a list has an entity: one that it
    has more than once leaves it with all its entries, but the list gets one shorter only, and what is left over reads
    as the entity whose id ends with 0. `failovers` are the claims of findings, with their ids, that a change of the
    leader may break: it leaves no record of the tables.
    """

    rebuilt: frozenset[str] = frozenset()
    left_out: tuple[LeftOut, ...] = ()
    chained: tuple[tuple[str, ...], ...] = ()
    active: str = ""
    raft_level: str = ""
    left_over: str = ""
    failovers: tuple[Step, ...] = ()


KRAFT_LOGS = LogFacts(
    rebuilt=frozenset({"elr_index"}),
    left_out=(LeftOut(frozenset({"elr", "last_known", "last_nobody"}), ("elr_version", 0), "D21"),),
    chained=(
        ("Heartbeat", "CordonedDirectories"),
        ("HeartbeatWithOfflineDirectories", "CordonedDirectories"),
        ("OfflineDirectories", "CordonedDirectories"),
        ("AssignReplicasToDirs", "AssignReplicasToDirs"),
    ),
    active="active_controller",
    raft_level="kraft_version",
    left_over="elr_index",
    failovers=tuple(one.claim for one in NODES if isinstance(one.claim, Step)),
)
"""The facts of KRaft: no index is written, eligible leader replicas are not while off; a heartbeat has parts, and an
AssignReplicasToDirs that names a replica again is one more, computed from the same state."""
