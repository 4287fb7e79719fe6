"""All claims about one entity whose own cells have changed, printed as one function: each cell is read once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Final

from fencepost.checkers.conformance.state.printed_states import BEFORE_RESULT, PRESENT
from fencepost.checkers.printing.certainty import ALWAYS, AT_TIMES, Value
from fencepost.checkers.printing.function import Function
from fencepost.checkers.printing.terms import TermPrinter
from fencepost.checkers.printing.unknown import UNKNOWN
from fencepost.model.language import Term, Var
from fencepost.model.language.nodes import Get, Next
from fencepost.model.language.walk import bare, children

from .one_claim import PrintedClaim
from .writes import Names

OwnClaims = Callable[..., bool]
"""Takes the states, the entity, which claims to ask as bits, what counts them, and a list to which those that are false
are added. It returns False, having counted nothing, where a cell that some of the claims read has no value yet."""

_ENTITY: Final = "e"


def print_own_claims(printer: TermPrinter, claims: Sequence[PrintedClaim], prefix: str) -> OwnClaims:
    """Return the function that asks claims of one entity, the value of the first variable of each.

    `prefix` is that of the state in front of what has changed.
    """
    is_step = claims[0].is_step
    function = Function(prefix, None, PRESENT) if is_step else Function(PRESENT)
    firsts: set[Var[Any]] = {claim.variables[0] for claim in claims}
    for var in firsts:
        function.bind(var, _ENTITY)
    _read_cells(printer, function, claims, firsts)
    function.count([claim.plan.term for claim in claims])
    for number, claim in enumerate(claims):
        with function.block(f"if asked & {1 << number}:"):
            claim.among_others(function, number)
    function.line("return True")
    return printer.define(printer.fresh("own"), [_ENTITY, "asked", "E", "false"], function)


def print_row_claims(
    printer: TermPrinter, names: Names, claims: Sequence[PrintedClaim], params: Sequence[Var[Any]]
) -> Callable[..., None]:
    """Return the function that asks the claims of a row which are made of no entity but its parameters.

    It takes the states, the values of those that are known, what counts each claim, and a list to which the numbers of
    those that are false are added.
    """
    function = Function(BEFORE_RESULT, {var: Value(names.of(var), ALWAYS) for var in params}, PRESENT)
    function.count([claim.plan.term for claim in claims])
    for number, claim in enumerate(claims):
        claim.among_others(function, number)
    function.line("return None")
    return printer.define(printer.fresh("of_row"), [*map(names.of, params), "E", "false"], function)


def _read_cells(
    printer: TermPrinter, function: Function, claims: Sequence[PrintedClaim], firsts: Collection[Term[Any]]
) -> None:
    """Read the cells of the entity, and those without keys, that several claims read, or that may have no value yet."""
    uses: dict[tuple[Get[Any], bool], int] = {}
    for claim in claims:
        for read in dict.fromkeys(_cells([claim.plan.term], False)):
            uses[read] = uses.get(read, 0) + 1
    unknown = []
    for (cell, is_after), count in uses.items():
        keys = [bare(key) for key in cell.keys]
        number = printer.numbers.get(cell.state)
        if number is None or cell.state.name in printer.cells.given or not all(key in firsts for key in keys):
            continue
        may_lack = printer.initial[number] is UNKNOWN
        if count < 2 and not may_lack:
            continue
        reader = function.next() if is_after else function
        name, known = printer.value(cell, reader)
        if known is AT_TIMES:
            unknown.append(f"{name} is U")
        reader.values[cell] = Value(function.named(name), ALWAYS)
    if unknown:
        function.line(f"if {' or '.join(dict.fromkeys(unknown))}: return False")


def _cells(terms: Iterable[Term[Any]], is_after: bool) -> Iterator[tuple[Get[Any], bool]]:
    """Yield the cells that terms read, each with whether it is read in the state after."""
    seen: set[tuple[Term[Any], bool]] = set()
    waiting = [(term, is_after) for term in terms]
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        term, after = one
        if isinstance(term, Get):
            yield term, after
        after = after or isinstance(term, Next)
        waiting += [(child, after) for child in children(term)]
