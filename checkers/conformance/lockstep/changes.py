"""Updates of cells as one Python function: for every binding under its condition, which cell takes which value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fencepost.model.language import Var
from fencepost.model.language.effects import Update
from fencepost.model.language.state import State
from fencepost.model.language.terms import TRUE, Get

from .printing import Body, Function, Printer


def changes(
    printer: Printer, numbers: Mapping[State[Any], int], updates: Sequence[Update], params: Sequence[Var[Any]]
) -> Function:
    """Return the function that lists what updates make of cells: number of the table, key, value."""
    body, lines = Body(), ["found = []"]
    for update in updates:
        inside, pad = loops(printer, update.binders, body)
        lines += inside
        if update.when is not TRUE:
            lines.append(f"{pad}if {printer.text(update.when, body)}:")
            pad += "    "
        target: Get[Any] = update.target
        keys = [printer.text(key, body) for key in target.keys]
        key = keys[0] if len(keys) == 1 else f"({', '.join(keys)})"
        value = printer.text(update.value, body)
        lines.append(f"{pad}found.append(({numbers[target.state]}, {key}, {value}))")
    return printer.define(params, [*lines, "return found"], body)


def loops(printer: Printer, binders: Sequence[Var[Any]], body: Body) -> tuple[list[str], str]:
    """Return the lines that open a loop for each variable, and the indentation inside."""
    lines, pad = [], ""
    for var in binders:
        lines.append(f"{pad}for {printer.variable(var)} in {printer.domain(var.kind, body)}:")
        pad += "    "
    return lines, pad
