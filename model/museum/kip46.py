"""KIP-46 read in other ways, with what it rejects, and with its holes mended: each with what becomes of which claim."""

from __future__ import annotations

from fencepost.model.kip46.discovery import to
from fencepost.model.kip46.mitigation import goal, number, partitions
from fencepost.model.kip46.slices import CHUNKS, LOSING, ONE, SIZES, STEADY, TARGETS, fails, slice_of, the
from fencepost.model.kip46.state import *
from fencepost.model.language import FALSE, TRUE, Bound, at_least, empty, every, forall, when

from . import kip46_edits as edits
from .edits import but, redefine
from .entry import Entry, Expected

_heard = forall(x, alive[x].is_(live[x]))
_steady = STEADY.bounds["steady"].given
_first = b.is_(the(0, BROKER)) & (now <= 0)
_no_tasks = {
    **_steady,
    "PlaceReplicas": FALSE,
    "ReportFailure": _first,
    "AnnounceBounce": _first,
    "ShutDownCleanly": _first,
}
"""Assumptions of bounds that end before tasks are written."""
_prompt = {
    **_no_tasks,
    "BrokerReturns": _heard,
    "TimePasses": _heard & _steady["TimePasses"],
    "BrokerFails": _heard & _steady["BrokerFails"],
    "TimerFires": _heard & ~alive[b],
    "PeriodicScan": _heard,
}
"""Every callback comes before anything else happens, and healing begins after a scan that found no live broker."""
_later = {**_no_tasks, "BrokerFails": b.is_(the(0, BROKER)) & (now <= 1), "TimePasses": to.is_(now + 1) & (now < 2)}
_once = {"SubmitOldFormat": number.is_(0) & next_chunk.is_(0)}

_SPARE = slice_of(
    "kip46_spare",
    (),
    {
        "spare": Bound(
            {**SIZES, "Broker": 4},
            ONE,
            {**fails(0), "BrokerReturns": FALSE, "PlaceReplicas": ~at_least(goal, the(3, SIZE))},
            "two spare brokers; the first broker may fail for good, the controller once",
        )
    },
)
_BLOCKED = slice_of("kip46_old_tasks", (), {"old-tasks": STEADY.bounds["steady"]}, "SI1", "SI7")

KIP46_MUSEUM: tuple[Entry, ...] = (
    # -- failover ----------------------------------------------------------------------------------------------------
    Entry(
        "compares-brokers",
        "kip46",
        "S1:29,87",
        "A broker that dies while there is no controller is never healed, and one that comes back then is healed though it lives.",
        edits.compares_brokers,
        (Expected("SI7", 3, row="SH8"), Expected("SI1", 7, row="SH3")),
        also=("SH11",),
        claims=edits.MENDED,
        repairs=True,
    ),
    Entry(
        "S-c-timer",
        "kip46",
        "S1:33",
        "Timers that begin anew with each controller put healing off as often as controllers fail.",
        edits.restarts_timers,
        (Expected("SI2", 5, row="SH8"),),
    ),
    Entry(
        "SH9-option-1",
        "kip46",
        "S1:91",
        "A new controller compares the tasks with the entries; where all are there the entry goes, and nothing is lost.",
        edits.compares_tasks,
        (),
        claims=edits.OR_COVERED,
    ),
    Entry(
        "S-c-partial",
        "kip46",
        "S1:91",
        "A controller that takes one task for all of them forgets the partitions that were not written yet.",
        edits.compares_hastily,
        (Expected("SI5", 9, "small", row="SH8"),),
        claims=edits.OR_COVERED,
    ),
    Entry(
        "running-forgotten",
        "kip46",
        "S1:76,87",
        "A successor that does not know what was started drops it, since the added replicas are live.",
        but(
            "SH8",
            more=every(k, TRUE, running[k].becomes(FALSE)),
            why="which task runs is in the memory of the controller only",
        ),
        (Expected("SI4", 10, row="SH5"),),
    ),
    # -- tasks ---------------------------------------------------------------------------------------------------------
    Entry(
        "SH5b",
        "kip46",
        "contradiction 36, S1:76",
        "If only replicas in sync count, partitions are moved away from a broker that is back and catching up.",
        edits.in_sync,
        (Expected("SI36a", 10, "steady", row="SH4"),),
        claims=(edits.ONLY_NEEDED,),
        within=STEADY,
    ),
    Entry(
        "SH5a",
        "kip46",
        "contradiction 36, S1:76",
        "If replicas that are catching up count, a task is dropped that leaves fewer in sync than there are to be.",
        edits.in_sync,
        (Expected("SI36b", 10, "steady", row="SH5"),),
        claims=(edits.ONLY_IN_SYNC,),
        within=STEADY,
        repairs=True,
    ),
    Entry(
        "SH9-placement",
        "kip46",
        "S1:92",
        "If a task is satisfied only by its own assignments, what is written again for other brokers moves everything again.",
        edits.as_assigned,
        (Expected("SI6", 15, "spare", row="SH4"),),
        within=_SPARE,
    ),
    Entry(
        "SH12-block",
        "kip46",
        "S1:117",
        "A task that the controller cannot parse blocks the queue for ever.",
        edits.blocks_on_garbled,
        (Expected("SI7", 10, "old-tasks", row="SH3c", given={**_steady, **_once}),),
        within=_BLOCKED,
    ),
    Entry(
        "SH12-skip",
        "kip46",
        "S1:117",
        "A task that the controller cannot parse is deleted, and what the operator asked for with it.",
        edits.skips_garbled,
        (Expected("SI4m", 2, "old-tasks", row="SH12", given={**_steady, **_once}),),
        claims=(edits.OPERATORS_KEPT,),
        within=_BLOCKED,
    ),
    Entry(
        "S-d",
        "kip46",
        "S1:72",
        "A task waits for ever for a broker that failed while it ran, and the queue behind it with it.",
        edits.retargets,
        (Expected("SI7", 15, "targets", row="SH3c"),),
        within=TARGETS,
        repairs=True,
    ),
    Entry(
        "completes-in-sync",
        "kip46",
        "S1:72",
        "A replica that was in the ISR once may be gone when the task ends: the remaining ISR has none of the new replicas.",
        edits.complete_in_sync,
        (Expected("M5", 15, "losing", row="SH6"),),
        also=("M5",),
        within=LOSING,
        repairs=True,
    ),
    # -- clocks, and what was rejected -----------------------------------------------------------------------------------
    Entry(
        "clock-skew",
        "kip46",
        "S1:29",
        "The entry has the wall clock of the controller that saw the death: one that is behind makes healing begin too early.",
        redefine(
            "clock", when(now > 0, now - 1, now), why="the clock of the controller that writes the entry is behind"
        ),
        (Expected("SI1", 4, "steady", row="SH3", given=_later),),
        within=STEADY,
    ),
    Entry(
        "all-at-once",
        "kip46",
        "S1:41",
        "All partitions of a broker at once saturate the network.",
        redefine("few", ~empty(partitions), why="all partitions of a broker are moved at once", rows=("SH3b",)),
        (Expected("SI3s", 8, "chunks", row="SH3b"),),
        within=CHUNKS,
    ),
    Entry(
        "periodic-scan",
        "kip46",
        "S1:121-126",
        "A scan sees snapshots: a broker that was bounced twice was gone both times, and is taken for dead.",
        edits.scans,
        (Expected("M6", 9, "steady", row="SH3", given=_prompt),),
        within=STEADY,
    ),
    Entry(
        "self-reported",
        "kip46",
        "S1:136",
        "A broker that reports its own failure is healed at once, though it may be back in a moment; a report that is left over "
        "makes a failure of a bounce.",
        edits.reports_itself,
        (
            Expected("SI1", 3, "steady", row="SH3", given=_no_tasks),
            Expected("SIf", 4, "steady", row="SH1", given=_no_tasks),
        ),
        claims=(edits.REPORTED_ONLY,),
        within=STEADY,
    ),
    Entry(
        "rolling-bounce",
        "kip46",
        "S1:139",
        "A broker that did not announce a bounce is healed at once, though it may be back in a moment; an announcement that is left "
        "over hides the next crash.",
        edits.announces_bounces,
        (
            Expected("SI1", 3, "steady", row="SH3", given=_no_tasks),
            Expected("SIa", 5, "steady", row="SH1", given=_no_tasks),
            Expected("SIc", 3, "steady", row="SH1", given=_no_tasks),
        ),
        claims=(edits.ANNOUNCED_ONCE, edits.CRASHES_AT_ONCE),
        within=STEADY,
    ),
    Entry(
        "rolling-bounce-deleted",
        "kip46",
        "S1:139",
        "Deleted when the broker is back, an announcement still hides the crash of the process that made it.",
        edits.announcements_end,
        (Expected("SIc", 3, "steady", row="SH1", given=_no_tasks),),
        claims=(edits.ANNOUNCED_ONCE, edits.CRASHES_AT_ONCE),
        within=STEADY,
    ),
)
"""Entries for what KIP-46 leaves open (SH5, SH9, SH12), its holes (SH11, M5, S-d), S-c, and the alternatives that it rejects."""
