"""Regions of settings: derived from the timing of a run, proved exact, each with the run that shows its border.

A region is named by what must not happen. Of each it is proved that outside no run exists in which it happens
(*sufficient*), that wherever the condition fails a run does, given as a function of the settings (*necessary*: the
region cannot be widened), and how far that run goes (*longest*).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import z3

from .elimination import Derivation, Proved, eliminate, proved
from .linear import ONE, Inequality, Polynomial, Values, unknowns_of
from .renewals import renewals
from .timing import (
    CLOCKS,
    UNKNOWNS,
    Delay,
    Start,
    assumed,
    delays,
    gave_up_first,
    lapses_at_broker,
    lapses_at_controller,
    outage,
    served,
    symbols,
    timers,
    two_believers,
)


@dataclass(frozen=True)
class Ratio:
    """One polynomial over the settings divided by another that is never 0."""

    over: Polynomial
    under: Polynomial = ONE

    def as_z3(self, known: Mapping[str, Any]) -> Any:
        """Return the ratio as a term of the solver."""
        return self.over.as_z3(known) / self.under.as_z3(known)

    def at(self, values: Values) -> Fraction:
        """Return its value for these settings."""
        return self.over.at(values) / self.under.at(values)


@dataclass(frozen=True)
class Region:
    """The settings under which something never happens.

    `happens` is what is left of the question when the run is eliminated: the condition under which a run exists in
    which it happens, None where one always does. `run` says how long everything takes in the run that goes farthest.
    `longest` bounds by how much (`gap`), None where nothing does.
    """

    name: str
    says: str
    derivation: Derivation
    happens: Inequality | None
    longest: Inequality | None
    run: Mapping[str, Ratio]
    proofs: tuple[Proved, ...]

    @property
    def holds(self) -> Inequality | None:
        """The condition under which it never happens, None where there are no such settings."""
        return None if self.happens is None else self.happens.negation()

    def contains(self, values: Values) -> bool:
        """Return whether these settings are in the region."""
        return self.holds is not None and self.holds.holds(values)

    def gap(self, values: Values) -> Fraction | None:
        """Return how far the worst run goes, in the settings' unit; below 0 there is time to spare.

        None where nothing bounds it.
        """
        return None if self.longest is None else self.longest.limit("gap", values)

    def greatest(self, parameter: str, values: Values) -> Fraction | None:
        """Return the border of the region in one parameter, the others as given; None where there is no region."""
        if self.holds is None:
            return None
        constant = self.holds.form.constant
        with_none, with_one = ({**values, parameter: Fraction(n)} for n in (0, 1))
        slope = constant.at(with_one) - constant.at(with_none)
        return -constant.at(with_none) / slope

    def worst(self, values: Values) -> dict[str, Fraction]:
        """Return how long everything takes in the run that goes farthest, under these settings."""
        return {name: ratio.at(values) for name, ratio in self.run.items()}


@cache
def in_real_time() -> Derivation:
    """Return how long the timers last in real time: what their clocks show is eliminated."""
    return eliminate(timers(), CLOCKS, symbols(), assumed())


def derived(question: tuple[Inequality, ...], delay: Delay) -> Derivation:
    """Return the elimination of everything but the settings, and what a question asks the extent of."""
    begin = (*in_real_time().left, *delays(delay), *question)
    asked = unknowns_of(question)
    return eliminate(begin, [one for one in UNKNOWNS if one in (*asked, *unknowns_of(begin))], symbols(), assumed())


def _product(*names: str) -> Polynomial:
    return Polynomial.parameter(*names)


ZERO = Ratio(Polynomial())
_LONGEST_BELIEF = Ratio(_product("Tb") + _product("gb"), _product("slow_b"))
_SHORTEST_BELIEF = Ratio(_product("Tb"), _product("fast_b"))
_LONGEST_SESSION = Ratio(_product("Tc") + _product("gc"), _product("slow_c"))
_SHORTEST_SESSION = Ratio(_product("Tc"), _product("fast_c"))
_LATE = {"belief": _LONGEST_BELIEF, "belief_clock": Ratio(_LONGEST_BELIEF.over)}
_EARLY = {"belief": _SHORTEST_BELIEF, "belief_clock": Ratio(_SHORTEST_BELIEF.over)}
_HASTY = {"session": _SHORTEST_SESSION, "session_clock": Ratio(_SHORTEST_SESSION.over)}
_SLOW = {"session": _LONGEST_SESSION, "session_clock": Ratio(_LONGEST_SESSION.over)}

_QUESTIONS: dict[str, tuple[str, tuple[Inequality, ...], Delay, dict[str, Ratio]]] = {
    "send": (
        "never two believers, the broker's timer starts at the send, messages take any time",
        two_believers(Start.SEND),
        Delay.ANY,
        {"going": ZERO, "coming": ZERO, **_LATE, **_HASTY},
    ),
    "answer": (
        "never two believers, the broker's timer starts at the answer, messages take at most D",
        two_believers(Start.ANSWER),
        Delay.BOUNDED,
        {"going": ZERO, "coming": Ratio(_product("D")), **_LATE, **_HASTY},
    ),
    "answer any": (
        "never two believers, the broker's timer starts at the answer, messages take any time",
        two_believers(Start.ANSWER),
        Delay.ANY,
        {"going": ZERO, "coming": _SHORTEST_SESSION, **_LATE, **_HASTY},
    ),
    "kip343": (
        "a broker is declared inactive before it gives itself up (S0:50), its timer starts at the answer",
        gave_up_first(Start.ANSWER),
        Delay.ANY,
        {"going": ZERO, "coming": ZERO, **_EARLY, **_SLOW},
    ),
    "kip343 lost": (
        "a broker is declared inactive before it gives itself up (S0:50), the last answer may be lost",
        gave_up_first(Start.ANSWER, answered=False),
        Delay.ANY,
        {"going": ZERO, "coming": ZERO, "earlier": _SHORTEST_BELIEF, **_EARLY, **_SLOW},
    ),
}
SAFE = ("send", "answer", "answer any")
"""The regions in which there are never two believers."""

KEPT = ("kip343", "kip343 lost")
"""The regions in which KIP-343's demand is kept, which is the opposite."""


@cache
def region(name: str) -> Region:
    """Return a region by its name, derived and proved; raises `KeyError` for a name that there is not."""
    says, question, delay, run = _QUESTIONS[name]
    derivation = derived(question, delay)
    # The gap goes last: the step before says how long it may be, the last one where there is any.
    happens, longest = derivation.left, [one for one in derivation.steps[-2].left if _bounds_gap(one)]
    assert len(happens) <= 1, "a region of two conditions has no single run at its border"
    assert len(longest) == len(happens)
    condition = happens[0] if happens else None
    model = (*timers(), *delays(delay), *question)
    known = dict(symbols()) | {one: z3.Real(one) for one in unknowns_of(model)}
    there = [one.as_z3(known) for one in model]
    met = condition.as_z3(known) if condition is not None else z3.BoolVal(True)
    gap = _gap(question, run, known)
    shown = {**{one: ratio.as_z3(known) for one, ratio in run.items()}, "gap": gap}
    instead = [(known[one], term) for one, term in shown.items() if one in known]
    proofs = (
        proved("sufficient: where the condition holds there is no such run", [*assumed(), *there], met),
        proved(
            "necessary: where it fails, this is such a run",
            [*assumed(), met],
            z3.And(*(z3.substitute(one, *instead) for one in there)),
        ),
    )
    return Region(name, says, derivation, condition, longest[0] if longest else None, run, proofs)


def _bounds_gap(one: Inequality) -> bool:
    return bool(one.form.factor("gap").terms) and bool(one.form.constant.terms)


def _gap(question: tuple[Inequality, ...], run: Mapping[str, Ratio], known: Mapping[str, Any]) -> Any:
    """How far the run goes: all of the time that the question's first inequality leaves."""
    form = question[0].form.without("gap")
    instead = [(known[name], ratio.as_z3(known)) for name, ratio in run.items() if name in known]
    return z3.substitute(form.as_z3(known), *instead)


@cache
def longest_outage() -> Inequality:
    """Return what bounds the time from a broker's death until the controller may act, delays being within D."""
    return _bounding(outage(), "outage")


@cache
def longest_service() -> Inequality:
    """Return what bounds how long a broker serves after it was cut off from the controller (HI10)."""
    return _bounding(served(), "served")


def _bounding(question: tuple[Inequality, ...], name: str) -> Inequality:
    (found,) = (one for one in derived(question, Delay.BOUNDED).left if one.form.factor(name).terms)
    return found


@cache
def renewal_fails() -> tuple[Inequality, Inequality]:
    """Return when heartbeats are too far apart: for the controller's timer, and for the broker's own."""
    (at_controller,) = derived(lapses_at_controller(), Delay.BOUNDED).left
    (at_broker,) = derived(lapses_at_broker(), Delay.BOUNDED).left
    return at_controller, at_broker


@dataclass(frozen=True)
class Theorem:
    """A claim over all settings, proved or not, and where it comes from."""

    id: str
    proof: Proved


@cache
def theorems() -> tuple[Theorem, ...]:
    """Return every claim about the regions with the solver's verdict, each step of their derivations among them."""
    found = [Theorem(f"timers {n}", proof) for n, proof in enumerate(in_real_time().proofs, 1)]
    for name in _QUESTIONS:
        one = region(name)
        found += [Theorem(f"{name} {n}", proof) for n, proof in enumerate(one.derivation.proofs, 1)]
        found += [Theorem(f"{name} {proof.claim.split(':')[0]}", proof) for proof in one.proofs]
    found += [Theorem(f"between the regions {n}", proof) for n, proof in enumerate(_comparisons(), 1)]
    return (*found, *(Theorem(f"renewals {n}", proof) for n, proof in enumerate(renewals(), 1)))


def _comparisons() -> tuple[Proved, ...]:
    """Ask how the regions lie to one another, and to what the sources say."""
    known = symbols()
    broker, controller = z3.Real("ρb"), z3.Real("ρc")
    tb, tc, gb, gc, delay = (known[name] for name in ("Tb", "Tc", "gb", "gc", "D"))
    send, answer, kept = (_condition(name) for name in ("send", "answer", "kip343"))
    exact = z3.And(gb == 0, gc == 0)
    return (
        proved(
            "without ticks the safe region is Tb(1+ρc) <= Tc(1-ρb), timers from the send",
            [*assumed(), exact],
            send == (tb * (1 + controller) <= tc * (1 - broker)),
        ),
        proved("what is safe from the answer is safe from the send", [*assumed(), answer], send),
        proved("where messages take no time the two forms are one", [*assumed(), delay == 0], answer == send),
        proved("no safe broker's timer is longer than the controller's", [*assumed(), send], tb <= tc),
        proved("KIP-343's Tb > Tc is never safe", [*assumed(), tb > tc], z3.Not(send)),
        proved(
            "both can't be had: only equal lengths, perfect clocks and no ticks are in both regions",
            [*assumed(), send, kept],
            z3.And(tb == tc, broker == 0, controller == 0, exact),
        ),
        proved("with perfect clocks and no ticks KIP-343's demand is kept exactly if Tb >= Tc",
               [*assumed(), exact, broker == 0, controller == 0], kept == (tb >= tc)),
        proved("with drift, equal lengths give neither", [*assumed(), tb == tc, broker > 0],
               z3.And(z3.Not(send), z3.Not(kept))),
    )  # fmt: skip


def _condition(name: str) -> Any:
    holds = region(name).holds
    return z3.BoolVal(False) if holds is None else holds.as_z3(symbols())
