"""Loops over the instances of a claim: the part that is the same for all instances of a loop is evaluated before it.

`every c, p, x: acting[c] and about[c, p] ⇒ ...` asks `acting[c]` once a broker, not once a partition and replica. The
part evaluated first is first in the claim, too, and has a value in any state: so the results are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fencepost.checkers.printing.function import Function as Printed
from fencepost.model.language import Term, Var
from fencepost.model.language.terms import Before, Implies, Named, Nary, Quant
from fencepost.model.language.walk import bare, free

from .printing import Printer


def loops(printer: Printer, function: Printed, variables: Sequence[Var[Any]], term: Term[bool]) -> None:
    """Begin a loop for each variable, in which what follows is done where the term does not hold."""
    last = ""
    for var in variables:
        asked = _wrong(printer, function, term)
        if asked and asked != last:
            function.line(f"if {asked}:")
            function.body.depth += 1
            last = asked
        printer.ahead([term], function)
        function.loop(name := printer.variable(var), printer.domain(var.kind, function))
        function.bind(var, name)
    _where_not(printer, function, term)


def where(printer: Printer, function: Printed, term: Term[bool]) -> None:
    """Have what follows in the scope done where a condition holds: what each part of it needs is evaluated for it."""
    parts = list(_parts(term))
    if not printer.may_raise(term):
        parts.sort(key=printer.cost)
    for one in parts:
        function.line(f"if {printer.text(one, function)}:")
        function.body.depth += 1


def _where_not(printer: Printer, function: Printed, term: Term[bool]) -> None:
    plain = bare(term)
    if isinstance(plain, Implies) and term not in function.truths:
        where(printer, function, plain.left)
        _where_not(printer, function, plain.right)
    else:
        function.line(f"if not {printer.text(term, function)}:")
        function.body.depth += 1


def _wrong(printer: Printer, function: Printed, term: Term[Any]) -> str:
    """Return what is so, by the variables of the function alone, wherever a term does not hold; "" for nothing."""
    term = bare(term)
    match term:
        case Implies():
            parts = list[str]()
            for one in _parts(term.left):
                if not free(one) <= function.variables.keys() or printer.may_raise(one):
                    break
                parts.append(printer.text(one, function))
            return f"({' and '.join(parts)})" if parts else ""
        case Nary() if term.operator == "and":
            found = [_wrong(printer, function, one) for one in term.terms]
            return f"({' or '.join(found)})" if all(found) else ""
        case Quant() if term.quantifier == "every":
            return _wrong(printer, function, term.body)
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
