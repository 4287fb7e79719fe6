"""Guards of rows in many states: the interpreter evaluates each condition once for the same contents of what it reads.

A guard is a conjunction of clauses, a clause a disjunction of conditions. Rows of a table share most conditions, and a
condition reads few variables, so that few evaluations decide the guards of thousands of states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Any

from fencepost.model.language import Evaluation, Term, Valuation, Var, World
from fencepost.model.language.nodes import Implies, Named, Nary, Not
from fencepost.model.language.walk import free, negation

from .states import Codes, Numbering, variables

Values = tuple[Any, ...]
"""The values of a row's parameters, in their order; of the first of them while they are chosen."""


class Conditions:
    """The conditions of all guards, by term."""

    def __init__(self, numbering: Numbering, world: World) -> None:
        self.numbering, self.world = numbering, world
        self._known: dict[Term[bool], _Condition] = {}

    def condition(self, term: Term[bool]) -> _Condition:
        """Return a condition, the same for each guard that has it."""
        if term not in self._known:
            self._known[term] = _Condition(term, self.numbering, self.world)
        return self._known[term]


class _Condition:
    """A condition with its values so far: by the contents of the variables that it reads, and by its parameters."""

    def __init__(self, term: Term[bool], numbering: Numbering, world: World) -> None:
        self.term, self.numbering, self.world = term, numbering, world
        self.params = tuple(sorted(free(term), key=lambda var: var.name))
        self.reads = variables(term)
        self._pick = numbering.picking(self.reads)
        self._found: dict[Any, dict[Values, bool]] = {}
        self._last: tuple[Any, Evaluation | None] = None, None

    def found(self, codes: Codes) -> dict[Values, bool]:
        """Return the values that are known in a state, by the parameters."""
        return self._found.setdefault(self._pick(codes), {})

    def evaluated(self, codes: Codes, values: Values) -> bool:
        """Return the value in a state, by the interpreter."""
        here, (last, evaluation) = self._pick(codes), self._last
        if evaluation is None or here != last:
            evaluation = Evaluation(self.world, Valuation(self.numbering.contents(codes, self.reads)))
            self._last = here, evaluation
        return bool(evaluation.value(self.term, dict(zip(self.params, values, strict=True))))


class Guard:
    """A guard over some parameters, which are chosen one after the other; `reads` are the variables that it reads."""

    def __init__(self, term: Term[bool], params: Sequence[Var[Any]], conditions: Conditions) -> None:
        self.reads = variables(term)
        self._domains = [conditions.world.values(var.kind) for var in params]
        self._conditions: list[_Condition] = []
        self._ready: list[list[list[tuple[int, Callable[[Values], Values]]]]] = [[] for _ in range(len(params) + 1)]
        places = {var: place for place, var in enumerate(params)}
        for clause in _clauses(term):
            made, bound = [], 0
            for one in map(conditions.condition, clause):
                if one not in self._conditions:
                    self._conditions.append(one)
                chosen = tuple(places[var] for var in one.params)
                bound = max(bound, *(place + 1 for place in chosen), 0)
                made.append((self._conditions.index(one), _taking(chosen)))
            self._ready[bound].append(made)

    def satisfying(self, codes: Codes) -> list[Values]:
        """Return the values of the parameters with which the guard holds in a state."""
        known = [one.found(codes) for one in self._conditions]
        found: list[Values] = []

        def holds(number: int, values: Values) -> bool:
            answer = known[number].get(values)
            if answer is None:
                answer = known[number][values] = self._conditions[number].evaluated(codes, values)
            return answer

        def extend(values: Values) -> None:
            for clause in self._ready[len(values)]:
                if not any(holds(number, take(values)) for number, take in clause):
                    return
            if len(values) == len(self._domains):
                found.append(values)
                return
            for value in self._domains[len(values)]:
                extend((*values, value))

        extend(())
        return found


def _taking(places: tuple[int, ...]) -> Callable[[Values], Values]:
    """Return what takes the values at some places."""
    if not places:
        return lambda _: ()
    if len(places) == 1:
        [place] = places
        return lambda values: (values[place],)
    return itemgetter(*places)


def _clauses(term: Term[bool]) -> Iterator[tuple[Term[bool], ...]]:
    """Yield the clauses of a condition: it holds where in each of them one condition does."""
    parts = _parts(term, "and")
    if len(parts) > 1:
        for part in parts:
            yield from _clauses(part)
    elif parts:
        yield tuple(_parts(parts[0], "or"))


def _parts(term: Term[bool], operator: str) -> list[Term[bool]]:
    """Return the conditions of which a condition is the conjunction, or the disjunction."""
    while isinstance(term, Named):
        term = term.term
    if isinstance(term, Implies):
        return _parts(negation(term.left), operator) + _parts(term.right, operator) if operator == "or" else [term]
    inner = term.term if isinstance(term, Not) else term
    while isinstance(inner, Named):
        inner = inner.term
    if isinstance(term, Not) and isinstance(inner, Nary):
        if inner.operator != operator:
            return [part for one in inner.terms for part in _parts(negation(one), operator)]
    elif isinstance(term, Nary) and term.operator == operator:
        return [part for one in term.terms for part in _parts(one, operator)]
    return [term]
