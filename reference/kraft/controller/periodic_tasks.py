"""Periodic tasks of the active controller (S3:270-280)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from fencepost.reference.kraft.results import ControllerResult

MILLISECOND = 1_000_000
IMMEDIATELY_NS = 10 * MILLISECOND
"""A task that has more to do runs again this much later, so that others get their turn between."""

AFTER_ERROR_NS = 300_000 * MILLISECOND
"""A task that threw is tried again this much later."""


@dataclass(frozen=True, slots=True)
class PeriodicTask:
    """A task by Kafka's name; its operation answers whether there is more to do at once."""

    name: str
    operation: Callable[[], ControllerResult[bool]]
    period_ns: int


class TaskQueue(Protocol):
    """Where tasks wait."""

    def schedule_task(self, task: PeriodicTask, delay_ns: int) -> None:
        """Run a task later as a write operation."""

    def cancel_task(self, name: str) -> None:
        """Run a task no longer."""


class PeriodicTaskControlManager:
    """The tasks, which run only while the controller is active and its activation records were replayed."""

    def __init__(self, queue: TaskQueue) -> None:
        self.queue = queue
        self.tasks: dict[str, PeriodicTask] = {}
        self.active = False

    def register(self, task: PeriodicTask) -> None:
        """Add a task."""
        self.tasks[task.name] = task

    def activate(self) -> None:
        """Let every task run, the first time one period from now."""
        self.active = True
        for task in self.tasks.values():
            self.queue.schedule_task(task, task.period_ns)

    def deactivate(self) -> None:
        """Let no task run."""
        self.active = False
        for name in self.tasks:
            self.queue.cancel_task(name)

    def run(self, task: PeriodicTask) -> ControllerResult[bool]:
        """Run a task and say when it runs next; what it throws is thrown on."""
        try:
            result = task.operation()
        except Exception:
            self.queue.schedule_task(task, AFTER_ERROR_NS)
            raise
        self.queue.schedule_task(task, IMMEDIATELY_NS if result.response else task.period_ns)
        return result
