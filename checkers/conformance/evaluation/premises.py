"""The premises of a claim: conditions that make an instance true where one is false, and the values that they leave."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Any, TypeAlias

from fencepost.checkers.conformance.classes.frames import Code
from fencepost.model.language import Term, Var
from fencepost.model.language.terms import Implies, Named, Nary, Not
from fencepost.model.language.walk import free

from .indexes import Selector, selector
from .kleene import Compiler

_Premise: TypeAlias = tuple[Term[bool], bool]
"""A condition, and whether it is an implication's premise."""


class Premises:
    """The premises of a claim that is made for all values of some variables, each where its last one is bound."""

    def __init__(self, term: Term[bool], variables: Sequence[Var[Any]], compiler: Compiler) -> None:
        self.variables, self.compiler = variables, compiler
        self._bound: list[list[_Premise]] = [[] for _ in variables]
        for premise, is_antecedent in premises(term):
            needed = [n for n, var in enumerate(variables) if var in free(premise)]
            if needed and free(premise) <= set(variables):
                self._bound[max(needed)].append((premise, is_antecedent))

    @property
    def bound(self) -> Sequence[Sequence[_Premise]]:
        """The conditions of each variable, with each whether it is an implication's premise."""
        return self._bound

    @cached_property
    def codes(self) -> tuple[tuple[tuple[Code, bool], ...], ...]:
        """The conditions of each variable, with each whether it is an implication's premise."""
        code = self.compiler.code
        return tuple(tuple([(code(term), is_antecedent) for term, is_antecedent in some]) for some in self._bound)

    @cached_property
    def selects(self) -> tuple[tuple[Selector | None, bool], ...]:
        """How to find the values of each variable under which none of its first conditions, which all are an
        implication's premises or none, is sure to be false, and which they are; None where all are to be tried."""
        return tuple(self._select(var, some) for var, some in zip(self.variables, self._bound, strict=True))

    @cached_property
    def under_second(self) -> tuple[Selector | None, bool]:
        """The values of the first of two variables in `selects`, by the conditions of both, given the second."""
        if len(self._bound) != 2 or len({is_antecedent for some in self._bound for _, is_antecedent in some}) != 1:
            return None, False
        return self._select(self.variables[0], [*self._bound[0], *self._bound[1]])

    def _select(self, var: Var[Any], conditions: Sequence[_Premise]) -> tuple[Selector | None, bool]:
        if not conditions:
            return None, False
        # The first condition that is false decides how an instance is counted.
        first = conditions[0][1]
        terms = tuple([term for term, _ in takewhile(lambda one: one[1] is first, conditions)])
        return selector(self.compiler, var, Nary("and", terms)), first


def premises(body: Term[Any]) -> Iterator[_Premise]:
    """Yield the conditions that make the body true where one is false, each with whether an implication has it."""
    if isinstance(body, Named):
        yield from premises(body.term)
    elif isinstance(body, Implies):
        yield from ((one, True) for one in parts_of(body.left))
        yield from premises(body.right)
    elif isinstance(body, Not):
        yield from ((one, False) for one in parts_of(body.term))


def parts_of(term: Term[Any]) -> tuple[Term[Any], ...]:
    """Return what a term is the conjunction of, whatever is named."""
    if isinstance(term, Named):
        return parts_of(term.term)
    if isinstance(term, Nary) and term.operator == "and":
        return tuple(part for one in term.terms for part in parts_of(one))
    return (term,)
