"""The bounds at which `kraft-data` is explored: the theorem without the ghosts of the proof, all lemmas with them, what comes about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fencepost.model.language import FALSE, Always, Assign, Bound, Every, Protocol, Step, Term, declaring

from .more_properties import CONSUMERS, MORE, SEEN
from .not_for import NOT_FOR
from .properties import READ_STATES, SHARED, STATES, TRUNCATION, WITNESSES, WITNESSES_OF_READERS
from .protocol import KRAFT_DATA
from .state import *

SIZES = ("Broker", "offset", "leader epoch", "partition epoch", "broker epoch", "size")
CLEAN: dict[str, Term[bool]] = dict.fromkeys(("ElectUncleanly", "RegisterUncleanlyElectsUncleanly"), FALSE)
"""No election is unclean."""


def bound(*sizes: int, configurations: int = 1, given: Mapping[str, Term[bool]] = CLEAN) -> Bound:
    """Return the bound of so many brokers, records, leader epochs, partition epochs, broker epochs, minima, and configurations."""
    return Bound({**dict(zip(SIZES, sizes, strict=True)), "configuration": configurations}, given=given)


_NOTED = {slowest.state.name, slowest_end.state.name}


def _unnoted(effect: object) -> bool:
    """Whether an effect writes nothing of what is there for the proof alone."""
    written = effect.body if isinstance(effect, Every) else ()
    return not any(isinstance(one, Assign) and one.target.state.name in _NOTED for one in written)


def without_ghosts(protocol: Protocol, *rows: str) -> Protocol:
    """Return tables of which some rows note nothing of who left an epoch: no row and no claim reads it."""
    for id in rows:
        effects = tuple(one for one in protocol.row(id).effects if _unnoted(one))
        protocol = protocol.but(id, effects=effects, why="nothing is noted for the proof")
    return protocol


def _without_consumers(protocol: Protocol) -> Protocol:
    """Return the tables without what brokers know to be acknowledged: no other row reads it, and no claim of the theorem."""
    kept = protocol.slice(*(one.name for one in protocol.tables if one.name != "consumers"), name=protocol.name)
    return kept.forgetting(known_high_watermark, first_high_watermark, acknowledged_in, first_acknowledged_in)


CLAIMS: Protocol = replace(
    _without_consumers(without_ghosts(KRAFT_DATA, "DM1", "DM2")),
    name="kraft-data",
    base=None,
    why="",
    properties=(*STATES, SHARED, *WITNESSES),
    bounds={
        "tiny": bound(1, 1, 3, 3, 2, 1),
        "members": bound(2, 1, 2, 3, 1, 2),
        "records": bound(2, 2, 2, 2, 1, 1),
        "minimum": bound(2, 1, 2, 3, 2, 2),
        "restarts": bound(2, 1, 3, 3, 2, 1),
        "unclean": bound(2, 1, 2, 2, 2, 1, given={}),
        "configurations": bound(2, 1, 2, 3, 1, 2, configurations=2),
    },
    ends=True,
)
"""The theorem of every state, without what is noted for the proof."""
STEPS: tuple[Step, ...] = tuple(one for one in MORE if isinstance(one, Step) and one not in CONSUMERS)
LEMMATA: Protocol = replace(
    _without_consumers(KRAFT_DATA),
    name="kraft-data_lemmas",
    base=None,
    why="",
    properties=(
        *STATES,
        SHARED,
        *(one for one in KRAFT_DATA.properties if isinstance(one, Always) and one not in CONSUMERS),
        *STEPS,
        *WITNESSES,
    ),
    bounds={
        "one": bound(1, 1, 3, 3, 2, 1),
        "pair": bound(2, 1, 2, 2, 1, 2),
        "deep": bound(2, 2, 1, 2, 1, 1),
        "marked": bound(2, 1, 2, 2, 1, 1, given={}),
        "configured": bound(1, 1, 3, 3, 1, 2, configurations=2),
    },
    ends=True,
)
"""All lemmas, too, and what is claimed of steps."""
_JOINS = ("Create", "TakeMetadata", "FindNoDivergence", "Fetch", "FetchArrives", "Propose", "AlterPartitionElects")
"""Events that a follower needs to join the ISR and to lead in the same result."""
COMES_ABOUT: Protocol = replace(
    CLAIMS,
    name="kraft-data_seen",
    properties=SEEN,
    bounds={
        "joins": bound(*(3, 1, 2, 2, 1, 1), given={one.name: FALSE for one in CLAIMS.events if one.name not in _JOINS})
    },
)
"""Reachability properties, at bounds that leave out every event that they do not need."""
READERS: Protocol = replace(
    without_ghosts(KRAFT_DATA, "DM1", "DM2"),
    name="kraft-data_readers",
    base=None,
    why="",
    properties=(*STATES, *READ_STATES, TRUNCATION[1], *CONSUMERS, *WITNESSES_OF_READERS),
    bounds={
        "alone": bound(1, 1, 3, 3, 2, 1),
        "replicas": bound(2, 1, 2, 2, 1, 1),
        "uncleanly": bound(2, 1, 2, 2, 1, 1, given={}),
    },
    ends=True,
)
"""The slice of consumers that read, also from followers."""
SLICES: tuple[Protocol, ...] = declaring((CLAIMS, LEMMATA, COMES_ABOUT, READERS), *NOT_FOR)
