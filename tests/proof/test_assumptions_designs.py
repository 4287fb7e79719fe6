"""What each assumption of the designs that were never built is for: the claims that fall without it."""

from dataclasses import replace

import pytest

from fencepost.checkers.proof import prove
from fencepost.model.language import Assumption, Protocol
from fencepost.model.registry import find

FALLS: dict[tuple[str, str], frozenset[str]] = {
    ("kip343", "HA0"): frozenset({"HI3"}),
    ("kip343", "HA1"): frozenset(),
    ("kip343", "HA2"): frozenset({"HI34", "HI6", "HL1", "HL9"}),
    ("kip343", "HA3"): frozenset(),
    ("kip343", "HA4"): frozenset({"HI8", "HI8f", "HI10"}),
    ("kip343", "HA5"): frozenset({"HI5", "HI5l"}),
    ("kip343", "HA6"): frozenset(),
    ("kip46", "SA1"): frozenset(),
    ("kip631-v1", "VA1"): frozenset({"KU"}),
    ("kip631-v1", "VA2"): frozenset({"L3"}),
    ("kip631-v1", "VA3"): frozenset({"L5"}),
    ("kip631-v1", "VA4"): frozenset({"K25", "L3", "L9"}),
    ("kip631-v1", "VA5"): frozenset({"L3", "L9"}),
    ("kip631-v1", "VA6"): frozenset({"L5", "M4"}),
    ("kip631-v2", "MA1"): frozenset({"K4a", "K14", "VL1", "VL8"}),
    ("kip631-v2", "MA2"): frozenset({"K25"}),
    ("kip631-v2", "MA3"): frozenset({"K4a", "K14", "VL7"}),
    ("kip631-v2", "MA4"): frozenset({"VL7"}),
}
"""By protocol and assumption: what some row breaks once it is dropped, everything else still assumed.

An assumption on the parameters of an event is missed by the rows of this event, if by any. Where lemmas fall (HL, L,
VL), what is proved with their help is no longer proved either. HA1, HA3, HA6 and SA1 are
for hygiene and for bounds, where messages are few and what they say is known: no claim on every state needs them.
"""

ON_STATES: dict[str, tuple[str, ...]] = {"HA0": ("H7",), "SA1": ("SH1", "SH3", "SH9", "SH8")}
"""The rows that read what an assumption on every state is about."""


def without(protocol: Protocol, id: str) -> tuple[Protocol, Assumption]:
    """Return the protocol without an assumption, and the assumption."""
    dropped = next(one for one in (*protocol.assumptions, *protocol.inputs) if one.id == id)
    return replace(
        protocol,
        assumptions=tuple(one for one in protocol.assumptions if one is not dropped),
        inputs=tuple(one for one in protocol.inputs if one is not dropped),
    ), dropped


@pytest.mark.representative("kip46-SA1")
@pytest.mark.parametrize(("name", "id"), list(FALLS))
def test_without_an_assumption_these_claims_fall(name: str, id: str) -> None:
    """The rows that the assumption is about break these claims without it, and no others."""
    protocol, dropped = without(find(name).whole, id)
    rows = ON_STATES.get(id) or tuple(row.id for row in protocol.rows if row.event.name == dropped.event)
    proof = prove(protocol, rows=rows, assumptions=False)
    assert {one.property for one in proof.failed if not one.declared} == FALLS[name, id]


@pytest.mark.parametrize("name", ["kip343", "kip46", "kip631-v1", "kip631-v2", "lease"])
def test_every_assumption_is_looked_at(name: str) -> None:
    """No assumption of a design is without its claims, or the reason why it has none."""
    protocol = find(name).whole
    declared = {one.id for one in (*protocol.assumptions, *protocol.inputs)}
    assert {id for design, id in FALLS if design == name} == declared
