"""Walks over terms and effects: children, free variables, substitution without capture, and rewriting by a function."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from functools import cache, reduce
from typing import TYPE_CHECKING, Any, Literal

from .effects import Applied, Assign, Effect, Every, Given, Only, Stage, Together, Update, Write, Written
from .nodes import (
    FALSE,
    TRUE,
    At,
    Before,
    Comprehension,
    Each,
    Get,
    Implies,
    Ite,
    MaxOf,
    Named,
    Nary,
    Not,
    Quant,
    Term,
    Var,
)

if TYPE_CHECKING:
    from .records import Record
    from .state import State

Replacement = Mapping[Var[Any], Term[Any]]
_BINDERS = (Quant, Comprehension, MaxOf, Each)

_NO_VARS: frozenset[Var[Any]] = frozenset()

NONE, ONE, MANY = range(3)
_TERMS = re.compile(r"\b(?:Term|Var)\[")
"""What the annotation of a field has that holds terms."""

_fields: dict[type, tuple[tuple[str, int], ...]] = {}
_children: dict[Term[Any], tuple[Term[Any], ...]] = {}
_free: dict[Term[Any], frozenset[Var[Any]]] = {}
_spoken: dict[Term[Any], frozenset[str]] = {}
_substituted: dict[frozenset[tuple[Var[Any], Term[Any]]], dict[Term[Any], Term[Any]]] = {}
"""Cache of substituted terms, by substitution: rows that apply one procedure in the same way share nearly all of it."""


def _fields_of(cls: type) -> tuple[tuple[str, int], ...]:
    """Return the fields of a class of nodes, each with how many terms it holds: `NONE`, `ONE` or `MANY`."""
    found = _fields.get(cls)
    if found is None:
        own = "var" if issubclass(cls, _BINDERS) else ""
        types = [(f.name, str(f.type)) for f in fields(cls)]
        found = _fields[cls] = tuple(
            (name, NONE if name == own or not _TERMS.search(type_) else MANY if type_.startswith("tuple") else ONE)
            for name, type_ in types
        )
    return found


def children(node: Term[Any]) -> tuple[Term[Any], ...]:
    """Return the terms directly inside a node, a bound variable left out, in the order in which they are written."""
    found = _children.get(node)
    if found is None:
        result: list[Term[Any]] = []
        for name, count in _fields_of(type(node)):
            if count == ONE:
                result.append(getattr(node, name))
            elif count and name != "shown":
                result += getattr(node, name)
        found = _children[node] = tuple(result)
    return found


def names(node: Term[Any]) -> frozenset[str]:
    """Return the names that a term and the terms inside it were given."""
    found = _spoken.get(node)
    if found is None:
        # What a name is shown with is rewritten with it, and no child.
        inside = (*node.shown, node.term) if isinstance(node, Named) else children(node)
        own = frozenset((node.name,)) if isinstance(node, Named) else frozenset[str]()
        found = _spoken[node] = own.union(*map(names, inside)) if inside else own
    return found


def bound(node: Term[Any]) -> Var[Any] | None:
    """Return the variable that a node binds in itself, or None."""
    return node.var if isinstance(node, _BINDERS) else None


def free(node: Term[Any]) -> frozenset[Var[Any]]:
    """Return the free variables of a term."""
    found = _free.get(node)
    if found is None:
        if isinstance(node, Var):
            found = frozenset((node,))
        elif isinstance(node, MaxOf):
            found = (free(node.body) - {node.var}) | free(node.default)
        elif isinstance(node, Each):
            found = (free(node.body) - {node.var}) | free(node.along)
        else:
            inside = children(node)
            found = _NO_VARS.union(*[free(child) for child in inside]) if len(inside) != 1 else free(inside[0])
            own = bound(node)
            if own is not None:
                found -= {own}
        _free[node] = found
    return found


def nodes(*terms: Term[Any]) -> Iterator[Term[Any]]:
    """Yield every node of the terms once, children before parents."""
    seen: set[Term[Any]] = set()
    stack: list[tuple[Term[Any], bool]] = [(term, False) for term in reversed(terms)]
    while stack:
        node, done = stack.pop()
        if done:
            yield node
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(children(node)) if child not in seen)


def rebuild(node: Term[Any], change: Callable[[Term[Any]], Term[Any]]) -> Term[Any]:
    """Return the node with every term inside it changed, and truth folded where a literal decides it."""
    if isinstance(node, Ite):
        condition = change(node.condition)
        if condition is TRUE:
            chosen = change(node.then)
            return chosen if chosen.kind == node.kind else Ite(TRUE, chosen, change(node.otherwise))
        if condition is FALSE:
            return change(node.otherwise)
        return Ite(condition, change(node.then), change(node.otherwise))
    values: list[Any] = []
    for name, count in _fields_of(type(node)):
        value = getattr(node, name)
        values.append(change(value) if count == ONE else tuple(map(change, value)) if count else value)
    if isinstance(node, Nary):
        return nary(node.operator, values[1])
    if isinstance(node, Not):
        return negation(values[0])
    if isinstance(node, Implies) and values[0] in (TRUE, FALSE):
        return TRUE if values[0] is FALSE else values[1]
    if isinstance(node, At):
        return beside_entry(*values)
    result: Term[Any] = type(node)(*values)
    return result


def beside_entry(values: Term[Any], along: Term[Any], entry: Term[Any]) -> Term[Any]:
    """Return the value beside an entry: of a list that is spelt out, what it says of the entry.

    Spelt-out values are beside the very list in which the entry is looked up, so its index needs no check.
    """
    inside = values.term if isinstance(values, Before) else values
    if isinstance(inside, Each) and isinstance(entry, Var):
        said = substitute(inside.body, {inside.var: entry})
        return before(said) if isinstance(values, Before) else said
    return At(values, along, entry)


def negation(term: Term[bool]) -> Term[bool]:
    """Return the negation, folded for literals and double negations."""
    if term is TRUE:
        return FALSE
    if term is FALSE:
        return TRUE
    return term.term if isinstance(term, Not) else Not(term)


def nary(operator: Any, terms: Iterable[Term[bool]]) -> Term[bool]:
    """Return the conjunction or disjunction, folded for literals and flattened."""
    unit, zero = (TRUE, FALSE) if operator == "and" else (FALSE, TRUE)
    kept: list[Term[bool]] = []
    for term in terms:
        if term is zero:
            return zero
        parts = term.terms if isinstance(term, Nary) and term.operator == operator else (term,)
        kept.extend(part for part in parts if part is not unit and part not in kept)
    return unit if not kept else kept[0] if len(kept) == 1 else Nary(operator, tuple(kept))


def bare(term: Term[Any]) -> Term[Any]:
    """Return a term without the names that it was given, and the marks that it is read before a row."""
    return bare(term.term) if isinstance(term, (Named, Before)) else term


def quantified(quantifier: Literal["every", "some"], variables: Iterable[Var[Any]], body: Term[bool]) -> Term[bool]:
    """Return the condition that a body holds for every, or for some, values of variables, the first bound outermost."""
    return reduce(lambda term, var: Quant(quantifier, var, term), reversed(tuple(variables)), body)


def conjuncts(term: Term[bool]) -> tuple[Term[bool], ...]:
    """Return the conditions that together make a condition; none for TRUE."""
    if term is TRUE:
        return ()
    return term.terms if isinstance(term, Nary) and term.operator == "and" else (term,)


def substitute(term: Term[Any], replacement: Replacement) -> Term[Any]:
    """Return the term with variables replaced; bound variables are renamed where they would capture."""
    mine = free(term) if replacement else _NO_VARS
    if not mine:
        return term
    told = {var: to for var, to in replacement.items() if var in mine and to is not var}
    if not told:
        return term
    memo = _substituted.setdefault(frozenset(told.items()), {})

    def change(node: Term[Any]) -> Term[Any]:
        found = memo.get(node)
        if found is not None:
            return found
        if isinstance(node, Var):
            result: Term[Any] = told.get(node, node)
        elif free(node).isdisjoint(told):
            result = node
        else:
            own = bound(node)
            if own is None:
                result = rebuild(node, change)
            else:
                result = _under_binder(node, own, told)
        memo[node] = result
        return result

    return change(term)


def fresh_name(var: Var[Any], taken: frozenset[Var[Any]]) -> Var[Any]:
    """Return a variable of the same kind whose name none of the taken ones has."""
    names = {v.name for v in taken}
    name = var.name
    while name in names:
        name += "'"
    return Var(name, var.kind)


def _captured(
    own: Var[Any], inside: frozenset[Var[Any]], replacement: Replacement
) -> tuple[Var[Any], dict[Var[Any], Term[Any]]]:
    """Return the binder to use and what to replace under it, so that no free variable of a replacement is caught."""
    inner = {var: term for var, term in replacement.items() if var is not own and var in inside}
    entering = frozenset[Var[Any]]().union(*(free(term) for term in inner.values())) if inner else frozenset[Var[Any]]()
    if own in entering:
        renamed = fresh_name(own, entering | inside)
        inner[own] = renamed
        return renamed, inner
    return own, inner


def _under_binder(node: Term[Any], own: Var[Any], replacement: Replacement) -> Term[Any]:
    assert isinstance(node, _BINDERS)
    var, inner = _captured(own, free(node.body), replacement)
    body = substitute(node.body, inner)
    if isinstance(node, Quant):
        return Quant(node.quantifier, var, body)
    if isinstance(node, Comprehension):
        return Comprehension(var, body)
    if isinstance(node, Each):
        return Each(var, substitute(node.along, replacement), body)
    return MaxOf(var, body, substitute(node.default, replacement))


def rewrite(term: Term[Any], change: Callable[[Term[Any]], Term[Any] | None]) -> Term[Any]:
    """Return the term with every node replaced by what `change` makes of it, None leaving the node to its children."""
    return rewriting(change)(term)


def rewriting(change: Callable[[Term[Any]], Term[Any] | None]) -> Callable[[Term[Any]], Term[Any]]:
    """Return what rewrites terms: a node that several of them share is rewritten once."""
    memo: dict[Term[Any], Term[Any]] = {}

    def walk(node: Term[Any]) -> Term[Any]:
        found = memo.get(node)
        if found is None:
            other = change(node)
            found = memo[node] = rebuild(node, walk) if other is None else other
        return found

    return walk


# -- effects -----------------------------------------------------------------------------------------------------------


def map_effect(effect: Effect, change: Callable[[Term[Any]], Term[Any]]) -> Effect:
    """Return the effect with every term in it changed, procedures included; binders and records' replays are kept."""
    if isinstance(effect, Assign):
        target = change(effect.target)
        assert isinstance(target, Get)
        return Assign(target, change(effect.value))
    if isinstance(effect, Every):
        return Every(effect.var, change(effect.when), tuple(map_effect(e, change) for e in effect.body))
    if isinstance(effect, Together):
        return Together(tuple(map_effect(e, change) for e in effect.body))
    if isinstance(effect, Only):
        return Only(change(effect.when), tuple(map_effect(e, change) for e in effect.body))
    if isinstance(effect, Write):
        return Write(effect.record, tuple(Given(g.field, change(g.said), change(g.value)) for g in effect.fields))
    procedure = replace(effect.procedure, body=tuple(map_effect(e, change) for e in effect.procedure.body))
    return Applied(
        procedure,
        tuple(change(a) for a in effect.arguments),
        tuple((name, change(term)) for name, term in effect.shown),
    )


def without(effects: Iterable[Effect], states: frozenset[State[Any]]) -> tuple[Effect, ...]:
    """Return the effects without updates of these variables, in procedures and replays of records too."""
    found: list[Effect] = []
    for effect in effects:
        if isinstance(effect, Assign):
            if effect.target.state not in states:
                found.append(effect)
        elif isinstance(effect, Write):
            found.append(Write(_forgetful(effect.record, states), effect.fields))
        elif isinstance(effect, Applied):
            body = without(effect.procedure.body, states)
            if body:
                found.append(replace(effect, procedure=replace(effect.procedure, body=body)))
        else:
            body = without(effect.body, states)
            if body:
                found.append(replace(effect, body=body))
    return tuple(found)


@cache
def _forgetful(record: Record, states: frozenset[State[Any]]) -> Record:
    """Return a record whose replay forgets variables: one and the same for every row that writes it."""
    replay = without(record.replay, states)
    return record if replay == record.replay else replace(record, replay=replay)


def stage_terms(of: Iterable[Stage]) -> Iterator[Term[Any]]:
    """Yield the terms that stand in stages."""
    for stage in of:
        for written in stage.written:
            yield written.when
            for given in written.fields:
                yield given.said
                yield given.value
        for update in stage.updates:
            yield update.target
            yield update.when
            yield update.value


def substitute_effect(effect: Effect, replacement: Replacement) -> Effect:
    """Return the effect with free variables replaced, binders renamed where they would capture."""
    if isinstance(effect, Every):
        inside = frozenset[Var[Any]]().union(free(effect.when), *(_effect_free(e) for e in effect.body))
        var, inner = _captured(effect.var, inside, replacement)
        return Every(var, substitute(effect.when, inner), tuple(substitute_effect(e, inner) for e in effect.body))
    if isinstance(effect, Assign):
        target = substitute(effect.target, replacement)
        assert isinstance(target, Get)
        return Assign(target, substitute(effect.value, replacement))
    if isinstance(effect, Together):
        return Together(tuple(substitute_effect(e, replacement) for e in effect.body))
    if isinstance(effect, Only):
        return Only(substitute(effect.when, replacement), tuple(substitute_effect(e, replacement) for e in effect.body))
    if isinstance(effect, Write):
        return Write(
            effect.record,
            tuple(
                Given(g.field, substitute(g.said, replacement), substitute(g.value, replacement)) for g in effect.fields
            ),
        )
    return Applied(
        effect.procedure,
        tuple(substitute(a, replacement) for a in effect.arguments),
        tuple((name, substitute(term, replacement)) for name, term in effect.shown),
    )


def _effect_free(effect: Effect) -> frozenset[Var[Any]]:
    if isinstance(effect, Assign):
        return free(effect.target) | free(effect.value)
    if isinstance(effect, Every):
        return frozenset[Var[Any]]().union(free(effect.when), *(_effect_free(e) for e in effect.body)) - {effect.var}
    if isinstance(effect, Together):
        return frozenset[Var[Any]]().union(*(_effect_free(e) for e in effect.body))
    if isinstance(effect, Only):
        return frozenset[Var[Any]]().union(free(effect.when), *(_effect_free(e) for e in effect.body))
    if isinstance(effect, Write):
        return frozenset[Var[Any]]().union(*(free(g.said) | free(g.value) for g in effect.fields))
    return frozenset[Var[Any]]().union(*(free(a) for a in effect.arguments))


def expand(effect: Applied) -> tuple[Effect, ...]:
    """Return the body of an applied procedure with the arguments in place of the formals."""
    replacement = dict(zip(effect.procedure.formals, effect.arguments, strict=True))
    return tuple(substitute_effect(e, replacement) for e in effect.procedure.body)


def _apart(effect: Every, binders: tuple[Var[Any], ...], condition: Term[bool]) -> Every:
    """Return the `every` under a variable that neither an outer `every` nor an outer condition speaks of."""
    taken = frozenset(binders) | free(condition)
    if effect.var not in taken:
        return effect
    inside = frozenset[Var[Any]]().union(free(effect.when), *(_effect_free(e) for e in effect.body))
    renamed = fresh_name(effect.var, taken | inside)
    inner = {effect.var: renamed}
    return Every(renamed, substitute(effect.when, inner), tuple(substitute_effect(e, inner) for e in effect.body))


def stages(effects: Iterable[Effect]) -> tuple[Stage, ...]:
    """Return the effects as stages: procedures expanded, records replayed, runs of plain updates joined."""
    result: list[Stage] = []
    plain: list[Update] = []

    def close() -> None:
        if plain:
            result.append(Stage((), tuple(plain)))
            plain.clear()

    def visit(
        effect: Effect, binders: tuple[Var[Any], ...], condition: Term[bool]
    ) -> tuple[list[Written], list[Update]]:
        if isinstance(effect, Assign):
            return [], [Update(binders, before(condition), _before_keys(effect.target), before(effect.value))]
        if isinstance(effect, Write):
            speaks = nary("and", (condition, effect.record.speaks(effect.fields)))
            written = Written(effect.record, binders, speaks, effect.fields)
            return [written], list(_replay(effect, binders, speaks))
        if isinstance(effect, Applied):
            inner: tuple[Effect, ...] = expand(effect)
        elif isinstance(effect, Together):
            inner = effect.body
        else:
            if isinstance(effect, Every):
                effect = _apart(effect, binders, condition)
                binders = (*binders, effect.var)
            condition = nary("and", (condition, effect.when))
            inner = effect.body
        writes: list[Written] = []
        updates: list[Update] = []
        for one in inner:
            w, u = visit(one, binders, condition)
            writes += w
            updates += u
        return writes, updates

    def top(effect: Effect, condition: Term[bool]) -> None:
        if isinstance(effect, (Applied, Only)):
            inner = expand(effect) if isinstance(effect, Applied) else effect.body
            own = condition if isinstance(effect, Applied) else nary("and", (condition, effect.when))
            for one in inner:
                top(one, own)
            return
        writes, updates = visit(effect, (), condition)
        if writes:
            close()
            result.append(Stage(tuple(writes), tuple(updates)))
        else:
            plain.extend(updates)

    for effect in effects:
        top(effect, TRUE)
    close()
    return tuple(result)


def before(term: Term[Any]) -> Term[Any]:
    """Return the term marked as read before the row; literals and variables need no mark."""
    return term if isinstance(term, (Before, Var)) or not reads(term) else Before(term)


_reading: dict[Term[Any], bool] = {}


def reads(term: Term[Any]) -> bool:
    """Return whether a term reads any state."""
    found = _reading.get(term)
    if found is None:
        found = _reading[term] = isinstance(term, Get) or any(reads(child) for child in children(term))
    return found


def _before_keys(target: Get[Any]) -> Get[Any]:
    return Get(target.state, tuple(before(key) for key in target.keys))


def _replay(write: Write, binders: tuple[Var[Any], ...], condition: Term[bool]) -> Iterator[Update]:
    replacement = {var: before(term) for var, term in write.record.substitution(write.fields).items()}

    def visit(effect: Effect, own: tuple[Var[Any], ...], when: Term[bool]) -> Iterator[Update]:
        if isinstance(effect, Assign):
            # A field that the record does not say leaves its cell as it is.
            if effect.value is not effect.target:
                yield Update(own, when, effect.target, effect.value)
            return
        if isinstance(effect, (Every, Only)):
            if effect.when is FALSE:
                return
            inner = own
            if isinstance(effect, Every):
                effect = _apart(effect, own, when)
                inner = (*own, effect.var)
            for one in effect.body:
                yield from visit(one, inner, nary("and", (when, effect.when)))
            return
        if isinstance(effect, (Applied, Together)):
            for one in expand(effect) if isinstance(effect, Applied) else effect.body:
                yield from visit(one, own, when)
            return
        raise AssertionError("a replay writes no records")

    for effect in write.record.replay:
        yield from visit(substitute_effect(effect, replacement), binders, before(condition))
