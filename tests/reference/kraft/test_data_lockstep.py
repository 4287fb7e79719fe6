"""Brokers in lock step with `kraft-data`: seeds are rows, defects put into replication are none."""

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from fencepost.checkers.conformance.data_lockstep import DataDivergence, DataLockStep, DataResult
from fencepost.checkers.conformance.data_lockstep.partition import ELR_OFF
from fencepost.checkers.conformance.data_lockstep.results import REASONS
from fencepost.model.kraft_data.protocol import KRAFT_DATA
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.kraft.simulation.run import Run
from fencepost.traces.broker_steps import TOLD, BrokerStep
from fencepost.traces.steps import AnyStep, Step, read_steps, step_line, write_steps

MINUTE = Plan(seconds=60, quiet_seconds=10)
IMPATIENT = replace(
    MINUTE,
    settings=Settings(replica_lag_time_max_ms=1000, broker_session_timeout_ms=3000, broker_heartbeat_interval_ms=500),
    faults="slow,partition,isolate,loss,broker-kill,broker-power-loss",
)
"""Leaders propose to shrink their ISR after a second, and brokers are lost after three."""


class _Found(Exception):
    """The first difference."""


def judged(plan: Plan) -> tuple[DataResult, list[DataDivergence]]:
    """Run a plan up to the first difference of its data; return what was judged and found."""
    judge, found = DataLockStep(plan.settings.min_insync_replicas), list[DataDivergence]()

    def sink(step: AnyStep) -> None:
        found.extend(judge.step(step))
        if found:
            raise _Found

    with suppress(_Found):
        Run(plan, sink).execute()
    return judge.out, found


def steps_of(plan: Plan) -> list[AnyStep]:
    """Return all steps of a run."""
    steps: list[AnyStep] = []
    Run(plan, steps.append).execute()
    return steps


def reread(steps: list[AnyStep], change: Any) -> list[DataDivergence]:
    """Check steps of which some are changed by a function of a step of a broker."""
    judge = DataLockStep()
    return [one for step in steps for one in judge.step(change(step) if isinstance(step, BrokerStep) else step)]


@pytest.mark.representative("1")
@pytest.mark.parametrize("seed", range(1, 9))
def test_a_minute_of_a_seed_is_rows(seed: int) -> None:
    """Every step of the brokers is a row of the slice, and the theorem holds in every evaluated state."""
    out, found = judged(replace(MINUTE, seed=seed))
    assert [one.text() for one in found] == []
    assert out.steps_judged > 200
    assert out.asked > 200 or out.left[ELR_OFF] == out.partitions


@pytest.mark.exhaustive
def test_a_thousand_seeds_are_rows() -> None:
    """A thousand seeds of 45 seconds with faults differ nowhere, and show all rows but those with a reason."""
    total, wrong = DataResult(), []
    for seed in range(1, 1001):
        out, found = judged(replace(MINUTE, seed=seed, seconds=45))
        total.update(out)
        wrong += [f"seed {seed}: {one.text()}" for one in found]
    assert wrong == []
    assert set(total.rows_never_fired()) <= set(REASONS)


@pytest.mark.representative("members-by-id-1-proposes-", "acknowledges-below-minimum-13-acknowledges-DL6")
@pytest.mark.parametrize(
    ("name", "seed", "step", "near"),
    [
        ("truncate-to-high-watermark", 1, "asks", ""),
        ("join-at-high-watermark", 13, "proposes", "DL3"),
        ("members-by-id", 1, "proposes", ""),
        ("acknowledges-below-minimum", 13, "acknowledges", "DL6"),
        ("answers-of-another-epoch", 38, "takes", "DF2"),
        ("two-proposals", 21, "proposes", "DL3"),
    ],
)
def test_a_defect_is_no_row(name: str, seed: int, step: str, near: str) -> None:
    """The seed shows the defect by a step that is no row, near to a row that is named; without it the seed is clean."""
    _, found = judged(replace(MINUTE, seed=seed, bugs=(name,)))
    assert [(one.name, one.near) for one in found] == [(step, near)]
    assert judged(replace(MINUTE, seed=seed))[1] == []


@pytest.mark.representative("shrink-at-once-3-acknowledges")
@pytest.mark.parametrize(
    ("name", "seed", "step"), [("shrink-at-once", 3, "acknowledges"), ("late-answers", 2, "acknowledges")]
)
def test_a_defect_of_impatient_leaders_is_no_row(name: str, seed: int, step: str) -> None:
    """A high watermark over the maximal ISR, and an ISR of an answer that came too late, are no rows either."""
    _, found = judged(replace(IMPATIENT, seed=seed, bugs=(name,)))
    assert [one.name for one in found] == [step]
    assert judged(replace(IMPATIENT, seed=seed))[1] == []


@pytest.mark.representative("16")
@pytest.mark.parametrize("seed", [16, 17])
def test_impatient_clusters_are_rows(seed: int) -> None:
    """So is a minute in which brokers are fenced after three seconds; replaced controllers go on (seed 16)."""
    _, found = judged(replace(IMPATIENT, seed=seed))
    assert found == []


def test_rows_say_which_condition_is_false() -> None:
    """A difference names the row that comes nearest, what does not hold, the broker and the time."""
    (found,) = judged(replace(MINUTE, seed=13, bugs=("acknowledges-below-minimum",)))[1]
    assert "DL6 comes nearest, but enough(e)" in found.reason
    assert "acknowledges of broker" in found.text()
    assert found.as_json()["near"] == "DL6"


@pytest.fixture(scope="module")
def minute() -> list[AnyStep]:
    """The steps of a run with elections and restarts."""
    return steps_of(replace(MINUTE, seed=2))


def test_steps_can_be_written_and_read(minute: list[AnyStep], tmp_path: Any) -> None:
    """A trace of controllers and brokers is read as it was written; every step of a broker is one that is described."""
    path = tmp_path / "steps.ndjson.gz"
    write_steps(path, minute)
    back = list(read_steps(path))
    assert list(map(step_line, back)) == list(map(step_line, minute))
    assert {one.name for one in back if isinstance(one, BrokerStep)} <= set(TOLD)
    assert any(isinstance(one, Step) for one in back)
    assert reread(back, lambda step: step) == []


@pytest.mark.representative(
    "appends-end-1", "takes-end-1", "learns-to-1", "acknowledges-minimum-1", "leads-leader_epoch-1",
    "proposes-partition_epoch-1", "stops-end-1",
)  # fmt: skip
@pytest.mark.parametrize(
    ("name", "told", "by"),
    [
        ("appends", "end", 1),
        ("takes", "end", 1),
        ("learns", "to", 1),
        ("learns", "end", 1),
        ("acknowledges", "to", 1),
        ("acknowledges", "minimum", 1),
        ("leads", "start", 1),
        ("leads", "leader_epoch", 1),
        ("leads", "partition_epoch", 1),
        ("follows", "leader_epoch", 1),
        ("notes", "from", 1),
        ("asks", "from", 1),
        ("asks", "broker_epoch", 1),
        ("proposes", "partition_epoch", 1),
        ("stops", "end", 1),
        ("starts", "end", 1),
    ],
)
def test_what_a_step_says_is_compared(minute: list[AnyStep], name: str, told: str, by: int) -> None:
    """One changed number of a broker's steps is a difference at that step or a later one of the partition."""
    chosen = next(
        one
        for one in minute
        if isinstance(one, BrokerStep) and one.name == name and (name != "stops" or one.parameters["end"])
    )

    def change(step: BrokerStep) -> BrokerStep:
        return (
            step._replace(parameters={**step.parameters, told: step.parameters[told] + by}) if step is chosen else step
        )

    found = reread(minute, change)
    assert [one.partition for one in found] == [chosen.partition]
    assert found[0].number > minute.index(chosen)


def test_no_step_is_no_judgement() -> None:
    """Before a partition is created nothing of the data is checked, and all rows are reported as not seen."""
    out, found = judged(replace(MINUTE, seconds=1, quiet_seconds=0.1))
    assert (out.steps_judged, found) == (0, [])
    assert set(out.as_json()["rows_never_fired"]) == {row.id for row in KRAFT_DATA.rows}
