"""How processes of any design fail: they die, at once or right after a step, or have to give up what they lead."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol, TypeVar

from .journal import Journal
from .process import Process
from .swarm import End, nothing

Failing = TypeVar("Failing", bound=Process)


class Leading(Protocol):
    """A process that leads the others, until it resigns."""

    def resign(self) -> None:
        """Lead no longer; the process lives on."""


def crash(process: Failing | None, back: Callable[[Failing], None] | None = None) -> End | None:
    """A process dies, and starts again later, by `back` where that takes more; None means that no process can die."""
    if process is None:
        return None
    process.crash()
    return process.start if back is None else lambda: back(process)


def crash_soon(
    process: Failing | None,
    journal: Journal,
    draw: random.Random,
    steps: int,
    back: Callable[[Failing], None] | None = None,
) -> End | None:
    """A process dies right after one of its next `steps`, and starts again later, as after `crash`."""
    if process is None:
        return None
    journal.after_steps(process.name, draw.randint(1, steps), process.crash)

    def end() -> None:
        journal.forget(process.name)
        if back is None:
            process.start()
        else:
            back(process)

    return end


def resign(process: Leading | None) -> End | None:
    """The leader resigns, though its process lives on; None means that none leads."""
    if process is None:
        return None
    process.resign()
    return nothing
