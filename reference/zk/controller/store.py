"""The controller's way to ZooKeeper: every write is a multi whose first part checks the controller's own epoch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fencepost.reference.zk import paths
from fencepost.reference.zk.names import Leadership, ReplicaAssignment, TopicPartition
from fencepost.reference.zk.zookeeper import (
    ANY_VERSION,
    Check,
    Create,
    Delete,
    NoNode,
    Operation,
    SessionExpired,
    SetData,
    ZooKeeperClient,
    ZooKeeperError,
)
from fencepost.traces.zk.steps import Refusal, ZnodeWrite


class ControllerMoved(Exception):
    """Another controller was elected: /controller_epoch is no longer of the version that this one made."""


class ControllerStore:
    """Reads and writes of one claim to be the controller; its writes and refusals are kept until a step has them."""

    def __init__(self, client: ZooKeeperClient) -> None:
        self.client = client
        self.epoch_version = -1
        self.writes: list[ZnodeWrite] = []
        self.refused: Refusal | None = None

    # -- becoming the controller -----------------------------------------------------------------------------------
    def controller(self) -> int:
        """Return the controller by /controller, -1 for none; leaves a watch."""
        node = self.client.exists(paths.CONTROLLER, watch=True)
        return -1 if node is None else int(node.data["brokerid"])

    def register_controller(self, broker: int, time_ms: int) -> tuple[int, int]:
        """Make /controller and raise the epoch, both or neither; returns the epoch and its znode's version.

        Raises `NodeExists` if there is a controller, `BadVersion` if another controller raised the epoch meanwhile.
        """
        try:
            epoch, node = self.client.get(paths.CONTROLLER_EPOCH)
            version = node.version
        except NoNode:
            self._run([Create(paths.CONTROLLER_EPOCH, 0)])
            epoch, version = 0, 0
        self._run([
            Create(paths.CONTROLLER, paths.controller_data(broker, time_ms), ephemeral=True),
            SetData(paths.CONTROLLER_EPOCH, epoch + 1, version),
        ])  # fmt: skip
        self.epoch_version = version + 1
        return epoch + 1, version + 1

    # -- leadership ------------------------------------------------------------------------------------------------
    def leadership(self, partition: TopicPartition) -> Leadership | None:
        """Read a partition's state znode, None where there is none."""
        try:
            data, node = self.client.get(paths.state_path(partition))
        except NoNode:
            return None
        return paths.leadership_of(data, node.version)

    def create_leadership(self, partition: TopicPartition, leadership: Leadership) -> None:
        """Make a partition's state znode, and those above it; raises `NodeExists` where it is there already."""
        state = paths.state_path(partition)
        number = state.rsplit("/", 1)[0]
        for path in (number.rsplit("/", 1)[0], number):
            if self.client.exists(path) is None:
                self.write(Create(path))
        self.write(Create(state, paths.leadership_data(leadership)))

    def set_leadership(self, partition: TopicPartition, leadership: Leadership) -> int:
        """Write a partition's state znode if it still has the version that the leadership was read in.

        Returns the new version; raises `BadVersion` if it was written since.
        """
        data = paths.leadership_data(leadership)
        self.write(SetData(paths.state_path(partition), data, leadership.version))
        return leadership.version + 1

    # -- topics and wishes -----------------------------------------------------------------------------------------
    def broker_epochs(self, *, watch: bool = False) -> dict[int, int]:
        """Read the registered brokers with their epochs: the zxids of their registrations' creation."""
        found = {}
        for name in self.client.children(paths.BROKER_IDS, watch=watch):
            node = self.client.exists(paths.broker_path(int(name)))
            if node is not None:
                found[int(name)] = node.czxid
        return dict(sorted(found.items()))

    def topics(self) -> list[str]:
        """Read the names of all topics; leaves a watch."""
        return self.client.children(paths.TOPICS, watch=True)

    def topic(self, topic: str, *, watch: bool = False) -> tuple[str, dict[TopicPartition, ReplicaAssignment]]:
        """Read a topic's id and its partitions' assignments; raises `NoNode`."""
        data, _ = self.client.get(paths.topic_path(topic), watch=watch)
        found = {TopicPartition(topic, number): one for number, one in paths.assignments_of(data).items()}
        return data["topic_id"], found

    def unclean_elections(self, topic: str) -> bool:
        """Whether a topic allows a leader from outside the in-sync replicas."""
        try:
            data, _ = self.client.get(paths.config_path(topic))
        except NoNode:
            return False
        return bool(data["config"].get("unclean.leader.election.enable") == "true")

    def set_topic(self, topic: str, topic_id: str, assignments: dict[int, ReplicaAssignment]) -> None:
        """Write the assignments of all of a topic's partitions, whatever the znode's version."""
        self.write(SetData(paths.topic_path(topic), paths.topic_data(topic_id, assignments)))

    def topic_deletions(self) -> list[str]:
        """Read which topics are to be deleted; leaves a watch."""
        return self.client.children(paths.DELETE_TOPICS, watch=True)

    def delete_topic(self, topic: str) -> None:
        """Remove a topic's znodes, its configuration, and the wish that it be deleted; what is not there is passed."""
        self._delete_below(paths.topic_path(topic))
        self._try_to_delete(paths.config_path(topic))
        self._try_to_delete(paths.deletion_path(topic))

    def delete_topic_deletion(self, topic: str) -> None:
        """Remove the wish that a topic be deleted."""
        self._delete_if_there(paths.deletion_path(topic))

    def wished_reassignments(self) -> dict[TopicPartition, tuple[int, ...]] | None:
        """Read /admin/reassign_partitions, None where it is not there; leaves a watch."""
        node = self.client.exists(paths.REASSIGN_PARTITIONS, watch=True)
        return None if node is None else paths.reassignments_of(node.data)

    def set_wished_reassignments(self, targets: dict[TopicPartition, tuple[int, ...]]) -> None:
        """Write /admin/reassign_partitions, or remove it where nothing is left."""
        if targets:
            self.write(SetData(paths.REASSIGN_PARTITIONS, paths.reassignment_data(targets)))
        else:
            self._delete_if_there(paths.REASSIGN_PARTITIONS)

    def wished_elections(self) -> list[TopicPartition]:
        """Read /admin/preferred_replica_election, empty where it is not there; leaves a watch."""
        node = self.client.exists(paths.PREFERRED_ELECTION, watch=True)
        return [] if node is None else paths.elections_of(node.data)

    def delete_wished_elections(self) -> None:
        """Remove /admin/preferred_replica_election."""
        self._delete_if_there(paths.PREFERRED_ELECTION)

    def notifications(self, path: str) -> dict[str, Any]:
        """Read the notifications under a path by name; leaves a watch."""
        found = {}
        for name in self.client.children(path, watch=True):
            node = self.client.exists(f"{path}/{name}")
            if node is not None:
                found[name] = node.data
        return found

    def delete_notifications(self, path: str, names: Iterable[str]) -> None:
        """Remove notifications that were dealt with."""
        for name in names:
            self._delete_if_there(f"{path}/{name}")

    # -- writing ---------------------------------------------------------------------------------------------------
    def write(self, operation: Operation) -> None:
        """Do one operation as the controller of this epoch.

        Raises `ControllerMoved` if another controller was elected since, else what refuses the operation.
        """
        check = Check(paths.CONTROLLER_EPOCH, self.epoch_version)
        self._run([check, operation], fenced=True)

    def _run(self, operations: list[Operation], *, fenced: bool = False) -> None:
        tree = self.client.server.nodes
        before = {one.path: tree[one.path].version for one in operations if one.path in tree}
        try:
            if len(operations) == 1:
                self.client.write(operations[0])
            else:
                self.client.multi(*operations)
        except SessionExpired as error:
            self.refused = Refusal(error.name, "session")
            raise
        except ZooKeeperError as error:
            if fenced and error.index == 0:
                self.refused = Refusal(error.name, "epoch")
                raise ControllerMoved(
                    f"Controller epoch zkVersion check fails. Expected zkVersion = {self.epoch_version}"
                ) from error
            self.refused = Refusal(error.name, "znode")
            raise
        for operation in operations:
            if not isinstance(operation, Check):
                self.writes.append(written(operation, before.get(operation.path, 0)))

    def _delete_below(self, path: str) -> None:
        try:
            children = self.client.children(path)
        except NoNode:
            return
        for name in children:
            self._delete_below(f"{path}/{name}")
        self._delete_if_there(path)

    def _delete_if_there(self, path: str) -> None:
        if self.client.exists(path) is not None:
            self.write(Delete(path, ANY_VERSION))

    def _try_to_delete(self, path: str) -> None:
        # Asked without a look before, so that a replaced controller is fenced even if its successor was here first.
        try:
            self.write(Delete(path, ANY_VERSION))
        except NoNode:
            self.refused = None

    def told(self) -> tuple[tuple[ZnodeWrite, ...], Refusal | None]:
        """Return the writes since the last call, and the last refusal."""
        writes, refused = tuple(self.writes), self.refused
        self.writes, self.refused = [], None
        return writes, refused


def written(operation: Operation, before: int) -> ZnodeWrite:
    """Return a successful operation as a trace has it; `before` is the znode's version until then."""
    if isinstance(operation, Create):
        return ZnodeWrite(operation.path, "create", operation.data, 0)
    if isinstance(operation, SetData):
        return ZnodeWrite(operation.path, "set", operation.data, before + 1)
    return ZnodeWrite(operation.path, "delete", None, before)
