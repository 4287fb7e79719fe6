"""A leader's changes of its in-sync replicas: it proposes to add replicas that caught up, and to drop lagging ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from fencepost.reference.simulator import MILLISECOND, Process
from fencepost.reference.zk.messages import AlterPartitionRequest, AlterPartitionResponse
from fencepost.reference.zk.names import TopicPartition, without

from .hosted import HostedPartition, Proposal
from .replica_manager import ReplicaManager

GIVEN_UP = {"UNKNOWN_TOPIC_OR_PARTITION", "FENCED_LEADER_EPOCH", "INVALID_UPDATE_VERSION", "INVALID_REQUEST"}
"""The errors after which a leader waits for the next LeaderAndIsr."""


class Followers(Protocol):
    """The modelled part of data replication: the followers, and since when they follow."""

    def following(self, leader: int, follower: int, partition: TopicPartition, leader_epoch: int) -> int | None:
        """Return since when a broker has been following a leader in its epoch, None if it does not or cannot."""


Ask = Callable[[AlterPartitionRequest, Callable[[AlterPartitionResponse], None], Callable[[], None]], None]
"""Sends a request to the controller, wherever that is; then the answer or that there was none."""


@dataclass(frozen=True, slots=True)
class LeadingSettings:
    """Times in nanoseconds: between two looks, until a follower has caught up, until one is taken for lagging."""

    look_ns: int = 300 * MILLISECOND
    catch_up_ns: int = 500 * MILLISECOND
    lag_ns: int = 2000 * MILLISECOND
    retry_ns: int = 200 * MILLISECOND


class Leading:
    """The leader's side of one broker. For each partition one proposal at a time is under way."""

    def __init__(
        self,
        process: Process,
        replicas: ReplicaManager,
        followers: Followers,
        ask: Ask,
        asleep: Callable[[], bool],
        draw: random.Random,
        settings: LeadingSettings,
    ) -> None:
        self.process, self.replicas, self.followers, self.ask = process, replicas, followers, ask
        self.asleep, self.draw, self.settings = asleep, draw, settings
        self.over = False
        self._again()

    def _again(self) -> None:
        self.process.after(int(self.settings.look_ns * (0.5 + self.draw.random())), self._look)

    def _look(self) -> None:
        if self.over:
            return
        if not self.asleep():
            for partition, hosted in list(self.replicas.hosted.items()):
                if hosted.role == "leader" and hosted.proposal is None:
                    isr = self.wanted(partition, hosted)
                    if isr != hosted.isr:
                        hosted.proposal = Proposal(isr, hosted.leader_epoch, hosted.version)
                        self._propose(partition, hosted.proposal)
        self._again()

    def wanted(self, partition: TopicPartition, hosted: HostedPartition) -> tuple[int, ...]:
        """Return the in-sync replicas that the leader would have: one more that caught up, without who fell behind."""
        now, me, settings = self.process.now_ns, self.replicas.broker, self.settings
        lagging = []
        for broker in without(hosted.replicas, [me]):
            since = self.followers.following(me, broker, partition, hosted.leader_epoch)
            if broker in hosted.isr:
                if since is not None:
                    hosted.late_ns.pop(broker, None)
                elif now - hosted.late_ns.setdefault(broker, now) > settings.lag_ns:
                    lagging.append(broker)
            elif since is not None and now - since > settings.catch_up_ns and broker in self.replicas.live:
                return (*hosted.isr, broker)
        return without(hosted.isr, lagging)

    def _propose(self, partition: TopicPartition, proposal: Proposal) -> None:
        replicas = self.replicas
        request = AlterPartitionRequest(
            broker=replicas.broker,
            broker_epoch=replicas.broker_epoch,
            partition=partition,
            leader_epoch=proposal.leader_epoch,
            isr=proposal.isr,
            recovery=proposal.recovery,
            version=proposal.version,
        )
        self.ask(
            request, lambda answer: self.answered(partition, proposal, answer), lambda: self._retry(partition, proposal)
        )

    def _retry(self, partition: TopicPartition, proposal: Proposal) -> None:
        def again() -> None:
            if self._pending(partition, proposal):
                self._propose(partition, proposal)

        self.process.after(self.settings.retry_ns, again)

    def _pending(self, partition: TopicPartition, proposal: Proposal) -> HostedPartition | None:
        hosted = self.replicas.hosted.get(partition)
        return hosted if hosted is not None and hosted.proposal is proposal and not self.over else None

    def answered(self, partition: TopicPartition, proposal: Proposal, answer: AlterPartitionResponse) -> None:
        """Take the answer to a proposal, if it still is the one that is under way."""
        hosted = self._pending(partition, proposal)
        if hosted is None:
            return
        if answer.leadership is not None:
            if answer.leadership.leader_epoch == hosted.leader_epoch and answer.leadership.version >= hosted.version:
                hosted.isr, hosted.version = answer.leadership.isr, answer.leadership.version
                hosted.proposal = None
        elif answer.error == "INELIGIBLE_REPLICA":
            hosted.proposal = None
        elif answer.error in GIVEN_UP:
            proposal.given_up = True
        else:
            self._retry(partition, proposal)
