"""The small files beside a controller's metadata log: whose it is, in which epoch Raft is, where each epoch begins.

They are meta.properties in the directory above the log (or beside it), quorum-state and leader-epoch-checkpoint in the
log's own. A copied log has often none of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fencepost.files import json_value

from .brokers.checkpoints import LEADER_EPOCHS, LeaderEpochs, parse_leader_epochs
from .errors import TraceError
from .json_values import object_in, whole_in
from .names import META_PROPERTIES
from .storage import join, kind_of, list_directory, read_text

QUORUM_STATES = ("quorum-state", "quorum-state.json")
"""Kafka's name of the file, and the one under which recordings keep it."""

_NUMBER = re.compile(r"[0-9]{1,10}")
_PROPERTY = re.compile(r"(cluster\.id|node\.id)\s*=\s*(\S+)\s*")


@dataclass(frozen=True, slots=True)
class NodeFiles:
    """The content of the files beside a log: None for values that no file has.

    `epoch` is the newest leader epoch of which the node's Raft client knew when the directory was copied; `epochs` is
    the leader-epoch-checkpoint. `voters` are the ids in quorum-state, which names those of a static quorum only.
    """

    cluster_id: str | None = None
    node: int | None = None
    epoch: int | None = None
    epochs: LeaderEpochs | None = None
    voters: frozenset[int] = frozenset()


def read_node_files(log: str) -> NodeFiles:
    """Read the files beside a log, none of which need be there; raises TraceError for one that is damaged."""
    if kind_of(log) != "directory":
        return NodeFiles()
    files = list_directory(log).files
    places = [join(log, META_PROPERTIES), join(join(log, ".."), META_PROPERTIES)]
    said: dict[str, str] = {}
    for place in places:
        if not said and kind_of(place) == "file":
            found = (_PROPERTY.fullmatch(line) for line in read_text(place).splitlines())
            said = {match[1]: match[2] for match in found if match is not None}
            if not _NUMBER.fullmatch(said.get("node.id", "0")):
                raise TraceError(f"{place}: node.id should be a number, and is {said['node.id'][:40]!r}")
    states = [name for name in QUORUM_STATES if name in files]
    epochs = join(log, LEADER_EPOCHS)
    epoch, voters = _quorum_state(join(log, states[0])) if states else (None, frozenset[int]())
    return NodeFiles(
        said.get("cluster.id"),
        int(said["node.id"]) if "node.id" in said else None,
        epoch,
        parse_leader_epochs(read_text(epochs), epochs) if LEADER_EPOCHS in files else None,
        voters,
    )


def _quorum_state(path: str) -> tuple[int, frozenset[int]]:
    try:
        state = object_in(json_value(read_text(path)))
        voters = state.get("currentVoters") or []
        if not isinstance(voters, list):
            raise TypeError("currentVoters")
        return whole_in(state["leaderEpoch"]), frozenset(whole_in(object_in(one)["voterId"]) for one in voters)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise TraceError(f"{path}: this is no quorum state of Raft: it should have a leaderEpoch") from error
