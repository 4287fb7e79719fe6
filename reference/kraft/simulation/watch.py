"""Checks along a run, beside the tables: promises of the loop and of the cluster that no single step shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from fencepost.reference.kraft.controller.observer import Operation, SilentObserver
from fencepost.reference.kraft.controller.quorum_controller import QuorumController
from fencepost.reference.kraft.controller.snapshots import snapshot_messages
from fencepost.reference.kraft.errors import ApiError
from fencepost.reference.kraft.messages import Request

KNOWN_FAULTS = (
    ("processBrokerHeartbeat", "existed in isrMembers, but not in the", "D5"),
    ("", "existed in isrMembers, but not in the", "D6c"),
    ("", "is not assigned to this partition", "D9"),
)
"""Exceptions that Kafka throws too: in which event (any, where empty), part of the text, the finding behind it."""


def finding_of(operation: Operation) -> str:
    """Return the finding behind an exception that Kafka throws too, "" where there is none."""
    for name, text, finding in KNOWN_FAULTS:
        if text in operation.fault and name in ("", operation.name):
            return finding
    return ""


@dataclass(frozen=True)
class Violation:
    """A broken promise: when, which, and what was seen."""

    now_ns: int
    rule: str
    message: str


@dataclass
class Watch(SilentObserver):
    """Watches controllers as they go; `violations` are broken promises, `findings` what Kafka does wrong as well.

    `last_fault_ns` is when such a finding last cost a controller its leadership, −1 for never.
    """

    violations: list[Violation] = field(default_factory=list)
    findings: dict[str, int] = field(default_factory=dict)
    last_fault_ns: int = -1
    _ends: dict[tuple[int, int, int], int] = field(default_factory=dict)
    _claims: dict[int, int] = field(default_factory=dict)

    def violated(self, now_ns: int, rule: str, message: str) -> None:
        """Note a broken promise."""
        self.violations.append(Violation(now_ns, rule, message))

    # -- one controller --------------------------------------------------------------------------------------------
    def operation(self, operation: Operation, controller: QuorumController) -> None:
        """Note where a request's records end; an unexpected exception is a violation."""
        if operation.request is not None:
            # Memory has a snapshot at the last offset of every append.
            self._ends[operation.node, id(operation.request), operation.arrived_ns] = controller.registry.latest_epoch
        if operation.fault:
            self._fault(operation)

    def _fault(self, operation: Operation) -> None:
        finding = finding_of(operation)
        if finding:
            self.findings[finding] = self.findings.get(finding, 0) + 1
            self.last_fault_ns = operation.now_ns
            return
        self.violated(operation.now_ns, "exception", f"{operation.name} threw {operation.fault}")

    def answered(
        self, controller: QuorumController, request: Request, answer: Any | ApiError, arrived_ns: int, now_ns: int
    ) -> None:
        """An answer that is no error leaves only when all that was written before it is stable (S3:126)."""
        end = self._ends.pop((controller.node_id, id(request), arrived_ns), None)
        stable = controller.offsets.last_stable_offset
        if end is not None and not isinstance(answer, ApiError) and stable < end:
            self.violated(
                now_ns,
                "durability",
                f"controller {controller.node_id} answered {type(request).__name__} with offset {end} not yet stable; "
                f"the stable offset is {stable}",
            )

    def claimed(self, controller: QuorumController) -> None:
        """At most one controller claims an epoch."""
        owner = self._claims.setdefault(controller.claim_epoch, controller.node_id)
        if owner != controller.node_id:
            self.violated(
                controller.scheduler.now_ns,
                "one claim",
                f"controllers {owner} and {controller.node_id} both claim epoch {controller.claim_epoch}",
            )

    def renounced(self, controller: QuorumController) -> None:
        """Check that open requests have been answered by now."""
        self._ends = {key: end for key, end in self._ends.items() if key[0] != controller.node_id}

    # -- all controllers -------------------------------------------------------------------------------------------
    def compare(self, controllers: Iterable[QuorumController], now_ns: int) -> None:
        """Controllers with the same stable offset have the same hard state (S3:323)."""
        states: dict[int, tuple[int, Any]] = {}
        for controller in controllers:
            stable = controller.offsets.last_stable_offset
            if controller.dead or controller.managers.features.finalized.at("metadata.version", stable) is None:
                continue
            state = _canonical(controller, stable)
            other = states.setdefault(stable, (controller.node_id, state))
            if other[1] != state:
                difference = next((pair for pair in zip(other[1], state, strict=False) if pair[0] != pair[1]), None)
                self.violated(
                    now_ns,
                    "same state",
                    f"controllers {other[0]} and {controller.node_id} differ at offset {stable}: {difference}",
                )


def _canonical(controller: QuorumController, offset: int) -> list[str]:
    """The state of a controller at an offset as texts in an order of their own."""
    return sorted(repr(message) for message in snapshot_messages(controller.managers, offset))
