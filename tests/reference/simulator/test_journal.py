"""The journal of a design's steps: each has what it changed, and a process can die right after any of them."""

from __future__ import annotations

import pytest

from fencepost.reference.simulator import MILLISECOND, Journal, Process, Simulator


class Counting(Process):
    """Counts in steps, one a millisecond, until it dies."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal.simulator, "counting")
        self.journal = journal
        self.count = journal.cells.cell("count", 0)

    def started(self) -> None:
        """Count on from where it was."""
        self.after(MILLISECOND, self.next)

    def next(self) -> None:
        """Count once; what comes after the step is only waiting."""
        self.count.value += 1
        self.journal.tell(self.name, "Count", "NONE", to=self.count.value)
        self.after(MILLISECOND, self.next)


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_a_process_dies_right_after_the_step_that_was_named(steps: int) -> None:
    """The named step is the last one, whole and reported; started again, the process goes on."""
    journal = Journal(Simulator(1))
    process = Counting(journal)
    process.start()
    journal.after_steps("counting", steps, process.crash)
    journal.simulator.run_until(20 * MILLISECOND)
    assert [one.parameters["to"] for one in journal.steps] == list(range(1, steps + 1))
    assert journal.steps[-1].changed[0].value == steps
    process.start()
    journal.simulator.run_until(30 * MILLISECOND)
    assert journal.steps[-1].parameters["to"] == steps + 10


def test_what_is_forgotten_does_not_happen() -> None:
    """A wish that was taken back, or that is about another node, has no effect; the latest counts."""
    journal = Journal(Simulator(1))
    process = Counting(journal)
    process.start()
    journal.after_steps("counting", 2, process.crash)
    journal.forget("counting")
    journal.forget("nobody")
    journal.after_steps("another", 1, process.crash)
    journal.simulator.run_until(10 * MILLISECOND)
    assert process.alive
    assert len(journal.steps) == 10


def test_the_clock_of_the_steps_is_in_whole_milliseconds() -> None:
    """A time within a millisecond is that millisecond, and the beginning of the next is as far as it is."""
    journal = Journal(Simulator(1))
    journal.simulator.run_until(3 * MILLISECOND + 1)
    assert journal.now_ms == 3
    assert journal.until_ms(4) == MILLISECOND - 1
    assert journal.until_ms(3) == 0
    journal.tell("node", "Step", n=frozenset({2, 1}))
    assert (journal.steps[0].time_ms, journal.steps[0].parameters) == (3, {"n": [1, 2]})
