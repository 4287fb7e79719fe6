"""The derived regions: what they are, that they are proved both ways, and that a wrong one is refused."""

from fractions import Fraction

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from fencepost.checkers.leases import KEPT, SAFE, region, theorems
from fencepost.checkers.leases.elimination import eliminate, proved
from fencepost.checkers.leases.linear import Form, Inequality, Polynomial, above, at_least, unknowns_of
from fencepost.checkers.leases.regions import longest_outage, renewal_fails
from fencepost.checkers.leases.timing import Delay, Start, assumed, delays, symbols, timers, two_believers
from fencepost.checkers.verdicts import Verdict

DERIVED = {
    "send": "(Tb + gb)(1+ρc) <= Tc(1-ρb)",
    "answer": "D(1+ρc)(1-ρb) + (Tb + gb)(1+ρc) <= Tc(1-ρb)",
    "answer any": None,
    "kip343": "(Tc + gc)(1+ρb) <= Tb(1-ρc)",
    "kip343 lost": None,
}


@pytest.mark.parametrize("name", DERIVED)
def test_a_region_is_what_is_left_of_its_question(name: str) -> None:
    """Elimination leaves exactly this condition, or none where no settings help."""
    holds = region(name).holds
    assert (None if holds is None else str(holds)) == DERIVED[name]
    assert set(DERIVED) == {*SAFE, *KEPT}


def test_every_claim_is_proved() -> None:
    """Each step of each elimination, both directions of each region, their order, and the induction over heartbeats."""
    found = theorems()
    assert [f"{one.id}: {one.proof.claim}" for one in found if one.proof.verdict is not Verdict.PROVED] == []
    assert len({one.id for one in found}) == len(found) > 60
    for name in DERIVED:
        assert {f"{name} sufficient", f"{name} necessary"} <= {one.id for one in found}


def test_no_claim_follows_from_an_assumption_that_nothing_fulfils() -> None:
    """What is assumed of settings has a model, with drift and without, in each region and outside."""
    known = symbols()
    for name in ("send", "answer", "kip343"):
        for inside in (region(name).holds, region(name).happens):
            assert inside is not None
            for drifts in (known["slow_b"] == 1, known["slow_b"] < 1):
                solver = z3.Solver()
                solver.add(*assumed(), inside.as_z3(known), drifts)
                assert solver.check() == z3.sat


@pytest.mark.parametrize("name", ["send", "answer", "kip343"])
def test_a_region_cannot_be_wider_or_narrower(name: str) -> None:
    """A condition that lets a little more settle, or a little less, loses one of the two proofs."""
    one, known = region(name), symbols()
    assert one.happens is not None
    little = Form((), Polynomial.parameter("Tb"))
    for change, missed in ((little, "a wider region has runs in it"), (-little, "a narrower one leaves out settings")):
        other = Inequality(one.happens.form - change, strict=True)
        goal = other.as_z3(known) == one.happens.as_z3(known)
        assert proved(missed, assumed(), goal).verdict is Verdict.VIOLATED


def test_a_wrong_normalisation_of_drift_is_refuted() -> None:
    """With drift as seconds of real time in a second of the clock the region would be another: ours is of rates."""
    known = symbols()
    holds = region("send").holds
    assert holds is not None
    other = known["Tb"] * known["fast_b"] <= known["Tc"] * known["slow_c"]
    given = [*assumed(), known["gb"] == 0]
    assert proved("", given, holds.as_z3(known) == other).verdict is Verdict.VIOLATED
    same = [*given, known["slow_b"] == known["slow_c"]]
    assert proved("", same, holds.as_z3(known) == other).verdict is Verdict.PROVED


def test_what_else_is_derived() -> None:
    """The longest outage after a death, and when heartbeats are too far apart for either timer."""
    assert str(longest_outage()) == "outage(1-ρc) <= D(1-ρc) + Tc + gc"
    at_controller, at_broker = renewal_fails()
    assert str(at_controller) == "Tc(1-ρb) < D(1+ρc)(1-ρb) + N(1+ρc)"
    assert str(at_broker) == "Tb < 2·D(1+ρb) + N"


@pytest.mark.parametrize("drifts", [(0, 0), (1, 1), (1, 25), (40, 3)])
@pytest.mark.parametrize(("name", "start"), [("send", Start.SEND), ("answer", Start.ANSWER)])
def test_z3s_own_elimination_agrees(name: str, start: Start, drifts: tuple[int, int]) -> None:
    """With numbers for the drift a run is linear: the solver eliminates by itself, and comes to the same."""
    numbers = [(z3.Real(f"ρ{side}"), z3.RealVal(percent) / 100) for side, percent in zip("bc", drifts, strict=True)]
    delay = Delay.ANY if start is Start.SEND else Delay.BOUNDED
    model = (*timers(), *delays(delay), *two_believers(start))
    known = dict(symbols()) | {one: z3.Real(one) for one in unknowns_of(model)}
    unknowns = [known[one] for one in unknowns_of(model)]
    run = z3.And(*(z3.substitute(one.as_z3(known), *numbers) for one in model))
    left = z3.Tactic("qe2")(z3.Exists(unknowns, run)).as_expr()
    happens = region(name).happens
    assert happens is not None
    same = left == z3.substitute(happens.as_z3(known), *numbers)
    assert proved("", [z3.substitute(one, *numbers) for one in assumed()], same).verdict is Verdict.PROVED


@given(st.lists(st.tuples(*[st.integers(-3, 3)] * 3, st.booleans()), min_size=1, max_size=6))
@settings(max_examples=30, deadline=None)
def test_elimination_decides_systems_of_numbers(rows: list[tuple[int, int, int, bool]]) -> None:
    """Of inequalities with numbers only something false is left exactly where they have no solution."""
    system = [
        Inequality(Form.of({"x": Polynomial.number(a), "y": Polynomial.number(b)}, Polynomial.number(c)), strict)
        for a, b, c, strict in rows
    ]
    names = [name for name in ("x", "y") if name in unknowns_of(system)]
    solver = z3.Solver()
    solver.add(*(one.as_z3({"x": z3.Real("x"), "y": z3.Real("y")}) for one in system))
    found = eliminate(system, names, {}, []) if names else None
    left = found.left if found else tuple(system)
    assert all(one.holds for one in (found.proofs if found else ()))
    assert all(one.holds({}) for one in left) == (solver.check() == z3.sat)


def test_elimination_refuses_a_factor_without_a_sign() -> None:
    """Whether x is bounded from above or below depends on a - b: that is said, not guessed."""
    a, b = z3.Real("a"), z3.Real("b")
    difference = Polynomial.parameter("a") - Polynomial.parameter("b")
    unclear = Inequality(Form.of({"x": difference}))
    with pytest.raises(ValueError, match="depends on the parameters"):
        eliminate([unclear], ["x"], {"a": a, "b": b}, [])


def test_elimination_tells_strict_from_weak() -> None:
    """Between a and b lies an x above a exactly if a < b; one that may equal both, if a <= b."""
    a, b = z3.Real("a"), z3.Real("b")
    low, high, x = Form.parameter("a"), Form.parameter("b"), Form.unknown("x")
    for first, left in ((above(x, low), "a < b"), (at_least(x, low), "a <= b")):
        found = eliminate([first, at_least(high, x)], ["x"], {"a": a, "b": b}, [])
        assert [str(one) for one in found.left] == [left]
        assert all(one.holds for one in found.proofs)


def test_a_region_is_asked_with_numbers() -> None:
    """At the border itself it is safe; a microsecond more is not, and overlaps by as much in real time."""
    rates = {"slow_b": Fraction(1, 2), "fast_b": Fraction(3, 2), "slow_c": Fraction(1, 2), "fast_c": Fraction(3, 2)}
    values = {"Tc": Fraction(9000), "gb": Fraction(0), "gc": Fraction(0), "D": Fraction(0), "N": Fraction(1), **rates}
    one = region("send")
    border = one.greatest("Tb", {**values, "Tb": Fraction(1)})
    assert border == 3000
    assert one.contains({**values, "Tb": border})
    assert not one.contains({**values, "Tb": border + Fraction(1, 1000)})
    assert one.gap({**values, "Tb": border}) == 0
    assert one.gap({**values, "Tb": border + Fraction(1, 1000)}) == Fraction(2, 1000)
