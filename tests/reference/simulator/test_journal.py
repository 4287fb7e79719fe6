"""The journal of a design's steps: each has what it changed, and a process can die right after any of them."""

from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.reference.simulator import MILLISECOND, Journal, Process, Simulator
from fencepost.reference.simulator.cells import Cells, told
from fencepost.traces.design_steps import Changed


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


# -- The cells of a design's state: a step has the changed cells, and no others. ---------------------------------------
class _State(Enum):
    ACTIVE = "Active"


WRITES = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.booleans()), max_size=40)


@given(WRITES)
def test_the_changes_of_all_steps_together_are_the_state(writes: list[tuple[int, int, bool]]) -> None:
    """The first values with every step's changes give every cell; all are true."""
    cells = Cells()
    column = cells.column("epoch", 0, keys=range(4))
    kept = {(one.variable, one.keys): one.value for one in cells.all()}
    for number, (key, value, ends) in enumerate(writes):
        column[key] = value
        if ends or number == len(writes) - 1:
            for one in cells.step(number, "node", "Step").changed:
                assert kept[one.variable, one.keys] != one.value
                kept[one.variable, one.keys] = one.value
    assert kept == {(one.variable, one.keys): one.value for one in cells.all()}


def test_a_value_is_told_as_traces_have_it() -> None:
    """A state is its name, a set ascending, no broker null, a cell without keys has none."""
    cells = Cells()
    leader, isr = cells.cell("leader", None), cells.column("isr", frozenset[int]())
    state = cells.column("state", _State.ACTIVE, keys=(1,))
    assert cells.all() == (Changed("leader", (), None), Changed("state", (1,), "Active"))
    leader.value = None
    isr[0, 4] = frozenset({9, 2})
    assert (state[1], isr[7]) == (_State.ACTIVE, frozenset())
    assert cells.initial()[0] == ["isr", [0, 4], [2, 9]]
    step = cells.step(7, "broker-1", "IsrChange", {"isr": frozenset({9, 2}), "to": _State.ACTIVE}, "NONE")
    assert step.changed == (Changed("isr", (0, 4), [2, 9]),)
    assert step.parameters == {"isr": [2, 9], "to": "Active"}
    assert cells.step(8, "broker-1", "Nothing").changed == ()


def test_what_no_trace_can_have_is_refused() -> None:
    """A float or an object is no value of a cell, and a name is given once."""
    cells = Cells()
    cells.cell("now", 0)
    with pytest.raises(ValueError, match="a variable now already"):
        cells.column("now", 0)
    with pytest.raises(TypeError, match="nothing that a trace can have"):
        told(0.5)
