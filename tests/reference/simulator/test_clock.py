"""The virtual clock: order, cancelled timers, streams of randomness, processes that crash."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.reference.simulator import Process, Simulator


@given(st.lists(st.integers(0, 20), max_size=30))
def test_events_run_by_time_then_by_scheduling(delays: list[int]) -> None:
    """What is due earlier runs earlier; of what is due together, what was scheduled first."""
    simulator, ran = Simulator(0), []
    for number, delay in enumerate(delays):
        simulator.after(delay, lambda number=number, delay=delay: ran.append((delay, number)))  # type: ignore[misc]
    simulator.run_until(20)
    assert ran == sorted(ran)
    assert len(ran) == len(delays) == simulator.events


def test_nothing_runs_before_its_time_or_in_the_past() -> None:
    """A run ends at its time with later events waiting; the past cannot be scheduled."""
    simulator, ran = Simulator(0), []
    simulator.after(11, lambda: ran.append(simulator.now_ns))
    simulator.run_until(10)
    assert (ran, simulator.now_ns) == ([], 10)
    simulator.run_until(12)
    assert (ran, simulator.now_ns) == ([11], 12)
    with pytest.raises(ValueError, match="11 ns has passed"):
        simulator.schedule(11, simulator.after(0, lambda: None))


def test_a_cancelled_timer_does_not_run() -> None:
    """Cancelling takes effect up to the moment of firing, and is harmless after it."""
    simulator, ran = Simulator(0), []
    timer = simulator.after(5, lambda: ran.append("cancelled"))
    simulator.after(5, lambda: ran.append("other"))
    assert timer.pending
    timer.cancel()
    assert not timer.pending
    simulator.run_until(10)
    timer.cancel()
    assert ran == ["other"]


def test_streams_of_randomness_do_not_disturb_each_other() -> None:
    """A stream gives the same numbers whether or not others are drawn from; other names and seeds give others."""
    alone = Simulator(7).random("elections").random()
    simulator = Simulator(7)
    simulator.random("network").random()
    assert simulator.random("elections").random() == alone
    assert simulator.random("other").random() != alone
    assert Simulator(8).random("elections").random() != alone


def test_a_stream_is_the_same_on_every_machine() -> None:
    """The first numbers of a stream are these, wherever and whenever it is drawn."""
    stream = Simulator(1).random("network")
    assert [stream.randrange(1000) for _ in range(5)] == [918, 65, 138, 631, 115]


def test_a_crash_drops_the_timers_of_a_process() -> None:
    """Timers set before a crash never fire, even if the process is up again; those set after the start do."""
    simulator, ran = Simulator(0), []
    process = Process(simulator, "p")
    assert not process.after(1, lambda: ran.append("down")).pending
    process.start()
    old = process.after(10, lambda: ran.append("old"))
    simulator.run_until(5)
    process.crash()
    assert not old.pending
    process.start()
    process.after(5, lambda: ran.append("new"))
    simulator.run_until(20)
    assert ran == ["new"]
    assert process.generation == 1
