"""Terms over a state that is known in part: three-valued, compiled once to Python functions, one for each node.

A cell that no record shows (soft, message, ghost) and a variable that is not bound have the value `UNKNOWN`; every node
answers `UNKNOWN` unless what is known decides it. On a state that is known in full the values are the interpreter's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import eq, le, lt
from typing import Any, assert_never, cast

from fencepost.checkers.conformance.classes.frames import (
    MISSING,
    UNKNOWN,
    Code,
    Env,
    Frame,
    first_value,
    more_values,
    restore,
)
from fencepost.checkers.conformance.classes.tables import anywhere
from fencepost.model.language import Node, Term, Var
from fencepost.model.language.nodes import (
    Arith,
    Ascending,
    At,
    AtLeast,
    Before,
    Compare,
    Comprehension,
    Concat,
    Each,
    Elems,
    Eq,
    First,
    Get,
    Implies,
    Ite,
    Keep,
    Lesser,
    ListOf,
    Lit,
    MaxOf,
    Member,
    Named,
    Nary,
    Next,
    Not,
    Quant,
    Repeats,
    SetOf,
    SetOp,
    SizeOf,
    Subset,
)
from fencepost.model.language.operators import operator_of
from fencepost.model.language.state import State
from fencepost.model.language.walk import bare, children

from .connectives import (
    all_true,
    any_true,
    applied,
    ascending,
    chosen,
    combined,
    in_next,
    is_defined,
    memoised,
    negated,
    set_of,
    set_operation,
)
from .indexes import candidates, selector
from .outcomes import outcomes
from .quantified import Candidates


class Compiler:
    """Terms compiled against the variables that are known: `known` gives each the number of its table, and `initial`
    the values of the cells that a table does not have, where they are not as declared."""

    def __init__(self, known: Mapping[State[Any], int], initial: Mapping[State[Any], Any] | None = None) -> None:
        self.known = known
        self.initial = initial or {}
        self._codes: dict[Term[Any], Code] = {}
        self._hides: dict[Term[Any], bool] = {}

    def hides(self, term: Term[Any]) -> bool:
        """Return whether a term reads a cell of a variable that is not known."""
        found = self._hides.get(term)
        if found is None:
            unknown = isinstance(term, Get) and term.state not in self.known
            found = self._hides[term] = unknown or any(self.hides(child) for child in children(term))
        return found

    def code(self, term: Term[Any]) -> Code:
        """Return the function that evaluates a term in a frame under variables."""
        found = self._codes.get(term)
        if found is None:
            found = self._compile(cast(Node, term))
            if isinstance(term, (Named, Quant, Comprehension, MaxOf)):
                found = memoised(term, found)
            self._codes[term] = found
        return found

    def _compile(self, term: Node) -> Code:
        code = self.code
        match term:
            case Lit():
                literal = term.value
                return lambda frame, env: literal
            case Var():
                return lambda frame, env: env.get(term, UNKNOWN)
            case Get():
                return self._get(term)
            case Not():
                return negated(code(term.term))
            case Nary(operator="and"):
                return all_true(self._parts(term.terms, False))
            case Nary():
                return any_true(self._parts(term.terms, True))
            case Implies():
                return any_true(self._parts((Not(term.left), term.right), True))
            case Eq():
                if term.left is term.right:
                    return lambda frame, env: True
                return combined(code(term.left), code(term.right), eq)
            case Compare(operator="<"):
                return combined(code(term.left), code(term.right), lt)
            case Compare():
                return combined(code(term.left), code(term.right), le)
            case Arith():
                operator = operator_of(term)
                assert operator is not None
                return combined(code(term.left), code(term.right), operator.apply)
            case Ite():
                return chosen(code(term.condition), code(term.then), code(term.otherwise))
            case Quant():
                return self._quantifier(term)
            case Comprehension():
                return self._comprehension(term)
            case SetOf():
                return set_of([code(item) for item in term.items])
            case Member():
                return self._member(term)
            case Subset():
                return self._subset(term)
            case SetOp():
                return self._set_operation(term)
            case Elems():
                return applied(code(term.of), frozenset)
            case First():
                return self._first(term)
            case Keep():
                return self._keep(term)
            case Concat():
                return combined(code(term.left), code(term.right), lambda a, b: a + tuple(x for x in b if x not in a))
            case ListOf():
                return applied(code(term.item), lambda item: () if item is None else (item,))
            case Ascending():
                return ascending(code(term.of))
            case Repeats():
                return applied(code(term.of), lambda of: len(set(of)) < len(of))
            case AtLeast():
                return combined(code(term.of), code(term.threshold), lambda of, threshold: len(of) >= threshold)
            case Lesser():
                return combined(code(term.left), code(term.right), min)
            case SizeOf():
                return applied(code(term.of), len)
            case MaxOf():
                # Counters have no last value here, so the greatest cannot be found by trying.
                return lambda frame, env: UNKNOWN
            case Each():
                return self._each(term)
            case At():
                return self._at(term)
            case Named():
                return code(term.term)
            case Before():
                # Guards, fields and replays are all evaluated in the one state before: here nothing lies in between.
                return code(term.term)
            case Next():
                return in_next(code(term.term))
        assert_never(term)

    def deciding(self, terms: Sequence[Term[Any]], value: bool) -> tuple[Sequence[Term[Any]], bool]:
        """Return the parts to evaluate of a connective that one part of a value decides, and whether nothing else can.

        Where a part can never have the other value the whole cannot either, and those that never decide are not asked.
        """
        if any(self.hides(one) for one in terms):
            can = [outcomes(one, (), self.known) for one in terms]
            if not all(one[value] for one in can):
                return [one for one, some in zip(terms, can, strict=True) if some[not value]], True
        return terms, False

    def cut(self, term: SetOp[Any]) -> tuple[Term[Any], Term[Any], Term[bool] | None] | None:
        """Return the set whose members alone an intersection or difference tests, the other set, and the condition
        that the other set has a member; None where both sets are to be known.

        The condition is None for a set that more than one condition defines.
        """
        few, others = term.left, term.right
        if term.operator == "&" and is_defined(few):
            few, others = others, few
        if term.operator == "|" or is_defined(few) or not is_defined(others):
            return None
        plain = bare(others)
        return few, others, Quant("some", plain.var, plain.body) if isinstance(plain, Comprehension) else None

    def _parts(self, terms: Sequence[Term[Any]], value: bool) -> list[Code]:
        deciding, never_other = self.deciding(terms, value)
        codes = [self.code(one) for one in deciding]
        return [*codes, lambda frame, env: UNKNOWN] if never_other else codes

    def _get(self, term: Get[Any]) -> Code:
        table = self.known.get(term.state)
        if table is None:
            return lambda frame, env: UNKNOWN
        initial = self.initial.get(term.state, first_value(term.state))
        keys = [self.code(key) for key in term.keys]
        if not keys:
            return lambda frame, env: frame.tables[table].get((), initial)
        if len(keys) == 1:
            only, var = keys[0], term.keys[0]
            if isinstance(var, Var):

                def of_variable(frame: Frame, env: Env) -> Any:
                    key = env.get(var, UNKNOWN)
                    if key is UNKNOWN:
                        return anywhere(frame.tables[table], initial)
                    return frame.tables[table].get((key,), initial)

                return of_variable

            def one(frame: Frame, env: Env) -> Any:
                key = only(frame, env)
                if key is UNKNOWN:
                    return anywhere(frame.tables[table], initial)
                return frame.tables[table].get((key,), initial)

            return one

        def several(frame: Frame, env: Env) -> Any:
            found = tuple([key(frame, env) for key in keys])
            return UNKNOWN if UNKNOWN in found else frame.tables[table].get(found, initial)

        return several

    def _each(self, term: Each[Any]) -> Code:
        var, along, body = term.var, self.code(term.along), self.code(term.body)

        def run(frame: Frame, env: Env) -> Any:
            listed = along(frame, env)
            if listed is UNKNOWN:
                return UNKNOWN
            old, found = env.get(var, MISSING), []
            for item in listed:
                env[var] = item
                found.append(body(frame, env))
            restore(env, var, old)
            return UNKNOWN if UNKNOWN in found else tuple(found)

        return run

    def _at(self, term: At[Any]) -> Code:
        values_, along, entry = self.code(term.values), self.code(term.along), self.code(term.entry)

        def run(frame: Frame, env: Env) -> Any:
            beside, listed, item = values_(frame, env), along(frame, env), entry(frame, env)
            if UNKNOWN in (beside, listed, item):
                return UNKNOWN
            # A record whose lists differ in length says nothing of the entries without a counterpart.
            place = listed.index(item) if item in listed else len(beside)
            return beside[place] if place < len(beside) else UNKNOWN

        return run

    def _quantifier(self, term: Quant) -> Code:
        var, body, deciding = term.var, self.code(term.body), term.quantifier == "some"
        candidates = Candidates(self, term)

        def run(frame: Frame, env: Env) -> Any:
            domain = candidates(frame, env)
            old = env.get(var, MISSING)
            result: Any = UNKNOWN if more_values(frame, var.kind) else not deciding
            # Of a kind that cannot be listed only what holds whatever the value decides, and there may be no value.
            for value in (UNKNOWN,) if domain is None else domain:
                env[var] = value
                found = body(frame, env)
                if found is deciding and domain is not None:
                    result = found
                    break
                if found is not (not deciding):
                    result = UNKNOWN
            restore(env, var, old)
            return result

        return run

    def _comprehension(self, term: Comprehension[Any]) -> Code:
        var, body = term.var, self.code(term.body)
        select = selector(self, var, term.body)

        def run(frame: Frame, env: Env) -> Any:
            domain = candidates(frame, var, select, env)
            if domain is None or more_values(frame, var.kind):
                return UNKNOWN
            old = env.get(var, MISSING)
            chosen: Any = []
            for value in domain:
                env[var] = value
                found = body(frame, env)
                if found is UNKNOWN:
                    chosen = UNKNOWN
                    break
                if found:
                    chosen.append(value)
            restore(env, var, old)
            return chosen if chosen is UNKNOWN else frozenset(chosen)

        return run

    def _contains(self, collection: Term[Any]) -> Callable[[Frame, Env, Any], Any]:
        """Return the test of one known item, which may be decided although the whole set is not known."""
        plain = bare(collection)
        if isinstance(plain, Comprehension):
            # One member costs less than the whole set, even where that is kept.
            var, body = plain.var, self.code(plain.body)

            def inside(frame: Frame, env: Env, item: Any) -> Any:
                old = env.get(var, MISSING)
                env[var] = item
                found = body(frame, env)
                restore(env, var, old)
                return found

            return inside
        parts = self._contains_by_parts(collection)
        if parts is not None and is_defined(plain):
            return parts
        whole = self.code(collection)

        def test(frame: Frame, env: Env, item: Any) -> Any:
            found = whole(frame, env)
            if found is not UNKNOWN:
                return item in found
            return UNKNOWN if parts is None else parts(frame, env, item)

        return test

    def _contains_by_parts(self, collection: Term[Any]) -> Callable[[Frame, Env, Any], Any] | None:
        if isinstance(collection, (Named, Before)):
            return self._contains(collection.term)
        if isinstance(collection, Ite):
            condition = self.code(collection.condition)
            then, otherwise = self._contains(collection.then), self._contains(collection.otherwise)

            def choose(frame: Frame, env: Env, item: Any) -> Any:
                decided = condition(frame, env)
                if decided is not UNKNOWN:
                    return (then if decided else otherwise)(frame, env, item)
                one, other = then(frame, env, item), otherwise(frame, env, item)
                return one if one is other else UNKNOWN

            return choose
        if isinstance(collection, SetOp):
            left, right, operator = (
                self._contains(collection.left),
                self._contains(collection.right),
                collection.operator,
            )

            def combine(frame: Frame, env: Env, item: Any) -> Any:
                one = left(frame, env, item)
                if one is (operator == "|"):
                    return one
                other = right(frame, env, item)
                if operator == "-":
                    other = UNKNOWN if other is UNKNOWN else not other
                if other is (operator == "|"):
                    return other
                return UNKNOWN if one is UNKNOWN else other

            return combine
        return None

    def _member(self, term: Member) -> Code:
        item, contains, whole = self.code(term.item), self._contains(term.collection), self.code(term.collection)

        def run(frame: Frame, env: Env) -> Any:
            found = item(frame, env)
            if found is UNKNOWN:
                collection = whole(frame, env)
                return False if collection is not UNKNOWN and not collection else UNKNOWN
            return False if found is None else contains(frame, env, found)

        return run

    def _subset(self, term: Subset) -> Code:
        left, contains = self.code(term.left), self._contains(term.right)

        def run(frame: Frame, env: Env) -> Any:
            smaller = left(frame, env)
            if smaller is UNKNOWN:
                return UNKNOWN
            result: Any = True
            for item in smaller:
                found = contains(frame, env, item)
                if found is False:
                    return False
                if found is UNKNOWN:
                    result = UNKNOWN
            return result

        return run

    def _set_operation(self, term: SetOp[Any]) -> Code:
        """Return the intersection, union or difference of two sets.

        For a set that a condition defines only the members of the other are tested: neither whether others satisfy
        it is read, nor does the result depend on what is not known of them.
        """
        whole = set_operation(term.operator, self.code(term.left), self.code(term.right))
        cut = self.cut(term)
        if cut is None:
            return whole
        few, others, member = cut
        listed, contains, wanted = self.code(few), self._contains(others), term.operator == "&"
        some = None if member is None else self.code(member)

        def run(frame: Frame, env: Env) -> Any:
            found = listed(frame, env)
            if found is UNKNOWN:
                is_known = wanted and (some is None or some(frame, env) is not True)
                return whole(frame, env) if is_known else UNKNOWN
            those = [(item, contains(frame, env, item)) for item in found]
            return (
                UNKNOWN
                if any(is_in is UNKNOWN for _, is_in in those)
                else frozenset([item for item, is_in in those if is_in is wanted])
            )

        return run

    def _first(self, term: First[Any]) -> Code:
        of, contains = self.code(term.of), self._contains(term.among)

        def run(frame: Frame, env: Env) -> Any:
            listed = of(frame, env)
            if listed is UNKNOWN:
                return UNKNOWN
            for item in listed:
                found = contains(frame, env, item)
                if found is not False:
                    return UNKNOWN if found is UNKNOWN else item
            return None

        return run

    def _keep(self, term: Keep[Any]) -> Code:
        of, contains = self.code(term.of), self._contains(term.among)

        def run(frame: Frame, env: Env) -> Any:
            listed = of(frame, env)
            if listed is UNKNOWN:
                return UNKNOWN
            kept = []
            for item in listed:
                found = contains(frame, env, item)
                if found is UNKNOWN:
                    return UNKNOWN
                if found:
                    kept.append(item)
            return tuple(kept)

        return run
