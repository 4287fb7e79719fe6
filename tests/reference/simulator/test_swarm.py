"""Faults that come and go: drawn from the seed, ended when all is to be quiet."""

from __future__ import annotations

import pytest

from fencepost.reference.simulator import SECOND, Fault, Simulator, Swarm, chosen_faults

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
