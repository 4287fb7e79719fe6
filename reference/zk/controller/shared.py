"""Shared parts of one controller: its memory, its access to ZooKeeper, its batch of requests, and its reports."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, TypeVar

from fencepost.reference.zk.log_lines import BrokerLog
from fencepost.traces.zk.steps import ZkStep

from .context import ControllerContext
from .request_batch import Channels, RequestBatch
from .store import ControllerStore

Result = TypeVar("Result")
Steps = Generator[None, None, Result]
"""An operation: it pauses after every atomic step, and there the process may die or be overtaken."""


class Shared:
    """One broker's controller: `tell` says what a step did, `log` is where its lines go."""

    def __init__(
        self,
        node: int,
        store: ControllerStore,
        channels: Channels,
        log: BrokerLog,
        time_ms: Callable[[], int],
        tell: Callable[[ZkStep], None],
    ) -> None:
        self.node, self.store, self.channels, self.log, self.time_ms = node, store, channels, log, time_ms
        self._tell = tell
        self.forget()

    def forget(self) -> None:
        """Begin with an empty memory."""
        self.context = ControllerContext()
        self.batch = RequestBatch(self.node, self.context, self.channels, self.log)

    # -- telling ---------------------------------------------------------------------------------------------------
    def tell(self, name: str, outcome: str = "", *, whole: bool = False, **parameters: Any) -> None:
        """Report a step: what it wrote, changed and put into the batch since the last one was reported."""
        writes, refused = self.store.told()
        memory = self.context.whole() if whole else self.context.changes()
        self._tell(
            ZkStep(
                time_ms=self.time_ms(),
                node=self.node,
                name=name,
                parameters=parameters,
                outcome=outcome,
                epoch=self.context.epoch,
                zxid=self.store.client.server.zxid,
                writes=writes,
                refused=refused,
                memory=memory,
                sent=self.batch.told(),
            )
        )

    def operation(self, name: str, steps: Steps[Result], parameters: Mapping[str, Any]) -> Steps[Result]:
        """Run an operation between the telling of its beginning and of its end."""
        self.tell("Begin", operation=name, **parameters)
        yield
        try:
            result = yield from steps
        except Exception as error:
            self.tell("End", type(error).__name__, operation=name)
            raise
        self.tell("End", operation=name)
        yield
        return result

    def update_metadata(self, brokers: list[int], partitions: list[Any]) -> Steps[None]:
        """Send an UpdateMetadata by itself."""
        self.batch.new()
        self.batch.add_update_metadata(brokers, partitions)
        self.tell("SendUpdateMetadata", brokers=brokers, partitions=[str(one) for one in partitions])
        yield
        self.batch.send()

    # -- logging ---------------------------------------------------------------------------------------------------
    def state_change(self, level: str, text: str, exception: str = "") -> None:
        """Write a line of this controller's epoch to state-change.log."""
        self.log.state_change(level, f"[Controller id={self.node} epoch={self.context.epoch}] {text}", exception)
