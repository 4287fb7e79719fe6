"""Terms as TLA+ expressions, with as few brackets as precedence allows and every name kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, assert_never, cast

from fencepost.model.language import TRUE, State, Term, Var
from fencepost.model.language.kinds import (
    BoolKind,
    EntityKind,
    EnumKind,
    IntKind,
    Kind,
    ListKind,
    OptionKind,
    SetKind,
    ThresholdKind,
)
from fencepost.model.language.nodes import (
    Before,
    Comprehension,
    Each,
    Eq,
    Get,
    Implies,
    Ite,
    Lesser,
    ListOf,
    Lit,
    MaxOf,
    Member,
    Named,
    Nary,
    Next,
    Node,
    Not,
    Quant,
    SetOf,
    Structure,
)
from fencepost.model.language.operators import Level, operator_of
from fencepost.model.language.walk import children, free, nodes, substitute

from .layout import BOUND
from .names import Globals, fresh, identifier

LOOSE, JUNCTION, COMPARE, SUM, TIGHT = Level.LOOSE, Level.OR, Level.COMPARE, Level.SUM, Level.TIGHT

CHOICES = (Nary, Implies, Not, Quant, Ite, Named)
"""Nodes in which TLC may find several ways to be true, and would then count a successor for each."""


@dataclass(frozen=True)
class Scope:
    """The meaning of names at a place: variables and local definitions.

    `known` are variables sure to be in their kind's range. `states` names state variables that are read elsewhere
    than in the state before the row.
    """

    variables: Mapping[Var[Any], str] = field(default_factory=dict)
    local: Mapping[Term[Any], tuple[str, tuple[Var[Any], ...]]] = field(default_factory=dict)
    known: frozenset[Var[Any]] = frozenset()
    states: Mapping[State[Any], str] = field(default_factory=dict)
    words: frozenset[str] = frozenset()

    def bind(self, var: Var[Any], outside: Iterable[str], known: bool = True) -> tuple[str, Scope]:
        """Return a name for a variable that clashes with nothing, and the scope inside."""
        name, scope = self.word(var.name, outside)
        inside = self.known | {var} if known else self.known - {var}
        return name, replace(scope, variables={**self.variables, var: name}, known=inside)

    def word(self, wanted: str, outside: Iterable[str]) -> tuple[str, Scope]:
        """Return a local name for something that is no variable of the language, and the scope inside."""
        name = fresh(wanted, self.words | set(outside))
        return name, replace(self, words=self.words | {name})


class Expressions:
    """Renders terms for one module; named terms become operators of the module as they are met.

    `avoid` are the module's top-level names, as far as known, which no local name may be. The entities of `symmetric`
    sorts are model values of TLC, those of others numbers from 0.
    """

    def __init__(
        self, avoid: frozenset[str], reserved: Iterable[str] = (), symmetric: frozenset[str] = frozenset()
    ) -> None:
        self.globals = Globals(tuple(reserved))
        self.avoid, self.symmetric = avoid, symmetric
        self.entities: dict[tuple[str, int], str] = {}
        self.definitions: list[tuple[str, str]] = []
        self._operators: dict[tuple[object, ...], str] = {}
        self._reads: dict[Term[Any], frozenset[State[Any]]] = {}

    # -- kinds and values ------------------------------------------------------------------------------------------
    def state(self, state: State[Any]) -> str:
        """Return the name of a state variable."""
        return self.globals.name(state, state.name)

    def _domain(self, kind: Kind[Any], wanted: str) -> str:
        """Return the name of a kind's values, which are defined before the helpers."""
        return self.globals.name(kind, f"{wanted}_values" if identifier(wanted) in BOUND else wanted)

    def domain(self, kind: Kind[Any], level: int = LOOSE) -> str:
        """Return the set of a kind's values."""
        match kind:
            case BoolKind():
                return "BOOLEAN"
            case EnumKind():
                return self._domain(kind, kind.enum.__name__)
            case EntityKind() | IntKind() | ThresholdKind():
                return self._domain(kind, kind.name)
            case OptionKind():
                return _bracketed(f"{self.domain(kind.of, TIGHT)} \\union {{None}}", SUM, level)
            case SetKind():
                return _bracketed(f"SUBSET {self.domain(kind.of, TIGHT)}", SUM, level)
            case ListKind():
                return f"Lists({self.domain(kind.of)})"
        raise AssertionError(f"no TLA+ set for {kind}")

    def function_set(self, state: State[Any]) -> str:
        """Return the set of the values of a state variable: functions from its keys, or its kind's values."""
        values = self.domain(state.kind)
        return f"[{self.keys(state)} -> {values}]" if state.keys else values

    def keys(self, state: State[Any]) -> str:
        """Return the set of a state variable's keys."""
        return " \\X ".join(self.domain(kind, TIGHT) for kind in state.keys)

    def literal(self, value: object, kind: Kind[Any]) -> str:
        """Return a Python value of a kind as a TLA+ value."""
        if value is None:
            return "None"
        if isinstance(kind, OptionKind):
            return self.literal(value, kind.of)
        if isinstance(kind, EntityKind):
            return self.entity(kind, cast(int, value))
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if isinstance(kind, EnumKind):
            return f'"{value.name}"'  # type: ignore[attr-defined]
        if isinstance(kind, SetKind):
            return "{" + ", ".join(self.literal(v, kind.of) for v in sorted(cast("frozenset[Any]", value))) + "}"
        if isinstance(kind, ListKind):
            return "<<" + ", ".join(self.literal(v, kind.of) for v in cast("tuple[Any, ...]", value)) + ">>"
        return str(value)

    def entity(self, kind: EntityKind[Any], number: int) -> str:
        """Return an entity: its number, or its model value."""
        if kind.name not in self.symmetric:
            return str(number)
        return self.entities.setdefault(
            (kind.name, number), self.globals.name(("entity", kind.name, number), f"{kind.name}_{number}")
        )

    # -- ranges ----------------------------------------------------------------------------------------------------
    def in_range(self, term: Term[Any], kind: Kind[Any], scope: Scope) -> bool:
        """Return whether a term is sure to be in the range of a kind, whatever the state."""
        node = cast(Node, term)
        if isinstance(kind, OptionKind):
            kind = kind.of
        if not isinstance(kind, (IntKind, ThresholdKind)):
            return True
        own = node.kind.of if isinstance(node.kind, OptionKind) else node.kind
        match node:
            case Lit():
                low = kind.lo if isinstance(kind, IntKind) else 1
                return node.value is None or node.value == low
            case Var():
                return own == kind and node in scope.known
            case Get():
                return own == kind
            case Ite():
                return self.in_range(node.then, kind, scope) and self.in_range(node.otherwise, kind, scope)
            case MaxOf():
                return own == kind and self.in_range(node.default, kind, scope)
            case Lesser():
                return self.in_range(node.left, kind, scope) and self.in_range(node.right, kind, scope)
            case Named() | Before() | Next():
                return self.in_range(node.term, kind, scope)
            case _:
                return False

    # -- terms -----------------------------------------------------------------------------------------------------
    def text(self, term: Term[Any], scope: Scope, level: int = LOOSE) -> str:
        """Return a term as an expression, in brackets where its surroundings bind tighter than `level` allows."""
        body, own = self._text(term, scope)
        return _bracketed(body, own, level)

    def right_side(self, term: Term[Any], scope: Scope) -> str:
        """Return a term as the right side of `=`: in brackets if it has an operator that does not bind tighter."""
        body, own = self._text(term, scope)
        return f"({body})" if own in (JUNCTION, COMPARE) else body

    def one_way(self, condition: Term[bool], scope: Scope) -> str:
        """Return a condition of an action or of first states as a conjunct that TLC finds true in at most one way."""
        plain = isinstance(condition, Not) and isinstance(condition.term, (Eq, Member))
        if isinstance(condition, CHOICES) and not plain:
            return f"{self.text(condition, scope, TIGHT)} = TRUE"
        return self.text(condition, scope, COMPARE)

    def _text(self, term: Term[Any], scope: Scope) -> tuple[str, int]:
        def t(inner: Term[Any], level: int = LOOSE) -> str:
            return self.text(inner, scope, level)

        match term:
            case Not(term=Eq() as inner):
                return f"{t(inner.left, SUM)} # {t(inner.right, SUM)}", COMPARE
            case Not(term=Member() as inner):
                return f"{t(inner.item, SUM)} \\notin {t(inner.collection, SUM)}", COMPARE
            case SetOf() if any(isinstance(item.kind, OptionKind) for item in term.items):
                return f"{{{', '.join(t(item) for item in term.items)}}} \\ {{None}}", SUM
            case ListOf(item=Lit(value=None)):
                return "<<>>", TIGHT
        operator = operator_of(term)
        if operator is not None:
            return operator.tla.of(children(term), t), operator.tla.level
        node = cast(Structure, term)
        match node:
            case Lit():
                return self.literal(node.value, node.kind), TIGHT
            case Var():
                return scope.variables[node], TIGHT
            case Get():
                return self._get(node, scope), TIGHT
            case Nary():
                sign = "/\\" if node.operator == "and" else "\\/"
                return f" {sign} ".join(t(one, COMPARE) for one in node.terms), JUNCTION
            case Implies():
                return f"{t(node.left, COMPARE)} => {t(node.right, COMPARE)}", JUNCTION
            case Ite(condition=condition) if condition is TRUE:
                return self._text(node.then, scope)
            case Ite():
                return f"IF {t(node.condition)} THEN {t(node.then)} ELSE {t(node.otherwise)}", LOOSE
            case Quant():
                return self._quantified(node, scope), LOOSE
            case Comprehension():
                name, inside = scope.bind(node.var, self.avoid)
                return f"{{{name} \\in {self.domain(node.var.kind)} : {self.text(node.body, inside)}}}", TIGHT
            case MaxOf():
                name, inside = scope.bind(node.var, self.avoid)
                values = f"{{{name} \\in {self.domain(node.var.kind)} : {self.text(node.body, inside)}}}"
                return f"MaxOr({values}, {t(node.default)})", TIGHT
            case Each():
                name, inside = scope.bind(node.var, self.avoid)
                return f"[{name} \\in {self.domain(node.var.kind)} |-> {self.text(node.body, inside)}]", TIGHT
            case Named():
                return self._named(node, scope)
            case Before():
                return self._text(node.term, replace(scope, states={}))
            case Next():
                return f"{t(node.term, TIGHT)}'", TIGHT
        assert_never(node)

    def _get(self, term: Get[Any], scope: Scope) -> str:
        name = scope.states.get(term.state) or self.state(term.state)
        if not term.keys:
            return name
        keys = [self.text(key, scope) for key in term.keys]
        initial = term.state.initial
        pairs = zip(term.keys, term.state.keys, strict=True)
        if initial is None or all(self.in_range(key, kind, scope) for key, kind in pairs):
            return f"{name}[{', '.join(keys)}]"
        key = keys[0] if len(keys) == 1 else f"<<{', '.join(keys)}>>"
        return f"At({name}, {key}, {self.text(initial, scope)})"

    def _quantified(self, term: Quant, scope: Scope) -> str:
        ranges, inner = [], term
        while True:
            name, scope = scope.bind(inner.var, self.avoid)
            ranges.append(f"{name} \\in {self.domain(inner.var.kind)}")
            if not isinstance(inner.body, Quant) or inner.body.quantifier != term.quantifier:
                break
            inner = inner.body
        sign = "\\A" if term.quantifier == "every" else "\\E"
        return f"{sign} {', '.join(ranges)} : {self.text(inner.body, scope)}"

    # -- named terms -----------------------------------------------------------------------------------------------
    def reads(self, term: Term[Any]) -> frozenset[State[Any]]:
        """Return the state variables that a term reads, those under `Before` left out."""
        found = self._reads.get(term)
        if found is None:
            inside = () if isinstance(term, Before) else children(term)
            states = {term.state} if isinstance(term, Get) else set()
            found = self._reads[term] = frozenset(states).union(*map(self.reads, inside))
        return found

    def _named(self, term: Named[Any], scope: Scope) -> tuple[str, int]:
        if not self.reads(term).isdisjoint(scope.states):
            return self._text(term.term, scope)
        if term in scope.local:
            name, formals = scope.local[term]
        elif isinstance(term.term, (Var, Lit)):
            return self._text(term.term, scope)
        else:
            name, formals = self._operator(term, scope)
        if not formals:
            return name, TIGHT
        return f"{name}({', '.join(scope.variables[v] for v in formals)})", TIGHT

    def _operator(self, term: Named[Any], scope: Scope) -> tuple[str, tuple[Var[Any], ...]]:
        formals = parameters(term)
        known = tuple(var in scope.known for var in formals)
        canonical = substitute(term.term, {v: Var(f"#{i}", v.kind) for i, v in enumerate(formals)})
        key = (term.name, canonical, known)
        found = self._operators.get(key)
        if found is None:
            inside, names = Scope(), []
            for var, sure in zip(formals, known, strict=True):
                name, inside = inside.bind(var, self.avoid, sure)
                names.append(name)
            body = self.text(term.term, inside)
            own = self.globals.name(("operator", *key), term.name)
            self.definitions.append((own + (f"({', '.join(names)})" if names else ""), body))
            self._operators[key] = found = own
        return found, formals


def parameters(term: Term[Any]) -> tuple[Var[Any], ...]:
    """Return the free variables of a term in the order in which they first stand in it."""
    wanted = free(term)
    return tuple(node for node in nodes(term) if isinstance(node, Var) and node in wanted)


def _bracketed(text: str, own: int, wanted: int) -> str:
    return f"({text})" if own < wanted else text
