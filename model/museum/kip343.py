"""KIP-343's design flaws (S-a, S-b), what its text leaves open, and where it contradicts itself: each as an edit of its tables."""

from __future__ import annotations

from collections.abc import Mapping

from fencepost.model.kip343.brokers import old_brokers, to
from fencepost.model.kip343.controller import iid, valid
from fencepost.model.kip343.slices import BOTH, EXPLORED, INCARNATIONS, LEADING, LOSSY, NEXT_CZXID, ROLLING
from fencepost.model.kip343.state import *
from fencepost.model.language import FALSE, TRUE, Property, Protocol, Term, always, forall, next_, nobody, step

from . import kip343_edits as edits
from .edits import Edit, but, without
from .entry import Entry, Expected

# -- what only entries claim ---------------------------------------------------------------------------------------------
GIVEN_BY_ZOOKEEPER = always(
    "HIz",
    forall(b, incarnation[b] <= czxid[b]),
    "No incarnation is taken that ZooKeeper has not given: a larger one locks the broker out, whose own is refused from then on.",
    "S0:56",
)
STAYS_STOPPING = step(
    "HIs",
    state[b].is_(STOPPING).implies(next_(state[b]).isnt(ACTIVE)),
    "A broker whose shutdown has begun does not become Active by a heartbeat.",
    "S0:58",
    rows=("H5",),
)
LEAVES_NOTHING = step(
    "HIx",
    forall(b, (running[b] & ~next_(running[b])).implies(forall(p, leader[p].isnt(b)))),
    "A broker that exits leads nothing.",
    "S0:36,73",
)

# -- where they are found ------------------------------------------------------------------------------------------------
Given = Mapping[str, Term[bool]]
FORMED: Given = {"FormCluster": old_brokers.is_(nobody(BROKER)), "TimePasses": to.is_(now + 1), "Heartbeat": valid}
ANOTHER: Given = {
    **FORMED,
    "StartAnother": NEXT_CZXID,
    "StartBroker": FALSE,
    "Reregister": FALSE,
    "ControllerFails": FALSE,
    "StopBroker": FALSE,
}
ALONE: Given = {
    **FORMED,
    "StartAnother": FALSE,
    "StartBroker": FALSE,
    "Reregister": FALSE,
    "ExpireSession": FALSE,
    "StopBroker": FALSE,
}
TIMED = {"time": 3}


def _entry(
    name: str,
    known_as: str,
    why: str,
    edit: Edit,
    *expected: Expected,
    also: tuple[str, ...] = (),
    ground: Edit | None = None,
    claims: tuple[Property, ...] = (),
    within: Protocol = EXPLORED,
    repairs: bool = False,
) -> Entry:
    more = {} if ground is None else {"ground": ground}
    return Entry(
        name, "kip343", known_as, why, edit, expected, also, claims=claims, within=within, repairs=repairs, **more
    )


def _leading(**more: Term[bool]) -> Given:
    """Return what the bound `leaders` assumes, with some of it otherwise."""
    return {**LEADING.bounds["leaders"].given, **more}


_not_registered = (iid < incarnation[b]) | ((iid > incarnation[b]) & iid.isnt(registered[b]))

TIMEOUTS = (
    _entry(
        "broker_timeout_not_longer",
        "S-a, S0:50, contradiction 7",
        "If the broker's timeout is not the longer one, a broker fences itself while the controller has it Active.",
        edits.any_timeouts,
        Expected("HI3", 3, "tiny", None, "H7", controller_timeout.is_(0)),
        also=("S-a",),
    ),
    _entry(
        "lease",
        "S-a, S2:43, contradiction 31",
        "KIP-631's first version asks for the opposite: a timeout that is shorter, and counts from the send, ends before the controller's.",
        edits.lease,
        Expected("M3t", 3, "leaders", None, "H6", BOTH),
        Expected("M3c", 7, "leaders", None, "HE3", BOTH),
        within=LEADING,
        repairs=True,
    ),
    _entry(
        "never_self_fences",
        "S2, contradiction 6",
        "As in KIP-631's second version and in Kafka: a broker that hears nothing goes on serving with what it knows.",
        edits.never_fences,
        Expected("HI10", 5, "tiny", None, "HT1"),
    ),
)

INCARNATION = (
    _entry(
        "forged_incarnation",
        "S-b, S0:56",
        "Any larger number is taken over without a look at ZooKeeper: a made up one locks the real broker out for good.",
        edits.made_up,
        Expected("HIz", 2, "tiny", None, "H3f"),
        also=("S-b",),
        claims=(GIVEN_BY_ZOOKEEPER,),
    ),
    _entry(
        "checks_znode",
        "S-b, S0:56",
        "An incarnation that is taken over only if the znode has it is never a made up one, and never an older one after a failover.",
        but("H2", when=_not_registered, why="an incarnation id is valid if the znode has it"),
        Expected("HI1t", 10, "incarnations", None, "H3a"),
        within=INCARNATIONS,
        repairs=True,
    ),
    _entry(
        "error_is_contact",
        "S0:42,88",
        "If an answer INVALID_INCARNATION_ID is contact, an old incarnation serves for ever beside the new one.",
        edits.errors_count,
        Expected("HI10", 10, "incarnations", TIMED, "HT1", None, ANOTHER),
        within=INCARNATIONS,
    ),
    _entry(
        "answers_name_incarnation",
        "S0:92, contradiction 34",
        "An answer to the incarnation from before a session expired unfences the next one, which the controller has Inactive.",
        edits.names_incarnation,
        Expected("HIu", 7, "incarnations", None, "H8"),
        within=INCARNATIONS,
        repairs=True,
    ),
    _entry(
        "isr_change_takes_over",
        "S0:56,118, contradiction 35",
        "If a higher incarnation is valid in an IsrChange as in a heartbeat, an ISR is changed for one that is not known yet.",
        edits.takes_over,
        Expected("HI2", 6, "leaders", {"czxid": 2}, "H11", None, _leading(ExpireSession=TRUE, Reregister=NEXT_CZXID)),
        within=LEADING,
    ),
)

HEARTBEATS = (
    _entry(
        "shutdown_not_taken_back",
        "S-a, S0:58",
        "The text lets a heartbeat that asks for Active take a shutdown back while leaders are being moved; here it cannot.",
        edits.keeps_stopping,
        Expected("HIs", 9, "tiny", None, "H5"),
        claims=(STAYS_STOPPING,),
        repairs=True,
    ),
    _entry(
        "two_heartbeats_in_a_row",
        "S0:48",
        "If a broker is let in at its second heartbeat in a row, a network that goes on losing messages may keep it out for ever.",
        edits.two_heartbeats,
        Expected("HI43", 8, "lossy", None, "H5f"),
        within=LOSSY,
    ),
    _entry(
        "two_answers_in_a_row",
        "S0:42-44",
        "If a broker takes requests at its second answer in a row, such a network may keep one fenced that the controller has Active.",
        edits.two_answers,
        Expected("HI44", 9, "lossy", None, "H8f"),
        within=LOSSY,
    ),
    _entry(
        "starts_initial",
        "S0:70, contradiction 33",
        "Initial in place of Inactive until the first heartbeat: nothing is lost, both are left out of the metadata.",
        edits.starts_initial,
    ),
    _entry(
        "failover_reads_znodes",
        "S0:34,56, H12 b",
        "A new controller that takes all registered brokers for Active, as of now, is late by all the time that passed before.",
        edits.reads_znodes,
        Expected("HI3", 6, "tiny", None, "H7"),
    ),
    _entry(
        "other_targets_taken",
        "S0:58,76",
        "A broker may ask to be Inactive or Initial, and is: only so it is ever answered that it should be fenced (H8').",
        edits.takes_other_targets,
    ),
    _entry(
        "other_targets_refused",
        "S0:58,90",
        "Asking to be Inactive or Initial is an invalid request.",
        edits.refuses_other_targets,
    ),
    _entry(
        "other_targets_ignored",
        "S0:58",
        "Asking to be Inactive or Initial is contact, and changes no state: an Inactive broker is answered so (H8').",
        edits.ignores_other_targets,
    ),
    _entry(
        "heartbeat_not_controller",
        "S0:54,116",
        "A heartbeat that meets another broker is answered NOT_CONTROLLER, which is no contact.",
        edits.not_controller,
    ),
    _entry(
        "not_controller_is_contact",
        "S0:42,116",
        "If NOT_CONTROLLER is contact, no outage of the controller is ever noticed.",
        edits.not_controller_counts,
        Expected("HI10", 8, "incarnations", TIMED, "HT1", None, ALONE),
        within=INCARNATIONS,
    ),
    _entry(
        "exits_when_told",
        "S0:36,73",
        "The text does not say when a Stopping broker may exit; at once, its partitions are without leaders.",
        edits.exits_when_told,
        Expected("HIx", 7, "leaders", None, "HZ8"),
        claims=(LEAVES_NOTHING,),
        within=LEADING,
    ),
    _entry(
        "exits_when_leaderless",
        "S0:36,73",
        "Nor is it enough that the broker knows of no partition that it leads: the controller may have given it one.",
        edits.exits_when_leaderless,
        Expected("HIx", 7, "leaders", None, "HZ8"),
        claims=(LEAVES_NOTHING,),
        within=LEADING,
    ),
)

ISR = (
    _entry(
        "unchecked_leader",
        "S-a, S0:122",
        "Without the check of leader and leader epoch the broker that is cut off changes the ISR of its successor.",
        without("H11a", why="whichever broker asks"),
        Expected("HI2", 9, "leaders", None, "H11"),
        within=LEADING,
    ),
    _entry(
        "isr_of_active_brokers",
        "S0:124",
        "The text refuses only the empty ISR; a broker that is Inactive may be added to it, and would not be elected.",
        edits.members_active,
        Expected("HIa", 10, "leaders", None, "H11"),
        within=LEADING,
        repairs=True,
    ),
    _entry(
        "elects_from_cache",
        "S0:60-62,134-138",
        "In a mixed cluster legacy leaders write the state znode too: a controller that goes by its own last write elects whom they removed.",
        edits.elects_from_cache,
        Expected("M5", 8, "roll", None, "HE1"),
        within=ROLLING,
    ),
)

KIP343_MUSEUM: tuple[Entry, ...] = (*TIMEOUTS, *INCARNATION, *HEARTBEATS, *ISR)
