"""Effects as sets of updates and of records, so that procedures stay operators and replays are said once a record type.

A procedure, wherever it is applied, is read in the state before the row; so it becomes an operator whose value is the
set of the updates, or of the records, that it makes (a record with such a set for each of its effects, where there are
several). A type of record gets an operator for each variable that its replay writes, from the variable and the set of
written records to the new variable; and one for all of them, where a row needs no more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from fencepost.model.language import State, Term, Var
from fencepost.model.language.effects import Applied, Assign, Effect, Every, Only, Procedure, Together, Write
from fencepost.model.language.kinds import IntKind, Kind, OptionKind, ThresholdKind
from fencepost.model.language.records import Record
from fencepost.model.language.terms import TRUE, Arith, Get, Ite, Lit, Named
from fencepost.model.language.walk import expand, free, nary, nodes

from .expressions import SUM, Expressions, Scope
from .names import fresh, identifier

Target: TypeAlias = "State[Any] | Record"
Replayed: TypeAlias = tuple[tuple[Var[Any], ...], Term[bool], Get[Any], Term[Any]]
"""An update of a replay: its binders, its condition, its cell and the value."""


@dataclass(frozen=True)
class Layer:
    """A layer around an effect: an `every` (a variable's name and its domain) or, without a name, an `only_if`."""

    name: str
    domain: str
    condition: str


@dataclass(frozen=True)
class Leaf:
    """One effect: updates of a state variable or records of a type. `made` is a set, or its only member if `single`.

    For a single update `keys` and `value` are its parts; `whole` says that the layers' variables are just its keys, and
    `safe` that the value is sure to be in range. `capped` is a condition on the state before it that is the same as
    that the value is in range, and computes no number above it: TLC's numbers end at 2147483647. Empty for none.
    """

    what: Target
    made: str
    single: bool
    layers: tuple[Layer, ...] = ()
    keys: tuple[str, ...] = ()
    value: str = ""
    safe: bool = True
    inside: tuple[str, ...] = ()
    capped: str = ""

    def around(self, layer: Layer) -> Leaf:
        """Return the leaf with a further layer outside."""
        return replace(self, layers=(layer, *self.layers))

    def as_set(self) -> str:
        """Return the set of what the effect makes."""
        text, single = self.made, self.single
        pending: list[str] = []
        for layer in reversed(self.layers):
            if not layer.name:
                if single:
                    pending.insert(0, layer.condition)
                else:
                    text = f"IF {layer.condition} THEN {text} ELSE {{}}"
                continue
            conditions = [c for c in (layer.condition, *pending) if c != "TRUE"]
            pending = []
            domain = layer.domain
            if conditions:
                domain = f"{{{layer.name} \\in {domain} : {conjunction(conditions)}}}"
            text = f"{'' if single else 'UNION '}{{{text} : {layer.name} \\in {domain}}}"
            single = False
        if single:
            text = f"{{{text}}}"
            if pending:
                text = f"IF {conjunction(pending)} THEN {text} ELSE {{}}"
        return text


def conjunction(conditions: Iterable[str]) -> str:
    """Return conditions, each in brackets of its own where it needs them, as one."""
    kept = list(conditions)
    return kept[0] if len(kept) == 1 else " /\\ ".join(f"({one})" if _wide(one) else one for one in kept)


def _wide(text: str) -> bool:
    return any(mark in text for mark in (" ", "~"))


@dataclass
class Operator:
    """A procedure as an operator: its name, further free variables that it needs, and its effects by their labels."""

    name: str
    more: tuple[Var[Any], ...]
    labels: tuple[tuple[str, Target, bool], ...]


class Effects:
    """Renders effects for one module, with procedures and records as operators made when first met.

    `states` are the module's variables: of another one that a replay would write no row ever writes the field.
    """

    def __init__(self, expressions: Expressions, states: frozenset[State[Any]]) -> None:
        self.expressions, self.states = expressions, states
        self.procedures: list[tuple[str, str, str]] = []
        self._collected: tuple[frozenset[str], dict[str, str]] | None = None
        self._procedures: dict[Procedure, Operator] = {}
        self._replays: dict[Record, dict[State[Any], Replay]] = {}
        self._wholes: dict[Record, None] = {}
        self.used: set[str] = set()

    # -- effects of rows and procedures ----------------------------------------------------------------------------
    def leaves(self, effect: Effect, scope: Scope) -> list[Leaf]:
        """Return what an effect does, one leaf for each update and each write in it."""
        e = self.expressions
        if isinstance(effect, Assign):
            return [self._assign(effect, scope)]
        if isinstance(effect, Write):
            leaf = Leaf(effect.record, self._record(effect, scope), True)
            speaks = effect.record.speaks(effect.fields)
            return [leaf if speaks is TRUE else leaf.around(Layer("", "", e.text(speaks, scope)))]
        if isinstance(effect, Applied):
            return self._applied(effect, scope)
        if isinstance(effect, Together):
            return [leaf for one in effect.body for leaf in self.leaves(one, scope)]
        if isinstance(effect, Only):
            layer = Layer("", "", e.text(effect.when, scope))
        else:
            name, scope = scope.bind(effect.var, e.avoid)
            layer = Layer(name, e.domain(effect.var.kind), e.text(effect.when, scope))
        return [leaf.around(layer) for one in effect.body for leaf in self.leaves(one, scope)]

    @contextmanager
    def collecting(self, scope: Scope) -> Iterator[dict[str, str]]:
        """Collect, while this lasts, the calls in a scope of procedures with several effects, and name them."""
        calls: dict[str, str] = {}
        self._collected = (scope.words, calls)
        try:
            yield calls
        finally:
            self._collected = None

    def _assign(self, effect: Assign, scope: Scope) -> Leaf:
        e, target = self.expressions, effect.target
        keys = tuple(e.text(key, scope) for key in target.keys)
        value = e.text(effect.value, scope) if keys else e.right_side(effect.value, scope)
        inside = tuple(
            f"{e.text(term, scope, SUM)} \\in {e.domain(kind)}"
            for term, kind in zip(target.keys, target.state.keys, strict=True)
            if not e.in_range(term, kind, scope)
        )
        safe = e.in_range(effect.value, target.state.kind, scope)
        capped = "" if safe else self._capped(effect.value, target.state.kind, scope)
        return Leaf(target.state, _update(keys, value), True, (), keys, value, safe, inside, capped)

    def _capped(self, value: Term[Any], kind: Kind[Any], scope: Scope) -> str:
        """Return that a counter and a number, which is added to it, are together in the counter's range."""
        e = self.expressions
        if not isinstance(value, Arith) or value.operator != "+" or not isinstance(value.left, Get):
            return ""
        added = value.right.value if isinstance(value.right, Lit) else 0
        if value.left.kind != kind or added <= 0:
            return ""
        if not isinstance(kind, IntKind):
            return ""
        name = kind.name
        most = e.globals.name(("constant", name), f"Max{name}")
        return f"{e.text(value.left, scope, SUM)} <= {most} - {added}"

    def _record(self, effect: Write, scope: Scope) -> str:
        e = self.expressions
        given = {g.field: g for g in effect.fields}
        parts = []
        for one in (*effect.record.about, *effect.record.fields):
            said = given.get(one.name)
            if one.optional:
                parts.append(f"{identifier(one.name)}_said |-> {e.text(said.said, scope) if said else 'FALSE'}")
            if said is not None:
                parts.append(f"{identifier(one.name)} |-> {e.text(said.value, scope)}")
        # TLA+ has no record without fields.
        return f"[{', '.join(parts)}]" if parts else "<<>>"

    def _applied(self, effect: Applied, scope: Scope) -> list[Leaf]:
        operator = self.procedure(effect.procedure)
        collected = self._collected
        arguments = [self.expressions.text(a, scope) for a in effect.arguments]
        arguments += [scope.variables[v] for v in operator.more]
        call = operator.name + (f"({', '.join(arguments)})" if arguments else "")
        if len(operator.labels) == 1:
            _, what, safe = operator.labels[0]
            return [Leaf(what, call, False, safe=safe)]
        if collected is not None and scope.words == collected[0]:
            call = collected[1].setdefault(call, f"{operator.name}_{len(collected[1]) + 1}")
        return [Leaf(what, f"{call}.{label}", False, safe=safe) for label, what, safe in operator.labels]

    def procedure(self, procedure: Procedure) -> Operator:
        """Return the operator of a procedure, made at the first call."""
        found = self._procedures.get(procedure)
        if found is None:
            found = self._procedures[procedure] = self._operator(procedure)
        return found

    def _operator(self, procedure: Procedure) -> Operator:
        e = self.expressions
        own = e.globals.name(procedure, procedure.name)
        terms = list(_terms(procedure.body))
        outside = frozenset[Var[Any]]().union(*(free(t) for t in terms)) - frozenset(procedure.formals)
        inner = frozenset(_binders(procedure.body))
        more = tuple(sorted(outside - inner, key=lambda v: v.name))
        scope, formals = Scope(), []
        for var in (*procedure.formals, *more):
            name, scope = scope.bind(var, e.avoid, known=False)
            formals.append(name)
        scope, lets = self._lets(terms, frozenset((*procedure.formals, *more)), scope)
        leaves = [leaf for effect in procedure.body for leaf in self.leaves(effect, scope)]
        labels: list[str] = []
        for leaf in leaves:
            labels.append(fresh(leaf.what.name, labels))
        if len(leaves) == 1:
            value = leaves[0].as_set()
        else:
            parts = (f"{label} |-> {leaf.as_set()}" for label, leaf in zip(labels, leaves, strict=True))
            value = f"[{', '.join(parts)}]"
        body = value
        if lets:
            body = "LET\n" + "\n".join(f"  {name} == {text}" for name, text in lets) + f"\nIN\n  {value}"
        self.procedures.append((own + (f"({', '.join(formals)})" if formals else ""), body, procedure.about))
        effects = tuple((label, leaf.what, leaf.safe) for label, leaf in zip(labels, leaves, strict=True))
        return Operator(own, more, effects)

    def _lets(
        self, terms: list[Term[Any]], formals: frozenset[Var[Any]], scope: Scope
    ) -> tuple[Scope, list[tuple[str, str]]]:
        """Return the scope in which the procedure's named terms are local definitions, and those definitions."""
        e = self.expressions
        lets: list[tuple[str, str]] = []
        for node in nodes(*terms):
            if not isinstance(node, Named) or isinstance(node.term, (Var, Lit)) or free(node).isdisjoint(formals):
                continue
            own, scope = scope.word(node.name, e.avoid)
            inner, names = scope, []
            over = tuple(sorted(free(node) - formals, key=lambda v: v.name))
            for var in over:
                name, inner = inner.bind(var, e.avoid, known=False)
                names.append(name)
            lets.append((own + (f"({', '.join(names)})" if names else ""), e.text(node.term, inner)))
            scope = replace(scope, local={**scope.local, node: (own, over)})
        return scope, lets

    # -- records ---------------------------------------------------------------------------------------------------
    def replay(self, record: Record) -> dict[State[Any], Replay]:
        """Return how each variable that a record's replay writes comes out of it, made at the first call."""
        found = self._replays.get(record)
        if found is None:
            found = self._replays[record] = self._replay(record)
        return found

    def _replay(self, record: Record) -> dict[State[Any], Replay]:
        e = self.expressions
        by_state: dict[State[Any], list[Replayed]] = {}
        for binders, condition, target, value in _flat(record.replay, (), TRUE):
            if target.state not in self.states:
                continue
            while isinstance(value, Ite) and value.otherwise is target:
                condition, value = nary("and", (condition, value.condition)), value.then
            by_state.setdefault(target.state, []).append((binders, condition, target, value))
        result = {}
        for state, updates in by_state.items():
            reads = frozenset[State[Any]]().union(
                *(e.reads(t) for _, c, target, value in updates for t in (c, value, *target.keys))
            )
            result[state] = self._replay_operator(record, state, updates, tuple(sorted(reads, key=lambda s: s.name)))
        return result

    def _replay_operator(
        self, record: Record, state: State[Any], updates: list[Replayed], reads: tuple[State[Any], ...]
    ) -> Replay:
        e = self.expressions
        own = e.globals.name((record, state), f"{record.name}_{state.name}")
        old, scope = Scope().word("old", e.avoid)
        names = {}
        for one in reads:
            names[one], scope = scope.word(one.name, e.avoid)
        written, scope = scope.word("written", e.avoid)
        body, safe = self._put(record, state, updates, old, written, replace(scope, states=names))
        plain, _ = self._put(record, state, updates, e.state(state), written, scope)
        formals = (old, *(names[one] for one in reads), written)
        return Replay(own, reads, safe, f"{own}({', '.join(formals)})", body, plain, written)

    def _put(
        self, record: Record, state: State[Any], updates: list[Replayed], old: str, written: str, scope: Scope
    ) -> tuple[str, bool]:
        """Return a variable after a replay, and whether it is sure to be in range."""
        e = self.expressions
        r, scope = scope.word("r", e.avoid)
        fields: dict[Var[Any], str] = {}
        for one in (*record.about, *record.fields):
            fields[one.value] = f"{r}.{identifier(one.name)}"
            if isinstance(one.said, Var):
                fields[one.said] = f"{r}.{identifier(one.name)}_said"
        scope = replace(scope, variables={**scope.variables, **fields})
        sets, safe = [], True
        for binders, condition, target, value in updates:
            inner, layers = scope, []
            for var in binders:
                name, inner = inner.bind(var, e.avoid)
                layers.append(Layer(name, e.domain(var.kind), "TRUE"))
            when = e.text(condition, inner)
            if layers:
                layers[-1] = replace(layers[-1], condition=when)
            layers.insert(0, Layer(r, written, "TRUE" if layers else when))
            keys = tuple(e.text(key, inner) for key in target.keys)
            sets.append(Leaf(state, _update(keys, e.text(value, inner)), True, tuple(layers)).as_set())
            safe = safe and e.in_range(value, state.kind, inner)
        value_set = sets[0] if len(sets) == 1 else " \\union ".join(f"({one})" for one in sets)
        return f"{'Put' if state.keys else 'PutCell'}({old}, {value_set})", safe

    def whole(self, record: Record) -> str:
        """Return the operator that says of every variable that a record's replay writes what it is afterwards."""
        self._wholes.setdefault(record)
        return self.expressions.globals.name((record, "replayed"), f"{record.name}_replayed")

    def replay_definitions(self) -> list[tuple[str, list[str]]]:
        """Return the operators of replays that are used: each with the lines of its body."""
        e = self.expressions
        result: list[tuple[str, list[str]]] = []
        for record, replays in self._replays.items():
            for replay in replays.values():
                if replay.name in self.used:
                    result.append((replay.head, [replay.body]))
            if record in self._wholes:
                written = next(iter(replays.values())).written
                lines = [f"{e.state(state)}' = {replay.plain}" for state, replay in replays.items()]
                lines += [
                    f"{e.state(state)}' \\in {e.function_set(state)}"
                    for state, replay in replays.items()
                    if bounded(state.kind) and not replay.safe
                ]
                result.append((f"{self.whole(record)}({written})", lines))
        return result


@dataclass(frozen=True)
class Replay:
    """The operator from an old variable, those that the replay reads, and the written records, to the new variable.

    `plain` is its body for a replay on the state before the row.
    """

    name: str
    reads: tuple[State[Any], ...]
    safe: bool
    head: str
    body: str
    plain: str
    written: str


def bounded(kind: Kind[Any]) -> bool:
    """Return whether values of a kind can leave its range."""
    return isinstance(kind.of if isinstance(kind, OptionKind) else kind, (IntKind, ThresholdKind))


def _update(keys: tuple[str, ...], value: str) -> str:
    if not keys:
        return value
    at = keys[0] if len(keys) == 1 else f"<<{', '.join(keys)}>>"
    return f"[at |-> {at}, to |-> {value}]"


def _flat(effects: Iterable[Effect], binders: tuple[Var[Any], ...], condition: Term[bool]) -> Iterable[Replayed]:
    for effect in effects:
        if isinstance(effect, Assign):
            yield binders, condition, effect.target, effect.value
        elif isinstance(effect, (Applied, Together)):
            yield from _flat(expand(effect) if isinstance(effect, Applied) else effect.body, binders, condition)
        elif isinstance(effect, Write):
            raise AssertionError("a replay writes no records")
        else:
            inner = (*binders, effect.var) if isinstance(effect, Every) else binders
            yield from _flat(effect.body, inner, nary("and", (condition, effect.when)))


def _terms(effects: Iterable[Effect]) -> Iterable[Term[Any]]:
    """Yield the terms of effects, procedures inside them by their arguments only."""
    for effect in effects:
        if isinstance(effect, Assign):
            yield from (*effect.target.keys, effect.value)
        elif isinstance(effect, Write):
            for given in effect.fields:
                yield from (given.said, given.value)
            yield effect.record.speaks(effect.fields)
        elif isinstance(effect, Applied):
            yield from effect.arguments
        elif isinstance(effect, Together):
            yield from _terms(effect.body)
        else:
            yield effect.when
            yield from _terms(effect.body)


def _binders(effects: Iterable[Effect]) -> Iterable[Var[Any]]:
    for effect in effects:
        if isinstance(effect, Every):
            yield effect.var
        if isinstance(effect, (Every, Only, Together)):
            yield from _binders(effect.body)
