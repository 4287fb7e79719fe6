"""The tables of `kraft-data` compiled for one partition after the other: rows, the theorem, the nearest row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from fencepost.checkers.conformance.lockstep.cells import Cells
from fencepost.checkers.conformance.lockstep.instances import loops
from fencepost.checkers.conformance.lockstep.nearest import holds
from fencepost.checkers.conformance.lockstep.printing import Function, Printer
from fencepost.checkers.conformance.lockstep.whole import WholeRows
from fencepost.model.kraft_data.more_properties import CONSUMERS
from fencepost.model.kraft_data.properties import READ_STATES, STATES
from fencepost.model.kraft_data.protocol import KRAFT_DATA
from fencepost.model.language import Protocol, Term, Var
from fencepost.model.language.properties import Always, Assumption, Step
from fencepost.model.language.terms import Named, Quant

LISTED = frozenset({"offset", "leader epoch", "partition epoch", "configuration", "broker epoch"})
"""Counters of the slice: of each just the numbers matter that were met."""

READ_BY_STATE = tuple(one for one in CONSUMERS if isinstance(one, Always))
"""The claims about how far consumers may read, for every state."""


class Claim:
    """A claim of the theorem as a function that lists the values of its variables for which it does not hold."""

    def __init__(self, claim: Always | Step, printer: Printer) -> None:
        self.id, self.about = claim.id, claim.about
        body: Term[Any] = claim.term
        variables: list[Var[Any]] = []
        while isinstance(body, (Named, Quant)):
            if isinstance(body, Quant):
                variables.append(body.var)
                body = body.body
            else:
                body = body.term
        self.variables, self.body, self._printer = tuple(variables), body, printer
        self._functions: dict[tuple[str, ...], tuple[Function, tuple[str, ...]]] = {}

    def broken(self, cells: Cells, given: Mapping[str, Any]) -> str:
        """Return values of the variables, some given by name, for which the claim does not hold; "" for none."""
        function, fixed = self._functions.get(tuple(given)) or self._function(tuple(given))
        found = function(cells, *[given[name] for name in fixed])
        return (
            ", ".join(f"{var.name} = {value}" for var, value in zip(self.variables, found, strict=True))
            if found
            else ""
        )

    def _function(self, names: tuple[str, ...]) -> tuple[Function, tuple[str, ...]]:
        printer, fixed = self._printer, tuple(var for var in self.variables if var.name in names)
        function = printer.begin(fixed, [self.body])
        with function.scope():
            loops(printer, function, [var for var in self.variables if var not in fixed], self.body)
            function.line(f"return ({''.join(f'{printer.variable(var)}, ' for var in self.variables)})")
        function.line("return ()")
        made = self._functions[names] = printer.end(fixed, function), tuple(var.name for var in fixed)
        return made


class Tables:
    """The rows of the slice and its theorem, compiled once."""

    def __init__(self, protocol: Protocol = KRAFT_DATA) -> None:
        self.rows = WholeRows(protocol, listed=LISTED)
        self.claims = tuple(Claim(one, self.rows.printer) for one in STATES)
        self.read_claims = tuple(Claim(one, self.rows.printer) for one in (*READ_STATES, *READ_BY_STATE))
        self.assumptions: dict[str, tuple[Assumption, ...]] = {}
        for one in protocol.assumptions:
            self.assumptions[one.event] = (*self.assumptions.get(one.event, ()), one)
        self.listed = {
            name: tuple(
                (at, kind) for at, var in enumerate(event.params) if (kind := getattr(var.kind, "name", "")) in LISTED
            )
            for name, event in self.rows.events.items()
        }
        """The places of the parameters of each event that are counters of the slice, with the counter's name."""

    def assumed(self, event: str, parameters: Mapping[str, Any]) -> Iterator[Assumption]:
        """Yield the assumptions about an event that its parameters do not keep."""
        assumptions = self.assumptions.get(event)
        if assumptions is None:
            return
        binding = {var: parameters[var.name] for var in self.rows.events[event].params}
        for one in assumptions:
            if not holds(self.rows, one.term, binding):
                yield one


@lru_cache(maxsize=2)
def tables(protocol: Protocol = KRAFT_DATA) -> Tables:
    """Return the tables, or those of an edit of them, compiled once a process."""
    return Tables(protocol)
