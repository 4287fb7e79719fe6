"""How processes fail: at once or after a step, back by themselves or as a design wants it, and no candidate."""

from __future__ import annotations

import random

from fencepost.reference.simulator import Journal, Process, Simulator
from fencepost.reference.simulator.failures import crash, crash_soon, resign


def up() -> tuple[Journal, Process]:
    """Return a journal and a process that runs."""
    journal = Journal(Simulator(1))
    process = Process(journal.simulator, "one")
    process.start()
    return journal, process


def test_a_crash_ends_with_a_start() -> None:
    """The process is down until the end, which starts it, by the design's own way where there is one."""
    _, process = up()
    end = crash(process)
    assert not process.alive
    assert end is not None
    end()
    assert process.alive
    back: list[Process] = []
    end = crash(process, back.append)
    assert end is not None
    end()
    assert back == [process]
    assert not process.alive


def test_a_crash_soon_is_right_after_a_step_or_not_at_all() -> None:
    """The process dies after one of so many steps; a fault that ends before leaves it alone."""
    journal, process = up()
    end = crash_soon(process, journal, random.Random(1), 1)
    assert process.alive
    journal.tell("one", "Step")
    assert not process.alive
    assert end is not None
    end()
    assert process.alive
    end = crash_soon(process, journal, random.Random(1), 1)
    assert end is not None
    end()
    journal.tell("one", "Step")
    assert process.alive


def test_nobody_does_not_fail() -> None:
    """Where no process can fail no fault begins, and nothing is drawn for it."""
    journal, _ = up()
    draw = random.Random(1)
    before = draw.getstate()
    assert crash(None) is None
    assert crash_soon(None, journal, draw, 5) is None
    assert resign(None) is None
    assert draw.getstate() == before
