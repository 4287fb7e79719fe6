"""Steps of a simulated run that are checked many at once: as if each were checked when it is made."""

import pytest

from fencepost.checkers.bench.simulation import plan_with
from fencepost.checkers.cli import simulated
from fencepost.checkers.cli.simulated import judged_alone, judged_run
from fencepost.checkers.conformance.data_lockstep import DataDivergence
from fencepost.checkers.conformance.lockstep import Divergence
from fencepost.reference.kraft.injected import BUGS
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.traces.steps import AnyStep


def test_divergences_are_those_of_single_steps_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a defect that shows in several steps the divergences and all counts do not depend on how many wait."""
    plan, kept = plan_with(BUGS["J20"], 1, 60), list[AnyStep]()
    run, together = judged_run(plan, kept)
    monkeypatch.setattr(simulated, "TOGETHER", 1)
    _, single = judged_run(plan)
    assert {type(one) for one in together.divergences} == {Divergence, DataDivergence}
    assert [one.text() for one in together.divergences] == [one.text() for one in single.divergences]
    assert together.fields() == single.fields()
    assert kept
    assert run.story.lines


def test_a_run_without_a_story_has_the_same_findings() -> None:
    """Of a run whose verdict alone is wanted no line is made, and all that is found is found."""
    plan = Plan(seed=2, seconds=60, quiet_seconds=10)
    assert judged_alone(plan).fields() == judged_run(plan)[1].fields()
