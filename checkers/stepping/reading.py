"""Values, cells and conditions read from text, as `language/render.py` writes them and as they are typed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping
from typing import Any

from fencepost.checkers.verdicts import Refusal
from fencepost.model.language import BOOL, FALSE, TRUE, Protocol, TableError, Term, Var, World
from fencepost.model.language.interpreter import CellKey
from fencepost.model.language.kinds import BoolKind, EntityKind, EnumKind, Kind, ListKind, OptionKind, SetKind
from fencepost.model.language.render import value_text
from fencepost.model.language.terms import Elems, Get, Implies, Lit, Named, Quant, lift
from fencepost.model.language.walk import free, nary, negation, substitute

_TOKEN = re.compile(r"\s*(?:(?P<name>[^\W\d][\w']*(?:\.[\w']+)*)|(?P<number>\d+)|(?P<sign>!=|<=|>=|==|=>|[^\s\w]))")
_COMPARED = {"=": "=", "==": "=", "≠": "≠", "!=": "≠", "<": "<", "<=": "≤", "≤": "≤", ">": ">", ">=": "≥", "≥": "≥"}
_OTHER_WAY = {"=": "=", "≠": "≠", "<": ">", "≤": "≥", ">": "<", "≥": "≤"}
_CLOSING = {"[": "]", "{": "}"}


def value_of(text: str, kind: Kind[Any], world: World) -> Any:
    """Return the value of a kind that a text names; raises `Refusal` for a text that names none."""
    text = text.strip()
    match kind:
        case BoolKind() if text.lower() in ("true", "false"):
            return text.lower() == "true"
        case EnumKind() if text in kind.enum.__members__:
            return kind.enum[text]
        case EntityKind():
            for one in world.entities.get(kind.name, ()):
                if value_text(one) == text:
                    return one
        case OptionKind():
            return None if text == "none" else value_of(text, kind.of, world)
        case SetKind() if text == "∅":
            return frozenset()
        case SetKind() if text[:1] == "{" and text[-1:] == "}":
            return frozenset(value_of(one, kind.of, world) for one in apart(text[1:-1]))
        case ListKind() if text[:1] == "[" and text[-1:] == "]":
            return tuple(value_of(one, kind.of, world) for one in apart(text[1:-1]))
        case BoolKind() | EnumKind() | SetKind() | ListKind():
            pass
        case _ if re.fullmatch(r"-?\d+", text):
            return int(text)
    raise Refusal(f"{text!r} is no {kind}; {_values_text(kind, world)}")


def _values_text(kind: Kind[Any], world: World) -> str:
    match kind:
        case SetKind():
            return f"write a set, as in {{{_some(kind.of, world)}}}"
        case ListKind():
            return f"write a list, as in [{_some(kind.of, world)}]"
        case OptionKind():
            return f"write none, or a {kind.of}: {_values_text(kind.of, world)}"
        case BoolKind() | EnumKind() | EntityKind():
            known = [value_text(one) for one in world.values(kind)]
            return f"there are {', '.join(known) or 'none'}"
    return "write a number"


def _some(kind: Kind[Any], world: World) -> str:
    return ", ".join(value_text(one) for one in world.values(kind)[:2])


def apart(text: str) -> list[str]:
    """Return what commas separate in a text, those inside brackets left alone; nothing of an empty text."""
    found, depth, last = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "[{(") - (sign in "]})")
        if sign == "," and not depth:
            found.append(text[last:at].strip())
            last = at + 1
    return [*found, text[last:].strip()] if text.strip() else []


def cell_of(text: str, protocol: Protocol, world: World) -> CellKey:
    """Return the cell that a text such as `leader[0]` names; raises `Refusal` for one that there is not."""
    name, _, keys = text.strip().partition("[")
    state = next((one for one in protocol.states if one.name == name.strip()), None)
    if state is None:
        raise Refusal(f"{name.strip()!r} is no variable of {protocol.name}; {close_to(name.strip(), protocol)}")
    given = apart(keys.removesuffix("]")) if keys else []
    if len(given) != len(state.keys) or (keys and not keys.endswith("]")):
        wanted = f"[{', '.join(map(str, state.keys))}]" if state.keys else ""
        raise Refusal(f"{text.strip()!r} is no cell; write {name.strip()}{wanted}")
    return state, tuple(value_of(one, kind, world) for one, kind in zip(given, state.keys, strict=True))


def close_to(name: str, protocol: Protocol) -> str:
    """Return what to write for a name that a protocol does not have."""
    known = sorted({one.name for one in protocol.states} | set(_definitions(protocol)))
    close = difflib.get_close_matches(name, known, 3)
    return f"did you mean {', '.join(close)}?" if close else "the command state lists the variables"


def condition(text: str, protocol: Protocol, world: World) -> Term[bool]:
    """Return the condition that a text says in the words of the tables.

    It may use cells (`leader[0] = 1`, `b in isr`), `and`, `or`, `not`, comparisons, `in`, names that guards use, and
    `some b: ...`, `every b of Broker: ...` over the variables of the tables. Raises `Refusal` for anything else.
    """
    if not text.strip():
        raise Refusal("a condition is missing; write one as in leader[0] = 1 and not fenced[1]")
    reader = _Reader(text, protocol, world)
    try:
        found = reader.truth(reader.implied())
    except TableError as error:
        raise Refusal(f"{text.strip()!r} cannot be read: {error}") from error
    reader.end()
    return found


def _definitions(protocol: Protocol) -> Mapping[str, tuple[tuple[Var[Any], ...], Term[Any]]]:
    """The names that guards use, each with its variables and its body; those that no call gives variables are left
    out."""
    found: dict[str, tuple[tuple[Var[Any], ...], Term[Any]]] = {}
    for node in protocol.nodes:
        if isinstance(node, Named) and node.name not in found:
            shown = tuple(one for one in node.shown if isinstance(one, Var))
            if len(set(shown)) == len(node.shown) and free(node.term) <= set(shown):
                found[node.name] = shown, node
    return found


class _Raw:
    """A text whose kind depends on the other side of its comparison."""

    def __init__(self, text: str) -> None:
        self.text = text


class _Reader:
    """A condition while it is read: the tokens, how far they are read, and the variables that are bound."""

    def __init__(self, text: str, protocol: Protocol, world: World) -> None:
        self.text, self.protocol, self.world = text.strip(), protocol, world
        self.states = {one.name: one for one in protocol.states}
        self.bound: dict[str, Var[Any]] = {}
        self.tokens = list(self._tokens())
        self.at = 0

    def _tokens(self) -> Iterator[str]:
        at = 0
        while at < len(self.text):
            found = _TOKEN.match(self.text, at)
            assert found is not None
            yield found.group().strip()
            at = found.end()

    def peek(self) -> str:
        """Return the next token, empty at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        """Return the next token and go past it, where it is one of those wanted; else nothing is read."""
        token = self.peek()
        if token and (not wanted or token in wanted):
            self.at += 1
            return token
        return ""

    def need(self, wanted: str) -> None:
        """Go past a token that has to be next."""
        if not self.take(wanted):
            raise self.wrong(f"{wanted!r} is missing")

    def wrong(self, what: str) -> Refusal:
        """Return the error: what is wrong, and where."""
        where = f"before {self.peek()!r}" if self.peek() else "at its end"
        return Refusal(f"{self.text!r} cannot be read: {what} {where}")

    def end(self) -> None:
        """Refuse what is left over."""
        if self.peek():
            raise self.wrong("something is missing or too much")

    def truth(self, found: Term[Any] | _Raw) -> Term[bool]:
        """Return what was read as a condition."""
        if isinstance(found, _Raw):
            if found.text.lower() in ("true", "false"):
                return TRUE if found.text.lower() == "true" else FALSE
            raise Refusal(
                f"{self.text!r} cannot be read: {found.text!r} is no condition; {close_to(found.text, self.protocol)}"
            )
        if found.kind != BOOL:
            raise Refusal(f"{self.text!r} cannot be read: {found} is a {found.kind} and no condition; compare it")
        return found

    # -- what conditions are made of -------------------------------------------------------------------------------
    def implied(self) -> Term[Any] | _Raw:
        """Read a condition and what it implies."""
        found = self.either()
        return Implies(self.truth(found), self.truth(self.implied())) if self.take("⇒", "=>") else found

    def either(self) -> Term[Any] | _Raw:
        """Read what `or` joins."""
        found = self.both()
        while self.take("or"):
            found = nary("or", (self.truth(found), self.truth(self.both())))
        return found

    def both(self) -> Term[Any] | _Raw:
        """Read what `and` joins."""
        found = self.negated()
        while self.take("and"):
            found = nary("and", (self.truth(found), self.truth(self.negated())))
        return found

    def negated(self) -> Term[Any] | _Raw:
        """Read a condition, or `not` one, or one of every or some value of a variable."""
        if self.take("not", "~"):
            return negation(self.truth(self.negated()))
        word = self.take("every", "some")
        return self.quantified(word) if word else self.compared()

    def quantified(self, word: str) -> Term[bool]:
        """Read the variables after `every` or `some`, and what is said of them."""
        variables = [self.variable(self.take())]
        while self.take(","):
            variables.append(self.variable(self.take()))
        self.need(":")
        before = self.bound
        self.bound = {**before, **{one.name: one for one in variables}}
        body = self.truth(self.implied())
        self.bound = before
        for one in reversed(variables):
            body = Quant("every" if word == "every" else "some", one, body)
        return body

    def variable(self, name: str) -> Var[Any]:
        """Return a variable of the kind that is said, else of the kind that the tables give this name."""
        if self.take("of"):
            said = self.take()
            kind = next((one for one in self.protocol.kinds if str(one) == said), None)
            if kind is None:
                raise self.wrong(f"{said!r} is no kind of {self.protocol.name}")
            return Var(name, kind)
        kinds = {node.kind for node in self.protocol.nodes if isinstance(node, Var) and node.name == name}
        if len(kinds) != 1:
            sorts = [str(one) for one in self.protocol.sorts]
            raise self.wrong(f"of what kind {name!r} is has to be said, as in some {name} of {(*sorts, 'Broker')[0]}:")
        return Var(name, kinds.pop())

    def compared(self) -> Term[Any] | _Raw:
        """Read one side, and the other where they are compared."""
        left = self.side()
        sign = self.take(*_COMPARED)
        if sign:
            return self.comparison(left, _COMPARED[sign], self.side())
        if self.take("⊆"):
            return self.set_side(left) <= self.set_side(self.side())
        turned = self.peek() == "not" and self.tokens[self.at + 1 : self.at + 2] == ["in"]
        if turned:
            self.at += 1
        word = self.take("in", "∈", "∉")
        if not word:
            return left
        among = self.side()
        if isinstance(among, _Raw):
            if isinstance(left, _Raw):
                raise self.wrong(f"{left.text!r} and {among.text!r} are both values")
            one = left.kind.of if isinstance(left.kind, OptionKind) else left.kind
            among = self.literal(among, SetKind(one))
        if not isinstance(among.kind, (SetKind, ListKind)):
            raise self.wrong(f"{among} is neither a set nor a list")
        found = (self.literal(left, among.kind.of) if isinstance(left, _Raw) else left).in_(among)
        return negation(found) if turned or word == "∉" else found

    def set_side(self, side: Term[Any] | _Raw) -> Term[frozenset[Any]]:
        """Return a side of an inclusion as a set, a list as its members."""
        if isinstance(side, _Raw) or not isinstance(side.kind, (SetKind, ListKind)):
            raise self.wrong("sets or lists stand on both sides of ⊆; something else is given")
        return Elems(side) if isinstance(side.kind, ListKind) else side

    def comparison(self, left: Term[Any] | _Raw, sign: str, right: Term[Any] | _Raw) -> Term[bool]:
        """Return the comparison of two sides, a value read as the kind of the other side."""
        if isinstance(left, _Raw):
            if isinstance(right, _Raw):
                raise self.wrong(f"{left.text!r} and {right.text!r} are both values")
            left, sign, right = right, _OTHER_WAY[sign], left
        if isinstance(right, _Raw):
            right = self.literal(right, left.kind)
        elif isinstance(right.kind, OptionKind) and not isinstance(left.kind, OptionKind):
            left, sign, right = right, _OTHER_WAY[sign], left
        if sign in "=≠":
            return left.is_(right) if sign == "=" else left.isnt(right)
        if isinstance(left.kind, OptionKind):
            raise self.wrong(f"{left} may be none and has no order")
        less = {"<": left.__lt__, "≤": left.__le__, ">": left.__gt__, "≥": left.__ge__}[sign]
        return less(lift(right, left.kind))

    def literal(self, raw: _Raw, kind: Kind[Any]) -> Lit[Any]:
        """Return a value as a term of a kind."""
        return Lit(value_of(raw.text, kind, self.world), kind)

    def side(self) -> Term[Any] | _Raw:
        """Read one side of a comparison: a sum, or a single value."""
        found = self.single()
        while sign := self.take("+", "-", "−"):
            right = self.single()
            if isinstance(found, _Raw):
                raise self.wrong(f"{found.text!r} is in front of {sign!r}; write a cell first")
            term = self.literal(right, found.kind) if isinstance(right, _Raw) else right
            found = found + term if sign == "+" else found - term
        return found

    def single(self) -> Term[Any] | _Raw:
        """Read a cell, a name, a value, or something in parentheses."""
        if self.take("("):
            inside = self.implied()
            self.need(")")
            return inside
        if self.peek() in _CLOSING:
            return _Raw(self.bracketed())
        if self.peek() == "∅" or self.peek().isdigit():
            return _Raw(self.take())
        name = self.take()
        if not name or not (name[0].isalpha() or name[0] == "_"):
            self.at -= bool(name)
            raise self.wrong("a cell, a name or a value is missing")
        if name in self.bound:
            return self.bound[name]
        if name in self.states:
            return self.cell(name)
        return self.definition(name)

    def bracketed(self) -> str:
        """Read a set or a list literally."""
        opening = self.take()
        found = [opening]
        while self.peek() != _CLOSING[opening]:
            if not self.peek():
                raise self.wrong(f"{_CLOSING[opening]!r} is missing")
            found.append(self.bracketed() if self.peek() in _CLOSING else self.take())
        return "".join([*found, self.take()])

    def cell(self, name: str) -> Term[Any]:
        """Read the keys of a cell."""
        state = self.states[name]
        keys = self.arguments("[", "]") if state.keys else []
        if len(keys) != len(state.keys):
            raise self.wrong(f"{name} has the keys {', '.join(map(str, state.keys))}: another number is given")
        return Get(state, tuple(self.given(key, kind) for key, kind in zip(keys, state.keys, strict=True)))

    def definition(self, name: str) -> Term[Any] | _Raw:
        """Read a name that guards use with its arguments; anything else is a value."""
        known = _definitions(self.protocol).get(name)
        if known is None:
            return _Raw(name)
        variables, body = known
        given = self.arguments("(", ")") if variables else []
        if len(given) != len(variables):
            raise self.wrong(f"{name} takes {', '.join(v.name for v in variables)}: another number is given")
        return substitute(body, {v: self.given(one, v.kind) for v, one in zip(variables, given, strict=True)})

    def arguments(self, opening: str, closing: str) -> list[Term[Any] | _Raw]:
        """Read the content of brackets."""
        self.need(opening)
        found = [self.side()]
        while self.take(","):
            found.append(self.side())
        self.need(closing)
        return found

    def given(self, one: Term[Any] | _Raw, kind: Kind[Any]) -> Term[Any]:
        """Return a key or an argument as a term of its kind."""
        return self.literal(one, kind) if isinstance(one, _Raw) else lift(one, kind)
