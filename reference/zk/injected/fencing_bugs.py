"""Bugs of two controllers at once: what keeps an old one from acting was missing somewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fencepost.reference.simulator.patching import Injection
from fencepost.reference.zk import paths
from fencepost.reference.zk.broker.replica_manager import ReplicaManager
from fencepost.reference.zk.controller.controller import Controller
from fencepost.reference.zk.controller.operations import Operations
from fencepost.reference.zk.controller.shared import Shared, Steps
from fencepost.reference.zk.controller.store import ControllerStore
from fencepost.reference.zk.messages import NONE, ControlledShutdownRequest, ControlRequest, Error
from fencepost.reference.zk.zookeeper import Operation


def _obeys_any_controller(self: ReplicaManager, request: ControlRequest) -> bool:
    return False


def _takes_the_new_epoch(self: Controller) -> None:
    """Look who is the controller, and if there is another one call oneself by its epoch."""
    active = self.shared.store.controller()
    if self.is_active and active != self.shared.node:
        epoch, node = self.shared.store.client.get(paths.CONTROLLER_EPOCH)
        self.shared.context.epoch, self.shared.context.epoch_version = epoch, node.version
        self.shared.store.epoch_version = node.version
        return
    self.active_id = active


def _writes_unfenced(self: ControllerStore, operation: Operation) -> None:
    self._run([operation])


def _keeps_its_watches(self: Controller, begin: Callable[[], Steps[None]]) -> Steps[None]:
    yield from begin()


def _forgets_nothing(self: Shared) -> None:
    """Keep the memory of the claim; only at the process's start is there none."""
    if not hasattr(self, "context"):
        _forget(self)


_forget = Shared.forget


def _sees_no_bounce(self: Controller, found: dict[int, int]) -> tuple[list[int], list[int], list[int]]:
    known = self.shared.context.live
    return [one for one in found if one not in known], [], [one for one in sorted(known) if one not in found]


def _obeys_what_was_meant_for_earlier(self: ReplicaManager, request: ControlRequest) -> bool:
    return False


def _shuts_down_any_registration(self: Operations, request: ControlledShutdownRequest) -> Error:
    return NONE if request.broker in self.shared.context.live else "BROKER_NOT_AVAILABLE"


def _bug(name: str, source: str, wrong: str, *patches: tuple[Any, str, Any]) -> Injection:
    return Injection(name, source, wrong, patches)


BUGS = (
    _bug(
        "Z1", "KAFKA-532", "brokers obey any controller, whatever its epoch",
        (ReplicaManager, "stale_controller", _obeys_any_controller),
    ),
    _bug(
        "Z2", "KAFKA-1096", "an old controller that learns of a new epoch takes it for its own",
        (Controller, "maybe_resign", _takes_the_new_epoch),
    ),
    _bug(
        "Z3", "KAFKA-6082", "what a controller writes to ZooKeeper is not checked against the controller epoch",
        (ControllerStore, "write", _writes_unfenced),
    ),
    _bug(
        "Z4", "KAFKA-4447", "a controller that resigned keeps its watches and its memory, and acts on them",
        (Controller, "_if_active", _keeps_its_watches), (Shared, "forget", _forgets_nothing),
    ),
    _bug(
        "Z17", "KAFKA-7235", "broker epochs do not count: a bounce is not seen, an earlier registration's requests are taken",
        (Controller, "compared", _sees_no_bounce), (ReplicaManager, "stale_broker", _obeys_what_was_meant_for_earlier),
        (Operations, "refused_shutdown", _shuts_down_any_registration),
    ),
)  # fmt: skip
"""The bugs of this group."""
