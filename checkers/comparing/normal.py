"""Normal forms: what is said differently and means the same has one form.

Names of bound variables and parameters, names of definitions, the order of conjunctions, disjunctions, unions,
intersections and equations, implications and negations of them, and the order of updates within a stage make no
difference. What is equivalent for deeper reasons is left to the solver.
"""

from __future__ import annotations

import enum
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from fencepost.model.language import Always, Effect, LeadsTo, Property, Protocol, Row, Stage, State, Step, Term, Var
from fencepost.model.language.fingerprint import Digest
from fencepost.model.language.kinds import EnumKind, Kind, ListKind, MapKind, OptionKind, SetKind
from fencepost.model.language.operators import operator_of
from fencepost.model.language.terms import (
    Arith,
    Before,
    Compare,
    Eq,
    Get,
    Implies,
    Lit,
    Named,
    Nary,
    Next,
    Not,
    Quant,
    SetOf,
    SetOp,
)
from fencepost.model.language.walk import bound, free, stages

Scope = Mapping[Var[Any], str]
"""The normal name of each variable that is bound further out."""
_OTHER = {"and": "or", "or": "and", "every": "some", "some": "every"}


def kind_form(kind: Kind[Any]) -> str:
    """Return a kind by its name, with the members of an enumeration, so that it says the same however it was loaded."""
    if isinstance(kind, EnumKind):
        return f"{kind.enum.__name__}{{{','.join(f'{m.name}={m.value!r}' for m in kind.enum)}}}"
    if isinstance(kind, (OptionKind, SetKind, ListKind)):
        return f"{type(kind).__name__}({kind_form(kind.of)})"
    if isinstance(kind, MapKind):
        return f"beside({kind_form(kind.of)},{kind_form(kind.to)})"
    return Digest().of(kind)


class Normal:
    """Makes normal forms, each once: texts that are equal where two terms are the same but for how they are written."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], str] = {}
        self._digest = Digest()

    # -- terms -----------------------------------------------------------------------------------------------------
    def term(self, term: Term[Any], scope: Scope | None = None, negated: bool = False, depth: int = 0) -> str:
        """Return the form of a term, or of its negation."""
        scope = scope or {}
        mine = frozenset((var, scope[var]) for var in free(term) if var in scope)
        key = (term, negated, depth, mine)
        found = self._known.get(key)
        if found is None:
            made = self._made(term, dict(mine), negated, depth)
            found = self._known[key] = made if len(made) < 40 else hashlib.sha256(made.encode()).hexdigest()[:32]
        return found

    def _made(self, term: Term[Any], scope: Scope, negated: bool, depth: int) -> str:
        if isinstance(term, Named):
            return self.term(term.term, scope, negated, depth)
        if isinstance(term, Not):
            return self.term(term.term, scope, not negated, depth)
        if isinstance(term, (Nary, Implies)):
            return self._nary(term, scope, negated, depth)
        if isinstance(term, Quant):
            word = _OTHER[term.quantifier] if negated else term.quantifier
            inner = {**scope, term.var: f"#{depth}"}
            return f"{word} {kind_form(term.var.kind)}: {self.term(term.body, inner, negated, depth + 1)}"
        if isinstance(term, Compare) and negated:
            left, right = (self.term(one, scope, False, depth) for one in (term.left, term.right))
            return f"({right}{'<=' if term.operator == '<' else '<'}{left})"
        if isinstance(term, (Before, Next)):
            return f"{type(term).__name__}({self.term(term.term, scope, negated, depth)})"
        if isinstance(term, Lit) and isinstance(term.value, bool):
            return f"{term.value != negated}"
        plain = self._plain(term, scope, depth)
        return f"not({plain})" if negated else plain

    def _plain(self, term: Term[Any], scope: Scope, depth: int) -> str:
        def of(one: Term[Any]) -> str:
            return self.term(one, scope, False, depth)

        match term:
            case Var():
                return scope.get(term) or f"free {term.name}:{kind_form(term.kind)}"
            case Lit():
                return f"{self._value(term.value)}:{kind_form(term.kind)}"
            case Get():
                return f"{term.state.name}[{','.join(map(of, term.keys))}]"
            case Compare():
                return f"({of(term.left)}{term.operator}{of(term.right)})"
            case Eq():
                return f"({'='.join(sorted((of(term.left), of(term.right))))})"
            case Arith() if (operator := operator_of(term)) and operator.commutes:
                return f"({term.operator.join(sorted((of(term.left), of(term.right))))})"
            case SetOp(operator="&" | "|" as sign):
                parts = sorted({of(one) for one in _chain(term, sign)})
                return parts[0] if len(parts) == 1 else f"({sign.join(parts)})"
            case SetOf():
                return f"{{{','.join(sorted({of(one) for one in term.items}))}}}:{kind_form(term.of)}"
        return f"{type(term).__name__}({';'.join(self._fields(term, scope, depth))})"

    def _fields(self, term: Term[Any], scope: Scope, depth: int) -> Iterator[str]:
        """Yield the parts of a node of any type; its own variable is bound in its body alone."""
        own = bound(term)
        for one in fields(term):  # type: ignore[arg-type]
            value = getattr(term, one.name)
            if own is not None and one.name == "var":
                yield kind_form(own.kind)
            elif own is not None and one.name == "body":
                yield self.term(value, {**scope, own: f"#{depth}"}, False, depth + 1)
            elif isinstance(value, Term):
                yield self.term(value, scope, False, depth)
            elif isinstance(value, tuple) and all(isinstance(item, Term) for item in value):
                yield f"[{','.join(self.term(item, scope, False, depth) for item in value)}]"
            elif isinstance(value, Kind):
                yield kind_form(value)
            elif isinstance(value, State):
                yield value.name
            else:
                yield self._value(value)

    def _value(self, value: Any) -> str:
        if isinstance(value, enum.Enum):
            return f"{type(value).__name__}.{value.name}"
        return self._digest.of(value)

    def _nary(self, term: Term[bool], scope: Scope, negated: bool, depth: int) -> str:
        operator = _operator(term, negated)
        unit, zero = ("True", "False") if operator == "and" else ("False", "True")
        parts = {self.term(one, scope, no, depth) for one, no in _leaves(term, negated, operator)} - {unit}
        if zero in parts:
            return zero
        if not parts:
            return unit
        return next(iter(parts)) if len(parts) == 1 else f"{operator}({','.join(sorted(parts))})"

    # -- rows and properties ---------------------------------------------------------------------------------------
    def params(self, row: Row) -> Scope:
        """Return the normal names of the parameters of a row: their places, and their kinds."""
        return {var: f"parameter {n}:{kind_form(var.kind)}" for n, var in enumerate(row.params)}

    def effects(self, of: Iterable[Effect | Stage], scope: Scope) -> str:
        """Return the form of effects in their order: those of one stage are a set."""
        listed = list(of)
        made = [one for one in listed if isinstance(one, Stage)]
        made += stages([one for one in listed if not isinstance(one, Stage)])
        return " then ".join(self._stage(stage, scope) for stage in made)

    def _stage(self, stage: Stage, scope: Scope) -> str:
        parts = []
        for written in stage.written:
            inner = {**scope, **{var: f"#{n}" for n, var in enumerate(written.binders)}}
            depth = len(written.binders)
            said = sorted(
                f"{g.field}={self.term(g.value, inner, False, depth)} if {self.term(g.said, inner, False, depth)}"
                for g in written.fields
            )
            when = self.term(written.when, inner, False, depth)
            parts.append(f"{_kinds(written.binders)} {when}: {written.record.name}({', '.join(said)})")
        for update in stage.updates:
            inner = {**scope, **{var: f"#{n}" for n, var in enumerate(update.binders)}}
            three = (
                self.term(t, inner, False, len(update.binders)) for t in (update.when, update.target, update.value)
            )
            parts.append(f"{_kinds(update.binders)} {' '.join(three)}")
        return f"{{{'; '.join(sorted(set(parts)))}}}"

    def answer(self, row: Row) -> str:
        """Return the form of what a row answers or throws, with the further values of its event's answer."""
        scope = self.params(row)
        said = self.term(row.say, scope) if row.say is not None else ""
        reply = (f"{name}={self.term(term, scope)}" for name, term in sorted(row.event.reply.items()))
        return f"{said}|{row.throws}|{','.join(reply)}"

    def row(self, protocol: Protocol, row: Row) -> tuple[str, ...]:
        """Return the form of a row: event, parameters, effective guard, effects, answer."""
        scope = self.params(row)
        event = f"{row.event.name}({','.join(scope.values())})"
        guard, done = self.term(protocol.guard(row), scope), self.effects(row.stages, scope)
        return event, guard, done, self.answer(row)

    def claim(self, protocol: Protocol, one: Property) -> tuple[str, ...]:
        """Return the form of what a property claims."""
        if isinstance(one, LeadsTo):
            fair, strongly = (
                ",".join(sorted(" by ".join((event, *one.fair_params(event))) for event in events))
                for events in (one.fair, one.strongly_fair)
            )
            each: Scope = {var: f"each {n}:{kind_form(var.kind)}" for n, var in enumerate(one.each)}
            form = "leads to", self.term(one.trigger, each), self.term(one.goal, each), fair, strongly
            return (*form, ",".join(sorted(one.finitely))) if one.finitely else form
        scope: Scope = {}
        if isinstance(one, Step) and one.by_name:
            rows = [row for row in protocol.rows if row.id in one.rows]
            scope = self.params(rows[0]) if rows else {}
        return type(one).__name__, self.term(one.term, scope)

    def declared(self, one: Property) -> dict[str, str]:
        """Return what else is declared of a property, in words: scope, rows, expectation, who is to blame."""
        said: dict[str, str] = {}
        if isinstance(one, (Always, Step)):
            said |= {"claimed": one.scope, "broken by": " ".join(sorted(one.by))}
        if isinstance(one, Step):
            left_out = " ".join(sorted(id for id, _ in one.left_out))
            named = str(one.answering or " ".join(sorted(one.rows)))
            said["of rows"] = f"all but {left_out}" if left_out else named
        if isinstance(one, (Always, Step, LeadsTo)):
            said["declared"] = one.expected
        if isinstance(one, Always):
            said["kind"] = "lemma" if one.lemma else "property"
        return said


def _operator(term: Term[bool], negated: bool) -> str:
    operator = term.operator if isinstance(term, Nary) else "or"
    return _OTHER[operator] if negated else operator


def _leaves(term: Term[bool], negated: bool, operator: str) -> Iterator[tuple[Term[bool], bool]]:
    """Yield what a conjunction or disjunction is made of, through names, negations and implications."""
    while isinstance(term, (Named, Not)):
        term, negated = term.term, negated != isinstance(term, Not)
    if isinstance(term, (Nary, Implies)) and _operator(term, negated) == operator:
        if isinstance(term, Implies):
            yield from _leaves(term.left, not negated, operator)
            yield from _leaves(term.right, negated, operator)
        else:
            for one in term.terms:
                yield from _leaves(one, negated, operator)
    else:
        yield term, negated


def _chain(term: Term[Any], sign: str) -> Iterator[Term[Any]]:
    while isinstance(term, Named):
        term = term.term
    if isinstance(term, SetOp) and term.operator == sign:
        yield from _chain(term.left, sign)
        yield from _chain(term.right, sign)
    else:
        yield term


def _kinds(binders: tuple[Var[Any], ...]) -> str:
    return ",".join(kind_form(var.kind) for var in binders)


__all__ = ["Normal", "kind_form"]
