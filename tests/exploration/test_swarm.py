"""Random walks on the engine's functions: what they meet, how failures are shrunk, and that a seed is one run."""

from dataclasses import replace

import pytest

from fencepost.checkers.exploration import DEADLOCK, Swarm, explore, swarm
from fencepost.checkers.verdicts import Verdict
from fencepost.model.kraft.state import exists_, isr, leader, leader_epoch, p, partition_epoch
from fencepost.model.kraft.state import replicas as replicas_of
from fencepost.model.language import Protocol, exists, members, present, sometimes
from fencepost.model.registry import find


def told(found: Swarm) -> dict[str, object]:
    """Return all of a result but what the machine makes of it."""
    return {name: value for name, value in found.as_json().items() if name not in ("seconds", "engine")}


def test_walks_find_what_exploration_finds(replicas: Protocol) -> None:
    """Walks find all violations and witnesses of a bound that a search closes, steps and moments among them; no run is
    shorter than the shortest, and all rows fire that fire."""
    whole = explore(replicas, "tiny", engine="numpy")
    found = swarm(replicas, "tiny", walks=60, depth=12, seed=3, engine="numpy")
    assert found.verdict is Verdict.VIOLATED
    for one in whole.properties:
        walked = next(other for other in found.properties if other.id == one.id)
        if one.trace is None or one.id == DEADLOCK:
            assert walked.verdict is Verdict.INCONCLUSIVE
        else:
            assert walked.verdict is one.verdict
            assert walked.trace is not None
            assert len(walked.trace.steps) >= len(one.trace.steps)
    assert set(found.rows_never_fired) == set(whole.rows_never_fired)
    assert 0 < found.states <= whole.distinct


def test_a_shrunk_run_has_no_row_too_many(two_phase: Protocol) -> None:
    """A failure met late is shown by the shortest run there is where each of its rows is needed."""
    found = swarm(two_phase, "three", walks=40, depth=30, seed=1, engine="numpy")
    broken = next(one for one in found.properties if one.id == "NobodyCommits")
    shortest = explore(two_phase, "three", engine="numpy").property("NobodyCommits")
    assert broken.verdict is Verdict.VIOLATED
    assert broken.as_declared
    assert broken.trace is not None
    assert shortest.trace is not None
    assert len(broken.trace.steps) == len(shortest.trace.steps)
    assert broken.trace.failure is not None


def test_a_seed_is_one_run_on_every_engine(two_phase: Protocol) -> None:
    """The same seed gives the same document, with NumPy and with machine code; another seed another."""
    first, again, compiled = (
        told(swarm(two_phase, "three", walks=20, depth=10, seed=5, engine=engine))
        for engine in ("numpy", "numpy", "auto")  # type: ignore[assignment]
    )
    assert first == again == compiled
    assert told(swarm(two_phase, "three", walks=20, depth=10, seed=6, engine="numpy")) != first


def test_walks_close_nothing(two_phase: Protocol) -> None:
    """Walks that see every state of a bound still call nothing closed, and say how many walks and rows there were."""
    found = swarm(two_phase, "three", sizes={"Manager": 1}, walks=120, depth=10, engine="numpy")
    assert found.states == explore(two_phase, "three", sizes={"Manager": 1}, engine="numpy").distinct
    assert found.verdict is Verdict.INCONCLUSIVE
    assert "120 walks of up to 10 steps, seed 0; 7 of 7 rows fired" in found.message
    consistent = next(one for one in found.properties if one.id == "Consistent")
    assert consistent.verdict is Verdict.INCONCLUSIVE
    assert consistent.message.startswith("not broken: 120 walks")


@pytest.mark.parametrize("ends", [False, True])
def test_a_state_without_a_row_is_met(two_phase: Protocol, ends: bool) -> None:
    """A deadlock that exploration finds is met by walks too, unless the protocol may end."""
    protocol = replace(two_phase, ends=ends)
    whole = explore(protocol, "three", engine="numpy")
    found = swarm(protocol, "three", walks=30, depth=20, engine="numpy")
    verdicts = [{one.id: one.verdict for one in result.properties}.get(DEADLOCK) for result in (whole, found)]
    assert verdicts[0] is (None if ends else verdicts[0])
    assert (verdicts[0] is Verdict.VIOLATED) == (verdicts[1] is Verdict.VIOLATED)


@pytest.mark.slow
def test_walks_come_to_four_changes_of_a_partition() -> None:
    """At KRaft's `tiny` with room for more epochs, which no search here closes, walks see an ISR shrink, an eligible
    replica lead after the leader went, and the ISR whole again: at least four changes and two elections."""
    whole_again = sometimes(
        "WholeAgain",
        exists(
            p,
            exists_[p]
            & (partition_epoch[p] >= 4)
            & (leader_epoch[p] >= 2)
            & members(isr[p]).is_(members(replicas_of[p]))
            & present(leader[p]),
        ),
    )
    slice_ = replace(find("kraft").bounds["tiny"], properties=(whole_again,))
    sizes = {"leader epoch": 4, "partition epoch": 6, "offset": 3}
    judged = swarm(slice_, "tiny", walks=200, depth=40, seed=1, sizes=sizes).properties[0]
    assert judged.verdict is Verdict.WITNESSED
    assert judged.trace is not None
    rows = [one.row.id for one in judged.trace.steps]
    assert rows.count("A14") == 1
    assert len([row for row in rows if row in ("HB4", "HB5", "HB7", "F1")]) >= 2
