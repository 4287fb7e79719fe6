"""Reassignments that lose an acknowledged record: edits of the rows of any controller, one of them today's Kafka (D15)."""

from __future__ import annotations

from fencepost.model.kraft_data.any_controller import any_controller
from fencepost.model.kraft_data.controller import eligible
from fencepost.model.kraft_data.reassignment import new_elr, new_isr, new_replicas, replicas
from fencepost.model.kraft_data.slices import CLAIMS, bound
from fencepost.model.kraft_data.state import *
from fencepost.model.language.vocabulary import *

from .edits import Edit, but, redefine
from .entry import Entry, Expected

_EVENTS = tuple(one.name for one in any_controller(CLAIMS).events)
_reassigns = new_isr.is_(isr & new_replicas) & new_isr.isnt(NOBODY)
_decides = new_elr.is_(eligible(new_isr)) & (new_replicas.is_(replicas) | _reassigns)
_KAFKA: dict[str, Term[bool]] = {
    "KeepLeader": _decides,
    "FindLeader": _decides,
    "TurnToEligible": new_replicas.is_(replicas) & new_elr.is_((elr | isr) - just(g)),
    "AcceptProposal": new_replicas.is_(replicas) & new_isr.is_(proposed_isr[e]),
}
"""What Kafka's controller decides: a reassignment leaves in the ISR who is a replica still; the ELR is what is short of the minimum."""
_LEADS = ("Create", "KeepLeader", "TakeMetadata", "Append", "RaiseHighWatermark")
_ELECTS = (*_LEADS, "FindLeader")
_FETCHES = ("FindNoDivergence", "FetchAnswer", "Fetch", "FetchArrives")
_enough_by_the_minimum = at_least(known_isr[e], min_isr_in[known_config[e]])


def _only(*events: str, **given: Term[bool]) -> dict[str, Term[bool]]:
    """Return what a bound assumes that has these events alone, decided as Kafka's controller does, some under a condition."""
    return {one: given.get(one, _KAFKA.get(one, TRUE)) if one in events else FALSE for one in _EVENTS}


def _expected(broken: str, sizes: tuple[int, ...], length: int, row: str, given: dict[str, Term[bool]]) -> Expected:
    where = bound(*sizes, given=given)
    return Expected(broken, length, "tiny", where.sizes, row, given=where.given)


def _entry(name: str, edit: Edit, known_as: str, why: str, *expected: Expected) -> Entry:
    """Return an edit of the rows of any controller, with the shortest runs that lose a record."""
    return Entry(f"any-controller+{name}", "kraft-data", known_as, why, edit, expected, ground=any_controller)


_with_added = (
    (partition_epoch > 0)
    & (new_isr <= isr | (new_replicas - replicas))
    & new_elr.is_(NOBODY)
    & (absent(leader) | leader.in_(new_isr))
)
KRAFT_DATA_REASSIGNMENT_MUSEUM: tuple[Entry, ...] = (
    _entry(
        "keeps-the-removed",
        redefine("eligible_replicas", TRUE, why="a broker that is no replica any more stays eligible"),
        "D15",
        "A replica that a reassignment removed stayed in the ELR; added again, it was elected as if it had its log.",
        # All replicas are one, and acknowledge alone what the removed one never had.
        _expected("AcknowledgedIsKept", (2, 1, 3, 4, 1, 2), 8, "DL6", _only(*_ELECTS, "TurnToEligible")),
        # Both have acknowledged it, and the removed one has deleted its log.
        _expected(
            "AcknowledgedIsKept", (2, 1, 3, 4, 1, 2), 14, "DL6",
            _only(*_ELECTS, *_FETCHES, "TurnToEligible", RaiseHighWatermark=_enough_by_the_minimum),
        ),
    ),
    _entry(
        "joins-when-added",
        but("DC21", when=_with_added & (replicas | new_isr <= new_replicas), why="a replica that is added is in the ISR at once"),
        "KIP-455",
        "A replica that a reassignment adds counts as one that has fetched: it is in the ISR, and elected, without a record.",
        _expected("AcknowledgedIsKept", (2, 1, 2, 3, 1, 1), 7, "DM1", _only(*_ELECTS, KeepLeader=TRUE)),
    ),
    _entry(
        "keeps-the-epoch",
        redefine("replicas_stay", TRUE, why="a replica leaves within a leader epoch"),
        "KIP-455",
        "A replica is removed and added again under one leader epoch: its leader proposes it by what it fetched before it deletes its log.",
        _expected(
            "CandidatesHaveAcknowledged", (2, 1, 1, 4, 1, 1), 14, "DL6",
            _only(*_LEADS, *_FETCHES, "Propose", "AcceptProposal"),
        ),
    ),
)  # fmt: skip
