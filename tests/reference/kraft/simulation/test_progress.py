"""What has to come to pass in a run is watched: each promise has a defect that breaks it, and clean runs keep all."""

from dataclasses import replace
from unittest.mock import PropertyMock, patch

import pytest

from fencepost.checkers.bench.simulation import plan_with
from fencepost.checkers.cli.simulated import Judged, judged_run, progress_told
from fencepost.checkers.conformance.data_lockstep import DataResult
from fencepost.checkers.conformance.loop_lockstep import LoopResult
from fencepost.checkers.conformance.voters_lockstep import VotersResult
from fencepost.checkers.verdicts import ExitCode
from fencepost.reference.kraft.injected import BUGS
from fencepost.reference.kraft.injected.progress_bugs import NOTICED
from fencepost.reference.kraft.simulation.faults import FaultInjector
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.kraft.simulation.progress import PROMISES
from fencepost.reference.kraft.simulation.run import Outcome, Run

from .cut_bootstrap import CUT, execute_cut

LENGTH_S = 250
FOUND = {
    "loses-requests": (1, "QV1"),
    "learns-of-commits-late": (1, "QV2"),
    "hangs-at-its-activation": (1, "QV3"),
    "forgets-a-task": (1, "QW12"),
    "claims-once": (1, "QK1"),
    "sees-no-silence": (1, "K10"),
    "reads-the-first-offset": (1, "K12"),
    "ignores-added-replicas": (1, "P23"),
    "balances-nothing": (1, "P24"),
}
"""Defects by which nothing wrong is done: the seed, and the promise that they break."""
AS_WELL = {"hangs-at-its-activation": {"QV1"}, "claims-once": {"in the end"}, "reads-the-first-offset": {"in the end"}}
"""Further progress: an event behind the activation waits too; an unfinished one at the end stays unfinished."""
IN_THE_ROWS = {"balances-nothing"}
"""Where a task should have written records the row of the task notices that it has not."""


def test_every_promise_has_a_defect() -> None:
    """Each thing that is watched has an injected defect that breaks it."""
    assert {promise for _, promise in FOUND.values()} | set(NOTICED) == set(PROMISES)


@pytest.mark.representative("balances-nothing")
@pytest.mark.slow
@pytest.mark.parametrize("name", list(FOUND))
def test_what_does_not_come_to_pass_is_found(name: str) -> None:
    """The promise is broken in a run with the defect, and neither a row nor any other promise says anything."""
    seed, promise = FOUND[name]
    length = 100 if name == "balances-nothing" else LENGTH_S
    _, found = judged_run(replace(plan_with(BUGS[name], seed, None), seconds=length))
    rules = {one.rule for one in found.outcome.violations}
    assert promise in rules
    assert rules <= {promise} | AS_WELL.get(name, set())
    assert bool(found.divergences) == (name in IN_THE_ROWS)


def rules_of(outcome: Outcome) -> set[str]:
    """Return the rules that are broken in a run."""
    return {one.rule for one in outcome.violations}


@pytest.mark.slow
def test_an_open_transaction_is_watched() -> None:
    """QV4: a bootstrap that was cut is closed by the next controller; by one that leaves it open it is not."""
    bug = NOTICED["QV4"]
    plan = replace(CUT, seconds=60, quiet_seconds=30)
    kept = execute_cut(plan)
    assert "QV4" not in rules_of(kept)
    with patch.dict(BUGS, {bug.id: bug}):
        broken = execute_cut(replace(plan, bugs=(bug.id,)))
    assert "QV4" in rules_of(broken)
    assert broken.came_to_pass["QV4"] > 0


@pytest.mark.slow
def test_a_partition_without_a_leader_is_watched() -> None:
    """P22: what an unfenced broker could lead has a leader; a controller that elects none breaks that."""
    bug = NOTICED["P22"]
    plan = Plan(seed=8, seconds=LENGTH_S, faults="broker-kill,broker-shutdown")
    kept = Run(plan).execute()
    assert kept.came_to_pass["P22"] > 0
    assert rules_of(kept) == set()
    with patch.dict(BUGS, {bug.id: bug}):
        broken = Run(replace(plan, bugs=(bug.id,))).execute()
    assert "P22" in rules_of(broken)


@pytest.mark.representative("2-300")
@pytest.mark.slow
@pytest.mark.parametrize(("seed", "seconds"), [(2, 300), (2, 600), (3, 600)])
def test_what_is_due_comes_to_pass(seed: int, seconds: int) -> None:
    """In runs of minutes with faults all comes to pass, and all but QV4, which needs a cut bootstrap, is due."""
    outcome = Run(Plan(seed=seed, seconds=seconds)).execute()
    assert rules_of(outcome) == set()
    assert list(outcome.came_to_pass) == list(PROMISES)
    due = {name for name, count in outcome.came_to_pass.items() if count}
    assert set(PROMISES) - due <= {"QV4", "K12"}


@pytest.mark.slow
def test_time_under_a_fault_does_not_count() -> None:
    """A promise about a cluster without faults is not broken while a fault is under way."""
    plan = Plan(seed=1, seconds=LENGTH_S, faults="controllers", bugs=("claims-once",))
    assert "QK1" in rules_of(Run(plan).execute())
    with patch.object(FaultInjector, "under_way", new_callable=PropertyMock, return_value=True):
        assert "QK1" not in rules_of(Run(plan).execute())


def test_a_run_in_which_nothing_was_due_is_no_pass() -> None:
    """Where nothing was due the verdict is inconclusive, and the page says so; with one thing due the run conforms."""
    data, loop = DataResult(), LoopResult()
    data.steps_judged = loop.steps_judged = 1
    nothing = dict.fromkeys(PROMISES, 0)
    outcome = Outcome(Plan(), came_to_pass=nothing)
    assert Judged(outcome, data, loop, VotersResult()).verdict() == (ExitCode.INCONCLUSIVE, "inconclusive")
    assert "none was ever due" in next(iter(progress_told(nothing)))
    outcome.came_to_pass = {**nothing, "QV1": 1}
    assert Judged(outcome, data, loop, VotersResult()).verdict() == (ExitCode.AS_DECLARED, "conforms")
    assert "never due: QV2" in "".join(progress_told(outcome.came_to_pass))
