"""Finds the entities that a condition can hold for by an index over the cells that it compares."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Final, Protocol, TypeAlias

from fencepost.checkers.conformance.classes.frames import UNKNOWN, Code, Env, Frame, first_value, values
from fencepost.checkers.conformance.classes.members import joined, named, shared
from fencepost.checkers.conformance.classes.tables import absent, find
from fencepost.model.language import Term, Var
from fencepost.model.language.kinds import BOOL, EntityKind
from fencepost.model.language.terms import (
    Arith,
    Before,
    Elems,
    Eq,
    Get,
    Implies,
    Ite,
    Lit,
    Member,
    Named,
    Nary,
    Next,
    Not,
    SetOp,
)
from fencepost.model.language.walk import bare, free

Selector: TypeAlias = Callable[[Frame, Env], Collection[Any] | None]
"""The only entities of which a condition may hold (or may fail); None where all of them have to be tried."""

FEW: Final = 8
"""The number of candidates up to which no other index is searched for fewer."""


class Coder(Protocol):
    """Compiles terms: `known` are the variables that have a table, `initial` the values of cells that it has not."""

    @property
    def known(self) -> Any:
        """The number of the table of each known variable."""

    @property
    def initial(self) -> Any:
        """The value of the cells that a table does not have, by variable."""

    def code(self, term: Term[Any]) -> Code:
        """Return the function that evaluates a term."""


def candidates(frame: Frame, var: Var[Any], select: Selector | None, env: Env) -> Collection[Any] | None:
    """Return what may be tried for a variable, in the order in which it was seen: what an index leaves of the entities
    of its sort, or all of them; None where they cannot be listed."""
    return in_order(frame, var, None if select is None else select(frame, env))


def in_order(frame: Frame, var: Var[Any], found: Collection[Any] | None) -> Collection[Any] | None:
    """Return those of some entities that were seen, in the order in which they were; all of the variable's values where
    there are none given, None where they cannot be listed."""
    if found is None or not isinstance(var.kind, EntityKind):
        return values(frame, var.kind)
    seen = frame.domains.get(var.kind.name)
    if seen is None:
        return None
    inside = [one for one in found if one in seen]
    return inside if len(inside) < 2 else sorted(inside, key=seen.__getitem__)


def seen_of(frame: Frame, var: Var[Any], found: Collection[Any] | None) -> Iterable[Any] | None:
    """Return the candidates of `in_order`, in any order, each at first use only."""
    if found is None or not isinstance(var.kind, EntityKind):
        return values(frame, var.kind)
    seen = frame.domains.get(var.kind.name)
    return None if seen is None else (one for one in found if one in seen)


def selector(coder: Coder, var: Var[Any], term: Term[bool], wanted: bool = True) -> Selector | None:
    """Return how to find the entities for which a condition is not sure to be false; not `wanted`, not sure to be true.

    None where no index helps.
    """
    return _Selecting(coder, var).select(term, wanted) if isinstance(var.kind, EntityKind) else None


class _Selecting:
    """The selectors of one variable: what is named in several places of a condition is looked at once."""

    def __init__(self, coder: Coder, var: Var[Any]) -> None:
        self.coder, self.var = coder, var
        self._found: dict[tuple[Term[Any], bool], Selector | None] = {}

    def select(self, term: Term[Any], wanted: bool) -> Selector | None:
        """Return how to find the values for which a term is not sure to be other than `wanted`."""
        key = term, wanted
        if key not in self._found:
            self._found[key] = self._select(term, wanted)
        return self._found[key]

    def _select(self, term: Term[Any], wanted: bool) -> Selector | None:
        select, coder, var = self.select, self.coder, self.var
        match term:
            case Named() | Before():
                return select(term.term, wanted)
            case Not():
                return select(term.term, not wanted)
            case Nary():
                parts = [select(one, wanted) for one in term.terms]
                return _any_of(parts) if (term.operator == "and") is wanted else _all_of(parts)
            case Implies():
                parts = [select(term.left, not wanted), select(term.right, wanted)]
                return _all_of(parts) if wanted else _any_of(parts)
            case Ite():
                yes = _any_of([select(one, w) for one, w in ((term.condition, True), (term.then, wanted))])
                no = _any_of([select(one, w) for one, w in ((term.condition, False), (term.otherwise, wanted))])
                return _all_of([yes, no])
            case Lit():
                return None if term.value is wanted else lambda frame, env: ()
            case Eq() if term.left.kind is BOOL:
                one, other = term.left, term.right
                pairs = [[(one, True), (other, wanted)], [(one, False), (other, not wanted)]]
                return _all_of([_any_of([select(part, w) for part, w in pair]) for pair in pairs])
            case Eq() if wanted:
                return _equal(coder, var, term.left, term.right) or _equal(coder, var, term.right, term.left)
            case Member() if wanted:
                return _member(coder, var, term.item, term.collection)
            case Get() if term.keys:
                return _lookup(coder, var, term, lambda frame, env: wanted, members=False)
            case Next():
                return _in_next(select(term.term, wanted))
        return None


def _in_next(inner: Selector | None) -> Selector | None:
    if inner is None:
        return None
    return lambda frame, env: None if frame.after is None else inner(frame.after, env)


def _equal(coder: Coder, var: Var[Any], one: Term[Any], other: Term[Any]) -> Selector | None:
    one = bare(one)
    if var in free(other):
        return None
    if isinstance(one, Arith) and one.operator != "*" and isinstance(one.right, Lit):
        # A sum equals something where its other part equals the difference.
        return _equal(coder, var, one.left, Arith("-" if one.operator == "+" else "+", other, one.right))
    if isinstance(one, Next):
        # What it equals is found in the state after, too: only what no state decides is the same there.
        return _in_next(_equal(coder, var, one.term, other)) if isinstance(bare(other), (Var, Lit)) else None
    code = coder.code(other)
    if one is var:
        return lambda frame, env: None if (value := code(frame, env)) is UNKNOWN else (value,)
    return _lookup(coder, var, one, code, members=False) if isinstance(one, Get) else None


def _member(coder: Coder, var: Var[Any], item: Term[Any], of: Term[Any]) -> Selector | None:
    of = bare(of)
    if isinstance(of, SetOp):
        left, right = _member(coder, var, item, of.left), _member(coder, var, item, of.right)
        return _all_of([left, right]) if of.operator == "|" else left if of.operator == "-" else _any_of([left, right])
    if isinstance(of, Ite):
        return _all_of([_member(coder, var, item, of.then), _member(coder, var, item, of.otherwise)])
    if bare(item) is var and var not in free(of):
        code = coder.code(of)
        return lambda frame, env: None if (found := code(frame, env)) is UNKNOWN else found
    while isinstance(of, (Elems, Named, Before)):
        of = of.of if isinstance(of, Elems) else of.term
    if var in free(item) or not isinstance(of, Get):
        return None
    return _lookup(coder, var, of, coder.code(item), members=True)


def _lookup(coder: Coder, var: Var[Any], cell: Get[Any], value: Code, members: bool) -> Selector | None:
    """Return how to find the keys of the cells that have a value, or have it among their members."""
    places = [at for at, key in enumerate(cell.keys) if bare(key) is var]
    number = coder.known.get(cell.state)
    if len(places) != 1 or number is None or any(var in free(k) for n, k in enumerate(cell.keys) if n != places[0]):
        return None
    [place] = places
    others = [coder.code(key) for at, key in enumerate(cell.keys) if at != place]
    initial = coder.initial.get(cell.state, first_value(cell.state))
    sort = str(var.kind)

    def run(frame: Frame, env: Env) -> Collection[Any] | None:
        wanted, table = value(frame, env), frame.tables[number]
        if wanted is UNKNOWN:
            return None
        beside = tuple([other(frame, env) for other in others])
        if UNKNOWN in beside:
            return None
        if initial is not UNKNOWN and not (wanted in (initial or ()) if members else wanted == initial):
            return find(table, place, members, beside, wanted)
        # What has no cell may be meant, too.
        without = absent(table, frame.domains.get(sort, {})) if not beside else None
        found = None if without is None else find(table, place, members, beside, wanted)
        return found if found is None or not without else joined((found, without))

    return run


def _any_of(parts: Sequence[Selector | None]) -> Selector | None:
    """Return the candidates where each of several conditions must hold: those of all of them."""
    ready = [part for part in parts if part is not None]
    if len(ready) < 2:
        return ready[0] if ready else None

    def run(frame: Frame, env: Env) -> Collection[Any] | None:
        known: list[Collection[Any]] = []
        for part in ready:
            found = part(frame, env)
            if found is None:
                continue
            known.append(found)
            if len(found) <= FEW:
                return found
        if len(known) < 2:
            return known[0] if known else None
        one = named(known)
        if one is not None:
            return [one] if all(one in some for some in known) else []
        whole = shared(known)
        if whole is not None:
            return whole
        best, *others = sorted(known, key=len)
        return [one for one in best if all(one in other for other in others)]

    return run


def _all_of(parts: Sequence[Selector | None]) -> Selector | None:
    """Return the candidates where one of several conditions must hold: those of any of them."""
    ready = [part for part in parts if part is not None]
    if len(ready) < len(parts):
        return None

    def run(frame: Frame, env: Env) -> Collection[Any] | None:
        found: list[Collection[Any]] = []
        for part in ready:
            some = part(frame, env)
            if some is None:
                return None
            found.append(some)
        return joined(found)

    return run
