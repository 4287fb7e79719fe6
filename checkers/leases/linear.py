"""Inequalities that are linear in the unknowns of a run, with polynomials over the parameters as coefficients."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import z3

Monomial: TypeAlias = tuple[str, ...]
"""A product of parameters, their names in order."""

Values: TypeAlias = Mapping[str, Fraction]
"""A number for each parameter (or unknown), by its name."""


@dataclass(frozen=True)
class Polynomial:
    """A sum of products of parameters; `terms` has every product once, in order, none with the factor 0."""

    terms: tuple[tuple[Monomial, Fraction], ...] = ()

    @staticmethod
    def of(terms: Mapping[Monomial, Fraction]) -> Polynomial:
        """Return the polynomial of these products and factors."""
        return Polynomial(tuple((product, factor) for product, factor in sorted(terms.items()) if factor))

    @staticmethod
    def number(value: int) -> Polynomial:
        """Return a constant."""
        return Polynomial.of({(): Fraction(value)})

    @staticmethod
    def parameter(*names: str) -> Polynomial:
        """Return a product of parameters."""
        return Polynomial.of({tuple(sorted(names)): Fraction(1)})

    def __add__(self, other: Polynomial) -> Polynomial:
        found = dict(self.terms)
        for product, factor in other.terms:
            found[product] = found.get(product, Fraction(0)) + factor
        return Polynomial.of(found)

    def __neg__(self) -> Polynomial:
        return Polynomial(tuple((product, -factor) for product, factor in self.terms))

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + -other

    def __mul__(self, other: Polynomial) -> Polynomial:
        found: dict[Monomial, Fraction] = {}
        for one, left in self.terms:
            for two, right in other.terms:
                product = tuple(sorted(one + two))
                found[product] = found.get(product, Fraction(0)) + left * right
        return Polynomial.of(found)

    def at(self, values: Values) -> Fraction:
        """Return the value for these parameters."""
        total = Fraction(0)
        for product, factor in self.terms:
            for name in product:
                factor *= values[name]
            total += factor
        return total

    def as_z3(self, symbols: Mapping[str, Any]) -> Any:
        """Return the polynomial as a term of the solver; `symbols` has one for each parameter."""
        total: Any = z3.RealVal(0)
        for product, factor in self.terms:
            term: Any = factor.numerator
            for name in product:
                term = term * symbols[name]
            total = total + (term / factor.denominator if factor.denominator != 1 else term)
        return total


ZERO, ONE = Polynomial(), Polynomial.number(1)


@dataclass(frozen=True)
class Form:
    """A sum of unknowns with polynomials as factors, and a constant: `unknowns` has each once, in order."""

    unknowns: tuple[tuple[str, Polynomial], ...] = ()
    constant: Polynomial = ZERO

    @staticmethod
    def of(unknowns: Mapping[str, Polynomial], constant: Polynomial = ZERO) -> Form:
        """Return the form with these factors."""
        return Form(tuple((name, factor) for name, factor in sorted(unknowns.items()) if factor.terms), constant)

    @staticmethod
    def unknown(name: str) -> Form:
        """Return the form that is one unknown."""
        return Form.of({name: ONE})

    @staticmethod
    def parameter(*names: str) -> Form:
        """Return the form that is a product of parameters."""
        return Form((), Polynomial.parameter(*names))

    def __add__(self, other: Form) -> Form:
        found = dict(self.unknowns)
        for name, factor in other.unknowns:
            found[name] = found.get(name, ZERO) + factor
        return Form.of(found, self.constant + other.constant)

    def __neg__(self) -> Form:
        return Form(tuple((name, -factor) for name, factor in self.unknowns), -self.constant)

    def __sub__(self, other: Form) -> Form:
        return self + -other

    def times(self, factor: Polynomial) -> Form:
        """Return the form with every factor multiplied."""
        return Form.of({name: own * factor for name, own in self.unknowns}, self.constant * factor)

    def factor(self, name: str) -> Polynomial:
        """Return the factor of an unknown, 0 where the form does not have it."""
        return dict(self.unknowns).get(name, ZERO)

    def without(self, name: str) -> Form:
        """Return the form less one unknown."""
        return Form(tuple(one for one in self.unknowns if one[0] != name), self.constant)

    def as_z3(self, symbols: Mapping[str, Any]) -> Any:
        """Return the form as a term of the solver; `symbols` has one for each parameter and unknown."""
        total: Any = self.constant.as_z3(symbols)
        for name, factor in self.unknowns:
            total = total + factor.as_z3(symbols) * symbols[name]
        return total


@dataclass(frozen=True)
class Inequality:
    """A form that is at least 0, or with `strict` above 0."""

    form: Form
    strict: bool = False

    def as_z3(self, symbols: Mapping[str, Any]) -> Any:
        """Return the inequality as a condition of the solver."""
        term = self.form.as_z3(symbols)
        return term > 0 if self.strict else term >= 0

    def negation(self) -> Inequality:
        """Return the inequality that holds exactly where this one does not."""
        return Inequality(-self.form, not self.strict)

    def holds(self, values: Values) -> bool:
        """Return whether it holds for these parameters; it must have no unknowns left."""
        assert not self.form.unknowns
        found = self.form.constant.at(values)
        return found > 0 if self.strict else found >= 0

    def limit(self, name: str, values: Values) -> Fraction:
        """Return the bound that it puts on its only unknown, for these parameters."""
        return -self.form.constant.at(values) / self.form.factor(name).at(values)

    def __str__(self) -> str:
        """Return it as it is written: what is subtracted on the left, what is added on the right."""
        factors = dict(self.form.unknowns)
        left, right = _side(self.form.constant, factors, -1), _side(self.form.constant, factors, 1)
        return f"{left} {'<' if self.strict else '<='} {right}"


def at_least(left: Form, right: Form) -> Inequality:
    """Return the inequality "left is at least right"."""
    return Inequality(left - right)


def above(left: Form, right: Form) -> Inequality:
    """Return the inequality "left is above right"."""
    return Inequality(left - right, strict=True)


RATES = {"slow_b": "(1-ρb)", "fast_b": "(1+ρb)", "slow_c": "(1-ρc)", "fast_c": "(1+ρc)"}
"""How the parameters are written that are rates of a clock."""


def _side(constant: Polynomial, unknowns: Mapping[str, Polynomial], sign: int) -> str:
    """The products with one sign as text, those with the same rates in one bracket."""
    groups: dict[Monomial, list[str]] = {}
    for name, polynomial in ((None, constant), *unknowns.items()):
        for product, factor in polynomial.terms:
            if factor * sign > 0:
                rates = tuple(one for one in product if one in RATES)
                rest = "·".join([*(one for one in product if one not in RATES), *([name] if name else [])])
                size = abs(factor)
                written = rest if size == 1 and rest else f"{size}{'·' if rest else ''}{rest}"
                groups.setdefault(rates, []).append(written)
    texts = []
    for rates, inside in groups.items():
        bracket = "".join(RATES[rate] for rate in rates)
        body = " + ".join(sorted(inside, key=_order))
        if not bracket:
            texts.append(body)
        elif inside == ["1"]:
            texts.append(bracket)
        else:
            texts.append(f"({body}){bracket}" if len(inside) > 1 else f"{body}{bracket}")
    return " + ".join(texts) or "0"


def _order(text: str) -> tuple[int, str]:
    return (0 if text.startswith("T") else 1, text)


def unknowns_of(inequalities: Iterable[Inequality]) -> tuple[str, ...]:
    """Return the unknowns of inequalities, each once."""
    return tuple(dict.fromkeys(name for one in inequalities for name, _ in one.form.unknowns))
