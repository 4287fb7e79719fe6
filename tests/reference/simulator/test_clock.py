"""The virtual clock: order, cancelled timers, streams of randomness, processes that crash."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.reference.simulator import SECOND, Fault, Journal, Process, Simulator, Swarm, chosen_faults
from fencepost.reference.simulator.failures import crash, crash_soon, resign


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


# -- How processes fail: at once or after a step, back by themselves or as a design wants it, and no candidate. --------
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


# -- Faults that come and go: drawn from the seed, ended when all is to be quiet. --------------------------------------
NAMES = ("crash", "cut", "expiry", "lossy")


def happened(seed: int, chosen: tuple[str, ...] | None) -> tuple[list[tuple[int, str]], Swarm]:
    """Run a swarm for ten minutes and stop it; returns what began (+) and ended (-) when."""
    simulator, told = Simulator(seed), list[tuple[int, str]]()

    def kind(name: str) -> Fault:
        def begin() -> object:
            told.append((simulator.now_ns, f"+{name}"))
            return lambda: told.append((simulator.now_ns, f"-{name}"))

        return Fault(name, 10, 5, begin)  # type: ignore[arg-type]

    swarm = Swarm(simulator, [kind(name) for name in NAMES], chosen)
    swarm.start()
    simulator.run_until(600 * SECOND)
    swarm.stop()
    simulator.run_until(1200 * SECOND)
    return told, swarm


def test_what_begins_ends_once_and_nothing_begins_after_the_stop() -> None:
    """Every fault that began has ended by the stop, exactly once."""
    told, swarm = happened(3, NAMES)
    assert max(at for at, _ in told) <= 600 * SECOND
    for name in NAMES:
        began = [one for _, one in told].count(f"+{name}")
        assert began == [one for _, one in told].count(f"-{name}") == swarm.happened[name] > 5


def test_each_seed_draws_its_own_mix() -> None:
    """The same seed gives the same faults; of twenty seeds, each kind is left out by some and had by others."""
    assert happened(5, None)[0] == happened(5, None)[0]
    mixes = [frozenset(happened(seed, None)[1].happened) for seed in range(20)]
    assert len(set(mixes)) > 5
    for name in NAMES:
        assert 0 < sum(name in mix for mix in mixes) < 20


def test_faults_are_chosen_by_name() -> None:
    """No text is a swarm; a name that is none is refused with what there is."""
    assert chosen_faults(None, NAMES) is None
    assert chosen_faults("lossy,cut", NAMES) == ("cut", "lossy")
    assert happened(1, ())[0] == []
    with pytest.raises(ValueError, match="--faults flood: there is swarm, all, none, and crash, cut"):
        chosen_faults("cut,flood", NAMES)
