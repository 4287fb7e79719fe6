"""Terms as Python expressions, each with how much of it a log shows."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from typing import Any, Final, Protocol, assert_never, cast

from fencepost.model.language import Term, Var
from fencepost.model.language.kinds import BoolKind, EntityKind, EnumKind, Kind, ListKind, OptionKind, SetKind
from fencepost.model.language.nodes import (
    Ascending,
    At,
    Before,
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
    ListOf,
    Lit,
    MaxOf,
    Member,
    Named,
    Nary,
    Next,
    Not,
    Quant,
    SetOf,
    SetOp,
    Structure,
    Subset,
)
from fencepost.model.language.operators import operator_of
from fencepost.model.language.state import State
from fencepost.model.language.walk import bare, children, free

from .calls import CALLS
from .certainty import ALWAYS, AT_TIMES, HIDDEN, NEVER, UNDECIDED, Test, Truth, Value, chosen, joined, negated, text
from .function import STATES, Function
from .unknown import UNKNOWN

_SMALL: Final = 6
"""A term of so few nodes is evaluated in place."""

_DEEPEST: Final = 40
"""What is nested deeper has a name, or a function of its own: Python reads no more than 200 brackets in one another."""

_LONG: Final = 40
"""A collection whose text is so long gets a name."""

_EVERYBODY: Final = 100
"""What it costs to ask a condition of all entities of a sort, in nodes."""


class Cells(Protocol):
    """What is known of a protocol's cells."""

    @property
    def numbers(self) -> Mapping[State[Any], int]:
        """The number of the table of each variable that a log shows."""

    @property
    def states(self) -> Sequence[State[Any]]:
        """The variable of each table."""

    @property
    def initial(self) -> Sequence[Any]:
        """What is in the cells of each table that nothing has written."""

    @property
    def given(self) -> Mapping[str, Any]:
        """The value of every cell of a variable, or the function of its key, by the variable's name."""

    @property
    def sorts(self) -> Sequence[str]:
        """The names of the sorts whose entities can be listed."""

    @property
    def rows(self) -> Rows:
        """Which cells are kept in a row of their entity."""


class Rows:
    """Which cells are kept in rows: one of each entity of a sort, with its cells of all tables that have one key.

    `places` have by the number of a table the number of the table of rows, and the place there; None of a table that
    is kept by itself. Tables of rows have the numbers behind those of the variables: `first` has by these the row of an
    entity of which nothing has been written. With `initial` empty no cell is kept so.
    """

    def __init__(self, states: Sequence[State[Any]] = (), initial: Sequence[Any] = ()) -> None:
        self.places: list[tuple[int, int] | None] = []
        sorts: dict[str, list[Any]] = {}
        for state, value in zip(states, initial, strict=True):
            kind = state.keys[0] if len(state.keys) == 1 else None
            kind = kind.of if isinstance(kind, OptionKind) else kind
            if not isinstance(kind, EntityKind):
                self.places.append(None)
                continue
            row = sorts.setdefault(kind.name, [])
            self.places.append((len(states) + list(sorts).index(kind.name), len(row)))
            row.append(value)
        self.first = {len(states) + at: tuple(row) for at, row in enumerate(sorts.values())}

    def place(self, number: int) -> tuple[int, int] | None:
        """Return where a cell of a table is kept in a row, None where it is in none."""
        return self.places[number] if self.places else None


class Later:
    """A function of printed code that is made when it is first called, and then takes this one's place."""

    def __init__(self, space: dict[str, Any], name: str, make: Callable[[], Callable[..., Any]]) -> None:
        self.space, self.name, self.make = space, name, make

    def __call__(self, *arguments: Any) -> Any:
        """Make the function, and call it."""
        found = self.space[self.name] = self.make()
        return found(*arguments)


class TermPrinter:
    """Prints terms over the cells that a log shows.

    A printed function takes what states hold by name: `m5` is table 5 of the state with prefix m, `mi5` its index by
    value or by member, `mu5` the entities that it has no cell of, and a sort's entities have the name that `domain`
    returns. Behind the tables of variables are those of `Rows`; `first60` is the row of an entity that table 60 has
    none of.
    """

    def __init__(self, cells: Cells) -> None:
        self.cells, self.numbers, self.initial = cells, cells.numbers, cells.initial
        self.rows = cells.rows
        self.space: dict[str, Any] = dict(CALLS) | {f"first{at}": row for at, row in self.rows.first.items()}
        self.unprinted = frozenset(self.space)
        self.indexed: dict[str, tuple[str, int, bool]] = {}
        self.unwritten: dict[str, tuple[str, int, str]] = {}
        self._domains = {name: f"d{number}" for number, name in enumerate(cells.sorts)}
        self._constants: dict[tuple[type, Any], str] = {}
        self._helpers: dict[Any, Any] = {}
        self._defined: dict[Term[Any], bool] = {}
        self._costs: dict[Term[Any], int] = {}
        self._names = self._depth = 0
        self.defined = 0

    # -- names -------------------------------------------------------------------------------------------------------
    def constant(self, value: Any) -> str:
        """Return a value as an expression."""
        if value is None or isinstance(value, (bool, str)):
            return repr(value)
        if isinstance(value, int) and not isinstance(value, enum.Enum):
            return repr(value)
        if value == ():
            return "()"
        key = (type(value), value)
        name = self._constants.get(key)
        if name is None:
            name = self._constants[key] = f"k{len(self._constants)}"
            self.space[name] = value
        return name

    def fresh(self, stem: str) -> str:
        """Return a name that no other function has."""
        self._names += 1
        return f"{stem}{self._names}"

    def domain_of(self, sort: str) -> str | None:
        """Return the name of the entities of a sort, None where they cannot be listed."""
        return self._domains.get(sort)

    def domain(self, kind: Kind[Any], function: Function) -> str | None:
        """Return the values of a kind as an expression, None where they cannot be listed."""
        match kind:
            case BoolKind():
                return "(False, True)"
            case EnumKind():
                members: type[enum.Enum] = kind.enum
                return self.constant(tuple(members))
            case EntityKind():
                name = self.domain_of(kind.name)
                return None if name is None else function.read(name)
            case OptionKind():
                of = self.domain(kind.of, function)
                return None if of is None else f"(None, *{of})"
        return None

    def index(self, function: Function, number: int) -> str:
        """Return the name of the index of a table with one key: entities by the cell's value, or by its members."""
        name = f"{function.prefix}i{number}"
        kind = self.cells.states[number].kind
        self.indexed[name] = function.prefix, number, isinstance(kind, (ListKind, SetKind))
        return function.read(name)

    def define(self, name: str, params: Sequence[str], function: Function) -> Callable[..., Any]:
        """Return the function that has been printed, under a name."""
        exec(compile(function.body.source(name, params), f"<{name}>", "exec"), self.space)
        self.defined += 1
        return cast(Callable[..., Any], self.space[name])

    def fast(
        self, stem: str, params: Sequence[str], begin: Callable[[], Function], fill: Callable[[Function], object]
    ) -> Callable[..., Any]:
        """Return the function that is printed as if every cell had been written.

        Where one has not, it calls another one, which is printed when it is first called. What `begin` and `fill` are
        can be pickled: methods, or parts of functions.
        """
        name = self.fresh(stem)
        slow = f"{name}s"
        function = begin()
        function.body.slow = f"{slow}({', '.join((STATES, *params))})"
        fill(function)
        self.space[slow] = Later(self.space, slow, partial(self._slow, slow, params, begin, fill))
        return self.define(name, params, function)

    def _slow(
        self, name: str, params: Sequence[str], begin: Callable[[], Function], fill: Callable[[Function], object]
    ) -> Callable[..., Any]:
        fill(function := begin())
        return self.define(name, params, function)

    def iterated(self, text: str) -> str:
        """Return an expression as one that a comprehension can iterate over."""
        return text

    # -- what terms are ----------------------------------------------------------------------------------------------
    def cost(self, term: Term[Any]) -> int:
        """Return roughly what a term costs: what asks about all entities of a sort comes last."""
        found = self._costs.get(term)
        if found is None:
            inside = sum([self.cost(one) for one in children(term)])
            found = inside + (_EVERYBODY if isinstance(term, (Quant, Comprehension, Each)) else 1)
            self._costs[term] = found
        return found

    def is_small(self, term: Term[Any]) -> bool:
        """Whether a term is evaluated in place wherever it is used."""
        return self.cost(term) <= _SMALL

    def may_raise(self, term: Term[Any]) -> bool:
        """Return whether evaluating a term may raise: then it is evaluated only where its place asks for it."""
        return False

    def _can_be_ahead(self, term: Term[Any], function: Function) -> bool:
        """Return whether a term can be evaluated in front of the expression at hand."""
        return function.local.isdisjoint(free(term)) and not self.may_raise(term)

    def is_defined(self, term: Term[Any]) -> bool:
        """Whether a set is defined by a condition, somewhere in it."""
        found = self._defined.get(term)
        if found is None:
            plain = bare(term)
            parts: tuple[Term[Any], ...] = ()
            if isinstance(plain, SetOp):
                parts = (plain.left, plain.right)
            elif isinstance(plain, Ite):
                parts = (plain.then, plain.otherwise)
            found = isinstance(plain, Comprehension) or any(map(self.is_defined, parts))
            self._defined[term] = found
        return found

    # -- conditions --------------------------------------------------------------------------------------------------
    def truth(self, term: Term[Any], function: Function) -> Truth:
        """Return whether a condition may be true, and whether it is sure to be."""
        if self._depth < _DEEPEST:
            self._depth += 1
            found = self._truth(term, function)
            self._depth -= 1
            return found
        depth, self._depth = self._depth, 0
        if self._can_be_ahead(term, function):
            with function.outside():
                found = self._with_names(self._truth(term, function), function)
        else:
            found = self._helper_truth(term, term, function)
        self._depth = depth
        return found

    @staticmethod
    def _with_names(truth: Truth, function: Function) -> Truth:
        """Return a condition whose tests are evaluated here."""
        may = truth.may if isinstance(truth.may, bool) else function.named(truth.may)
        sure = may if truth.is_decided else truth.sure if isinstance(truth.sure, bool) else function.named(truth.sure)
        return Truth(may, sure)

    def _truth(self, term: Term[Any], function: Function) -> Truth:
        while isinstance(term, Before):
            term = term.term
        kept = function.truths.get(term)
        if kept is not None:
            return kept
        match term:
            case Named():
                return self._named_truth(term, function)
            case Lit():
                return Truth(bool(term.value), bool(term.value))
            case Not():
                may, sure = self.truth(term.term, function)
                return Truth(negated(sure), negated(may))
            case Next():
                return self.truth(term.term, function.next()) if function.after else UNDECIDED
            case Nary():
                terms = term.terms if self.may_raise(term) else sorted(term.terms, key=self.cost)
                parts = [self.truth(one, function) for one in terms]
                return Truth(*(joined(term.operator, tests) for tests in zip(*parts, strict=True)))
            case Implies():
                left, right = self.truth(term.left, function), self.truth(term.right, function)
                return Truth(
                    joined("or", (negated(left.sure), right.may)), joined("or", (negated(left.may), right.sure))
                )
            case Eq():
                return self._equal(term, function)
            case Ite():
                return self._chosen_truth(term, function)
            case Quant():
                return self._quantified(term, function)
            case Member():
                return self._member(term, function)
            case Subset():
                return self._subset(term, function)
        operator = operator_of(term)
        found = self.value(term, function) if operator is None else self._applied(term, function)
        return self._as_truth(found)

    @staticmethod
    def _as_truth(found: Value) -> Truth:
        if found.certainty is NEVER:
            return UNDECIDED
        if found.certainty is ALWAYS:
            test: Test = found.text == "True" if found.text in ("True", "False") else found.text
            return Truth(test, test)
        return Truth(f"({found.text} is not False)", f"({found.text} is True)")

    def _named_truth(self, term: Named[Any], function: Function) -> Truth:
        inner = term.term
        if self.is_small(inner) or function.is_used_once(term) or isinstance(inner, Next):
            return self.truth(inner, function)
        if not self._can_be_ahead(term, function):
            return self._helper_truth(term, inner, function)
        with function.outside():
            found = function.truths[term] = self._with_names(self.truth(inner, function), function)
        return found

    def _equal(self, term: Eq, function: Function) -> Truth:
        left, right = term.left, term.right
        if left is right:
            return Truth(True, True)
        if isinstance(left.kind, BoolKind):
            one, other = self.truth(left, function), self.truth(right, function)
            if one.is_decided and other.is_decided:
                a, b = one.may, other.may
                same = (
                    (a if b else negated(a))
                    if isinstance(b, bool)
                    else (b if a else negated(b))
                    if isinstance(a, bool)
                    else f"({a} == {b})"
                )
                return Truth(same, same)
            return Truth(
                joined(
                    "or", (joined("and", (one.may, other.may)), joined("and", map(negated, (one.sure, other.sure))))
                ),
                joined(
                    "or", (joined("and", (one.sure, other.sure)), joined("and", map(negated, (one.may, other.may))))
                ),
            )
        plain, wanted = bare(left), bare(right)
        for choice, branch in ((plain, wanted), (wanted, plain)):
            if isinstance(choice, Ite) and branch is bare(choice.otherwise):
                condition = self.truth(choice.condition, function)
                alike = self.truth(Eq(choice.then, choice.otherwise), function)
                if condition.is_decided and alike.is_decided:
                    either = joined("or", (negated(condition.may), alike.may))
                    return Truth(either, either)
        if isinstance(plain, Lit) and isinstance(wanted, Lit):
            same = bool(plain.value == wanted.value)
            return Truth(same, same)
        values = self.value(left, function), self.value(right, function)
        (a, known_a), (b, known_b) = values
        if NEVER in (known_a, known_b):
            return UNDECIDED
        if AT_TIMES in (known_a, known_b):
            return _perhaps_equal(*values)
        test = f"({a if b == 'None' else b} is None)" if "None" in (a, b) else f"({a} == {b})"
        return Truth(test, test)

    def _chosen_truth(self, term: Ite[Any], function: Function) -> Truth:
        condition = self.truth(term.condition, function)
        if isinstance(condition.may, bool) and condition.is_decided:
            return self.truth(term.then if condition.may else term.otherwise, function)
        then, otherwise = self.truth(term.then, function), self.truth(term.otherwise, function)
        if condition.is_decided and isinstance(condition.may, str):
            return Truth(*(chosen(condition.may, a, b) for a, b in zip(then, otherwise, strict=True)))
        return Truth(
            joined(
                "or",
                (joined("and", (condition.may, then.may)), joined("and", (negated(condition.sure), otherwise.may))),
            ),
            joined(
                "and",
                (joined("or", (negated(condition.may), then.sure)), joined("or", (condition.sure, otherwise.sure))),
            ),
        )

    def _quantified(self, term: Quant, function: Function) -> Truth:
        some, var = term.quantifier == "some", term.var
        values = self.domain(var.kind, function)
        if values is None:
            with function.within(var, "U", NEVER):
                may, sure = self.truth(term.body, function)
            return Truth(may, False) if some else Truth(True, sure)
        name = function.fresh("x")
        over = self.source(var, term.body, some, function) or values
        with function.within(var, name):
            body = self.truth(term.body, function)
        tests: list[Test] = []
        for one in body:
            if isinstance(one, bool):
                tests.append((f"bool({over})" if one else False) if some else (True if one else f"(not {over})"))
            else:
                tests.append(f"{'any' if some else 'all'}({one} for {name} in {self.iterated(over)})")
        return Truth(tests[0], tests[0] if body.is_decided else tests[1])

    def _member(self, term: Member, function: Function) -> Truth:
        item, known = self.value(term.item, function)
        if known is NEVER:
            return Truth(self._may_have_members(term.collection, function), False)
        if known is AT_TIMES:
            item = function.named(item) if not function.inside else item
        may, sure = self.contains(term.collection, item, function)
        if isinstance(term.item.kind, OptionKind):
            there = f"({item} is not None)"
            may, sure = joined("and", (there, may)), joined("and", (there, sure))
        if known is AT_TIMES:
            somebody = self._may_have_members(term.collection, function)
            return Truth(
                f"({text(somebody)} if {item} is U else {text(may)})", joined("and", (f"({item} is not U)", sure))
            )
        return Truth(may, sure)

    def _may_have_members(self, collection: Term[Any], function: Function) -> Test:
        """Return whether there may be anything in a collection: of nothing it is known that it is in none."""
        whole = self.value(_of_list(collection), function)
        if whole.certainty is NEVER:
            return True
        return f"bool({whole.text})" if whole.certainty is ALWAYS else f"({whole.text} is U or bool({whole.text}))"

    def _subset(self, term: Subset, function: Function) -> Truth:
        of, known = self.value(_of_list(term.left), function)
        if known is NEVER:
            return UNDECIDED
        name = function.fresh("y")
        with function.within(Var(name, cast(Any, None)), name):
            inside = self.contains(term.right, name, function)
        may, sure = (one if one is True else _for_all(text(one), name, self.iterated(of)) for one in inside)
        if known is ALWAYS:
            return Truth(may, may if inside.is_decided else sure)
        return Truth(joined("or", (f"{of} is U", may)), joined("and", (f"{of} is not U", sure)))

    def contains(self, collection: Term[Any], item: str, function: Function) -> Truth:
        """Return whether an item is in a collection, by the parts of what it may be in."""
        kept, of = function.values.get(collection), bare(collection)
        # Where the whole is not known its parts may be.
        if kept is not None and (kept.certainty is ALWAYS or not isinstance(of, (Comprehension, Ite, SetOp, SetOf))):
            return self._is_in(item, kept)
        match of:
            case Comprehension():
                if not item.isidentifier() and not function.inside:
                    item = function.named(item)
                with function.within(of.var, item):
                    return self.truth(of.body, function)
            case Ite():
                condition = self.truth(of.condition, function)
                if isinstance(condition.may, bool) and condition.is_decided:
                    return self.contains(of.then if condition.may else of.otherwise, item, function)
                then, other = self.contains(of.then, item, function), self.contains(of.otherwise, item, function)
                if condition.is_decided and isinstance(condition.may, str):
                    return Truth(*(chosen(condition.may, a, b) for a, b in zip(then, other, strict=True)))
                may = joined(
                    "or",
                    (joined("and", (condition.may, then.may)), joined("and", (negated(condition.sure), other.may))),
                )
                sure = joined(
                    "and",
                    (joined("or", (negated(condition.may), then.sure)), joined("or", (condition.sure, other.sure))),
                )
                return Truth(may, sure)
            case SetOp():
                left, right = self.contains(of.left, item, function), self.contains(of.right, item, function)
                if of.operator == "-":
                    right = Truth(negated(right.sure), negated(right.may))
                by: Any = "or" if of.operator == "|" else "and"
                return Truth(*(joined(by, tests) for tests in zip(left, right, strict=True)))
            case SetOf():
                pairs = [self._is_one(item, self.value(one, function)) for one in of.items]
                return Truth(*(joined("or", [one[at] for one in pairs]) for at in (0, 1)))
            case Elems():
                if function.members.get(item) is bare(of.of):
                    return Truth(True, True)
                return self._is_in(item, self.value(of.of, function))
        return self._is_in(item, self.value(collection, function))

    @staticmethod
    def _is_one(item: str, other: Value) -> Truth:
        if other.certainty is NEVER:
            return UNDECIDED
        if other.certainty is AT_TIMES:
            return _perhaps_equal(Value(item, ALWAYS), other)
        test = f"({item} == {other.text})"
        return Truth(test, test)

    @staticmethod
    def _is_in(item: str, whole: Value) -> Truth:
        name, known = whole
        if known is NEVER:
            return UNDECIDED
        if known is AT_TIMES:
            return Truth(f"({name} is U or {item} in {name})", f"({name} is not U and {item} in {name})")
        test = f"({item} in {name})"
        return Truth(test, test)

    # -- values ------------------------------------------------------------------------------------------------------
    def value(self, term: Term[Any], function: Function) -> Value:
        """Return a term as an expression, with how often it is known."""
        if self._depth < _DEEPEST:
            self._depth += 1
            found = self._value_of(term, function)
            self._depth -= 1
            return found
        depth, self._depth = self._depth, 0
        if self._can_be_ahead(term, function):
            with function.outside():
                found = self._value_of(term, function)
                if found.certainty is not NEVER:
                    found = Value(function.named(found.text), found.certainty)
        else:
            found = self._helper_value(term, term, function)
        self._depth = depth
        return found

    def _value_of(self, term: Term[Any], function: Function) -> Value:
        while isinstance(term, Before):
            term = term.term
        kept = function.values.get(term)
        if kept is not None:
            return kept
        if isinstance(term, Named):
            return self._named_value(term, function)
        of_several = isinstance(term, (First, Keep, SetOp, Comprehension, Concat, Each, Elems))
        if of_several and self._can_be_ahead(term, function):
            is_in_place = function.is_used_once(term)
            with function.outside():
                found = self._value(term, function)
                if found.certainty is not NEVER and len(found.text) > _LONG and not is_in_place:
                    found = function.values[term] = Value(function.named(found.text), found.certainty)
            return found
        if isinstance(term.kind, BoolKind) and not isinstance(term, (Get, Var, Lit, Next)):
            may, sure = self.truth(term, function)
            if may == sure:
                return Value(text(may), ALWAYS)
            if may is True and sure is False:
                return HIDDEN
            return Value(f"(True if {text(sure)} else U if {text(may)} else False)", AT_TIMES)
        return self._value(term, function)

    def _named_value(self, term: Named[Any], function: Function) -> Value:
        inner = term.term
        if self.is_small(inner) or function.is_used_once(term):
            return self.value(inner, function)
        if not self._can_be_ahead(term, function):
            return self._helper_value(term, inner, function)
        with function.outside():
            found = self.value(inner, function)
            if found.certainty is not NEVER:
                found = Value(function.named(found.text), found.certainty)
        function.values[term] = found
        return found

    def _known(self, made: Callable[..., str], terms: Sequence[Term[Any]], function: Function) -> Value:
        """Return a function of values, unknown where one of them is."""
        found = [self.value(one, function) for one in terms]
        if any(one.certainty is NEVER for one in found):
            return HIDDEN
        unknown = [one for one in found if one.certainty is AT_TIMES]
        if not unknown:
            return Value(made(*[one.text for one in found]), ALWAYS)
        names = [one.text if one.certainty is ALWAYS else self._brief(one.text, function) for one in found]
        asked = " or ".join(f"{name} is U" for name, one in zip(names, found, strict=True) if one.certainty is AT_TIMES)
        return Value(f"(U if {asked} else {made(*names)})", AT_TIMES)

    @staticmethod
    def _brief(one: str, function: Function) -> str:
        """Return a name for an expression that is printed twice, unless it contains a variable of an expression."""
        return function.named(one) if not function.inside else one

    def _applied(self, term: Term[Any], function: Function) -> Value:
        operator = operator_of(term)
        assert operator is not None
        if isinstance(term, ListOf) and isinstance(item := bare(term.item), Lit) and item.value is None:
            return Value("()", ALWAYS)
        return self._known(operator.python_of, children(term), function)

    def _value(self, term: Term[Any], function: Function) -> Value:
        if isinstance(term, (Not, Eq, Member, Subset)):
            return self.value(term, function)
        match term:
            case SetOf() if not term.items:
                return Value(self.constant(frozenset()), ALWAYS)
            case SetOp():
                return self._set_operation(term, function)
            case First() | Keep():
                return self._entries(term, function)
            case At():
                return self._beside(term, function)
            case Ascending():
                return self._known(lambda one: f"tuple(sorted({one}))", [term.of], function)
        if operator_of(term) is not None:
            return self._applied(term, function)
        node = cast(Structure, term)
        match node:
            case Lit():
                return Value(self.constant(node.value), ALWAYS)
            case Var():
                return function.variables.get(node, HIDDEN)
            case Get():
                return self._get(node, function)
            case Ite():
                return self._chosen_value(node, function)
            case Comprehension():
                return self._comprehension(node, function)
            case Each():
                return self._each(node, function)
            case MaxOf():
                # Counters have no last value here, so the greatest cannot be found by trying.
                return HIDDEN
            case Next():
                return self.value(node.term, function.next()) if function.after else HIDDEN
            case Named() | Before() | Nary() | Implies() | Quant():
                return self.value(node, function)
        assert_never(node)

    def _chosen_value(self, term: Ite[Any], function: Function) -> Value:
        condition = self.truth(term.condition, function)
        if isinstance(condition.may, bool) and condition.is_decided:
            return self.value(term.then if condition.may else term.otherwise, function)
        var, name = function.shown.get(term.condition, (None, ""))
        with nullcontext() if var is None else function.within(var, name):
            then = self.value(term.then, function)
        otherwise = self.value(term.otherwise, function)
        hidden = [one.certainty is NEVER for one in (then, otherwise)]
        if all(hidden) or (any(hidden) and condition == UNDECIDED):
            return HIDDEN
        if condition.is_decided:
            both = then.certainty is ALWAYS and otherwise.certainty is ALWAYS
            return Value(f"({then.text} if {condition.may} else {otherwise.text})", ALWAYS if both else AT_TIMES)
        agreed = f"agreed({then.text}, {otherwise.text})"
        if condition == UNDECIDED:
            return Value(agreed, AT_TIMES)
        otherwise_text = f"{otherwise.text} if not {text(condition.may)} else {agreed}"
        return Value(f"({then.text} if {text(condition.sure)} else {otherwise_text})", AT_TIMES)

    def _comprehension(self, term: Comprehension[Any], function: Function) -> Value:
        over = self.source(term.var, term.body, True, function) or self.domain(term.var.kind, function)
        if over is None:
            return HIDDEN
        name = function.fresh("y")
        with function.within(term.var, name):
            may, sure = self.truth(term.body, function)
        if may == sure:
            return Value(f"frozenset([{name} for {name} in {self.iterated(over)} if {text(may)}])", ALWAYS)
        return Value(f"decided(({name}, {text(may)}, {text(sure)}) for {name} in {over})", AT_TIMES)

    def _set_operation(self, term: SetOp[Any], function: Function) -> Value:
        few, others, operator = term.left, term.right, term.operator
        if operator == "&" and self.is_defined(few):
            few, others = others, few
        if operator != "|" and not self.is_defined(few) and self.is_defined(others):
            listed = _of_list(few)
            of, known = self.value(listed, function)
            if known is NEVER:
                if operator == "-":
                    return HIDDEN
                whole = self.value(others, function)
                return self._empty_if(whole)
            name = function.fresh("y")
            function.members[name] = bare(listed)
            with function.within(Var(name, cast(Any, None)), name):
                may, sure = self.contains(others, name, function)
            if operator == "-":
                may, sure = negated(sure), negated(may)
            if may == sure and known is ALWAYS:
                return Value(f"frozenset([{name} for {name} in {self.iterated(of)} if {text(may)}])", ALWAYS)
            kept = f"kept_of({of}, lambda {name}: {text(may)}, lambda {name}: {text(sure)}, frozenset)"
            if known is AT_TIMES and operator == "&":
                # Nothing is in a cut with an empty set, whatever is cut.
                kept = f"({kept} if {of} is not U else {self._empty_if(self.value(others, function)).text})"
            return Value(kept, AT_TIMES)
        left, right = self.value(term.left, function), self.value(term.right, function)
        if left.certainty is ALWAYS and right.certainty is ALWAYS:
            return Value(f"({left.text} {operator} {right.text})", ALWAYS)
        # Nothing is in an empty set, whatever it is cut with.
        if operator == "-" and right.certainty is NEVER:
            return self._empty_if(left)
        if operator == "&" and NEVER in (left.certainty, right.certainty):
            return self._empty_if(right if left.certainty is NEVER else left)
        if NEVER in (left.certainty, right.certainty):
            return HIDDEN
        a, b = self._brief(left.text, function), self._brief(right.text, function)
        empty = {"|": [], "&": [a, b], "-": [a]}[operator]
        unknown = "U"
        if empty:
            tests = " or ".join(f"({one} is not U and not {one})" for one in empty)
            unknown = f"{self.constant(frozenset())} if {tests} else U"
        return Value(f"({a} {operator} {b} if {a} is not U and {b} is not U else {unknown})", AT_TIMES)

    def _empty_if(self, one: Value) -> Value:
        """Return an empty set where another one is, else what is not known."""
        if one.certainty is NEVER:
            return HIDDEN
        empty = self.constant(frozenset())
        return Value(f"({empty} if {one.text} is not U and not {one.text} else U)", AT_TIMES)

    def _entries(self, term: First[Any] | Keep[Any], function: Function) -> Value:
        of, known = self.value(term.of, function)
        if known is NEVER:
            return HIDDEN
        name = function.fresh("y")
        function.members[name] = bare(term.of)
        with function.within(Var(name, cast(Any, None)), name):
            may, sure = self.contains(term.among, name, function)
        is_first = isinstance(term, First)
        if known is ALWAYS and may is True and sure is True:
            return Value(f"first_entry({of})" if is_first else of, ALWAYS)
        if known is ALWAYS and may == sure:
            entries = f"{name} for {name} in {self.iterated(of)} if {text(may)}"
            return Value(f"next(({entries}), None)" if is_first else f"tuple([{entries}])", ALWAYS)
        call = "first_of" if is_first else "kept_of"
        return Value(f"{call}({of}, lambda {name}: {text(may)}, lambda {name}: {text(sure)})", AT_TIMES)

    def _each(self, term: Each[Any], function: Function) -> Value:
        of, known = self.value(term.along, function)
        if known is NEVER:
            return HIDDEN
        name = function.fresh("y")
        with function.within(term.var, name):
            body = self.value(term.body, function)
        if body.certainty is NEVER:
            return Value(f"(U if {of} else ())", AT_TIMES)
        if known is ALWAYS and body.certainty is ALWAYS:
            return Value(f"tuple([{body.text} for {name} in {self.iterated(of)}])", ALWAYS)
        return Value(f"(U if {of} is U else all_known({body.text} for {name} in {of}))", AT_TIMES)

    def _beside(self, term: At[Any], function: Function) -> Value:
        found = [self.value(one, function) for one in (term.values, term.along, term.entry)]
        if any(one.certainty is NEVER for one in found):
            return HIDDEN
        # Where an entry is none of the list there is no value beside it: lists of a log may differ in length.
        return Value(f"value_beside({', '.join(one.text for one in found)})", AT_TIMES)

    def _get(self, term: Get[Any], function: Function) -> Value:
        made = self._cell(term, function)
        if made.certainty is NEVER or not self._can_be_ahead(term, function):
            return made
        if ".get(" not in made.text and not (made.certainty is AT_TIMES and function.body.slow):
            return made
        with function.outside():
            name, certainty = function.named(made.text), made.certainty
            if certainty is AT_TIMES and function.body.slow:
                function.line(f"if {name} is U: return {function.body.slow}")
                certainty = ALWAYS
        found = function.values[term] = Value(name, certainty)
        return found

    def _cell(self, term: Get[Any], function: Function) -> Value:
        state = term.state
        number = self.numbers.get(state)
        if number is None:
            return HIDDEN
        if state.name in self.cells.given:
            return self._given(term, function)
        initial = self.initial[number]
        own = AT_TIMES if initial is UNKNOWN else ALWAYS
        if self.rows.place(number) is not None:
            key, certainty = self.value(term.keys[0], function)
            if certainty is ALWAYS:
                return Value(self.in_row(number, key, function, self._can_be_ahead(term, function)), own)
            if certainty is NEVER and bare(term.keys[0]) in function.awaited:
                return HIDDEN
            everywhere = self._everywhere(number, function)
            if certainty is NEVER:
                return Value(everywhere, AT_TIMES)
            return Value(f"({everywhere} if {key} is U else {self.in_row(number, key, function)})", AT_TIMES)
        table = function.read(f"{function.prefix}{number}")
        otherwise = "U" if initial is UNKNOWN else self.constant(initial)
        default = "" if initial is None else f", {otherwise}"
        if not term.keys:
            return Value(f"{table}.get((){default})", own)
        keys = [self.value(key, function) for key in term.keys]
        hidden = any(key.certainty is NEVER for key in keys)
        if hidden:
            return Value(f"everywhere({table}.values(), {otherwise})", AT_TIMES) if len(keys) == 1 else HIDDEN
        made = f"{table}.get(({', '.join(key.text for key in keys)},){default})"
        unknown = [key.text for key in keys if key.certainty is AT_TIMES]
        if not unknown:
            return Value(made, own)
        other = f"everywhere({table}.values(), {otherwise})" if len(keys) == 1 else "U"
        return Value(f"({other} if {' or '.join(f'{one} is U' for one in unknown)} else {made})", AT_TIMES)

    def in_row(self, number: int, key: str, function: Function, ahead: bool = False) -> str:
        """Return the cell of an entity; its row gets a name where it can be found `ahead` of the expression at hand."""
        place = self.rows.place(number)
        assert place is not None
        row = f"{function.read(f'{function.prefix}{place[0]}')}.get({key}, first{place[0]})"
        if ahead:
            with function.outside():
                row = function.named(row)
        return f"{row}[{place[1]}]"

    def _everywhere(self, number: int, function: Function) -> str:
        """Return the value that all entities' cells of a table have, as an expression."""
        place = self.rows.place(number)
        assert place is not None
        rows = function.read(f"{function.prefix}{place[0]}")
        name = function.fresh("y")
        return f"everywhere([{name}[{place[1]}] for {name} in {rows}.values()], first{place[0]}[{place[1]}])"

    def _given(self, term: Get[Any], function: Function) -> Value:
        """Return the value that is given of a cell, or the part of an id or struct that it is."""
        value = self.cells.given[term.state.name]
        if not term.keys or not callable(value):
            return Value(self.constant(value), ALWAYS)
        key, known = self.value(term.keys[0], function)
        if known is NEVER:
            return HIDDEN
        part = term.state.known
        made = f"{key}[{part}]" if isinstance(part, int) else f"{self.constant(value)}({key})"
        return Value(made, ALWAYS) if known is ALWAYS else Value(f"(U if {key} is U else {made})", AT_TIMES)

    # -- helpers -----------------------------------------------------------------------------------------------------
    def _helper(self, term: Term[Any], function: Function) -> tuple[Any, list[str], Callable[[], Function], str]:
        """Return what a function of its own is printed of, for a term that has variables of an expression."""
        free_here = sorted(free(term) & function.variables.keys(), key=lambda var: (var.name, str(var.kind)))
        known = [function.variables[var] for var in free_here]
        names = [f"a{at}" for at in range(len(free_here))]
        key = (
            term,
            function.prefix,
            function.after,
            tuple(zip(free_here, [one.certainty for one in known], strict=True)),
        )
        given = {var: Value(name, one.certainty) for var, name, one in zip(free_here, names, known, strict=True)}
        arguments = ", ".join([STATES, *[one.text for one in known]])
        return key, names, lambda: Function(function.prefix, given, function.after), arguments

    def _helper_truth(self, term: Term[Any], inner: Term[Any], function: Function) -> Truth:
        key, names, begin, arguments = self._helper(term, function)
        found: tuple[Test, Test] | None = self._helpers.get(("truth", *key))
        if found is None:
            made: list[Test] = []
            for at in (0, 1):
                other = begin()
                truth = self.truth(inner, other)
                test = truth[at]
                if isinstance(test, bool) or (at == 1 and truth.is_decided):
                    made.append(test if isinstance(test, bool) else made[0])
                    continue
                other.line(f"return {test}")
                self.define(name := self.fresh("h"), names, other)
                made.append(name)
            found = self._helpers["truth", *key] = (made[0], made[1])
        return Truth(*(one if isinstance(one, bool) else f"{one}({arguments})" for one in found))

    def _helper_value(self, term: Term[Any], inner: Term[Any], function: Function) -> Value:
        key, names, begin, arguments = self._helper(term, function)
        found: Value | None = self._helpers.get(("value", *key))
        if found is None:
            other = begin()
            made = self.value(inner, other)
            found = HIDDEN
            if made.certainty is not NEVER:
                other.line(f"return {made.text}")
                self.define(name := self.fresh("h"), names, other)
                found = Value(name, made.certainty)
            self._helpers["value", *key] = found
        return found if found.certainty is NEVER else Value(f"{found.text}({arguments})", found.certainty)

    # -- indexes -----------------------------------------------------------------------------------------------------
    def source(
        self, var: Var[Any], body: Term[Any], wanted: bool, function: Function, unwritten: bool = False
    ) -> str | None:
        """Return the only values of a variable under which a condition can be as wanted, by an index or a collection.

        None where all entities are to be asked. With `unwritten` those without a cell are found, too, where they are
        meant: these come in another order.
        """
        if not isinstance(var.kind, EntityKind):
            return None
        needed = [(one, function) for one in self._needed(body, wanted)]
        if function.after:
            needed += [
                (part, function.next())
                for one, _ in needed
                if isinstance(one, Next)
                for part in self._needed(one.term, True)
            ]
        for one, reader in sorted(needed, key=lambda one: self._breadth(one[0], var)):
            found = None
            if isinstance(one, Eq) and not isinstance(one.left.kind, BoolKind):
                for side, other in ((one.left, one.right), (one.right, one.left)):
                    side, there = bare(side), reader
                    if isinstance(side, Next) and reader.after and isinstance(bare(other), (Var, Lit)):
                        side, there = side.term, reader.next()
                    found = found or self._where_equal(var, side, other, there, unwritten)
            elif isinstance(one, Member):
                found = self._where_member(var, one, reader)
            elif isinstance(one, Get) and (number := self._own(one, var)) is not None and self.initial[number] is False:
                found = f"{self.index(reader, number)}.get(True, ())"
            if found is not None:
                return found
        return None

    def lists(self, var: Var[Any], condition: Term[Any], some: str, function: Function) -> bool:
        """Return whether a condition is that a variable is one of what an expression lists."""
        plain = bare(condition)
        if not isinstance(plain, Member) or bare(plain.item) is not var or isinstance(plain.item.kind, OptionKind):
            return False
        return var not in free(plain.collection) and self._where_member(var, plain, function) == some

    def _breadth(self, condition: Term[Any], var: Var[Any]) -> int:
        """Return how many values a condition leaves, roughly: one, those with a value, or those with some property."""
        if isinstance(condition, Eq):
            return 0 if var in (bare(condition.left), bare(condition.right)) else 1
        return 1 if isinstance(condition, Member) else 2

    def _needed(self, body: Term[Any], wanted: bool) -> list[Term[Any]]:
        """Return conditions that hold wherever a condition is as wanted."""
        body = bare(body)
        match body:
            case Nary() if body.operator == ("and" if wanted else "or"):
                return [one for part in body.terms for one in self._needed(part, wanted)]
            case Not():
                return self._needed(body.term, not wanted)
            case Implies() if not wanted:
                return [*self._needed(body.left, True), *self._needed(body.right, False)]
            case Quant() if (body.quantifier == "some") is wanted:
                return [one for one in self._needed(body.body, wanted) if body.var not in free(one)]
        return [body] if wanted else []

    def _where_equal(
        self, var: Var[Any], side: Term[Any], other: Term[Any], function: Function, unwritten: bool
    ) -> str | None:
        side = bare(side)
        if var in free(other) or not self._is_bound(other, function):
            return None
        number = self._own(side, var)
        if side is not var and number is None:
            return None
        if number is not None and isinstance(self.cells.states[number].kind, (ListKind, SetKind)):
            # The index of a list is by its members: it does not find whole lists.
            return None
        literal = bare(other)
        is_initial = number is not None and isinstance(literal, Lit) and literal.value == self.initial[number]
        if is_initial and not (unwritten and self.domain(var.kind, function)):
            # What has no cell is meant, too.
            return None
        found, known = self.value(other, function)
        if known is not ALWAYS:
            return None
        if number is None:
            return f"only_item({found})" if isinstance(other.kind, OptionKind) else f"({found},)"
        some = f"{self.index(function, number)}.get({found}, ())"
        initial = self.initial[number]
        if initial is UNKNOWN or is_initial:
            return self._and_unwritten(some, number, var.kind, function)
        if isinstance(literal, Lit):
            return some
        if initial is None and not isinstance(other.kind, OptionKind):
            return some
        # A value that is not written down may be the one of cells that nothing has written.
        if self.domain(var.kind, function) is None:
            return None
        whole = self._and_unwritten(some, number, var.kind, function)
        return f"({whole} if {found} == {self.constant(initial)} else {some})"

    def _and_unwritten(self, some: str, number: int, kind: Kind[Any], function: Function) -> str:
        """Return what an index finds, and the entities of a sort that have no cell in its table."""
        assert isinstance(kind, EntityKind)
        name = f"{function.prefix}u{number}"
        self.unwritten[name] = function.prefix, number, kind.name
        return f"{function.read(name)}.and_those({some})"

    def _where_member(self, var: Var[Any], one: Member, function: Function) -> str | None:
        item, of = bare(one.item), bare(one.collection)
        if item is var:
            if var in free(of) or not self._is_bound(of, function):
                return None
            inner = _of_list(of)
            if isinstance(bare(inner), Comprehension) or (isinstance(bare(inner), SetOp) and self.is_defined(inner)):
                return None
            found, known = self.value(inner, function)
            return found if known is ALWAYS else None
        if var in free(item):
            return None
        while isinstance(of, (Elems, Named, Before)):
            of = of.of if isinstance(of, Elems) else of.term
        number = self._own(of, var)
        if number is None or not self._is_bound(item, function) or self.initial[number]:
            return None
        found, known = self.value(item, function)
        return f"{self.index(function, number)}.get({found}, ())" if known is ALWAYS else None

    def _own(self, term: Term[Any], var: Var[Any]) -> int | None:
        """Return the number of the table of which a term is the variable's own cell, None where it is no such cell."""
        if not isinstance(term, Get) or len(term.keys) != 1 or bare(term.keys[0]) is not var:
            return None
        return None if term.state.name in self.cells.given else self.numbers.get(term.state)

    @staticmethod
    def _is_bound(term: Term[Any], function: Function) -> bool:
        return all(function.variables.get(var, HIDDEN).certainty is ALWAYS for var in free(term))


def _perhaps_equal(one: Value, other: Value) -> Truth:
    """Return whether two values are equal, one of which is not always known."""
    a, b = (other, one) if one.certainty is ALWAYS else (one, other)
    if not (_is_at_hand(a.text) and _is_at_hand(b.text)):
        return Truth(f"may_equal({a.text}, {b.text})", f"surely_equal({a.text}, {b.text})")
    same = f"{a.text} == {b.text}"
    if b.certainty is ALWAYS:
        return Truth(f"({a.text} is U or {same})", f"({same})")
    return Truth(f"({a.text} is U or {b.text} is U or {same})", f"({a.text} is not U and {same})")


def _is_at_hand(text: str) -> bool:
    """Whether an expression costs nothing to evaluate twice: a name, a cell of a row or a constant."""
    return re.fullmatch(r"\w+(\[\w+\])?|'[^']*'", text) is not None


def _for_all(test: str, name: str, of: str) -> str:
    """Return whether a test holds of every member of a collection."""
    inside = re.fullmatch(r"\((\w+) in (\w+)\)", test)
    if inside is not None and inside[1] == name != inside[2]:
        return f"all(map({inside[2]}.__contains__, {of}))"
    return f"all({test} for {name} in {of})"


def _of_list(collection: Term[Any]) -> Term[Any]:
    """Return a collection as what `in` asks: of the members of a list the list itself."""
    plain = bare(collection)
    return plain.of if isinstance(plain, Elems) else collection
