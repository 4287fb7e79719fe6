"""The parts of a protocol prepared for any number of logs: made at first use, once for equal monitors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from fencepost.checkers.conformance.plans.plans import Plans
from fencepost.checkers.conformance.printed_rows.stored import attach
from fencepost.checkers.conformance.records.facts import LogFacts
from fencepost.checkers.conformance.state.properties import Claims
from fencepost.checkers.conformance.state.replay import Layout
from fencepost.model.language import Protocol

from .options import Options


@dataclass(frozen=True, slots=True)
class _Parts:
    layout: Layout
    plans: Plans
    claims: Claims


# A monitor goes from log to log, a command or a test from monitor to monitor of the same few protocols.
@lru_cache(maxsize=32)
def _parts(protocol: Protocol, given: tuple[tuple[str, Any], ...], facts: LogFacts) -> _Parts:
    layout = Layout(protocol, dict(given), facts.active, facts.raft_level, facts.left_over)
    plans, claims = Plans(protocol, layout.compiler, facts.chained), Claims(layout, facts.failovers)
    attach(layout, plans, claims, given, facts)
    return _Parts(layout, plans, claims)


class Prepared:
    """A protocol and a monitor's options, with everything that both together determine."""

    def __init__(self, protocol: Protocol, options: Options) -> None:
        self.protocol, self.options = protocol, options

    @cached_property
    def _made(self) -> _Parts:
        return _parts(self.protocol, tuple(sorted(self.options.given.items())), self.options.facts)

    @property
    def layout(self) -> Layout:
        """The part of the protocol's state that a log shows."""
        return self._made.layout

    @property
    def plans(self) -> Plans:
        """The rows that write records."""
        return self._made.plans

    @property
    def claims(self) -> Claims:
        """The properties that are evaluated."""
        return self._made.claims
