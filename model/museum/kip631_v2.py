"""KIP-631's second version: what S2 leaves open or contradicts (by the numbers of spec/requirements/s2.toml), its design flaw
S-g, what Kafka does instead, and what repairs the claims that are declared violated.

Contradiction 10 (two heartbeats or one) is between the tables of the two versions. 39 (the order of the merged list) and 42
(field names) decide nothing here: replicas are a set, since no row asks for a preferred leader; the records of
`model/kip631/v2/records.py` have v2's own field names.
"""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kip631.v2 import brokers
from fencepost.model.kip631.v2.answers import Error
from fencepost.model.kip631.v2.bounds import broker
from fencepost.model.kip631.v2.membership import epoch, offset, want_fence
from fencepost.model.kip631.v2.partitions import asked, asked_epoch
from fencepost.model.kip631.v2.properties import LIVENESS, PROPERTIES
from fencepost.model.kip631.v2.slices import SLICES
from fencepost.model.kip631.v2.state import *
from fencepost.model.language.vocabulary import *

from . import kip631_v2_edits as edits
from .edits import Edit, but, redefine, without
from .entry import Entry, Expected

_SLICE = {one.name: one for one in SLICES}
LATE, LEADERS, BUSY = _SLICE["kip631-v2-late"], _SLICE["kip631-v2-leaders"], _SLICE["kip631-v2-busy"]
REASSIGNING, LOGS = _SLICE["kip631-v2-reassignment"], _SLICE["kip631-v2-logs"]

UNFENCED_AT_ONCE = step(
    "K11r",
    (own_epoch[b].is_(epoch) & fenced[b] & ~want_fence & (offset >= broker_epoch[b])).implies(~next_(fenced[b])),
    "A broker that has read its own registration, and no longer wants to be fenced, is unfenced: however fast the log grows meanwhile.",
    "S2:60",
    rows=("V2.1", "V2.1n"),
    scope=AT_RESULT_BOUNDARIES,
)


def _held(id: str) -> Property:
    """Return a property that is declared violated as one that holds."""
    for one in (*PROPERTIES, *LIVENESS):
        if one.id == id and isinstance(one, (Always, Step, LeadsTo)):
            kept = replace(one, expected="holds", finding="")
            return replace(kept, by=()) if isinstance(kept, Always) else kept
    raise KeyError(id)


def _entry(
    name: str,
    known_as: str,
    why: str,
    edit: Edit,
    *expected: Expected,
    within: Protocol | None = None,
    claims: tuple[Property, ...] = (),
    repairs: bool = False,
) -> Entry:
    return Entry(name, "kip631-v2", known_as, why, edit, expected, within=within, claims=claims, repairs=repairs)


_leads = leader[p].is_(b) & asked_epoch.is_(leader_epoch[p]) & (isr[p] <= asked) & (asked <= replicas[p])
NAMES_ANYBODY: dict[str, Term[bool]] = {"AlterIsr": _leads & asked.isnt(isr[p]), "ElectLeader": absent(leader[p])}
"""A leader asks for replicas without looking who is fenced."""
ASKS_AGAIN: dict[str, Term[bool]] = {"AlterIsr": _leads, "SessionExpires": b.is_(broker(1))}
"""A leader asks for the ISR that there is; broker 1 may be silent."""

_is_silent = registered[b] & ~fenced[b] & (now > last_contact[b] + session)
_forgotten = every(p, TRUE, adding[p].becomes(nobody(BROKER)), removing[p].becomes(nobody(BROKER)))
_removed = those(t, (removed_at[t] >= 0) & (removed_at[t] <= brokers.to))

KIP631_V2_MUSEUM: tuple[Entry, ...] = (
    _entry(
        "latest_committed",
        "#8, S-e",
        "The epoch is the latest committed offset, so that two registrations before a commit get the same.",
        redefine("new_epoch", committed, why="the epoch is the latest committed offset"),
        Expected("K1", 7, row="V2.6"),
    ),
    _entry(
        "one_too_few",
        "#9",
        "One side means the highest offset reached, the other one more: a broker is unfenced before it has its registration.",
        redefine("caught_up", offset + 1 >= broker_epoch[b], why="one too few is enough"),
        Expected("K4", 9, row="V2.1"),
    ),
    _entry(
        "one_too_many",
        "#9",
        "The other way round: a broker that has its own registration is not unfenced until something else is written.",
        redefine("caught_up", offset > broker_epoch[b], why="one too many is asked for"),
        Expected("K11r", 2, "late", row="V2.1n"),
        within=LATE,
        claims=(UNFENCED_AT_ONCE,),
    ),
    _entry(
        "log_end",
        "#38, KAFKA-13959",
        "Caught up is the end of the log: while it goes on growing, a broker may chase it for ever and stay fenced.",
        edits.log_end,
        Expected("K11", 2, "busy", row="V2.1n"),
        Expected("K11r", 2, "busy", row="V2.1n"),
        within=BUSY,
        claims=(UNFENCED_AT_ONCE,),
    ),
    _entry(
        "within_one",
        "#38",
        "Caught up is nearly the end of the log: a broker is unfenced before it has its own registration.",
        edits.within_one,
        Expected("K4", 9, row="V2.1"),
    ),
    _entry(
        "fenced_holds_no_id",
        "#30",
        "The id of a fenced broker is free at once, though its process has just been heard of.",
        redefine("in_contact", lambda old: old & ~fenced[b], why="a fenced broker has no session"),
        Expected("K2", 5, row="V2.6"),
    ),
    _entry(
        "implicit_fence",
        "#37",
        "The record of a fence itself takes the broker out of all ISRs: the same states, without PartitionChange records.",
        edits.implicit_fence,
        within=LEADERS,
    ),
    _entry(
        "fence_first",
        "#37",
        "The fence is written before the partitions: in between a fenced broker leads.",
        edits.fence_first,
        Expected("K9", 4, "leaders", row="V2.3"),
        within=LEADERS,
    ),
    _entry(
        "keeps_leaders",
        "S2:52",
        "A registration fences the broker, and the partitions that its former process led are not moved.",
        edits.keeps_leaders,
        Expected("K9", 15, row="V2.6"),
    ),
    _entry(
        "any_controller",
        "S2:18-20",
        "A controller that is not active any more goes on fencing.",
        but("V2.3", when=_is_silent, why="whether the controller is active is not checked"),
        Expected("M7", 12, row="V2.3"),
    ),
    _entry(
        "shutdown_offset",
        "#28, S-g",
        "ShouldShutDown comes as soon as there are no leaderships, though others may still send to the broker.",
        edits.shutdown_offset,
        Expected("K8o", 6, "leaders", row="V2.4s"),
        within=LEADERS,
        claims=(_held("K8o"),),
        repairs=True,
    ),
    _entry(
        "leaderless_shutdown",
        "#27",
        "Where no other broker can lead, a partition is left without a leader, so that a controlled shutdown ends.",
        edits.leaderless_shutdown,
        claims=(_held("K12"),),
    ),
    _entry(
        "self_fencing",
        "#41",
        "The broker's session ends at the broker too, so that it stops serving when it is cut off.",
        edits.self_fencing,
        claims=(edits.STOPS,),
    ),
    _entry(
        "fenced_member",
        "S2:89-95",
        "S2 names no check of the members that a leader asks for: a fenced broker comes back into the ISR.",
        without("AI4", why="S2 names no check of the members"),
        Expected("P7", 5, "leaders", row="AI5", given={**LEADERS.bounds["leaders"].given, **NAMES_ANYBODY}),
        within=LEADERS,
    ),
    _entry(
        "adding_only",
        "#12",
        "A reassignment waits for the added replicas only: where there are none, it leaves the ISR empty.",
        redefine("complete", reassigning(p) & (adding[p] <= asked), why="only those who are added are asked for"),
        Expected(
            "P3", 6, "reassignment", row="V2.8d", given={**REASSIGNING.bounds["reassignment"].given, **ASKS_AGAIN}
        ),
        within=REASSIGNING,
    ),
    _entry(
        "target_in_isr",
        "#12, KAFKA-15665",
        "A reassignment waits for all of the target, as Kafka 3.8 to 4.2 does.",
        redefine(
            "complete", lambda old: old & ((replicas[p] - removing[p]) <= asked), why="the whole target must be in sync"
        ),
        within=REASSIGNING,
    ),
    _entry(
        "new_leader_elected",
        "#13",
        "A leader that a completed reassignment removes is answered NEW_LEADER_ELECTED.",
        but("V2.8d", say=Error.NEW_LEADER_ELECTED, why="as Kafka answers"),
        within=REASSIGNING,
    ),
    _entry(
        "unregister_unknown",
        "#14",
        "Who is not registered cannot be unregistered: BROKER_ID_NOT_REGISTERED.",
        but("V2.7n", say=Error.BROKER_ID_NOT_REGISTERED, why="as Kafka answers"),
    ),
    _entry(
        "forgets_reassignments",
        "S2:91",
        "Reassignments are the controller's memory: a failover loses them.",
        but("CF", more=_forgotten, why="reassignments are lost"),
        Expected("M8", 2, "reassignment", row="CF"),
        within=REASSIGNING,
    ),
    _entry(
        "keeps_stray_logs",
        "K13",
        "Logs are not compared with the metadata at the start of RECOVERY: one of a removed topic comes back.",
        but(
            "BS3", effects=broker_state[b].becomes(BrokerState.RECOVERY), why="logs are not compared with the metadata"
        ),
        Expected("K13r", 15, "logs", row="BS3"),
        within=LOGS,
    ),
    _entry(
        "every_snapshot",
        "K13",
        "Logs are compared with the metadata at the start of RECOVERY only, not with a snapshot that comes later.",
        but("BA3", more=logs[b].becomes(logs[b] - _removed), why="each snapshot is compared"),
        Expected("K13", 7, "logs", row="BA3"),
        within=LOGS,
        claims=(_held("K13"),),
        repairs=True,
    ),
)
