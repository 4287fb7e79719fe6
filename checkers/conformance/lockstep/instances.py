"""Loops over the instances of a claim: the part that is the same for all instances of a loop is evaluated before it.

`every c, p, x: acting[c] and about[c, p] ⇒ ...` asks `acting[c]` once a broker, not once a partition and replica. The
part evaluated first is first in the claim, too, and has a value in any state: so the results are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fencepost.model.language import Term, Var
from fencepost.model.language.terms import Before, Implies, Named, Nary, Quant
from fencepost.model.language.walk import bare, free

from .printing import Body, Printer


def loops(
    printer: Printer, body: Body, variables: Sequence[Var[Any]], given: Iterable[Var[Any]], term: Term[bool]
) -> tuple[list[str], str]:
    """Return the lines that open a loop for each variable and end with `if` the term does not hold, and what indents.

    The variables that are `given` have their values already.
    """
    known, lines, pad, last = frozenset(given), list[str](), "", ""
    for var in variables:
        asked = _wrong(printer, body, term, known)
        if asked and asked != last:
            lines.append(f"{pad}if {asked}:")
            pad, last = pad + "    ", asked
        lines.append(f"{pad}for {printer.variable(var)} in {printer.domain(var.kind, body)}:")
        pad, known = pad + "    ", known | {var}
    lines.append(f"{pad}if not {printer.text(term, body)}:")
    return lines, pad + "    "


def _wrong(printer: Printer, body: Body, term: Term[Any], known: frozenset[Var[Any]]) -> str:
    """Return what is so, by the known variables alone, wherever a term does not hold; "" for nothing."""
    term = bare(term)
    match term:
        case Implies():
            parts = list[str]()
            for one in _parts(term.left):
                if not (free(one) <= known and printer.is_total(one)):
                    break
                parts.append(printer.text(one, body))
            return f"({' and '.join(parts)})" if parts else ""
        case Nary() if term.operator == "and":
            found = [_wrong(printer, body, one, known) for one in term.terms]
            return f"({' or '.join(found)})" if all(found) else ""
        case Quant() if term.quantifier == "every":
            return _wrong(printer, body, term.body, known)
    return ""


def _parts(term: Term[Any]) -> Iterable[Term[Any]]:
    """Yield the terms of a conjunction, those of one within it as well."""
    while isinstance(term, (Named, Before)) and isinstance(term.term, Nary):
        term = term.term
    if isinstance(term, Nary) and term.operator == "and":
        for one in term.terms:
            yield from _parts(one)
    else:
        yield term
