"""Counts and verdicts of the engines against each other and against the interpreter."""

from typing import Any

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import Protocol
from tests.exploration.plain_exploration import explore_plainly

ENGINES = ("numpy", "llvm", "auto")


def facts(result: Exploration) -> dict[str, Any]:
    """Return all that two explorations of the same bound must agree on."""
    return {
        "counts": (result.distinct, result.generated, result.transitions, result.depth, result.levels),
        "verdict": result.verdict,
        "fired": dict(result.rows_fired),
        "never": result.rows_never_fired,
        "outside": dict(result.out_of_range),
        "properties": {
            p.id: (p.verdict, p.depth, None if p.trace is None else len(p.trace.steps)) for p in result.properties
        },
    }


@pytest.mark.parametrize("engine", ENGINES)
def test_published_counts_of_two_phase(two_phase: Protocol, engine: Any) -> None:
    """Two-phase commit with three managers has the 288 states, 1,146 generated and depth 11 that TLC publishes."""
    result = explore(two_phase, "three", engine=engine)
    assert (result.distinct, result.transitions, result.depth) == (288, 1146, 11)
    assert result.generated == 1146 + 288
    assert result.engine == ("llvm" if engine == "auto" else engine)


@pytest.mark.representative("1-numpy", "1-llvm", "2-llvm", "2-auto", "3-numpy")
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("managers", [1, 2, 3])
def test_two_phase_agrees_with_the_interpreter(two_phase: Protocol, engine: Any, managers: int) -> None:
    """Every count, verdict, depth and trace length of two-phase commit is the interpreter's."""
    sizes = {"Manager": managers}
    assert facts(explore(two_phase, "three", sizes=sizes, engine=engine)) == facts(
        explore_plainly(two_phase, "three", sizes=sizes)
    )


@pytest.mark.representative("led")
@pytest.mark.parametrize("bound", ["tiny", "led"])
def test_replicas_agree_with_the_interpreter(replicas: Protocol, bound: str) -> None:
    """A protocol with lists, sets, options and records in stages gives the interpreter's facts."""
    plain = facts(explore_plainly(replicas, bound))
    for engine in ENGINES:
        assert facts(explore(replicas, bound, engine=engine)) == plain  # type: ignore[arg-type]


def test_engines_number_states_alike(replicas: Protocol) -> None:
    """Both engines find the same shortest traces, step for step, so a trace does not depend on the machine's caches."""
    found = [
        {p.id: p.trace.as_json() for p in explore(replicas, "tiny", engine=engine).properties if p.trace is not None}
        for engine in ("numpy", "llvm", "auto")
    ]
    assert found[0] == found[1] == found[2]
    assert {"Led", "ReorderKeeps", "Noted"} & set(found[0])


def test_larger_counts_of_two_phase(two_phase: Protocol) -> None:
    """The compiled engine gives the known 50,816 states of two-phase commit with six managers."""
    assert explore(two_phase, "three", sizes={"Manager": 6}, engine="llvm").distinct == 50816


def test_budgets_are_never_green(two_phase: Protocol) -> None:
    """A depth gives "holds to depth", a number of states "inconclusive", and neither calls a witness vacuous."""
    deep = explore(two_phase, "three", max_depth=4)
    assert deep.property("Consistent").verdict is Verdict.HOLDS_TO_DEPTH
    assert deep.depth == 4
    assert deep.property("Both").verdict is Verdict.INCONCLUSIVE
    few = explore(two_phase, "three", max_states=20)
    assert few.verdict is Verdict.INCONCLUSIVE
    assert few.property("Consistent").verdict is Verdict.INCONCLUSIVE


def test_a_level_once_called_deep_enough_counts_as_the_interpreter_does(replicas: Protocol) -> None:
    """With `max_depth` the engine counts exactly what the interpreter counts to that depth."""
    assert facts(explore(replicas, "tiny", max_depth=3)) == facts(explore_plainly(replicas, "tiny", max_depth=3))


def test_a_bound_that_there_is_not_is_refused(two_phase: Protocol) -> None:
    """An unknown bound or size is refused in a sentence that names those there are."""
    with pytest.raises(Refusal, match="use one of three"):
        explore(two_phase, "four")
    with pytest.raises(Refusal, match="use one of Manager"):
        explore(two_phase, "three", sizes={"Broker": 2})
