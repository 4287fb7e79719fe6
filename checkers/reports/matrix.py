"""The obligations of a proof as a matrix: a line a row of the tables, a column a property, and what each came to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.asked import few

INITIAL = "initial"
"""The row of the obligations that the first state satisfies a property."""

KINDS = {
    "broken": ("✗", "refuted: the row breaks the property"),
    "declared": ("!", "refuted, and declared violated"),
    "unknown": ("?", "unknown: the solver came to no answer"),
    "solver": ("■", "proved by the solver"),
    "core": ("▪", "proved by a recorded core"),
    "left": ("–", "left out, with a reason"),
    "frame": ("", "proved by frame: the row writes nothing that the property reads"),
    "steps": ("", "not asked of the first state: the property is about steps"),
}
"""Results of an obligation, the worst first, with the sign and the words of each."""


@dataclass(frozen=True)
class Cell:
    """An obligation: what it came to, and more about it where there is more to say."""

    kind: str
    more: str = ""

    @property
    def sign(self) -> str:
        """The sign by which the matrix shows it."""
        return KINDS[self.kind][0]


@dataclass(frozen=True)
class Line:
    """A row of the tables with its sentence and reason, and its cells in the order of the columns."""

    id: str
    sentence: str
    why: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True)
class Matrix:
    """The obligations of a protocol: `columns` are properties with their claims, `tables` have the rows by table.

    `counts` says how many obligations came to what, `without` how many rows write nothing that any property reads. Of a
    proof of some rows alone it has these.
    """

    columns: tuple[tuple[str, str], ...]
    tables: tuple[tuple[str, tuple[Line, ...]], ...]
    counts: tuple[tuple[str, str, str, int], ...]
    without: int


def matrix(fields: Mapping[str, Any], texts: Mapping[str, Any]) -> Matrix | None:
    """Return the matrix of a proof's document; None where it does not say which rows keep which property."""
    settled = {one["property"]: one for one in fields.get("settled", ())}
    scopes = {one["property"]: one for one in fields.get("asked_of", ())}
    failed = {(one["row"], one["property"]): one for one in fields.get("failed", ())}
    columns = tuple(dict.fromkeys((*scopes, *settled, *(property for _, property in failed))))
    if not settled and not failed:
        return None
    known = {(row, id): "core" for id, one in settled.items() for row in one["by_core"]}
    known |= {(row, id): "solver" for id, one in settled.items() for row in one["by_solver"]}
    left = {(row, id): _reason(row, one) for id, one in scopes.items() for row in one["left_out"]}
    is_whole = all(one["rows"] == fields["row_count"] for one in scopes.values())
    touched = {row for row, _ in (*known, *failed, *(left if is_whole else ()))}
    rows = texts.get("rows", {})
    ids = dict.fromkeys((*([INITIAL] if INITIAL in touched else []), *(row for row in rows if row in touched)))
    ids |= dict.fromkeys(sorted(touched - set(ids)))
    by_table: dict[str, list[Line]] = {}
    counts: Counter[str] = Counter()
    for row in ids:
        cells = tuple(_cell((row, id), failed, known, left) for id in columns)
        counts.update(one.kind for one in cells)
        about = rows.get(row, {"table": "", "text": "the first state" if row == INITIAL else "", "why": ""})
        by_table.setdefault(about["table"], []).append(Line(row, about["text"], about["why"] or "", cells))
    claims = texts.get("properties", {})
    return Matrix(
        tuple((id, claims.get(id, {}).get("about", "")) for id in columns),
        tuple((name, tuple(mine)) for name, mine in by_table.items()),
        tuple((kind, *KINDS[kind], counts[kind]) for kind in KINDS if counts[kind]),
        len(set(rows) - set(ids)) if is_whole else 0,
    )


def _cell(
    at: tuple[str, str],
    failed: Mapping[tuple[str, str], Mapping[str, Any]],
    known: Mapping[tuple[str, str], str],
    left: Mapping[tuple[str, str], str],
) -> Cell:
    if at in failed:
        one = failed[at]
        is_open = one["verdict"] not in ("violated", "not inductive")
        kind = "unknown" if is_open else "declared" if one["declared"] else "broken"
        return Cell(kind, f"{one['verdict']}: {one['message']}")
    if at in known:
        return Cell(known[at])
    if at in left:
        return Cell("left", left[at])
    return Cell("steps" if at[0] == INITIAL else "frame")


def _reason(row: str, scope: Mapping[str, Any]) -> str:
    """Why a property is not asked of a row that writes something of it."""
    return str(scope["reasons"].get(row) or f"the property is about other rows, by name: {few(scope['asked'])}")


__all__ = ["KINDS", "Cell", "Line", "Matrix", "matrix"]
