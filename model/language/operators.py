"""The operators: nodes whose value is a function of their operands' values. One entry here is one operator everywhere.

The interpreter, three-valued evaluation and lock step take an operator's Python from its entry, pages and TLA+ its text;
proof and exploration, whose values are formulas and bits, have a case for each. The other nodes are structures: what
binds a variable, reads a state, keeps a name, or leaves an operand out; every engine has a case for each of these.

In a pattern `{0}`, `{1}` are the operands in the order of the node's fields, and `{*}` is all of them. In the patterns of
pages and TLA+ a mark says how tightly an operand must bind to stand without brackets: `{0:+}` as a sum, `{0:.}` as a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any, Final, NamedTuple, get_args, get_origin

from .errors import EvaluationError
from .nodes import (
    Arith,
    Ascending,
    At,
    AtLeast,
    Compare,
    Concat,
    Elems,
    Eq,
    First,
    Keep,
    Lesser,
    ListOf,
    Member,
    Node,
    Not,
    Repeats,
    SetOf,
    SetOp,
    SizeOf,
    Structure,
    Subset,
    Term,
)


class Level(IntEnum):
    """Precedences of printed terms: a term inside one that binds tighter is in brackets."""

    LOOSE, OR, AND, NOT, COMPARE, SUM, PRODUCT, TIGHT = range(8)


_PLACE: Final = re.compile(r"\{(\d|\*)(?::(.))?\}")
_CALL: Final = re.compile(r"\w+\([^()]*\)")
_MARKS: Final = {None: Level.LOOSE, "!": Level.NOT, "+": Level.SUM, "*": Level.PRODUCT, ".": Level.TIGHT}


class Text(NamedTuple):
    """A pattern, and how tightly what it says binds."""

    level: Level
    pattern: str

    def of(self, operands: Sequence[Term[Any]], text: Callable[[Term[Any], Level], str]) -> str:
        """Return what the pattern says of operands that `text` writes at a level."""

        def written(place: re.Match[str]) -> str:
            level = _MARKS[place[2]]
            if place[1] == "*":
                return ", ".join([text(one, level) for one in operands])
            return text(operands[int(place[1])], level)

        return _PLACE.sub(written, self.pattern)


def _not(pattern: str) -> Text:
    return Text(Level.NOT, pattern)


def _compares(pattern: str) -> Text:
    return Text(Level.COMPARE, pattern)


def _sum(pattern: str) -> Text:
    return Text(Level.SUM, pattern)


def _product(pattern: str) -> Text:
    return Text(Level.PRODUCT, pattern)


def _tight(pattern: str) -> Text:
    return Text(Level.TIGHT, pattern)


@dataclass(frozen=True)
class Operator:
    """An operator: its Python, what pages and TLA+ write, and whether its operands may change places.

    Of the last operand of one that `searches`, Python asks nothing but `in`.
    """

    python: str
    page: Text
    tla: Text
    commutes: bool = False
    searches: bool = False

    @cached_property
    def apply(self) -> Callable[..., Any]:
        """The function of the operands' values; raises `EvaluationError` where there is no value."""
        names = "*all" if "{*}" in self.python else ", ".join(sorted({f"a{one[1]}" for one in _places(self.python)}))
        body = _PLACE.sub(lambda place: "all" if place[1] == "*" else f"a{place[1]}", self.python)
        made: Callable[..., Any] = eval(f"lambda {names}: {body}", dict(CALLS))
        return made

    def python_of(self, *operands: str) -> str:
        """Return the Python of operands that are Python; it may call what is in `CALLS`."""

        def written(place: re.Match[str]) -> str:
            return f"({', '.join(operands)},)" if place[1] == "*" else operands[int(place[1])]

        body = _PLACE.sub(written, self.python)
        return body if _CALL.fullmatch(self.python) else f"({body})"


def _places(pattern: str) -> Collection[re.Match[str]]:
    return list(_PLACE.finditer(pattern))


def first_in(listed: Sequence[Any], among: Collection[Any]) -> Any:
    """Return the first entry of a list that is in a collection, None where none is."""
    for one in listed:
        if one in among:
            return one
    return None


def set_in(items: Iterable[Any]) -> frozenset[Any]:
    """Return the set of the items that are not none."""
    return frozenset([one for one in items if one is not None])


def keep_in(listed: Sequence[Any], among: Collection[Any]) -> tuple[Any, ...]:
    """Return the entries of a list that are in a collection."""
    return tuple([one for one in listed if one in among])


def only_item(item: Any) -> tuple[Any, ...]:
    """Return the list of one item, the empty list for none."""
    return () if item is None else (item,)


def join(listed: tuple[Any, ...], more: Sequence[Any]) -> tuple[Any, ...]:
    """Return a list followed by the entries of another that it does not have."""
    return listed + tuple([one for one in more if one not in listed])


def beside(values: Sequence[Any], along: Sequence[Any], entry: Any) -> Any:
    """Return the value at the place that an entry has in a list; raises `EvaluationError` where there is none."""
    try:
        return values[list(along).index(entry)]
    except (ValueError, IndexError):
        raise EvaluationError(f"there is no value beside {entry!r}") from None


CALLS: Final[dict[str, Any]] = {one.__name__: one for one in (first_in, keep_in, set_in, only_item, join, beside)}
"""Functions that the Python text of operators calls."""

# fmt: off
OPERATORS: Final[dict[tuple[type[Term[Any]], str], Operator]] = {
    (Not, ""):       Operator("not {0}", _not("not {0:!}"), _compares("~{0:.}")),
    (Eq, ""):        Operator("{0} == {1}", _compares("{0:+} = {1:+}"), _compares("{0:+} = {1:+}"), commutes=True),
    (Compare, "<"):  Operator("{0} < {1}", _compares("{0:+} < {1:+}"), _compares("{0:+} < {1:+}")),
    (Compare, "<="): Operator("{0} <= {1}", _compares("{0:+} ≤ {1:+}"), _compares("{0:+} <= {1:+}")),
    (Arith, "+"):    Operator("{0} + {1}", _sum("{0:+} + {1:.}"), _sum("{0:.} + {1:.}"), commutes=True),
    (Arith, "-"):    Operator("{0} - {1}", _sum("{0:+} − {1:.}"), _sum("{0:.} - {1:.}")),
    (Arith, "*"):    Operator("{0} * {1}", _product("{0:*} · {1:.}"), _sum("{0:.} * {1:.}"), commutes=True),
    (Lesser, ""):    Operator("min({0}, {1})", _tight("min({0}, {1})"), _tight("Lesser({0}, {1})"), commutes=True),
    (SetOf, ""):     Operator("set_in({*})", _tight("{{*}}"), _tight("{{*}}")),
    (SetOp, "&"):    Operator("{0} & {1}", _sum("{0:+} ∩ {1:.}"), _sum("{0:.} \\intersect {1:.}")),
    (SetOp, "|"):    Operator("{0} | {1}", _sum("{0:+} ∪ {1:.}"), _sum("{0:.} \\union {1:.}")),
    (SetOp, "-"):    Operator("{0} - {1}", _sum("{0:+} ∖ {1:.}"), _sum("{0:.} \\ {1:.}")),
    (Member, ""):    Operator("{0} in {1}", _compares("{0:+} ∈ {1:+}"), _compares("{0:+} \\in {1:+}"), searches=True),
    (Subset, ""):    Operator("{0} <= {1}", _compares("{0:+} ⊆ {1:+}"), _compares("{0:+} \\subseteq {1:+}")),
    (SizeOf, ""):    Operator("len({0})", _tight("|{0}|"), _tight("Cardinality({0})")),
    (AtLeast, ""):   Operator("len({0}) >= {1}", _compares("|{0}| ≥ {1:+}"), _compares("Cardinality({0}) >= {1:+}")),
    (Elems, ""):     Operator("frozenset({0})", _tight("{0}"), _tight("Elements({0})")),
    (ListOf, ""):    Operator("only_item({0})", _tight("[{0}]"), _tight("OnlyItem({0})")),
    (First, ""):     Operator("first_in({0}, {1})", _sum("first of {0:.} in {1:.}"), _tight("FirstIn({0}, {1})"), searches=True),
    (Keep, ""):      Operator("keep_in({0}, {1})", _sum("{0:+} ∩ {1:.}"), _tight("KeepIn({0}, {1})"), searches=True),
    (Concat, ""):    Operator("join({0}, {1})", _sum("{0:+} ++ {1:.}"), _tight("Join({0}, {1})")),
    (Ascending, ""): Operator("tuple(sorted({0}))", _tight("ascending({0})"), _tight("InOrder({0})")),
    (Repeats, ""):   Operator("len(set({0})) < len({0})", _tight("{0:.} repeats"), _compares("Cardinality(Elements({0})) < Len({0})")),
    (At, ""):        Operator("beside({0}, {1}, {2})", _tight("{0:.}[{2}]"), _tight("{0:.}[{2}]")),
}
# fmt: on
"""By the node, and by the sign of one that has several."""


def operator_of(term: Term[Any]) -> Operator | None:
    """Return the operator of a node, None where it is a structure."""
    return OPERATORS.get((type(term), getattr(term, "operator", "")))


def _unsaid() -> set[str]:
    """Return the nodes that are neither operators nor structures."""
    told = {of for of, _ in OPERATORS} | {get_origin(one) or one for one in get_args(Structure)}
    return {one.__name__ for one in (get_origin(one) or one for one in get_args(Node)) if one not in told}


if _unsaid():
    raise AssertionError(f"no entry says what these nodes are: {', '.join(sorted(_unsaid()))}")
