"""A protocol as a TLA+ module, and its bounds as configurations of TLC."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.exploration.footprints import kept
from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import TRUE, Always, LeadsTo, Protocol, Sometimes, State, Step, Term, Var
from fencepost.model.language.kinds import EntityKind, EnumKind, IntKind, Kind, ThresholdKind
from fencepost.model.language.terms import Named
from fencepost.model.language.walk import conjuncts, free, reads

from .actions import Action, Actions
from .choices import Given, layers, needed, pinned, ranged
from .claims import by_binders, step_text, still_text
from .effects import Effects
from .expressions import CHOICES, COMPARE, Expressions, Scope
from .layout import block, bullet, comment, used_helpers, wrapped
from .names import TLC_MODULE, fresh
from .symmetric import Symmetric

DEADLOCK = "SomeRowIsEnabled"
"""The generated invariant that some row is enabled: what it is called, and what is violated by a deadlock."""

SYMMETRY = "Symmetry"
"""The generated definition of the permutations of a symmetric module."""

_KEYS = ("k", *(f"k{n}" for n in range(2, 17)))
"""The names of keys in initial values; a variable has no more of them."""


@dataclass(frozen=True)
class Constant:
    """A constant of the module: the size of an entity kind, or the highest value of a counter or a threshold."""

    name: str
    size: str


@dataclass(frozen=True)
class Module:
    """A protocol rendered: the text, and what its configurations, its traces and modules that extend it are made with.

    `actions` are the rows with effects, by id, `refusals` the rows without effects that a claim about steps names;
    `expressions` renders further terms with the module's names. `still` has, for each claim about steps that a step
    without changes may break, the invariant that none does: TLC asks `[][A]_vars` of steps that change something.
    `inside` has, for each claim of runs without end, the invariant that no range alone disables a row before the goal.
    `model_sets` are the constants that stand for symmetric sorts, each with the model values of its entities.
    """

    protocol: Protocol
    name: str
    text: str
    constants: tuple[Constant, ...]
    bounds_matter: bool
    invariants: dict[str, str]
    still: dict[str, str]
    inside: dict[str, str]
    specifications: dict[str, str]
    state_names: dict[str, State[Any]]
    row_names: dict[str, str]
    actions: dict[str, Action]
    refusals: dict[str, Action]
    expressions: Expressions
    model_sets: dict[str, tuple[str, ...]]

    @property
    def entities(self) -> dict[str, int]:
        """The numbers of the entities that are model values, by what they are called."""
        return {name: number for names in self.model_sets.values() for number, name in enumerate(names)}

    def constant_lines(self, bound: str, sizes: Mapping[str, int]) -> list[str]:
        """Return the lines of a configuration that give the constants their values at a bound, by sizes of its own."""
        lines = ["CONSTANTS", "  None = None", *(f"  {one.name} = {sizes[one.size]}" for one in self.constants)]
        lines += [f"  {one} = {one}" for one in self.expressions.entities.values()]
        lines += [f"  {sort} = {{{', '.join(entities)}}}" for sort, entities in self.model_sets.items()]
        return [*lines, f'  Bound = "{bound}"'] if self.bounds_matter else lines


def render(protocol: Protocol, name: str = "", symmetric: Symmetric | None = None) -> Module:
    """Return a protocol as a TLA+ module of a name, its own by default; with the definition of a symmetry, if given."""
    if not protocol.states:
        raise Refusal(f"{protocol.name}: has no variable, and a module of TLA+ has one; declare a cell")
    wanted = fresh(name or protocol.name, ())
    known = _Renderer(protocol, wanted, frozenset(), symmetric)
    known.run()
    # The second time every top-level name is known, so no local name can be one of them.
    final = _Renderer(protocol, wanted, known.expressions.globals.taken, symmetric)
    return final.run()


def module_text(protocol: Protocol, name: str = "") -> str:
    """Return the text of the TLA+ module for a protocol."""
    return render(protocol, name).text


class _Renderer:
    """One pass over a protocol; `avoid` are the names of the module's top level that an earlier pass found."""

    def __init__(self, protocol: Protocol, name: str, avoid: frozenset[str], symmetric: Symmetric | None) -> None:
        self.protocol, self.name, self.symmetric = protocol, name, symmetric
        reserved = [name] if symmetric is None else [name, *TLC_MODULE, SYMMETRY]
        self.expressions = Expressions(avoid, reserved, frozenset(() if symmetric is None else symmetric.moved))
        self.model_sets: dict[str, tuple[str, ...]] = {}
        self.effects = Effects(self.expressions, frozenset(protocol.states))
        self.actions = Actions(protocol, self.expressions, self.effects)
        self.constants: list[Constant] = []
        self.groups: dict[str, tuple[State[Any], ...]] = {}
        self.leaving: dict[str, str] = {}
        self.inside: dict[str, str] = {}

    def run(self) -> Module:
        """Render everything, names that stand in tables first, so that they stay as they are."""
        protocol, e = self.protocol, self.expressions
        for state in protocol.states:
            e.state(state)
        for row in protocol.rows:
            e.globals.name(row, row.id)
        invariants = {p.id: e.globals.name(p, p.id) for p in protocol.properties}
        kinds = self._kinds()
        givens = {event.name: self._given(event.name) for event in protocol.events}
        actions = [self.actions.action(row, givens[row.event.name]) for row in protocol.rows if row.changes]
        self.still = {
            p.id: e.globals.name((p, "still"), f"{invariants[p.id]}_where_nothing_changes")
            for p in protocol.properties
            if isinstance(p, Step) and not kept(p.term, frozenset())
        }
        named = {id for p in protocol.properties if isinstance(p, Step) and p.id in self.still for id in p.rows}
        refusals = [
            self.actions.action(row, givens[row.event.name])
            for row in protocol.rows
            if not row.changes and row.id in named
        ]
        lasting = any(isinstance(p, LeadsTo) for p in protocol.properties)
        ends = self._ends(actions) if lasting else []
        start = self._start()
        properties, specifications = self._properties(actions, refusals)
        matters = any(givens.values()) or any(b.start is not TRUE for b in protocol.bounds.values())
        groups = self._group(actions)
        body = [
            *self._variables(),
            *groups,
            *self._definitions(),
            *self._actions(actions),
            *(line for one in refusals if one.guard for line in ("", *comment(one.row.source), *self._guard(one))),
            *start,
            *self._next(actions),
            *ends,
            *self._permutations(),
            *properties,
        ]
        text = "\n".join(line.rstrip() for line in (*self._head(kinds, matters, body), *body, "=" * 80)) + "\n"
        return Module(
            protocol,
            self.name,
            text,
            tuple(self.constants),
            matters,
            invariants,
            self.still,
            self.inside,
            specifications,
            {e.state(state): state for state in protocol.states},
            {e.globals.name(row, row.id): row.id for row in protocol.rows},
            {action.row.id: action for action in actions},
            {action.row.id: action for action in refusals},
            e,
            self.model_sets,
        )

    # -- head ------------------------------------------------------------------------------------------------------
    def _kinds(self) -> list[str]:
        e, lines = self.expressions, []
        constants: dict[str, str] = {}
        for kind in self.protocol.kinds:
            if not isinstance(kind, (EntityKind, IntKind, ThresholdKind, EnumKind)):
                continue
            own = e.domain(kind)
            if isinstance(kind, EnumKind):
                members = ", ".join(e.literal(member, kind) for member in kind.enum)
                lines.append(f"{own} == {{{members}}}")
                continue
            if isinstance(kind, EntityKind) and self.symmetric is not None and kind.name in self.symmetric.moved:
                entities = range(self.symmetric.sizes[kind.name])
                self.model_sets[own] = tuple(e.entity(kind, number) for number in entities)
                continue
            if kind.name not in constants:
                prefix = "Number" if isinstance(kind, EntityKind) else "Max"
                constants[kind.name] = e.globals.name(("constant", kind.name), prefix + kind.name)
                self.constants.append(Constant(constants[kind.name], kind.name))
            lines.append(f"{own} == {_interval(kind, constants[kind.name])}")
        return lines

    def _head(self, kinds: list[str], matters: bool, body: list[str]) -> list[str]:
        text = "\n".join((*body, *kinds))
        helpers = used_helpers(text, self.expressions.globals.taken)
        constants = [c.name for c in self.constants] + (["Bound"] if matters else []) + ["None"]
        constants += [*self.model_sets, *self.expressions.entities.values()]
        title = f" MODULE {self.name} "
        return [
            title.center(80, "-"),
            *comment(f"{self.protocol.name}: {self.protocol.about}" if self.protocol.about else self.protocol.name),
            *comment(f"Made from the tables of {self.protocol.name} {self.protocol.hash}; not to be edited."),
            f"EXTENDS Integers, Sequences, FiniteSets{', TLC' if self.model_sets else ''}",
            "",
            *wrapped("CONSTANTS " + ", ".join(constants), 2),
            "",
            *kinds,
            *(["", *helpers] if helpers else []),
        ]

    def _variables(self) -> list[str]:
        e = self.expressions
        names = [e.state(state) for state in self.protocol.states]
        return ["", *wrapped("VARIABLES " + ", ".join(names), 2), "", *wrapped(f"vars == <<{', '.join(names)}>>", 2)]

    def _definitions(self) -> list[str]:
        lines: list[str] = []
        for name, body in self.expressions.definitions:
            lines += ["", *wrapped(f"{name} == {body}", 2)]
        for head, body, about in self.effects.procedures:
            lines += ["", *(comment(about) if about else []), *block(head, body)]
        for head, parts in self.effects.replay_definitions():
            if len(parts) == 1:
                lines += ["", *wrapped(f"{head} == {parts[0]}", 2)]
            else:
                lines += ["", f"{head} ==", *(piece for part in parts for piece in bullet(part, 2))]
        for name, formals, body in self.actions.guards:
            lines += ["", *wrapped(f"{name}{formals} == {body}", 2)]
        return lines

    # -- rows ------------------------------------------------------------------------------------------------------
    def _given(self, event: str) -> Given | None:
        e = self.expressions
        speaking = [(name, b.given[event]) for name, b in self.protocol.bounds.items() if event in b.given]
        if not speaking:
            return None
        params = next(one.params for one in self.protocol.events if one.name == event)
        scope, names = Scope(), []
        for var in params:
            name, scope = scope.bind(var, e.avoid)
            names.append(name)
        cases = " [] ".join(f'Bound = "{name}" -> {e.text(term, scope, COMPARE)}' for name, term in speaking)
        own = e.globals.name(("given", event), f"Given_{event}")
        e.definitions.append((own + (f"({', '.join(names)})" if names else ""), f"CASE {cases} [] OTHER -> TRUE"))
        pins = pinned(params, {name: b.given.get(event, TRUE) for name, b in self.protocol.bounds.items()})
        choices = {}
        for var, by_bound in pins.items():
            needs = tuple(v for v in params if any(v in free(t) for terms in by_bound.values() for t in terms))
            values = [(name, f"{{{', '.join(e.text(t, scope) for t in terms)}}}") for name, terms in by_bound.items()]
            # A value may be outside a range, or the none of an option where the parameter is none.
            if ranged(var.kind) or any(t.kind != var.kind for terms in by_bound.values() for t in terms):
                values = [(name, f"({text} \\intersect {e.domain(var.kind)})") for name, text in values]
            choice = e.globals.name(("choice", event, var), f"{own}_{var.name}")
            head = choice + (f"({', '.join(scope.variables[v] for v in needs)})" if needs else "")
            cases = " [] ".join(f'Bound = "{name}" -> {text}' for name, text in values)
            e.definitions.append((head, f"CASE {cases} [] OTHER -> {e.domain(var.kind)}"))
            choices[var] = (choice, needs)
        return Given(own, choices)

    def _actions(self, actions: list[Action]) -> list[str]:
        lines: list[str] = []
        for action in actions:
            lines += ["", *comment(action.row.source)]
            if action.guard:
                lines += [*self._guard(action), ""]
            lines += [f"{action.head} ==", *(piece for line in action.lines for piece in bullet(line, 2))]
            lines += self._unchanged(action.writes)
        return lines

    def _guard(self, action: Action) -> list[str]:
        """Return the definition of the condition under which a row is enabled."""
        return [f"{action.enabled} ==", *(piece for line in action.guard for piece in bullet(line, 2))]

    def _group(self, actions: list[Action]) -> list[str]:
        """Give a name to variables, three or more, that the same rows write, so that frames stay short."""
        e = self.expressions
        by_rows: dict[tuple[str, ...], list[State[Any]]] = {}
        for state in self.protocol.states:
            by_rows.setdefault(tuple(a.row.id for a in actions if state in a.writes), []).append(state)
        lines = []
        for rows, states in by_rows.items():
            if len(states) < 3:
                continue
            own = e.globals.name(("group", rows), f"{states[0].name}_and_others" if rows else "never_written")
            self.groups[own] = tuple(states)
            lines += ["", *wrapped(f"{own} == <<{', '.join(e.state(s) for s in states)}>>", 2)]
        return lines

    def _unchanged(self, writes: frozenset[State[Any]]) -> list[str]:
        left = [state for state in self.protocol.states if state not in writes]
        names = []
        for own, states in self.groups.items():
            if set(states) <= set(left):
                names.append(own)
                left = [state for state in left if state not in states]
        names = [*(self.expressions.state(state) for state in left), *names]
        if not names:
            return []
        return bullet(f"UNCHANGED {names[0]}" if len(names) == 1 else f"UNCHANGED <<{', '.join(names)}>>", 2)

    def _next(self, actions: list[Action]) -> list[str]:
        return [
            *("", "Rows ==", *self._disjuncts(actions, lambda action: action.head)),
            *("", "Next == Rows \\/ UNCHANGED vars", "", "Spec == Init /\\ [][Next]_vars"),
            *(
                "",
                *comment("The guard of some row holds: unlike in ENABLED Rows, of one too that only a range disables."),
            ),
            *(f"{DEADLOCK} ==", *self._disjuncts(actions, lambda action: action.enabled)),
        ]

    def _permutations(self) -> list[str]:
        """Return the definition of the symmetry, of no lines without one."""
        if self.symmetric is None:
            return []
        sets = []
        for sort, moved in self.symmetric.moved.items():
            entities = ", ".join(self.expressions.entities[sort, number] for number in moved)
            sets.append(f"Permutations({{{entities}}})")
        return ["", *wrapped(f"{SYMMETRY} == " + " \\union ".join(sets), 2)]

    def _disjuncts(self, actions: list[Action], said: Callable[[Action], str]) -> list[str]:
        """Return what is said of every row, for some parameters of it, as a disjunction."""
        lines = []
        for binders, mine in by_binders(actions).items():
            if not binders or len(mine) == 1:
                lines += [line for one in mine for line in wrapped("  \\/ " + one.over("\\E", said(one)), 5)]
            else:
                lines += self._choices(mine, said)
        return lines or ["  FALSE"]

    def _choices(self, actions: list[Action], said: Callable[[Action], str]) -> list[str]:
        """Return the disjunct of rows with one set of parameters.

        What all their guards ask is asked as soon as its parameters are chosen, since TLC tries every choice; of a
        definition the parts that need fewer parameters before the whole.
        """
        e, first = self.expressions, actions[0]
        guards = [self.protocol.assumed_guard(action.row) for action in actions]
        shared = [c for c in conjuncts(guards[0]) if all(c in conjuncts(guard) for guard in guards[1:])]
        whole = {part: c for c in shared for part in _parts(c)}
        common = [*whole, *shared]
        needs = first.needs
        left = dict(zip(first.row.params, first.binders, strict=True))
        lines, indent, sign = list[str](), 2, "\\/"

        def choose(wanted: Iterable[Var[Any]]) -> None:
            """Begin a choice of variables, those first on which the others depend."""
            nonlocal indent, sign
            for layer in layers([var for var in left if var in wanted], needs):
                binders = [left.pop(var) for var in layer]
                lines.extend(wrapped(" " * indent + f"{sign} \\E {', '.join(binders)} :", 5))
                indent, sign = indent + 5, "/\\"

        while common:
            wanted = {c: needed(free(c), needs) & left.keys() for c in common}
            chosen = min(common, key=lambda c: (len(wanted[c] - needs.keys()), len(wanted[c])))
            choose(wanted[chosen])
            ready = [c for c in common if free(c).isdisjoint(left)]
            common = [c for c in common if c not in ready]
            if sign == "/\\":
                ready = [c for c in ready if whole.get(c) not in ready]
                lines += [line for c in ready for line in bullet(e.one_way(c, first.scope), indent)]
        asked = len(lines)
        choose(tuple(left))
        begin = "/\\ \\/ " if sign == "/\\" and asked == len(lines) else "\\/ "
        lines += wrapped(" " * indent + begin + said(first), 5)
        indent += len(begin) - 3
        return [*lines, *(line for one in actions[1:] for line in wrapped(" " * indent + f"\\/ {said(one)}", 5))]

    # -- start -----------------------------------------------------------------------------------------------------
    def _start(self) -> list[str]:
        e = self.expressions
        conditions: list[tuple[str, frozenset[State[Any]]]] = [
            (e.one_way(c, Scope()), e.reads(c)) for c in conjuncts(self.protocol.start)
        ]
        starts = [(name, b.start) for name, b in self.protocol.bounds.items() if b.start is not TRUE]
        for name, term in starts:
            for one in conjuncts(term):
                reads = e.reads(one)
                conditions.append((f'Bound = "{name}" => {e.one_way(one, Scope())}', reads))
        lines, done = ["", "Init =="], set[State[Any]]()
        for state in sorted(self.protocol.states, key=lambda s: s.initial is None):
            lines += bullet(self._initial(state), 2)
            done.add(state)
            ready = [c for c in conditions if c[1] <= done]
            conditions = [c for c in conditions if c[1] - done]
            for text, _ in ready:
                lines += bullet(text, 2)
        return lines

    def _initial(self, state: State[Any]) -> str:
        e = self.expressions
        if state.by_key is not None:
            return self._by_key(state, *state.by_key)
        if state.initial is None:
            return f"{e.state(state)} \\in {e.function_set(state)}"
        value = e.text(state.initial, Scope())
        if state.keys:
            ranges = ", ".join(f"{v} \\in {e.domain(k)}" for v, k in zip(_KEYS, state.keys, strict=False))
            return f"{e.state(state)} = [{self._fresh(ranges)} |-> {value}]"
        return f"{e.state(state)} = {value}"

    def _by_key(self, state: State[Any], keys: tuple[Var[Any], ...], value: Term[Any]) -> str:
        e, scope, ranges = self.expressions, Scope(), []
        for key in keys:
            name, scope = scope.bind(key, e.avoid)
            ranges.append(f"{name} \\in {e.domain(key.kind)}")
        return f"{e.state(state)} = [{', '.join(ranges)} |-> {e.text(value, scope)}]"

    def _fresh(self, ranges: str) -> str:
        for name in reversed(_KEYS):
            own = fresh(name, self.expressions.avoid)
            ranges = ranges.replace(f"{name} \\in", f"{own} \\in") if own != name else ranges
        return ranges

    # -- properties ------------------------------------------------------------------------------------------------
    def _properties(self, actions: list[Action], refusals: list[Action]) -> tuple[list[str], dict[str, str]]:
        e = self.expressions
        lines: list[str] = []
        specifications: dict[str, str] = {}
        for one in self.protocol.properties:
            own = e.globals.name(one, one.id)
            about = f"{one.about} ({one.source})" if one.source else one.about
            lines += ["", *(comment(about) if about else [])]
            if isinstance(one, Always):
                lines += wrapped(f"{own} == {self._of_a_state(one.term)}", 2)
            elif isinstance(one, Sometimes):
                lines += comment("TLC is asked that this never holds; a violation is the witness.")
                lines += wrapped(f"{own} == ~({self._of_a_state(one.term)})", 2)
            elif isinstance(one, Step):
                lines += wrapped(f"{own} == [][{step_text(one, actions, e)}]_vars", 2)
                if one.id in self.still:
                    text = still_text(one, actions, refusals, e)
                    lines += ["", *wrapped(f"{self.still[one.id]} == {text}", 2)]
            else:
                specifications[one.id] = e.globals.name((one, "spec"), f"Spec_{one.id}")
                fair = [self._fair("WF", name, one.fair_params(name), actions) for name in one.fair]
                fair += [self._fair("SF", name, one.fair_params(name), actions) for name in one.strongly_fair]
                fair += [f"<>[][~({self._event(name, (), actions)})]_vars" for name in one.finitely]
                lines += wrapped(f"{specifications[one.id]} == " + " /\\ ".join(("Spec", *fair)), 2)
                scope, each = Scope(), ""
                for var in one.each:
                    bound, scope = scope.bind(var, e.avoid)
                    each += f"\\A {bound} \\in {e.domain(var.kind)} : "
                goal = self._of_a_state(one.goal, scope)
                claimed = f"({self._of_a_state(one.trigger, scope)}) ~> ({goal})"
                lines += wrapped(f"{own} == {each}({claimed})" if each else f"{own} == {claimed}", 2)
                if self.leaving:
                    self.inside[one.id] = e.globals.name((one, "inside"), f"{own}_inside_the_ranges")
                    ends = " \\/ ".join(self.leaving.values())
                    stays = f"({ends}) => ({goal})"
                    lines += ["", *wrapped(f"{self.inside[one.id]} == {f'{each}({stays})' if each else stays}", 2)]
        return lines, specifications

    def _of_a_state(self, term: Term[bool], scope: Scope | None = None) -> str:
        """Return a condition that reads a state: TLC finds `FALSE ~> TRUE` violated and refuses the invariant FALSE."""
        text = self.expressions.text(term, scope or Scope())
        if reads(term) or not self.protocol.states:
            return text
        variable = self.expressions.state(self.protocol.states[0])
        return f"({text}) /\\ {variable} = {variable}"

    def _ends(self, actions: list[Action]) -> list[str]:
        """Return by event the definition that a range alone disables a row of it, where that may be."""
        lines: list[str] = []
        for event in dict.fromkeys(one.row.event.name for one in actions if one.may_leave):
            mine = [one for one in actions if one.may_leave and one.row.event.name == event]
            own = self.leaving[event] = self.expressions.globals.name(("leaving", event), f"{event}_would_leave")
            lines += ["", f"{own} =="]
            lines += self._disjuncts(mine, _would_leave)
        return lines and ["", *comment("A counter's range alone disables a row of the event."), *lines[1:]]

    def _fair(self, kind: str, name: str, by: tuple[str, ...], actions: list[Action]) -> str:
        """Return that a run is fair to an event, which counts as enabled where a range alone disables it, or to those
        of its firings with each values of some parameters.
        """
        event = self._event(name, by, actions)
        if by:
            mine = [one for one in actions if one.row.event.name == name]
            [own] = {", ".join(map(one.binder, by)) for one in mine}
            leaving = [one.over("\\E", _would_leave(one), by) for one in mine if one.may_leave]
            ends = " \\/ ".join(f"({one})" for one in leaving)
            return f"(\\A {own} : {_fair_to(kind, event, ends)})"
        return _fair_to(kind, event, self.leaving.get(name, ""))

    def _event(self, name: str, by: tuple[str, ...], actions: list[Action]) -> str:
        mine = [action.over("\\E", action.head, by) for action in actions if action.row.event.name == name]
        return " \\/ ".join(f"({one})" for one in mine) or "FALSE"


def _would_leave(action: Action) -> str:
    """Return that a range alone disables a row, for some parameters of it."""
    return f"({action.enabled}) /\\ ~ENABLED {action.head}"


def _fair_to(kind: str, event: str, leaves: str) -> str:
    """Return that a run is fair to an action, which counts as enabled where it would leave a range, if it ever does."""
    if not leaves:
        return f"{kind}_vars({event})"
    able = f"(ENABLED <<{event}>>_vars) \\/ {leaves}"
    return f"({'[]<>' if kind == 'WF' else '<>[]'}~({able}) \\/ []<><<{event}>>_vars)"


def _parts(condition: Term[bool]) -> list[Term[bool]]:
    """Return the plain parts of a definition that need fewer parameters than the whole, none of anything else."""
    if not isinstance(condition, Named):
        return []
    parts = [part for one in conjuncts(condition.term) for part in (*_parts(one), one)]
    return [part for part in parts if free(part) < free(condition) and not isinstance(part, CHOICES)]


def _interval(kind: Kind[Any], constant: str) -> str:
    if isinstance(kind, EntityKind):
        return f"0..({constant} - 1)"
    return f"{kind.lo if isinstance(kind, IntKind) else 1}..{constant}"
