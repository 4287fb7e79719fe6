"""How a module is laid out: helpers, comments, and long lines broken where TLA+ allows it."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Collection

from .names import RESERVED, fresh

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
BOUND = frozenset(
    ["a", "b", "default", "f", "i", "initial", "k", "m", "n", "s", "t", "u", "updates", "value", "x", "y", "S"]
)
"""Names that helpers bind: no earlier definition may have them."""
_NEEDS = {"Join": ("Elements",), "FirstIn": ("KeepIn",), "Lists": ("Elements",), "Put": ("Pick",), "PutCell": ("Pick",)}


_WORD = re.compile(r"(?<![\\.\w])[A-Za-z]\w*")


def used_helpers(text: str, taken: Collection[str] = ()) -> list[str]:
    """Return the definitions of the helpers that a text uses, in an order in which each precedes its users.

    Their own variables have other names where the module has taken theirs.
    """
    by_name = {line.split("(")[0]: line for line in HELPERS}
    wanted = {name for name in by_name if f"{name}(" in text}
    for name in list(wanted):
        wanted.update(_NEEDS.get(name, ()))
    mine = {word for line in HELPERS for word in _WORD.findall(line)} - RESERVED
    renamed = {word: fresh(word, taken) for word in mine.intersection(taken)}
    found = [line for name, line in by_name.items() if name in wanted]
    return [_WORD.sub(lambda one: renamed.get(one[0], one[0]), line) for line in found] if renamed else found


_ASCII = {"≤": "<=", "≥": ">=", "−": "-", "–": "-", "—": "--", "→": "->", "’": "'", "≠": "#", "·": "."}


def _ascii(text: str) -> str:
    plain = "".join(_ASCII.get(c, c) for c in text)
    return unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()


def comment(text: str) -> list[str]:
    """Return a text as comment lines, in ASCII."""
    return [f"\\* {line}" for line in textwrap.wrap(_ascii(text), WIDTH - 3)] if text else []


def wrapped(line: str, indent: int) -> list[str]:
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


def block(head: str, body: str) -> list[str]:
    """Return a definition whose body has lines of its own."""
    parts = (f"{head} ==", *(f"  {line}" for line in body.split("\n")))
    return [piece for part in parts for piece in wrapped(part, 4)]


def bullet(line: str, indent: int) -> list[str]:
    """Return a conjunct, its inner conjuncts under it; broken lines are to the right of the bullet."""
    first, *rest = line.split("\n")
    lines = wrapped(" " * indent + "/\\ " + first, 7)
    for one in rest:
        lines += wrapped(" " * (indent + 3) + one, 7)
    return lines
