"""A protocol compiled for lock step, once a process: it has no state of any run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.records.wire import WireBinding
from fencepost.checkers.conformance.state.replay import Layout
from fencepost.model.language import Protocol

from .claims import CompiledClaims
from .compiled import CompiledRows
from .controller_state import Shape


@dataclass(frozen=True, slots=True)
class Tables:
    """A protocol's records, states, rows and claims, compiled when they are first asked."""

    wire: WireBinding
    shape: Shape
    rows: CompiledRows
    claims: CompiledClaims


@lru_cache(maxsize=16)
def tables_of(protocol: Protocol, unclean: bool = False) -> Tables:
    """Return a compiled protocol; `unclean` is the static unclean.leader.election.enable of the controllers."""
    shape = Shape(protocol, Layout(protocol, StaticSettings(unclean).given))
    rows = CompiledRows(protocol, shape)
    return Tables(WireBinding.of(protocol), shape, rows, CompiledClaims(protocol, rows.printer))
