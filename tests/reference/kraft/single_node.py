"""A quorum of one whose log commits on demand: for tests of the controller without Raft's own doings."""

import random
from collections.abc import Sequence
from typing import Any

from fencepost.reference.kraft import levels
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.observer import Operation, SilentObserver
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.errors import ApiError
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings

from .clockwork import Clockwork
from .memory_log import MemoryLog

SECOND = 1_000_000_000


def bootstrap(level: int = levels.LATEST_PRODUCTION, elr: int = 1) -> list[Message]:
    """Return the feature levels that a directory is formatted with."""
    found = [("metadata.version", level)] + ([(levels.ELR_VERSION, elr)] if elr else [])
    return [Message("FEATURE_LEVEL_RECORD", 0, {"name": name, "featureLevel": at}) for name, at in found]


class SingleNode(MemoryLog, SilentObserver):
    """One controller over a log in memory; `commit` says how far the log is committed, by default at once."""

    def __init__(
        self, settings: Settings | None = None, records: Sequence[Message] | None = None, at_once: bool = True
    ) -> None:
        super().__init__(epoch=0)
        self.clock = Clockwork()
        self.at_once = at_once
        self.operations: list[Operation] = []
        self.fatal: Exception | None = None
        self.controller = QuorumController(
            3000, "cluster", settings or Settings(), self, self.clock, random.Random(1),
            bootstrap() if records is None else records, [3000], self, self._fatal,
        )  # fmt: skip

    def _fatal(self, exception: Exception) -> None:
        self.fatal = exception

    def appended(self) -> None:
        """Commit, unless that is the test's to say."""
        if self.at_once:
            self.commit()

    # -- what a test does ------------------------------------------------------------------------------------------
    def commit(self, batches: int | None = None) -> None:
        """Commit some of the batches that are not yet, all by default."""
        new = self.commit_next(batches)
        if new:
            self.controller.handle_commit(new)

    def lead(self) -> None:
        """Become the leader, and run what follows."""
        self.epoch += 1
        self.controller.handle_leader_change(3000, self.epoch)
        self.clock.run()

    def lose(self) -> None:
        """Lose the leadership; what is not committed is gone."""
        self.controller.handle_leader_change(None, self.epoch)
        self.clock.run()
        del self.log[self.committed :]

    def ask(self, request: m.Request) -> Any:
        """Send a request and return its answer, or None where it waits; an ApiError is returned, not raised."""
        answers: list[Any] = []
        self.controller.submit(request, answers.append)
        self.clock.run()
        return answers[0] if answers else None

    def register(self, broker: int, incarnation: str = "", previous: int = -1, offset: int | None = None) -> int:
        """Register a broker and unfence it; return its epoch."""
        answer = self.ask(
            m.BrokerRegistrationRequest(
                broker_id=broker, cluster_id="cluster", incarnation_id=incarnation or f"incarnation-{broker}-1",
                features=tuple(m.FeatureRange(n, lo, hi) for n, (lo, hi) in levels.SUPPORTED_FEATURES.items()),
                log_dirs=(f"directory-{broker}-------",), previous_broker_epoch=previous,
            )
        )  # fmt: skip
        assert isinstance(answer, m.BrokerRegistrationResponse), answer
        beat = self.beat(broker, answer.broker_epoch, offset)
        assert not isinstance(beat, ApiError), beat
        return answer.broker_epoch

    def beat(self, broker: int, epoch: int, offset: int | None = None, **flags: Any) -> Any:
        """Send a heartbeat of a broker that has read the whole log, or up to an offset."""
        at = self.log_end_offset() - 1 if offset is None else offset
        return self.ask(
            m.BrokerHeartbeatRequest(broker_id=broker, broker_epoch=epoch, current_metadata_offset=at, **flags)
        )

    def partition(self, topic: str, number: int = 0) -> Any:
        """Return a partition by its topic's name."""
        replication = self.controller.managers.replication
        return replication.partitions[replication.topic_ids[topic], number]

    # -- the observer ----------------------------------------------------------------------------------------------
    def operation(self, operation: Operation, controller: QuorumController) -> None:
        """Note an operation."""
        self.operations.append(operation)
