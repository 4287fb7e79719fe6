"""`fencepost show`: the state machines of a protocol and the lives of its brokers, as tables and as diagrams."""

from __future__ import annotations

import enum
import re
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table as Grid

from fencepost.checkers.diagrams import Picture, kept, mermaid, name_of, of_cells, of_life, ordered, pictures
from fencepost.checkers.drawing import drawing
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.language import Protocol, Row, text
from fencepost.model.language.effects import Applied, Assign, Effect, Every, Only, Together, Write
from fencepost.model.language.lives import changes
from fencepost.model.language.machines import Machine, assigned, machines
from fencepost.model.language.terms import Get, SetOp, Term, Var
from fencepost.model.language.walk import conjuncts, expand, free, nary, nodes
from fencepost.model.registry import Family

from .outcome import Outcome
from .terminal import Unfolded

WIDTHS = {"row": 5, "from": 12, "to": 11, "when": 18, "written": 20, "told": 19}
"""The columns of a machine's table; with separators, 100 characters."""
KINDS = ("mermaid", "svg", "dot")
DIAGRAM_HELP = "Only the state machines, as a diagram: mermaid, svg or dot."
CELL_HELP = "With --diagram: what becomes of this variable, of a Bool or an enumeration."


def diagram(family: Family, kind: str, cell: str | None = None) -> Outcome:
    """Return the state machines and lives as a document, or what becomes of one variable.

    Raises `Refusal` for another kind, or where there is nothing to draw.
    """
    if kind not in KINDS:
        raise Refusal(f"--diagram {kind}: there is no such diagram; use {', '.join(KINDS[:-1])} or {KINDS[-1]}")
    found = pictures(family) if cell is None else ()
    found = found or of_cells(family.whole, cell)
    if not found:
        what = "changes" if cell is not None else "is of an enumeration that changes: name one with --cell"
        raise Refusal(f"{family.name}: has no state machine to draw, and no variable of it {what}")
    drawn = "\n\n".join(mermaid(one) for one in found) + "\n" if kind == "mermaid" else drawing(found, kind)
    fields = {
        "protocol": family.whole.name,
        "diagram": kind,
        "text": drawn,
        "machines": as_json(family.whole),
        "lives": lives_json(family),
    }
    return Outcome("show", "shown", ExitCode.AS_DECLARED, fields, [Unfolded(drawn.rstrip("\n"))], family.whole.hash)


def page(family: Family) -> list[RenderableType]:
    """Return the state machines as tables, a line a row: states, records and notified entities; then the
    lives, a line a change: from and to which state, by which events, by which rows."""
    result: list[RenderableType] = []
    for machine in machines(family.whole):
        result += [machine.table.name.upper(), f"States: {', '.join(name_of(one) for one in machine.states)}."]
        result += [_starting(machine)] if machine.starts else []
        result += [_grid(machine), kept(machine), ""]
    for life in family.lives:
        found = of_life(family.whole, life)
        if found.arrows:
            result += [found.title.upper(), found.about, f"It begins as {found.first}.", _lived(found)]
            result += [*(f"  {one}" for one in found.remarks), ""]
    return result


def _lived(picture: Picture) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), expand=False, pad_edge=False)
    for title in ("from", "to", "by"):
        grid.add_column(title)
    last = ""
    for arrow in ordered(picture):
        grid.add_row("" if arrow.source == last else arrow.source, arrow.target, "\n".join(arrow.lines))
        last = arrow.source
    return grid


def lives_json(family: Family) -> list[dict[str, Any]]:
    """Return the lives as JSON values: every change, with its rows by the event that they are of."""
    return [
        {
            "name": life.name,
            "states": list(life.states),
            "first": life.first,
            "changes": [
                {"from": one.source, "to": one.target, "rows": {event: list(ids) for event, ids in one.rows.items()}}
                for one in changes(family.whole, life)
            ],
        }
        for life in family.lives
    ]


def as_json(protocol: Protocol) -> list[dict[str, Any]]:
    """Return the state machines as JSON values."""
    return [
        {
            "table": machine.table.name,
            "states": [name_of(one) for one in machine.states],
            "changes": [
                {"from": name_of(edge.source), "to": name_of(edge.target), "rows": list(edge.rows)}
                for edge in machine.edges
            ],
            "starts": {name_of(state): list(rows) for state, rows in machine.starts.items()},
            "rows": [_row_json(machine, row) for row in machine.table.rows if row.id not in machine.kept],
            "kept": list(machine.kept),
        }
        for machine in machines(protocol)
    ]


def _row_json(machine: Machine, row: Row) -> dict[str, Any]:
    return {
        "id": row.id,
        "from": [name_of(one) for one in machine.sources(row.id)],
        "to": [name_of(one) for one in machine.targets(row.id)],
        "when": _condition(row, machine),
        "written": written(row),
        "told": told(row),
    }


def _starting(machine: Machine) -> str:
    by_rows: dict[tuple[str, ...], list[str]] = {}
    for state, rows in machine.starts.items():
        by_rows.setdefault(rows, []).append(name_of(state))
    return " ".join(f"{', '.join(rows)} starts it at {' or '.join(names)}." for rows, names in by_rows.items())


def _grid(machine: Machine) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), expand=False, pad_edge=False)
    for title, width in WIDTHS.items():
        grid.add_column(title, overflow="fold", width=width, style="bold" if title == "row" else "")
    for row in machine.table.rows:
        if row.id in machine.kept:
            continue
        cells = (
            row.id,
            ", ".join(_short(one) for one in machine.sources(row.id)),
            ", ".join(_short(one) for one in machine.targets(row.id)),
            _plainly(_condition(row, machine)),
            "; ".join(_plainly(one) for one in written(row)) or "–",
            "; ".join(_plainly(one) for one in told(row)) or "–",
        )
        grid.add_row(*(cell.replace("[", "\\[") for cell in cells))
    return grid


def _short(state: enum.Enum) -> str:
    """A state's name without what it is a state of."""
    name = name_of(state)
    for what in ("Partition", "Replica"):
        name = name.removeprefix(what).removesuffix(what)
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name) if name != "NonExistent" else name


def _plainly(said: str) -> str:
    """A term without the entities that the whole table is about, and with words for signs."""
    for sign, words in _WORDS:
        said = re.sub(sign, words, said)
    return said


def _condition(row: Row, machine: Machine) -> str:
    """Return the condition of a row beside the states that the change is from and to."""
    said = [one for one in conjuncts(row.when) if not _about_target(one) and not _about_state(one, machine)]
    return text(nary("and", said)) if said else "always"


_WORDS = (
    (r"\[[a-z](, [a-z])*\]|\([a-z](, [a-z])*\)", ""),
    (r"\{(\w+)\}", r"\1"),
    (r" ≠ none", " is there"),
    (r" = none", " is missing"),
    (r" = ", " is "),
    (r" ≠ ", " is not "),
    (r" ∉ ", " not in "),
    (r" ∈ ", " in "),
    (r" ∩ ", " that are in "),
)


def _about_target(term: Term[bool]) -> bool:
    """Whether a condition speaks of nothing but the state that is asked for."""
    names = {var.name for var in free(term) if isinstance(var, Var)}
    return names == {"to"}


def _about_state(term: Term[bool], machine: Machine) -> bool:
    """Whether a condition speaks of nothing but the machine's state."""
    read = {node.state for node in nodes(term) if isinstance(node, Get)}
    return read == {machine.state}


def written(row: Row) -> list[str]:
    """Return what a row writes to ZooKeeper or a log: a record with the fields that say something."""
    return [
        f"{one.record.name}: " + ", ".join(said for field in one.fields if (said := _field(field.field, field.value)))
        for one in _writes(row.effects)
    ]


def _field(name: str, value: Term[Any]) -> str:
    """Return the text of a field's value; empty where the field is unchanged, or a flag that is not set."""
    said = _plainly(text(value))
    # Which partition it is, the table says.
    if said in (name, "false") or name == "partition":
        return ""
    if said in ("true", f"{name} + 1"):
        return name if said == "true" else said
    return f"{name} {said}"


def _writes(effects: tuple[Effect, ...]) -> list[Write]:
    found: list[Write] = []
    for effect in effects:
        if isinstance(effect, Write):
            found.append(effect)
        elif isinstance(effect, Applied):
            found += _writes(tuple(expand(effect)))
        elif isinstance(effect, (Every, Only, Together)):
            found += _writes(effect.body)
    return found


def told(row: Row) -> list[str]:
    """Return which requests a row puts on their way, and to whom."""
    found: dict[str, None] = {}
    for one in assigned(row.effects):
        if one.target.state.what == "message" and isinstance(one.value, SetOp):
            found.setdefault(f"{_request(one)} to {text(one.value.right)}")
    return list(found)


def _request(one: Assign) -> str:
    """The request that a variable of messages holds, from what the variable is about."""
    return one.target.state.about.split(" on its way")[0]
