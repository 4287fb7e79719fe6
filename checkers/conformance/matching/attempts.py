"""Records what stopped a row from explaining the records at an offset: for the divergence that is shown to people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from fencepost.checkers.conformance.classes.changes import Cell
from fencepost.checkers.conformance.classes.frames import UNKNOWN, Env
from fencepost.checkers.conformance.state.replay import HardState
from fencepost.model.language import Row, Term
from fencepost.model.language.render import value_text
from fencepost.model.language.terms import Get
from fencepost.model.language.walk import nodes

Kind = Literal["guard", "field", "group", "other"]


class Unsaid:
    """The value of a field that a record does not give."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "not given"


UNSAID: Final = Unsaid()


@dataclass(slots=True)
class Attempt:
    """The progress of a row that does not explain the records at a place, and what stopped it there.

    `at` is the record where it stopped. `guard`: a part of the guard is false (`term`). `field`: a record says one
    thing and the row another. `group`: the row would write a record (`detail`) that is not there. `other`: the row
    writes no such record, since the cells in `detail` are as they are. `agreeing` counts the fields that agree, `whole`
    says that the records which the row is sure to write later are there, `missing` are the entities of a record that is
    not, `cells` what it would have written about them.
    """

    row: Row
    start: int
    at: int
    kind: Kind
    term: Term[bool] | None = None
    field: str = ""
    predicted: Any = None
    observed: Any = None
    detail: str = ""
    agreeing: int = 0
    whole: bool = True
    missing: tuple[tuple[str, Any], ...] = ()
    cells: tuple[Cell, ...] = ()


def cells_read(term: Term[Any], env: Env, state: HardState) -> str:
    """Return the known cells that a condition reads, with their values, as text; four at most, no constants."""
    layout = state.layout
    found: dict[str, str] = {}
    for node in nodes(term):
        is_constant = isinstance(node, Get) and node.state.known is not None and not node.keys
        if isinstance(node, Get) and node.state in layout.numbers and not is_constant:
            keys = tuple(layout.compiler.code(key)(state.frame, env) for key in node.keys)
            if UNKNOWN not in keys:
                cell = (layout.numbers[node.state], keys)
                found.setdefault(layout.name(cell), value_text(state.read(cell)))
    return ", ".join(f"{name} = {value}" for name, value in list(found.items())[:4])
