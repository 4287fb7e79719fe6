"""Simulated designs in lock step with their tables: every step is a row, and which rows the seeds exercise."""

from collections import Counter
from functools import cache

import pytest

from fencepost.checkers.cli.simulate_design import DESIGNS
from fencepost.checkers.conformance.designs import DesignJudge

from .recorded import SECONDS, SEEDS, judged, recorded, simulation, whole

FURTHER: dict[str, list[tuple[int, str | None]]] = {
    "kip343": [(5, "all"), (8, "all"), (23, None)],
    "kip46": [(9, None)],
    "kip631-v1": [(6, None), (10, None), (12, None)],
    "kip631-v1+failovers": [(6, None), (8, "all")],
    "kip631-v2": [(3, "all"), (9, None), (14, "all"), (22, None)],
    "kip631-v2+failovers": [(6, None), (1, "all"), (2, "all"), (6, "all")],
}
"""By design: further seeds, each with its faults, that run the rows which the first four do not."""

TIME = "time passes between two steps, no step says so: the checker runs the row, and counts what is reported"
UNAWARE = "a controller that was replaced and does not know it: a node of the reference learns of it at once"
OVERTAKES = "a heartbeat takes the place of one under way: the reference reports heartbeats when they arrive"
NOT_RUN = {
    "kip343": {
        "HT1": TIME,
        "HS2": "that a second process with an id heartbeats shows at the controller: it reports its start alone",
        "HS3": "a message that is lost is no step of the reference: nothing comes of it",
        "H8'": "no controller answers a broker to be Inactive or Initial",
        "HF1": "how a cluster begins is in the header: with the first failover there is a controller",
    },
    "kip46": {"TM1": TIME},
    "kip631-v1": {"VT1": TIME, "VB5": OVERTAKES},
    "kip631-v1+failovers": {"VT1": TIME, "VB5": OVERTAKES, "VF3": UNAWARE, "VF4": UNAWARE, "VF5": UNAWARE},
    "kip631-v2": {"TP": TIME},
    "kip631-v2+failovers": {"TP": TIME, "CR": UNAWARE, "CRh": UNAWARE, "CRl": UNAWARE},
}
"""By design: the rows that no seed runs, and why."""


@cache
def first_four(design: str) -> tuple[DesignJudge, ...]:
    """Return the checkers of a design's first four minutes."""
    return tuple(judged(*recorded(design, seed)) for seed in SEEDS)


@pytest.mark.representative("kip46", "kip343", "kip631-v2+failovers")
@pytest.mark.parametrize("design", DESIGNS)
def test_every_step_is_a_row(design: str) -> None:
    """No step differs from the tables or breaks a claim that holds, and none is one that no table is about."""
    for judge in first_four(design):
        assert [str(one) for one in judge.divergences] == []
        assert judge.tally.unjudged == Counter()
        assert judge.tally.untold == Counter()
        assert judge.tally.rows.total() + judge.tally.idle.total() == judge.tally.steps > 20


@pytest.mark.representative("kip46", "kip343")
@pytest.mark.parametrize("design", DESIGNS)
def test_every_row_is_run_or_it_is_said_why_not(design: str) -> None:
    """The seeds run all rows of the tables but those that are listed, each with its reason."""
    rows = Counter[str]()
    for judge in first_four(design):
        rows += judge.tally.rows
    run = simulation(design)
    for seed, faults in FURTHER[design]:
        judge = judged(run.header(seed), run.run(seed, SECONDS, faults))
        assert judge.divergences == []
        rows += judge.tally.rows
    assert {row.id for row in whole(design).rows} - set(rows) == set(NOT_RUN[design])


@pytest.mark.representative("kip46", "kip343", "kip631-v2+failovers")
@pytest.mark.parametrize("design", DESIGNS)
def test_declared_violations_are_counted(design: str) -> None:
    """What the tables declare to be violated shows and is no divergence; nothing else is counted."""
    declared = sum((judge.tally.declared for judge in first_four(design)), Counter[str]())
    violated = {one.id for one in whole(design).properties if getattr(one, "expected", "") == "violated"}
    assert set(declared) <= violated
    # The tables of failovers declare only what a controller that was replaced breaks.
    assert bool(declared) == (design in ("kip343", "kip631-v1", "kip631-v2")), declared
