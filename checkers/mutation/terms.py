"""Mutants of terms: for each node its replacements, and its place in the term."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from fencepost.model.language import FALSE, TRUE, Term
from fencepost.model.language.kinds import (
    BoolKind,
    EntityKind,
    EnumKind,
    IntKind,
    ListKind,
    OptionKind,
    SetKind,
    ThresholdKind,
)
from fencepost.model.language.nodes import (
    Arith,
    Compare,
    Comprehension,
    Eq,
    First,
    Implies,
    Ite,
    Keep,
    Lit,
    Named,
    Nary,
    Not,
    Quant,
    SetOf,
    SetOp,
)
from fencepost.model.language.render import text
from fencepost.model.language.terms import Var
from fencepost.model.language.walk import children, nary, negation, rebuild

Role = Literal["condition", "value", "inner", "denied"]
"""The role of a node in its context: a condition or a value of the row, what a negation denies, or another part."""

Path = tuple[int, ...]

SHOWN = 90
"""Characters of a term that a description quotes."""


@dataclass(frozen=True)
class Edit:
    """Another node in place of one: its kind, what makes it unique beside the path, and what was done, in words."""

    kind: str
    label: str
    about: str
    node: Term[Any]


def quoted(term: object) -> str:
    """Return a term as a description quotes it: its beginning where it is long."""
    said = " ".join(str(term if not isinstance(term, Term) else text(term)).split())
    return f"`{said}`" if len(said) <= SHOWN else f"`{said[: SHOWN - 2].rstrip()} …`"


def edits(node: Term[Any], role: Role) -> Iterator[Edit]:
    """Yield what may be written in place of a node; `role` says what the node is to the row."""
    if isinstance(node, Nary):
        yield from _connective(node)
    elif role == "condition" and not isinstance(node, Lit):
        yield Edit("conjunct dropped", "only", f"without {quoted(node)}", TRUE)
        yield Edit("conjunct negated", "only", f"with {quoted(negation(node))} instead of its contrary", negation(node))
    elif isinstance(node, Implies):
        yield Edit("condition dropped", "if", f"without the condition {quoted(node.left)}", node.right)
    if isinstance(node, (Compare, Eq)):
        yield from _comparison(node, role)
    elif isinstance(node, Not) and isinstance(node.term, Eq):
        yield Edit("comparison shifted", "not", f"with {quoted(node.term)} instead of {quoted(node)}", node.term)
    elif isinstance(node, Ite) and not isinstance(node.condition, Lit):
        said = quoted(node.condition)
        if _same_kind(node.then, node):
            yield Edit("case dropped", "else", f"as if {said} always held", node.then)
        if _same_kind(node.otherwise, node):
            yield Edit("case dropped", "then", f"as if {said} never held", node.otherwise)
    elif isinstance(node, SetOp):
        yield Edit(
            "operand dropped", "right", f"{quoted(node.left)} without `{node.operator}` {quoted(node.right)}", node.left
        )
        if node.operator != "-":
            yield Edit(
                "operand dropped",
                "left",
                f"{quoted(node.right)} without `{node.operator}` {quoted(node.left)}",
                node.right,
            )
    elif isinstance(node, SetOf) and len(node.items) > 1:
        for i, item in enumerate(node.items):
            kept = node.items[:i] + node.items[i + 1 :]
            yield Edit("operand dropped", str(i), f"{quoted(node)} without {quoted(item)}", SetOf(node.of, kept))
    elif isinstance(node, Keep):
        yield Edit("operand dropped", "among", f"all of {quoted(node.of)}, not only {quoted(node.among)}", node.of)
    elif isinstance(node, (Comprehension, Quant)) and not isinstance(node.body, (Nary, Lit)):
        yield from _body(node)
    elif isinstance(node, Lit):
        yield from _literal(node, role)
    elif isinstance(node, Arith):
        yield from _bump(node)
    if role == "value":
        yield from _value(node)


def _connective(node: Nary) -> Iterator[Edit]:
    word = "conjunct" if node.operator == "and" else "disjunct"
    for i, part in enumerate(node.terms):
        rest = node.terms[:i] + node.terms[i + 1 :]
        yield Edit(f"{word} dropped", str(i), f"without {quoted(part)}", nary(node.operator, rest))
        if word == "conjunct":
            other = nary("and", (*node.terms[:i], negation(part), *node.terms[i + 1 :]))
            yield Edit("conjunct negated", str(i), f"with {quoted(negation(part))} instead of its contrary", other)


def _comparison(node: Compare | Eq, role: Role) -> Iterator[Edit]:
    if isinstance(node, Eq):
        if role != "denied":
            yield Edit("comparison shifted", "not", f"with {quoted(Not(node))} instead of {quoted(node)}", Not(node))
    else:
        other = Compare("<=" if node.operator == "<" else "<", node.left, node.right)
        yield Edit("comparison shifted", "equal", f"with {quoted(other)} instead of {quoted(node)}", other)
    if _number(node.right) and not isinstance(node.right, Lit):
        later = Arith("+", node.right, Lit(1, node.right.kind))
        moved = Eq(node.left, later) if isinstance(node, Eq) else Compare(node.operator, node.left, later)
        yield Edit("shifted by one", "right", f"with {quoted(moved)} instead of {quoted(node)}", moved)


def _body(node: Comprehension[Any] | Quant) -> Iterator[Edit]:
    other = negation(node.body)
    made: Term[Any] = (
        Comprehension(node.var, other) if isinstance(node, Comprehension) else Quant(node.quantifier, node.var, other)
    )
    yield Edit("conjunct negated", "body", f"with {quoted(made)} instead of {quoted(node)}", made)
    if isinstance(node, Comprehension):
        everybody: Term[Any] = Comprehension(node.var, TRUE)
        yield Edit("conjunct dropped", "body", f"with {quoted(everybody)} instead of {quoted(node)}", everybody)


def _literal(node: Lit[Any], role: Role) -> Iterator[Edit]:
    value, kind = node.value, node.kind
    if isinstance(kind, OptionKind) and value is not None:
        kind = kind.of
    if isinstance(value, bool):
        if role == "value":
            yield _altered(node, not value, "other")
    elif isinstance(value, enum.Enum) and isinstance(kind, EnumKind):
        members: list[enum.Enum] = [*kind.enum.__members__.values()]
        if len(members) > 1:
            yield _altered(node, members[(members.index(value) + 1) % len(members)], "next")
    elif isinstance(value, int) and isinstance(kind, (IntKind, ThresholdKind)):
        yield _altered(node, value + 1, "up")
        if value > 0:
            yield _altered(node, value - 1, "down")


def _altered(node: Lit[Any], value: Any, label: str) -> Edit:
    other: Lit[Any] = Lit(value, node.kind)
    return Edit("literal altered", label, f"with {quoted(other)} instead of {quoted(node)}", other)


def _bump(node: Arith) -> Iterator[Edit]:
    if isinstance(node.right, Lit):
        yield Edit("bump removed", node.operator, f"with {quoted(node.left)} instead of {quoted(node)}", node.left)
        more: Term[Any] = Arith(node.operator, node.left, Lit(node.right.value + 1, node.right.kind))
        yield Edit("literal altered", "up", f"with {quoted(more)} instead of {quoted(node)}", more)
    else:
        yield Edit("operand dropped", "right", f"with {quoted(node.left)} instead of {quoted(node)}", node.left)


def _value(node: Term[Any]) -> Iterator[Edit]:
    kind = node.kind
    if _number(node) and not isinstance(node, Lit) and not _bumped(node):
        for label, operator in (("up", "+"), ("down", "-")):
            moved = Arith("+" if operator == "+" else "-", node, Lit(1, kind))
            yield Edit("shifted by one", label, f"with {quoted(moved)} instead of {quoted(node)}", moved)
    elif isinstance(node, Lit):
        return
    elif isinstance(kind, BoolKind):
        other = negation(node)
        yield Edit("value altered", "not", f"with {quoted(other)} instead of {quoted(node)}", other)
    elif isinstance(kind, OptionKind):
        none: Term[Any] = Lit(None, kind)
        yield Edit("value altered", "none", f"with none instead of {quoted(node)}", none)
    elif isinstance(kind, SetKind) and isinstance(kind.of, EntityKind) and not isinstance(node, SetOf):
        empty: Term[Any] = SetOf(kind.of, ())
        yield Edit("value altered", "empty", f"with the empty set instead of {quoted(node)}", empty)
    elif type(kind) is ListKind and isinstance(kind.of, EntityKind):
        nothing: Term[Any] = Keep(node, SetOf(kind.of, ()))
        yield Edit("value altered", "empty", f"with the empty list instead of {quoted(node)}", nothing)
    if isinstance(node, First):
        anyone: Term[Any] = First(node.of, Comprehension(_fresh(node), TRUE))
        yield Edit(
            "operand dropped", "among", f"with the first of {quoted(node.of)}, not only of {quoted(node.among)}", anyone
        )


def _fresh(node: First[Any]) -> Any:
    assert isinstance(node.of.kind, ListKind)
    return Var("any", node.of.kind.of)


def _number(term: Term[Any]) -> bool:
    return isinstance(term.kind, IntKind)


def _same_kind(one: Term[Any], other: Term[Any]) -> bool:
    return one.kind == other.kind


# -- places ------------------------------------------------------------------------------------------------------------


def places(root: Term[Any], role: Role) -> Iterator[tuple[Path, Term[Any], Role]]:
    """Yield each node of a term once, with its path and its role; the inside of a named term is left out."""
    seen: set[Term[Any]] = set()

    def visit(node: Term[Any], path: Path, role: Role) -> Iterator[tuple[Path, Term[Any], Role]]:
        if node in seen:
            return
        seen.add(node)
        yield path, node, role
        if isinstance(node, Named):
            return
        for i, child in enumerate(children(node)):
            if _bumped(node) and isinstance(child, Lit):
                continue  # what is added is altered with the sum
            yield from visit(child, (*path, i), _role_inside(node, role, i))

    return visit(root, (), role)


def _bumped(node: Term[Any]) -> bool:
    return isinstance(node, Arith) and isinstance(node.right, Lit)


def _role_inside(node: Term[Any], role: Role, index: int) -> Role:
    if isinstance(node, Not):
        return "denied"
    # Both branches of a conditional value are values.
    return "value" if isinstance(node, Ite) and role == "value" and index > 0 else "inner"


def node_at(root: Term[Any], path: Path) -> Term[Any] | None:
    """Return the node at a path, None where there is none."""
    node = root
    for index in path:
        inside = children(node)
        if isinstance(node, Named) or index >= len(inside):
            return None
        node = inside[index]
    return node


def replaced(root: Term[Any], old: Term[Any], new: Term[Any]) -> Term[Any]:
    """Return a term with a node replaced everywhere, but for inside named terms."""
    memo: dict[Term[Any], Term[Any]] = {}

    def change(node: Term[Any]) -> Term[Any]:
        if node is old:
            return new
        if isinstance(node, Named):
            return node
        found = memo.get(node)
        if found is None:
            found = memo[node] = rebuild(node, change)
        return found

    return change(root)


__all__ = ["FALSE", "TRUE", "Edit", "Path", "Role", "edits", "node_at", "places", "quoted", "replaced"]
