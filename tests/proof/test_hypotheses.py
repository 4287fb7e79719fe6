"""What a proof relies on can be met: a state satisfies the hypotheses, and definitions contradict nothing."""

import dataclasses

import pytest

from fencepost.checkers.codes import proof_code
from fencepost.checkers.exploration import explore
from fencepost.checkers.leases.elimination import eliminate
from fencepost.checkers.leases.timing import CLOCKS, assumed, symbols, timers
from fencepost.checkers.proof import lowering, prove, prover, vacuity
from fencepost.checkers.proof.prove import CONTRADICTION
from fencepost.checkers.proof.unrolled import unrolled
from fencepost.checkers.verdicts import ExitCode, Refusal, ReplayFailed, Verdict
from fencepost.model.language.vocabulary import *
from fencepost.model.registry import find

from .test_greatest import go, n, shown, shows, unlimited, x
from .tiny import happening, v, w

ENDLESS = {
    "in a guard": lambda: shows(max_of(n, n >= x, 0) >= x),
    "where it has no end at times": lambda: shows(
        unlimited & (max_of(n, (n < 3) | unlimited, 0) >= x), start=unlimited
    ),
}


@pytest.mark.representative("where it has no end at times")
@pytest.mark.parametrize("where", ENDLESS)
def test_a_definition_that_nothing_satisfies_proves_nothing(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the greatest of an endless set said to be above all of it, what would be proved of it is inconclusive."""
    made = ENDLESS[where]()
    assert CONTRADICTION not in [one.message for one in prove(made).failed]
    monkeypatch.setattr(lowering, "bounded_above", lambda *_: True)
    found = prove(made)
    assert {one.message for one in found.failed if one.row == "GO"} == {CONTRADICTION}
    assert (found.verdict, proof_code(found)) == (Verdict.INCONCLUSIVE, ExitCode.INCONCLUSIVE)


def claims(*terms: Term[bool], start: Term[bool] = TRUE, row: Term[bool] = TRUE) -> Protocol:
    """Return a protocol that makes claims of a truth value that a row sets."""
    properties = [always(f"C{number}", term) for number, term in enumerate(terms)]
    return protocol(
        "claims", table("rows", go("GO", row, shown.becomes(TRUE))), start=start, properties=properties,
        bounds={"tiny": Bound({})}, ends=True,
    )  # fmt: skip


def test_hypotheses_that_contradict_each_other_are_vacuous() -> None:
    """Claims that no state satisfies together, each of which the others imply, end vacuous, whatever is proved."""
    found = prove(claims(shown, ~shown))
    assert "hypotheses" in found.vacuous
    assert found.met == ""
    assert proof_code(found) in (ExitCode.VIOLATED, ExitCode.VACUOUS)
    assumed_ = replace_assumptions(claims(~shown | shown), assume("A", shown), assume("B", ~shown))
    found = prove(assumed_)
    assert (found.verdict, proof_code(found)) == (Verdict.VACUOUS, ExitCode.VACUOUS)
    assert "hypotheses" in found.vacuous


def replace_assumptions(made: Protocol, *assumptions: Assumption) -> Protocol:
    """Return a protocol that makes assumptions."""
    return dataclasses.replace(made, assumptions=assumptions)


def test_a_contradictory_start_is_vacuous_and_has_no_runs() -> None:
    """Where no first state exists prove ends vacuous, and the symbolic search refuses as exploration does."""
    made = claims(shown, start=shown)
    assert prove(made).verdict is Verdict.VACUOUS
    for search in (
        lambda: explore(made, "tiny"),
        lambda: unrolled(made, "tiny", made.bounds["tiny"], made.property("C0"), 2),  # type: ignore[arg-type]
    ):
        with pytest.raises(Refusal, match="no state satisfies the start conditions at this bound"):
            search()


def test_hypotheses_that_only_more_entities_meet_are_met() -> None:
    """Where states of one or two entities satisfy no hypothesis, a state of more is looked for, and named."""
    several = exists(v, exists(w, v.isnt(w)))
    rows = table("rows", happening("Go", v)("GO", TRUE, shown.becomes(TRUE)))
    made = protocol("several", rows, properties=[always("C0", ~shown | shown)], assumptions=[assume("TWO", several)])
    found = prove(made)
    assert found.met == "by a state with 2 of each sort of entity, as the interpreter confirms"
    assert found.verdict is Verdict.PROVED


def test_hypotheses_that_are_not_shown_to_be_met_are_inconclusive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where neither a state nor a contradiction is found, nothing is proved; the interpreter has the last word."""
    made = claims(~shown | shown)
    assert prove(made).verdict is Verdict.PROVED
    monkeypatch.setattr(vacuity, "SIZES", ())
    found = prove(made)
    assert (found.met, found.verdict, proof_code(found)) == ("", Verdict.INCONCLUSIVE, ExitCode.INCONCLUSIVE)
    monkeypatch.undo()
    monkeypatch.setattr(vacuity, "holds", lambda *_: False)
    with pytest.raises(ReplayFailed, match="C0 is false, by the interpreter"):
        vacuity.met(prover.Prover(made, prover.hypotheses(made)))


@pytest.mark.parametrize("name", ["kraft", "kraft-data", "kraft-loop", "kraft-voters", "kraft-whole", "zk", "zk-data",
                                  "lease", "kip343", "kip46", "kip631-v1", "kip631-v2"])  # fmt: skip
def test_the_hypotheses_of_each_protocol_can_be_met(name: str) -> None:
    """A state of few entities satisfies all that the proofs of a protocol rely on."""
    whole = find(name).whole
    assert vacuity.met(prover.Prover(whole, prover.hypotheses(whole))) in (1, 2, 3)


def test_settings_that_nothing_satisfies_derive_no_region() -> None:
    """What is assumed of the settings of leases can be met; where it cannot, no unknown is eliminated."""
    known = symbols()
    eliminate(timers(), CLOCKS, known, assumed())
    with pytest.raises(ValueError, match="no parameters are known that are as assumed"):
        eliminate(timers(), CLOCKS, known, [*assumed(), known["Tb"] < 0])
