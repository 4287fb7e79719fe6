"""A protocol as a TLA+ module, and its bounds as configurations of TLC."""

from __future__ import annotations

import textwrap
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import (
    TRUE,
    Always,
    LeadsTo,
    Property,
    Protocol,
    Sometimes,
    State,
    Step,
)
from fencepost.model.language.kinds import EntityKind, EnumKind, IntKind, Kind, ThresholdKind

from .actions import Action, Actions
from .effects import Effects, conjuncts
from .expressions import COMPARE, Expressions, Scope
from .names import fresh, identifier

WIDTH = 120

HELPERS = r"""
At(f, k, initial) == IF k \in DOMAIN f THEN f[k] ELSE initial
Pick(S) == CHOOSE x \in S : TRUE
Put(f, updates) == [k \in DOMAIN f |-> LET u == {x \in updates : x.at = k} IN IF u = {} THEN f[k] ELSE Pick(u).to]
PutCell(value, updates) == IF updates = {} THEN value ELSE Pick(updates)
Elements(s) == {s[i] : i \in DOMAIN s}
KeepIn(s, S) == SelectSeq(s, LAMBDA x : x \in S)
FirstIn(s, S) == IF KeepIn(s, S) = <<>> THEN None ELSE Head(KeepIn(s, S))
Join(s, t) == s \o SelectSeq(t, LAMBDA x : x \notin Elements(s))
OnlyItem(x) == IF x = None THEN <<>> ELSE <<x>>
Lists(S) == UNION {{s \in [1..n -> S] : Cardinality(Elements(s)) = n} : n \in 0..Cardinality(S)}
InOrder(S) == [i \in 1..Cardinality(S) |-> CHOOSE x \in S : Cardinality({y \in S : y <= x}) = i]
MaxOr(S, default) == IF S = {} THEN default ELSE CHOOSE m \in S : \A n \in S : n <= m
Lesser(a, b) == IF a <= b THEN a ELSE b
""".strip().split("\n")
_NEEDS = {"Join": ("Elements",), "FirstIn": ("KeepIn",), "Lists": ("Elements",), "Put": ("Pick",), "PutCell": ("Pick",)}


@dataclass(frozen=True)
class Constant:
    """A constant of the module: the size of an entity kind, or the highest value of a counter or a threshold."""

    name: str
    size: str


@dataclass(frozen=True)
class Module:
    """A protocol rendered: the text, and what its configurations and its traces are read with."""

    protocol: Protocol
    name: str
    text: str
    constants: tuple[Constant, ...]
    bounds_matter: bool
    invariants: dict[str, str]
    specifications: dict[str, str]
    state_names: dict[str, State[Any]]
    row_names: dict[str, str]
    enum_kinds: tuple[EnumKind[Any], ...]


def render(protocol: Protocol, name: str = "") -> Module:
    """Return a protocol as a TLA+ module of a name, its own by default."""
    wanted = identifier(name or protocol.name)
    known = _Renderer(protocol, wanted, frozenset())
    known.run()
    # The second time every top-level name is known, so no local name can be one of them.
    final = _Renderer(protocol, wanted, known.expressions.globals.taken)
    return final.run()


def module_text(protocol: Protocol, name: str = "") -> str:
    """Return the text of the TLA+ module for a protocol."""
    return render(protocol, name).text


def config_text(protocol: Protocol, bound: str, properties: tuple[str, ...] | None = None, name: str = "") -> str:
    """Return the configuration of TLC for a bound: by default with the properties that are declared to hold.

    Raises `Refusal` for a bound or a property that the protocol does not have.
    """
    return configuration(render(protocol, name), bound, properties)


def configuration(module: Module, bound: str, properties: tuple[str, ...] | None = None) -> str:
    """Return the configuration of a rendered module for a bound; raises `Refusal` for unknown bounds and properties."""
    protocol = module.protocol
    if bound not in protocol.bounds:
        raise Refusal(f"{protocol.name} has no bound {bound}: use one of {', '.join(protocol.bounds) or 'none'}.")
    chosen = declared(protocol) if properties is None else tuple(_property(protocol, id) for id in properties)
    temporal = [one for one in chosen if isinstance(one, LeadsTo)]
    if len(temporal) > 1:
        raise Refusal(f"{protocol.name}: TLC takes one specification a run: ask for one leads-to property at a time.")
    specification = module.specifications[temporal[0].id] if temporal else "Spec"
    lines = [f"SPECIFICATION {specification}"]
    lines += [f"INVARIANT {module.invariants[p.id]}" for p in chosen if isinstance(p, (Always, Sometimes))]
    if not protocol.ends and properties is None:
        lines.append("INVARIANT SomeRowIsEnabled")
    lines += [f"PROPERTY {module.invariants[p.id]}" for p in chosen if isinstance(p, (Step, LeadsTo))]
    sizes = protocol.bounds[bound].sizes
    lines += ["CONSTANTS", "  None = None", *(f"  {c.name} = {sizes[c.size]}" for c in module.constants)]
    if module.bounds_matter:
        lines.append(f'  Bound = "{bound}"')
    return "\n".join(lines) + "\n"


def declared(protocol: Protocol) -> tuple[Property, ...]:
    """Return the properties that are declared to hold of every state or step, which one run of TLC can judge at once."""
    return tuple(p for p in protocol.properties if isinstance(p, (Always, Step)) and p.expected == "holds")


def _property(protocol: Protocol, id: str) -> Property:
    try:
        return protocol.property(id)
    except KeyError:
        known = ", ".join(p.id for p in protocol.properties) or "none"
        raise Refusal(f"{protocol.name} has no property {id}: use one of {known}.") from None


def write_modules(protocol: Protocol, folder: Path, name: str = "") -> list[Path]:
    """Write the module and a configuration for every bound to a folder, and return the files.

    The files are `<module>.tla` and `<module>.<bound>.cfg`.
    """
    module = render(protocol, name)
    folder.mkdir(parents=True, exist_ok=True)
    made = [folder / f"{module.name}.tla"]
    made[0].write_text(module.text, encoding="ascii")
    for bound in protocol.bounds:
        made.append(folder / f"{module.name}.{bound}.cfg")
        made[-1].write_text(configuration(module, bound), encoding="ascii")
    return made


class _Renderer:
    """One pass over a protocol; `avoid` are the names of the module's top level that an earlier pass found."""

    def __init__(self, protocol: Protocol, name: str, avoid: frozenset[str]) -> None:
        self.protocol, self.name = protocol, name
        self.expressions = Expressions(avoid, [name])
        self.effects = Effects(self.expressions)
        self.actions = Actions(protocol, self.expressions, self.effects)
        self.constants: list[Constant] = []

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
        start = self._start()
        properties, specifications = self._properties(actions)
        matters = any(givens.values()) or any(b.start is not TRUE for b in protocol.bounds.values())
        body = [
            *self._variables(),
            *self._definitions(),
            *self._actions(actions),
            *start,
            *self._next(actions),
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
            specifications,
            {e.state(state): state for state in protocol.states},
            {e.globals.name(row, row.id): row.id for row in protocol.rows},
            tuple(kind for kind in protocol.kinds if isinstance(kind, EnumKind)),
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
            if kind.name not in constants:
                prefix = "Number" if isinstance(kind, EntityKind) else "Max"
                constants[kind.name] = e.globals.name(("constant", kind.name), prefix + kind.name)
                self.constants.append(Constant(constants[kind.name], kind.name))
            lines.append(f"{own} == {_interval(kind, constants[kind.name])}")
        return lines

    def _head(self, kinds: list[str], matters: bool, body: list[str]) -> list[str]:
        text = "\n".join((*body, *kinds))
        helpers = _used_helpers(text)
        constants = [c.name for c in self.constants] + (["Bound"] if matters else []) + ["None"]
        title = f" MODULE {self.name} "
        return [
            title.center(80, "-"),
            *_comment(f"{self.protocol.name}: {self.protocol.about}" if self.protocol.about else self.protocol.name),
            *_comment(f"Made from the tables of {self.protocol.name} {self.protocol.hash}; not to be edited."),
            "EXTENDS Integers, Sequences, FiniteSets",
            "",
            *_wrapped("CONSTANTS " + ", ".join(constants), 2),
            "",
            *kinds,
            *(["", *helpers] if helpers else []),
        ]

    def _variables(self) -> list[str]:
        e = self.expressions
        names = [e.state(state) for state in self.protocol.states]
        return [
            "",
            *_wrapped("VARIABLES " + ", ".join(names), 2),
            "",
            *_wrapped(f"vars == <<{', '.join(names)}>>", 2),
        ]

    def _definitions(self) -> list[str]:
        lines: list[str] = []
        for name, body in self.expressions.definitions:
            lines += ["", *_wrapped(f"{name} == {body}", 2)]
        for head, body, about in self.effects.procedures:
            lines += ["", *(_comment(about) if about else []), *_block(head, body)]
        for head, body in self.effects.replays:
            lines += ["", *_wrapped(f"{head} == {body}", 2)]
        for name, formals, body in self.actions.guards:
            lines += ["", *_wrapped(f"{name}{formals} == {body}", 2)]
        return lines

    # -- rows ------------------------------------------------------------------------------------------------------
    def _given(self, event: str) -> str | None:
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
        return own

    def _actions(self, actions: list[Action]) -> list[str]:
        lines: list[str] = []
        for action in actions:
            lines += ["", *_comment(action.row.source), f"{action.head} =="]
            for line in action.lines:
                lines += _bullet(line, 2)
        return lines

    def _next(self, actions: list[Action]) -> list[str]:
        lines = ["", "Rows =="]
        for action in actions:
            lines += [f"  \\/ {action.disjunct}"]
        lines += ["", "Next == Rows \\/ UNCHANGED vars", "", "Spec == Init /\\ [][Next]_vars"]
        if not self.protocol.ends:
            lines += ["", "SomeRowIsEnabled == ENABLED Rows"]
        return lines

    # -- start -----------------------------------------------------------------------------------------------------
    def _start(self) -> list[str]:
        e = self.expressions
        conditions: list[tuple[str, frozenset[State[Any]]]] = [
            (e.text(c, Scope(), COMPARE), e.reads(c)) for c in conjuncts(self.protocol.start)
        ]
        starts = [(name, b.start) for name, b in self.protocol.bounds.items() if b.start is not TRUE]
        for name, term in starts:
            for one in conjuncts(term):
                reads = e.reads(one)
                conditions.append((f'Bound = "{name}" => {e.text(one, Scope(), COMPARE)}', reads))
        lines, done = ["", "Init =="], set[State[Any]]()
        for state in sorted(self.protocol.states, key=lambda s: s.initial is None):
            lines += _bullet(self._initial(state), 2)
            done.add(state)
            ready = [c for c in conditions if c[1] <= done]
            conditions = [c for c in conditions if c[1] - done]
            for text, _ in ready:
                lines += _bullet(text, 2)
        return lines

    def _initial(self, state: State[Any]) -> str:
        e = self.expressions
        if state.initial is None:
            return f"{e.state(state)} \\in {e.function_set(state)}"
        value = e.text(state.initial, Scope())
        if state.keys:
            ranges = ", ".join(f"{v} \\in {e.domain(k)}" for v, k in zip(("k", "k2"), state.keys, strict=False))
            return f"{e.state(state)} = [{self._fresh(ranges)} |-> {value}]"
        return f"{e.state(state)} = {value}"

    def _fresh(self, ranges: str) -> str:
        for name in ("k2", "k"):
            own = fresh(name, self.expressions.avoid)
            ranges = ranges.replace(f"{name} \\in", f"{own} \\in") if own != name else ranges
        return ranges

    # -- properties ------------------------------------------------------------------------------------------------
    def _properties(self, actions: list[Action]) -> tuple[list[str], dict[str, str]]:
        e = self.expressions
        lines: list[str] = []
        specifications: dict[str, str] = {}
        for one in self.protocol.properties:
            own = e.globals.name(one, one.id)
            about = f"{one.about} ({one.source})" if one.source else one.about
            lines += ["", *(_comment(about) if about else [])]
            if isinstance(one, Always):
                lines += _wrapped(f"{own} == {e.text(one.term, Scope())}", 2)
            elif isinstance(one, Sometimes):
                lines += _comment("TLC is asked that this never holds; a violation is the witness.")
                lines += _wrapped(f"{own} == ~({e.text(one.term, Scope())})", 2)
            elif isinstance(one, Step):
                lines += _wrapped(f"{own} == [][{self._step(one, actions)}]_vars", 2)
            else:
                specifications[one.id] = e.globals.name((one, "spec"), f"Spec_{one.id}")
                fair = [f"WF_vars({self._event(name, actions)})" for name in one.fair]
                lines += _wrapped(f"{specifications[one.id]} == " + " /\\ ".join(("Spec", *fair)), 2)
                goal = f"({e.text(one.trigger, Scope())}) ~> ({e.text(one.goal, Scope())})"
                lines += _wrapped(f"{own} == {goal}", 2)
        return lines, specifications

    def _step(self, one: Step, actions: list[Action]) -> str:
        e = self.expressions
        if not one.rows:
            return e.text(one.term, Scope())
        parts = []
        for action in actions:
            if action.row.id in one.rows:
                text = f"{action.head} => ({e.text(one.term, action.scope)})"
                parts.append(f"\\A {', '.join(action.binders)} : {text}" if action.binders else text)
        return " /\\ ".join(f"({part})" for part in parts) if parts else "TRUE"

    def _event(self, name: str, actions: list[Action]) -> str:
        mine = [action.disjunct for action in actions if action.row.event.name == name]
        return " \\/ ".join(f"({one})" for one in mine) or "FALSE"


def _interval(kind: Kind[Any], constant: str) -> str:
    if isinstance(kind, EntityKind):
        return f"0..({constant} - 1)"
    return f"{kind.lo if isinstance(kind, IntKind) else 1}..{constant}"


def _used_helpers(text: str) -> list[str]:
    by_name = {line.split("(")[0]: line for line in HELPERS}
    wanted = {name for name in by_name if f"{name}(" in text}
    for name in list(wanted):
        wanted.update(_NEEDS.get(name, ()))
    # `InOrder` has to come before whatever uses it, as all do: the order of HELPERS.
    return [line for name, line in by_name.items() if name in wanted]


_ASCII = {"≤": "<=", "≥": ">=", "−": "-", "–": "-", "—": "--", "→": "->", "’": "'", "≠": "#", "·": "."}


def _ascii(text: str) -> str:
    plain = "".join(_ASCII.get(c, c) for c in text)
    return unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()


def _comment(text: str) -> list[str]:
    return [f"\\* {line}" for line in textwrap.wrap(_ascii(text), WIDTH - 3)] if text else []


def _wrapped(line: str, indent: int) -> list[str]:
    """Return a definition on lines of at most the width, broken at blanks."""
    return [
        piece
        for part in line.split("\n")
        for piece in textwrap.wrap(
            part,
            WIDTH,
            subsequent_indent=" " * (indent + len(part) - len(part.lstrip())),
            break_long_words=False,
            break_on_hyphens=False,
            drop_whitespace=True,
        )
        or [""]
    ]


def _block(head: str, body: str) -> list[str]:
    return [piece for part in (f"{head} ==", *(f"  {line}" for line in body.split("\n"))) for piece in _wrapped(part, 4)]


def _bullet(line: str, indent: int) -> list[str]:
    """Return a conjunct, its inner conjuncts under it; whatever is broken stands to the right of the bullet."""
    first, *rest = line.split("\n")
    lines = _wrapped(" " * indent + "/\\ " + first, 7)
    for one in rest:
        lines += _wrapped(" " * (indent + 3) + one, 7)
    return lines

