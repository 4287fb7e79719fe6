"""Rows as actions: the guard, true in at most one way, then every variable after the row, stage by stage."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fencepost.model.language import Protocol, Row, State, Table, Var
from fencepost.model.language.effects import Applied, Effect, Every, Only, Together, Write
from fencepost.model.language.records import Record
from fencepost.model.language.walk import conjuncts, nary, negation

from .choices import Given, layers
from .effects import Effects, Leaf, bounded
from .expressions import Expressions, Scope, parameters


@dataclass(frozen=True)
class Action:
    """A row as text: its operator with its parameters, how it is called, over what, and the lines of its body.

    `enabled` is the condition under which it is enabled: an operator whose lines `guard` has, or the condition itself
    where that has no lines. `needs` says on which other parameters the values of a parameter depend that the bounds
    choose. `may_leave` says that a counter's range may disable the row where its guard holds.
    """

    row: Row
    head: str
    binders: tuple[str, ...]
    needs: Mapping[Var[Any], tuple[Var[Any], ...]]
    enabled: str
    guard: tuple[str, ...]
    lines: tuple[str, ...]
    scope: Scope
    writes: frozenset[State[Any]]
    may_leave: bool

    @property
    def disjunct(self) -> str:
        """The action for any parameters."""
        return self.over("\\E", self.head)

    def over(self, quantifier: str, text: str, but: Collection[str] = ()) -> str:
        """Return a text for some or for all parameters but some, those first on which the choice of others depends."""
        named = dict(zip(self.row.params, self.binders, strict=True))
        parts = [
            f"{quantifier} {', '.join(some)} : "
            for one in layers(self.row.params, self.needs)
            if (some := [named[var] for var in one if var.name not in but])
        ]
        return "".join((*parts, text))

    def binder(self, param: str) -> str:
        """Return how a parameter, whose values depend on no other, is bound."""
        named = dict(zip(self.row.params, self.binders, strict=True))
        return next(named[var] for var in self.row.params if var.name == param)


class Actions:
    """Renders the rows of one protocol."""

    def __init__(self, protocol: Protocol, expressions: Expressions, effects: Effects) -> None:
        self.protocol, self.expressions, self.effects = protocol, expressions, effects
        self.guards: list[tuple[str, str, str]] = []

    def action(self, row: Row, given: Given | None) -> Action:
        """Return a row as an action; `given` is what the bounds assume of its event, if any does."""
        e = self.expressions
        scope, binders, names = Scope(), [], []
        for var in row.params:
            name, scope = scope.bind(var, e.avoid)
            names.append(name)
        choices = {} if given is None else given.choices
        for var, name in zip(row.params, names, strict=True):
            domain = choices[var][0] if var in choices else e.domain(var.kind)
            needs = choices[var][1] if var in choices else ()
            over = f"({', '.join(scope.variables[v] for v in needs)})" if needs else ""
            binders.append(f"{name} \\in {domain}{over}")
        own = e.globals.name(row, row.id)
        inputs = [a.term for a in self.protocol.inputs if a.event == row.event.name]
        called = f"({', '.join(names)})" if names else ""
        lines = [e.one_way(c, scope) for c in conjuncts(nary("and", (row.event.given, *inputs)))]
        lines += [e.one_way(c, scope) for c in conjuncts(row.when)]
        table = self.protocol.table_of(row)
        if table.mode == "first match":
            lines += [self._not_earlier(other, scope) for other in self._earlier(table, row)]
        if given is not None:
            event_names = [scope.variables[v] for v in row.event.params]
            lines.append(f"{given.name}{'(' + ', '.join(event_names) + ')' if event_names else ''} = TRUE")
        updates, writes, may_leave = self._updates(row, scope)
        needs_of = {var: needs for var, (_, needs) in choices.items()}
        enabled = lines[0] if lines else "TRUE"
        guard: tuple[str, ...] = ()
        if len(lines) > 1:
            enabled = e.globals.name((row, "is enabled"), f"{row.id}_is_enabled") + called
            guard, lines = tuple(lines), [enabled]
        return Action(
            row, own + called, tuple(binders), needs_of, enabled, guard, (*lines, *updates), scope, writes, may_leave
        )

    def _earlier(self, table: Table, row: Row) -> list[Row]:
        before = []
        for other in table.rows:
            if other is row:
                break
            if other.event is row.event:
                before.append(other)
        return before

    def _not_earlier(self, row: Row, scope: Scope) -> str:
        """Return the condition that an earlier row does not apply, by an operator where its guard is long."""
        e = self.expressions
        if len(conjuncts(row.applies)) < 2:
            return e.one_way(negation(row.applies), scope)
        formals = parameters(row.applies)
        own = e.globals.name((row, "applies"), f"{row.id}_applies")
        if all(name != own for name, _, _ in self.guards):
            inside, names = Scope(), []
            for var in formals:
                name, inside = inside.bind(var, e.avoid)
                names.append(name)
            self.guards.append((own, f"({', '.join(names)})" if names else "", e.text(row.applies, inside)))
        call = own + (f"({', '.join(scope.variables[v] for v in formals)})" if formals else "")
        return f"(~{call}) = TRUE"

    # -- effects ---------------------------------------------------------------------------------------------------
    def stages(self, effects: Iterable[Effect], scope: Scope) -> list[list[Leaf]]:
        """Return the effects as stages, as the language does: one for each write at the top and each run of updates."""
        result: list[list[Leaf]] = []
        plain: list[Leaf] = []

        def close() -> None:
            if plain:
                result.append(list(plain))
                plain.clear()

        def add(effect: Effect, leaves: list[Leaf]) -> None:
            if _writes(effect):
                close()
                result.append(leaves)
            else:
                plain.extend(leaves)

        for effect in effects:
            for one, leaves in self._tops(effect, scope):
                add(one, leaves)
        close()
        return result

    def _tops(self, effect: Effect, scope: Scope) -> list[tuple[Effect, list[Leaf]]]:
        """Return what is a stage of its own, or part of one: `only_if` and procedures opened, every else kept whole."""
        if isinstance(effect, Only):
            return _regroup(effect.body, self.effects.leaves(effect, scope))
        if isinstance(effect, Applied):
            return _regroup(effect.procedure.body, self.effects.leaves(effect, scope))
        return [(effect, self.effects.leaves(effect, scope))]

    def _updates(self, row: Row, scope: Scope) -> tuple[list[str], frozenset[State[Any]], bool]:
        """Return the conjuncts that say every variable that a row writes, those variables, and whether one may leave
        its range."""
        with self.effects.collecting(scope) as calls:
            stages = self.stages(row.effects, scope)
        update = Updates(self.expressions, self.effects, stages, scope, calls)
        return update.lines(), frozenset(update.final), bool(update.inside or update.unsafe or update.wholes)


class Updates:
    """Results of a row's stages for every variable: `final` has, for each one written, its expression after the row."""

    def __init__(
        self, expressions: Expressions, effects: Effects, stages: list[list[Leaf]], scope: Scope, calls: dict[str, str]
    ) -> None:
        self.expressions, self.effects, self.stages, self.scope = expressions, effects, stages, scope
        self.writes = [self._written(stage) for stage in stages]
        self.reads = [self._read(stage) for stage in stages]
        self.lets: list[tuple[str, str]] = [(name, call) for call, name in calls.items()]
        self.current: dict[State[Any], str] = {}
        self.final: dict[State[Any], str] = {}
        self.wholes: list[str] = []
        self.inside: list[str] = []
        self.unsafe: dict[State[Any], None] = {}

    def lines(self) -> list[str]:
        """Return the conjuncts; local definitions make one conjunct of them all."""
        e = self.expressions
        for number, stage in enumerate(self.stages):
            self._stage(number, stage)
        lines = [*dict.fromkeys(self.inside), *self.wholes]
        lines += [f"{e.state(state)}' = {text}" for state, text in self.final.items() if text]
        lines += [f"{e.state(state)}' \\in {e.function_set(state)}" for state in self.unsafe]
        if not self.lets:
            return lines
        lets = "\n    ".join(f"{name} == {text}" for name, text in self.lets)
        return [f"LET {lets}\nIN\n" + "\n".join(f"/\\ {line}" for line in lines)]

    def _stage(self, number: int, stage: list[Leaf]) -> None:
        e = self.expressions
        sets: dict[int, str] = {}
        done: set[State[Any]] = set()
        for place, leaf in enumerate(stage):
            if not isinstance(leaf.what, Record):
                continue
            replays = self.effects.replay(leaf.what)
            if self._alone(number, place):
                self.wholes.append(f"{self.effects.whole(leaf.what)}({leaf.as_set()})")
                self.final.update(dict.fromkeys(replays, ""))
                done.update(replays)
            elif len(replays) > 1:
                sets[place] = self._let("written", leaf.as_set())
        made: dict[State[Any], str] = {}
        for state in self.writes[number]:
            if state in done:
                continue
            text = self._after(state, stage, sets)
            if self._later(state, number):
                made[state] = text = self._let(f"{e.state(state)}_{number + 1}", text)
            self.final[state] = text
        self.current.update(made)

    def _let(self, wanted: str, text: str) -> str:
        taken = self.expressions.avoid | {name for name, _ in self.lets}
        name, self.scope = self.scope.word(wanted, taken)
        self.lets.append((name, text))
        return name

    def _later(self, state: State[Any], number: int) -> bool:
        """Return whether a later stage reads or writes a variable."""
        return any(state in self.writes[k] or state in self.reads[k] for k in range(number + 1, len(self.stages)))

    def _alone(self, number: int, place: int) -> bool:
        """Return whether a replay can be said at once: nothing else in the row touches what it reads and writes."""
        leaf = self.stages[number][place]
        assert isinstance(leaf.what, Record)
        replays = self.effects.replay(leaf.what)
        if len(replays) < 2 or any(s in self.current for r in replays.values() for s in r.reads):
            return False
        for state in replays:
            if self._later(state, number) or any(state in self.writes[k] for k in range(number)):
                return False
            for other, one in enumerate(self.stages[number]):
                if other != place and state in self._written([one]):
                    return False
        return True

    def _written(self, stage: list[Leaf]) -> dict[State[Any], None]:
        found: dict[State[Any], None] = {}
        for leaf in stage:
            for state in self.effects.replay(leaf.what) if isinstance(leaf.what, Record) else (leaf.what,):
                found.setdefault(state)
        return found

    def _read(self, stage: list[Leaf]) -> set[State[Any]]:
        return {
            state
            for leaf in stage
            if isinstance(leaf.what, Record)
            for replay in self.effects.replay(leaf.what).values()
            for state in replay.reads
        }

    def _after(self, state: State[Any], stage: list[Leaf], sets: dict[int, str]) -> str:
        """Return a variable after a stage, as an expression of the variables before it."""
        e = self.expressions
        old = self.current.get(state) or e.state(state)
        mine = [leaf for leaf in stage if leaf.what is state]
        if any(not leaf.safe and (leaf.layers or not leaf.capped) for leaf in mine) and bounded(state.kind):
            self.unsafe.setdefault(state)
        self.inside.extend(leaf.capped for leaf in mine if leaf.capped and not leaf.layers)
        for leaf in mine:
            self.inside.extend(leaf.inside if not leaf.layers else ())
        text = _plain(state, old, mine, e) if mine else old
        for number, leaf in enumerate(stage):
            if isinstance(leaf.what, Record):
                replay = self.effects.replay(leaf.what).get(state)
                if replay is not None:
                    if not replay.safe and bounded(state.kind):
                        self.unsafe.setdefault(state)
                    self.effects.used.add(replay.name)
                    written = sets.get(number) or leaf.as_set()
                    arguments = (text, *(self.current.get(s) or e.state(s) for s in replay.reads), written)
                    text = f"{replay.name}({', '.join(arguments)})"
        return text


def _plain(state: State[Any], old: str, leaves: list[Leaf], expressions: Expressions) -> str:
    """Return a variable after plain updates, in the plainest form that says them."""
    if all(leaf.single and all(not layer.name for layer in leaf.layers) for leaf in leaves):
        if not state.keys:
            text = old
            for leaf in reversed(leaves):
                conditions = [layer.condition for layer in leaf.layers]
                text = f"IF {_all(conditions)} THEN {leaf.value} ELSE {text}" if conditions else leaf.value
            return text
        parts = []
        for leaf in leaves:
            conditions = [layer.condition for layer in leaf.layers]
            value = f"IF {_all(conditions)} THEN {leaf.value} ELSE @" if conditions else leaf.value
            parts.append(f"![{', '.join(leaf.keys)}] = {value}")
        return f"[{old} EXCEPT {', '.join(parts)}]"
    if len(leaves) == 1 and state.keys and leaves[0].single:
        leaf = leaves[0]
        named = {layer.name: layer.domain for layer in leaf.layers if layer.name}
        if set(named) <= set(leaf.keys) and len(set(leaf.keys)) == len(leaf.keys):
            domains = [expressions.domain(kind) for kind in state.keys]
            if all(named.get(key, domain) == domain for key, domain in zip(leaf.keys, domains, strict=True)) and set(
                leaf.keys
            ) == set(named):
                conditions = [layer.condition for layer in leaf.layers if layer.condition != "TRUE"]
                ranges = ", ".join(f"{key} \\in {domain}" for key, domain in zip(leaf.keys, domains, strict=True))
                cell = f"{old}[{', '.join(leaf.keys)}]"
                value = f"IF {_all(conditions)} THEN {leaf.value} ELSE {cell}" if conditions else leaf.value
                return f"[{ranges} |-> {value}]"
    sets = [leaf.as_set() for leaf in leaves]
    updates = sets[0] if len(sets) == 1 else " \\union ".join(f"({one})" for one in sets)
    return f"{'Put' if state.keys else 'PutCell'}({old}, {updates})"


def _all(conditions: list[str]) -> str:
    return conditions[0] if len(conditions) == 1 else " /\\ ".join(f"({one})" for one in conditions)


def _writes(effect: Effect) -> bool:
    if isinstance(effect, Write):
        return True
    if isinstance(effect, Applied):
        return any(_writes(one) for one in effect.procedure.body)
    return isinstance(effect, (Every, Only, Together)) and any(_writes(one) for one in effect.body)


def _size(effect: Effect) -> int:
    """Return the number of leaves of an effect."""
    if isinstance(effect, Applied):
        return sum(_size(one) for one in effect.procedure.body)
    if isinstance(effect, (Every, Only, Together)):
        return sum(_size(one) for one in effect.body)
    return 1


def _regroup(effects: Iterable[Effect], leaves: list[Leaf]) -> list[tuple[Effect, list[Leaf]]]:
    """Return leaves, in order, by the effects that they belong to, `only_if` and procedures opened."""
    result: list[tuple[Effect, list[Leaf]]] = []
    rest = list(leaves)
    for effect in effects:
        own, rest = rest[: _size(effect)], rest[_size(effect) :]
        if isinstance(effect, Only):
            result += _regroup(effect.body, own)
        elif isinstance(effect, Applied):
            result += _regroup(effect.procedure.body, own)
        else:
            result.append((effect, own))
    return result
