"""The switch to diskless storage over the tables of replication, and what Inkless had otherwise: one row each.

Two lose records that were acknowledged; the others lose none and stop, so that no client can produce, or a replica stays out.
"""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kraft_data.controller import decide, eligible
from fencepost.model.kraft_data.diskless import LIVENESS, apart, committed, marked, must_begin, seal, sealed, switching
from fencepost.model.kraft_data.slices import bound
from fencepost.model.kraft_data.state import *
from fencepost.model.language.vocabulary import *

from .edits import Edit, but
from .entry import Entry, Expected

# -- where it is searched ----------------------------------------------------------------------------------------------
_BEGINS = ("Create", "TakeMetadata", "BeginSwitch", "ProposeSeal", "CommitSeal")
"""Events that a switch needs to begin, and to be sealed with an empty log."""
_ONCE_SEALED = (partition_epoch > 0) & partition_epoch.is_(committed)


def _only(tables: Protocol, *events: str, **given: Term[bool]) -> dict[str, Term[bool]]:
    """Return what a bound assumes that has these events alone, some under a condition."""
    return {one.name: given.get(one.name, TRUE if one.name in events else FALSE) for one in tables.events}


def switching_at_bounds(base: Protocol) -> Protocol:
    """Return the tables with the switch; a slice has the bounds, too, at which what comes to pass is asked."""
    made = switching(base)
    if not base.bounds:
        return made
    replicates = ("Propose", "AlterPartition", "RaiseHighWatermark")
    fetches = ("FindNoDivergence", "Fetch", "FetchArrives", "Propose", "AlterPartition", "HandOff", "FetchAgain")
    own = {
        # A follower fetches nothing.
        "switch": bound(2, 1, 2, 4, 1, 1, given=_only(made, *_BEGINS, *replicates, Append=log_end[b].is_(0))),
        # Another leader is elected once there is a seal.
        "begin": bound(2, 1, 3, 4, 1, 1, given=_only(made, *_BEGINS, "BeginDisklessLog", Elect=_ONCE_SEALED)),
        # A follower is fenced once there is a seal.
        "return": bound(
            *(2, 1, 2, 6, 1, 1),
            given=_only(made, *_BEGINS, *fetches, Fence=_ONCE_SEALED & leader.isnt(b), Propose=~f.in_(known_isr[e])),
        ),
        # A leader is elected, and another broker comes by the edit of an entry.
        "lose": bound(2, 1, 3, 4, 1, 1, given=_only(made, *_BEGINS, "Append", "RaiseHighWatermark", "Elect")),
    }
    elsewhere = {one.id: "failures do not end there, or counters do" for one in LIVENESS}
    bounds = {name: replace(one, not_for={**one.not_for, **elsewhere}) for name, one in made.bounds.items()}
    return replace(made, properties=(*made.properties, *LIVENESS), bounds={**bounds, **own})


# -- the edits ---------------------------------------------------------------------------------------------------------
_unfence = event("Unfence", f, environment=True, source="aiven/inkless", code="ReplicationControlManager")
_joined = isr | just(f)


def _joins_switched(base: Protocol) -> Protocol:
    joins = _unfence(
        "DW9", (marked > 0) & present(leader) & ~f.in_(isr), decide(leader, epoch, _joined, eligible(_joined))
    )
    return base.plus(joins, table="switch", why="a broker comes into the ISR of a switched partition by being there")


def _never_retried(base: Protocol) -> Protocol:
    def kept(effect: Effect) -> bool:
        return not isinstance(effect, Assign) or effect.target.state is not must_begin.state

    effects = tuple(filter(kept, base.row("DM1").effects))
    return base.but("DM1", effects=effects, why="a new leader does not ask whether the log in the store has begun")


def _entry(name: str, edit: Edit, known_as: str, why: str, broken: str, length: int, row: str, where: str) -> Entry:
    """Return an edit of the tables with the switch, and what falls at a bound."""
    expected = (Expected(broken, length, where, row=row),)
    return Entry(f"diskless+{name}", "kraft-data", known_as, why, edit, expected, ground=switching_at_bounds)


KRAFT_DATA_DISKLESS_MUSEUM: tuple[Entry, ...] = (
    Entry(
        "diskless",
        "kraft-data",
        "aiven/inkless",
        "A classic partition is switched to diskless storage: sealed, its classic records with the replicas, later ones in the store.",
        switching_at_bounds,
        (),
    ),
    _entry(
        "without-leader",
        but("DW1", effects=(decide(leader, epoch, isr, elr), marked.becomes(partition_epoch + 1)), why="the leader epoch stays"),
        "aiven/inkless pull request 626",
        "The mark of a switch left the leader epoch as it was: no leader began anew, and none sealed its log.",
        "SwitchEnds", 5, "DM2", "switch",
    ),
    _entry(
        "never-shrinks",
        but("DL4", when=leads(b, e) & ~proposing[e] & f.in_(known_isr[e]) & f.isnt(b) & ~sealed[e], why="the ISR of a switched partition is left as it is"),
        "aiven/inkless pull request 756",
        "A leader removed no broker from the ISR of a switched partition: its appended records waited for a stopped follower.",
        "SwitchEnds", 6, "DM1", "switch",
    ),
    _entry(
        "never-retried",
        _never_retried,
        "aiven/inkless pull request 603",
        "Only the leader that saw the seal committed began the log in the object store: a new leader did not.",
        "LogBegins", 8, "DM1", "begin",
    ),
    _entry(
        "never-fetches-again",
        but("DW7", when=apart[f] & ~f.in_(isr) & (log_end[f] < seal), why="only a follower below the seal fetches again"),
        "aiven/inkless pull request 760",
        "A follower past the seal read the object store alone: once out of the ISR, no fetch showed the leader that it has caught up.",
        "ComesBack", 10, "DM3", "return",
    ),
    _entry(
        "joins-switched",
        _joins_switched,
        "aiven/inkless pull requests 754, 757",
        "A broker came into the ISR of a switched partition because it was there: it led without the classic records.",
        "AcknowledgedIsKept", 8, "DM1", "lose",
    ),
)  # fmt: skip
