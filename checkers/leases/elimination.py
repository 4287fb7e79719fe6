"""Elimination of a run's unknowns, one after the other (Fourier and Motzkin), every step checked by Z3.

What is left speaks of the parameters alone: it holds exactly where a run exists. Both directions of a step are asked:
the old inequalities imply the new ones, and where the new ones hold there is a value of the unknown that fulfils the
old ones.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import z3

from fencepost.checkers.verdicts import Verdict

from .linear import Form, Inequality, Polynomial

RESOURCES = 20_000_000
"""The limit of one query in the solver's own count; wall time decides no verdict."""


@dataclass(frozen=True)
class Proved:
    """A claim, and what the solver says of its negation: PROVED where it has no model, VIOLATED where it has one.

    `seconds` are those of the processor.
    """

    claim: str
    verdict: Verdict
    seconds: float

    @property
    def holds(self) -> bool:
        """Whether the claim is proved."""
        return self.verdict is Verdict.PROVED


@dataclass(frozen=True)
class Step:
    """One unknown that was eliminated: what is left, and the two proofs that nothing was lost and nothing added."""

    unknown: str
    left: tuple[Inequality, ...]
    proofs: tuple[Proved, ...]


@dataclass(frozen=True)
class Derivation:
    """An elimination from its first inequalities to those over the parameters alone.

    `left` is empty where a run exists for all parameters.
    """

    begin: tuple[Inequality, ...]
    steps: tuple[Step, ...]

    @property
    def left(self) -> tuple[Inequality, ...]:
        """The inequalities over the parameters alone that say where a run exists."""
        return self.steps[-1].left

    @property
    def proofs(self) -> tuple[Proved, ...]:
        """The proofs of all steps."""
        return tuple(proof for step in self.steps for proof in step.proofs)


def proved(claim: str, given: Sequence[Any], goal: Any) -> Proved:
    """Ask the solver whether the goal follows from what is given; unknown is INCONCLUSIVE."""
    started = time.process_time()
    solver = z3.Solver()
    solver.set("rlimit", RESOURCES)
    solver.add(*given, z3.Not(goal))
    return Proved(claim, _verdict(solver.check()), time.process_time() - started)


def _verdict(answer: Any) -> Verdict:
    """Return the verdict for the solver's answer to the negated claim."""
    if answer == z3.unsat:
        return Verdict.PROVED
    return Verdict.VIOLATED if answer == z3.sat else Verdict.INCONCLUSIVE


def eliminate(
    begin: Sequence[Inequality], unknowns: Sequence[str], symbols: Mapping[str, Any], assumed: Sequence[Any]
) -> Derivation:
    """Eliminate the unknowns in this order; `symbols` are the parameters, `assumed` what is known of them.

    Raises `ValueError` for a factor of which the solver cannot say whether it is positive, negative or 0, and where no
    parameters are as assumed.
    """
    every = {**symbols, **{name: z3.Real(name) for one in begin for name, _ in one.form.unknowns}}
    work = _Elimination(every, assumed)
    current, steps = tuple(begin), []
    for name in unknowns:
        after = work.combined(current, name)
        steps.append(Step(name, after, work.proofs(name, current, after)))
        current = after
    return Derivation(tuple(begin), tuple(steps))


class _Elimination:
    """One elimination while it runs: what is known of the parameters, and the signs found so far."""

    def __init__(self, symbols: Mapping[str, Any], assumed: Sequence[Any]) -> None:
        self.symbols, self.assumed = symbols, list(assumed)
        if proved("", self.assumed, z3.BoolVal(False)).verdict is not Verdict.VIOLATED:
            raise ValueError("no parameters are known that are as assumed: everything would follow")
        self._signs: dict[Polynomial, int] = {Polynomial(): 0}
        self._terms: dict[Inequality, Any] = {}

    def term(self, one: Inequality) -> Any:
        """Return an inequality as a condition of the solver, made once: most are asked about many times."""
        if one not in self._terms:
            self._terms[one] = one.as_z3(self.symbols)
        return self._terms[one]

    def follows(self, given: Sequence[Inequality], goal: Inequality) -> bool:
        """Return whether an inequality is sure to hold where some others do."""
        return proved("", [*self.assumed, *map(self.term, given)], self.term(goal)).holds

    def sign(self, one: Inequality, name: str) -> int:
        """Return whether an inequality bounds an unknown from below (1), from above (-1), or not at all (0)."""
        factor = one.form.factor(name)
        if factor not in self._signs:
            if self.follows((), Inequality(Form((), factor), strict=True)):
                self._signs[factor], self._signs[-factor] = 1, -1
            elif self.follows((), Inequality(Form((), -factor), strict=True)):
                self._signs[factor], self._signs[-factor] = -1, 1
            else:
                raise ValueError(f"{one}: the sign of the factor of {name} depends on the parameters")
        return self._signs[factor]

    def combined(self, current: Sequence[Inequality], name: str) -> tuple[Inequality, ...]:
        """Return what is left without an unknown: every lower bound of it is below every upper one."""
        signs = [(one, self.sign(one, name)) for one in current]
        kept = [one for one, sign in signs if sign == 0]
        new = []
        for lower in (one for one, sign in signs if sign > 0):
            for upper in (one for one, sign in signs if sign < 0):
                above = lower.form.without(name).times(-upper.form.factor(name))
                below = upper.form.without(name).times(lower.form.factor(name))
                new.append(Inequality(above + below, lower.strict or upper.strict))
        for one in list(dict.fromkeys(new)):
            new.remove(one)
            if not self.follows((*kept, *new), one):
                new.append(one)
        return (*kept, *new)

    def proofs(self, name: str, before: Sequence[Inequality], after: Sequence[Inequality]) -> tuple[Proved, ...]:
        """Ask both directions of a step."""
        old, new = [*map(self.term, before)], [*map(self.term, after)]
        implied = proved(f"without {name}: nothing is added", [*self.assumed, *old], z3.And(*new))
        value, defined = self._value(name, before)
        there = [z3.substitute(one, (self.symbols[name], value)) for one in old]
        kept = proved(f"without {name}: nothing is lost", [*self.assumed, *new, *defined], z3.And(*there))
        return implied, kept

    def _value(self, name: str, before: Sequence[Inequality]) -> tuple[Any, list[Any]]:
        """Return a value for the unknown: half way between its greatest lower and its least upper bound."""
        bounds: dict[int, list[Any]] = {1: [], -1: []}
        defined = []
        for number, one in enumerate(before):
            sign = self.sign(one, name)
            if sign:
                bound = z3.Real(f"{name}_bound_{number}")
                factor, rest = one.form.factor(name), one.form.without(name)
                defined.append(factor.as_z3(self.symbols) * bound + rest.as_z3(self.symbols) == 0)
                bounds[sign].append(bound)
        lower, upper = _extreme(bounds[1], greatest=True), _extreme(bounds[-1], greatest=False)
        if lower is None:
            return (upper - 1 if upper is not None else z3.RealVal(0)), defined
        return (lower + 1 if upper is None else (lower + upper) / 2), defined


def _extreme(values: Sequence[Any], greatest: bool) -> Any:
    """The greatest or the least of some terms, None where there is none."""
    if not values:
        return None
    found = values[0]
    for one in values[1:]:
        found = z3.If(one > found if greatest else one < found, one, found)
    return found
