"""Scenarios that are drawn: the tables explain each operation of what operators and brokers do in any order."""

from contextlib import suppress

from fencepost.checkers.scenarios.parsing import checked, steps_of
from fencepost.checkers.scenarios.running import Scenario, run
from fencepost.checkers.verdicts import ExitCode, Refusal
from tests.cases import each

from .drawn import drawn, drawn_of_operators


@each("seed", range(10))
def test_what_operators_do_is_explained_by_rows(seed: int) -> None:
    """Of 18 high words in any order each operation is a row; steps that cannot be done are refused."""
    scenario = Scenario()
    for step in checked(steps_of("\n".join(drawn_of_operators(seed, 18)), f"seed {seed}")):
        with suppress(Refusal):
            done = scenario.do(step)
            assert [one.differs or one.unexplained for one in done.operations] == [""] * len(done.operations), step
    assert scenario.machine.differs == []


@each("seed", range(10))
def test_what_is_sent_by_hand_is_explained_by_rows(seed: int) -> None:
    """Of 80 low words in any order each operation is a row."""
    report = run(checked(steps_of(drawn(seed, 80), f"seed {seed}")), f"seed {seed}")
    assert report.code is ExitCode.AS_DECLARED


def test_a_seed_is_one_scenario() -> None:
    """The same seed draws the same steps, another seed others."""
    assert drawn(1, 80) == drawn(1, 80) != drawn(2, 80)
    assert drawn_of_operators(1, 18) == drawn_of_operators(1, 18) != drawn_of_operators(2, 18)
