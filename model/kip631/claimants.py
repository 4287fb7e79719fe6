"""Cells, events and slices of both versions for a controller that was replaced and does not know it (S2:20)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fencepost.model.language.kinds import EntityKind
from fencepost.model.language.state import Map
from fencepost.model.language.vocabulary import *

replaced = cell(
    "replaced",
    BOOL,
    what="soft",
    about="a controller that was replaced does not know it, and answers as if it were active",
)
replace_controller = event("ControllerIsReplaced", environment=True, source="S2:20")
lose = event("TailIsLost", environment=True, source="S2:20")


def epochs_known(broker: EntityKind[Any], offset: Kind[int]) -> Map[Any, int]:
    """Return the variable that has the broker epochs that a replaced controller goes on with."""
    about = "the epoch of who was unfenced when it was replaced; -1 of others"
    return per(broker, "epoch_known", offset, -1, what="soft", about=about)


def two_are_active(active: Term[bool]) -> Sometimes:
    """Return the witness that the replaced controller and the active one are there together."""
    return sometimes("W7", replaced & active, "Two controllers are sure to be the active one.")


def slice_of(protocol: Protocol, name: str, bounds: Mapping[str, Bound], *claimed: str) -> Protocol:
    """Return the protocol with these bounds, under that name, with the properties of those ids and no others."""
    kept = tuple(one for one in protocol.properties if one.id in claimed)
    return replace(protocol, name=name, properties=kept, bounds=dict(bounds), ends=True)
