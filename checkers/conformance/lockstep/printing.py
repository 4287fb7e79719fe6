"""Terms as Python functions where every cell is known: evaluated in `Cells`, they raise where a term has no value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from fencepost.checkers.conformance.state.replay import known_part
from fencepost.checkers.printing.certainty import ALWAYS, HIDDEN, Truth, Value
from fencepost.checkers.printing.certainty import text as test_text
from fencepost.checkers.printing.function import Function as Printed
from fencepost.checkers.printing.terms import Rows, TermPrinter
from fencepost.checkers.printing.unknown import UNKNOWN
from fencepost.model.language import Term, Var
from fencepost.model.language.errors import EvaluationError
from fencepost.model.language.kinds import BoolKind, IntKind, Kind
from fencepost.model.language.nodes import At, Comprehension, Get, MaxOf, Quant
from fencepost.model.language.state import State
from fencepost.model.language.walk import children, free

from .cells import AFTER, BEFORE, MISSING, Cells, name_of

_COSTLY: Final = 7
"""A term of more nodes that a loop would evaluate again and again is evaluated in front of it; a cell always is."""

Function = Callable[..., Any]
"""A compiled term: takes the cells, then the values of its variables."""


class _Known(NamedTuple):
    """The cells of a protocol, all of them known: the value of a variable with a `given` one is never looked up."""

    numbers: Mapping[State[Any], int]
    states: Sequence[State[Any]]
    initial: Sequence[Any]
    given: Mapping[str, Any]
    sorts: Sequence[str] = ()
    rows: Rows = Rows()


class Printer(TermPrinter):
    """Terms compiled against numbered tables; `initial` has their initial values, `MISSING` where there is none.

    `listed` are the names of counters of which just the numbers matter that were met, as if they were entities.
    """

    def __init__(
        self, numbers: Mapping[State[Any], int], initial: Sequence[Any], listed: frozenset[str] = frozenset()
    ) -> None:
        given = {state.name: known_part(state) for state in numbers if state.known is not None}
        super().__init__(_Known(numbers, tuple(numbers), initial, given))
        self.listed = listed
        self.space |= {one.__name__: one for one in (unlisted, known, decided_by)}
        self.space |= {"need": self._need, "Z": MISSING}
        self._variables: dict[Var[Any], str] = {}
        self._functions: dict[tuple[Term[Any], tuple[Var[Any], ...], bool], Function] = {}
        self._total: dict[Term[Any], bool] = {}
        self._calls: dict[str, str] = {}

    # -- functions ---------------------------------------------------------------------------------------------------
    def variable(self, var: Var[Any]) -> str:
        """Return the Python name of a variable."""
        return self._variables.setdefault(var, f"v{len(self._variables)}")

    def begin(self, params: Iterable[Var[Any]], terms: Iterable[Term[Any]]) -> Printed:
        """Begin a function of variables; it is to evaluate some terms."""
        function = Printed(BEFORE, {var: Value(self.variable(var), ALWAYS) for var in params}, AFTER)
        function.count(terms)
        return function

    def end(self, params: Iterable[Var[Any]], function: Printed) -> Function:
        """Return the function of variables that has been printed."""
        return self.define(self.fresh("f"), [self.variable(var) for var in params], function)

    def function(self, term: Term[Any], params: tuple[Var[Any], ...], may: bool = False) -> Function:
        """Return the function that evaluates a term under values of variables.

        Of a variable that is no parameter nothing is known: the value raises where it rests on one. With `may` the
        function evaluates whether a condition may hold.
        """
        found = self._functions.get((term, params, may))
        if found is None:
            body = self.begin(params, [term])
            body.line(f"return {test_text(self.truth(term, body).may) if may else self.text(term, body)}")
            found = self._functions[term, params, may] = self.end(params, body)
        return found

    def text(self, term: Term[Any], function: Printed) -> str:
        """Return a term as a Python expression, which raises where the term's value is not known."""
        if isinstance(term.kind, BoolKind):
            may, sure = self.truth(term, function)
            return test_text(may) if may == sure else f"decided_by({test_text(may)}, {test_text(sure)})"
        found, certainty = self.value(term, function)
        return found if certainty is ALWAYS else f"known({found})"

    def key(self, keys: Iterable[Term[Any]], function: Printed) -> str:
        """Return the key of a cell as a Python expression."""
        return name_of_key([self.text(one, function) for one in keys])

    def ahead(self, terms: Iterable[Term[Any]], function: Printed) -> None:
        """Evaluate here what a loop that is about to begin would evaluate again and again."""
        waiting, seen = list(terms)[::-1], set[Term[Any]]()
        while waiting:
            term = waiting.pop()
            if term in seen or term in function.values or term in function.truths:
                continue
            seen.add(term)
            is_cheap = self.cost(term) <= _COSTLY and not isinstance(term, Get)
            if is_cheap or not free(term) <= function.variables.keys() or self.may_raise(term):
                waiting += children(term)[::-1]
            elif isinstance(term.kind, BoolKind):
                function.truths[term] = self._with_names(self.truth(term, function), function)
            else:
                found, certainty = self.value(term, function)
                function.values[term] = Value(function.named(found), certainty)

    # -- what terms are ----------------------------------------------------------------------------------------------
    def may_raise(self, term: Term[Any]) -> bool:
        """Return whether a term has no value in some state."""
        found = self._total.get(term)
        if found is None:
            found = self._total[term] = self._may_lack(term) or any(map(self.may_raise, children(term)))
        return found

    def _may_lack(self, node: Term[Any]) -> bool:
        if isinstance(node, Get):
            return node.state.known is not None or self.initial[self.numbers[node.state]] is MISSING
        if isinstance(node, (Quant, Comprehension)):
            return "unlisted" in self.domain(node.var.kind, Printed(BEFORE))
        return isinstance(node, (At, MaxOf))

    def _need(self, cells: Cells, number: int, key: Any, after: bool) -> Any:
        """Return the value of a cell that has no initial one; raises `EvaluationError` for one that has none."""
        of = cells.after if after and cells.after is not None else cells
        found = of.tables[number].get(key, MISSING)
        if found is MISSING:
            found = of.others.get(number, MISSING)
            if found is MISSING:
                state = self.cells.states[number]
                raise EvaluationError(f"{state.name}{[key] if len(state.keys) == 1 else list(key)} has no value")
        return found

    # -- terms that may have no value --------------------------------------------------------------------------------
    def _helper(self, term: Term[Any], function: Printed) -> tuple[Any, list[str], Callable[[], Printed], str]:
        key, names, begin, arguments = super()._helper(term, function)

        def counted() -> Printed:
            found = begin()
            found.count([term])
            return found

        return key, names, counted, arguments

    def _helper_truth(self, term: Term[Any], inner: Term[Any], function: Printed) -> Truth:
        found = super()._helper_truth(term, inner, function)
        if found.is_decided and isinstance(found.may, str) and self._is_kept(term, function):
            once = self._once(found.may, function)
            found = function.truths[term] = Truth(once, once)
        return found

    def _helper_value(self, term: Term[Any], inner: Term[Any], function: Printed) -> Value:
        found = super()._helper_value(term, inner, function)
        if found.certainty is ALWAYS and self._is_kept(term, function):
            found = function.values[term] = Value(self._once(found.text, function), ALWAYS)
        return found

    @staticmethod
    def _is_kept(term: Term[Any], function: Printed) -> bool:
        """Whether a term has one value in the function, from here on: it depends on no variable of an expression."""
        return function.local.isdisjoint(free(term))

    def _once(self, call: str, function: Printed) -> str:
        """Return an expression that makes a call where it is first evaluated: the call may raise, and not be needed."""
        name = function.fresh("z")
        function.line(f"{name} = Z")
        once = f"({name} if {name} is not Z else ({name} := {call}))"
        self._calls[once] = call
        return once

    def iterated(self, text: str) -> str:
        """Return an expression as one that a comprehension can iterate over, in which nothing can be assigned."""
        for once in reversed(self._calls) if ":=" in text else ():
            text = text.replace(once, self._calls[once])
        return text

    # -- cells and entities ------------------------------------------------------------------------------------------
    def domain_of(self, sort: str) -> str:
        """Return the name of the entities of a sort."""
        return name_of(sort)

    def domain(self, kind: Kind[Any], function: Printed) -> str:
        """Return the values of a kind as an expression; those of a counter raise when they are read."""
        if isinstance(kind, IntKind) and kind.name in self.listed:
            return function.read(name_of(kind.name))
        return super().domain(kind, function) or "unlisted()"

    def source(
        self, var: Var[Any], body: Term[Any], wanted: bool, function: Printed, unwritten: bool = False
    ) -> str | None:
        """Have all entities asked: those that a request brings along are in no index."""
        return None

    def _value(self, term: Term[Any], function: Printed) -> Value:
        return Value("unlisted()", ALWAYS) if isinstance(term, MaxOf) else super()._value(term, function)

    def _beside(self, term: At[Any], function: Printed) -> Value:
        return self._applied(term, function)

    def _cell(self, term: Get[Any], function: Printed) -> Value:
        if term.state.name in self.cells.given:
            return self._given(term, function)
        keys = [self.value(key, function) for key in term.keys]
        if any(one.certainty is not ALWAYS for one in keys):
            return HIDDEN
        number, key = self.numbers[term.state], name_of_key([one.text for one in keys])
        if self.initial[number] is MISSING:
            needed = f"need(S, {number}, {key}, {function.prefix == AFTER})"
            if function.prefix == BEFORE and all(one.text.isidentifier() for one in keys):
                # Most values count as true, so the function is seldom called.
                needed = f"({function.read(f'{BEFORE}{number}')}.get({key}) or {needed})"
            return Value(needed, ALWAYS)
        table, initial = function.read(f"{function.prefix}{number}"), self.constant(self.initial[number])
        return Value(f"{table}.get({key}, {initial})", ALWAYS)


def name_of_key(keys: Sequence[str]) -> str:
    """Return the expression of a key: of one the key itself, else the tuple of them."""
    return keys[0] if len(keys) == 1 else f"({', '.join(keys)})"


def unlisted() -> Any:
    """Raise `EvaluationError`, since the values of a counter cannot be listed."""
    raise EvaluationError("the values of a counter cannot be listed")


def known(value: Any) -> Any:
    """Return a value; raises `EvaluationError` for one that rests on a variable of which nothing is known."""
    if value is UNKNOWN:
        raise EvaluationError("a variable has no value")
    return value


def decided_by(may: Any, sure: Any) -> bool:
    """Return whether a condition holds; raises `EvaluationError` where that rests on an unknown variable."""
    if bool(may) is not bool(sure):
        raise EvaluationError("a variable has no value")
    return bool(may)
