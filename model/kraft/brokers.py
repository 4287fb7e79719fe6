"""The broker lifecycle of KRaft: registration, heartbeats, fencing of silent brokers, failover."""

from __future__ import annotations

from typing import Any

from fencepost.model.language.vocabulary import *

from .answers import Control, Error
from .builder import change
from .records import FENCE, IN_CONTROLLED_SHUTDOWN, REGISTER_BROKER, UNFENCE, UNREGISTER_BROKER
from .state import *

be, off, previous = OFFSET.var("broker_epoch"), OFFSET.var("off"), OFFSET.var("previous_epoch")
want_fence, want_down = BOOL.var("want_fence"), BOOL.var("want_down")
same_cluster, migrates, tells_epoch = BOOL.var("same_cluster"), BOOL.var("migrates"), BOOL.var("tells_previous_epoch")
dirs = list_of(DIRECTORY).var("dirs")
told = set_of(RANGE).var("ranges")
NO_DIRECTORY, no_offset = nobody(DIRECTORY), Lit(-1, OFFSET)


@definition
def returning(of: Term[Partition], who: Term[Broker]) -> Term[frozenset[Broker]]:
    """The brokers that may lead a partition once a broker is back."""
    return those(x, (active_broker(x) | x.is_(who)) & online(of, x))


# -- what happens to the partitions of a broker -----------------------------------------------------------
@procedure(b)
def retreat(b: Term[Broker]) -> object:
    """The broker leaves the ISR of all its partitions, which elect other leaders."""
    return every(p, exists_[p] & b.in_(isr[p]), change(p, drop(isr[p], just(b)), electable(p) - just(b)))


@procedure(b)
def forget(b: Term[Broker]) -> object:
    """The broker stopped uncleanly: it leaves the ISR and the eligible leader replicas of all its partitions."""
    return (
        every(p, exists_[p] & b.in_(isr[p]), change(p, drop(isr[p], just(b)), electable(p) - just(b), lost=just(b))),
        every(
            p,
            exists_[p],
            every(k, listed(p, b, k), change(p, drop(isr[p], just(b)), electable(p) - just(b), lost=just(b))),
        ),
    )


@procedure(b)
def fence(b: Term[Broker]) -> object:
    """handleBrokerFenced: the partitions, then the broker."""
    return retreat(b), FENCE(b, epoch=epoch[b])


@procedure(b)
def unfence(b: Term[Broker]) -> object:
    """handleBrokerUnfenced: the broker, then the partitions without a leader."""
    return (UNFENCE(b, epoch=epoch[b]), every(p, exists_[p] & absent(leader[p]), change(p, isr[p], returning(p, b))))


@procedure(b)
def shut_down(b: Term[Broker]) -> object:
    """handleBrokerInControlledShutdown: the broker, unless it is marked already, then its partitions."""
    return only_if(~ics[b], IN_CONTROLLED_SHUTDOWN(b, epoch=epoch[b])), retreat(b)


@procedure(b)
def leave(b: Term[Broker]) -> object:
    """The broker is taken out of every ISR; where it is an eligible leader replica it stays one (D7)."""
    return (
        retreat(b),
        every(p, exists_[p], every(k, listed(p, b, k), change(p, drop(isr[p], just(b)), electable(p) - just(b)))),
    )


# -- registration ----------------------------------------------------------------------------------------
new = let("new_incarnation", incarnation[b].isnt(some(i)))
clean = let("clean_restart", tells_epoch & previous.is_(epoch[b]))
named_dirs = let("named_directories", members(dirs))
taken = let("directory_taken", exists(x, registered[x] & x.isnt(b) & (named_dirs & directories[x]).isnt(NO_DIRECTORY)))
reserved = let("directory_reserved", unassigned.in_(dirs) | migrating.in_(dirs) | lost_directory.in_(dirs))
bad_dirs = let("bad_directories", (mv >= 17) & (empty(dirs) | reserved | repeats(dirs) | taken))
at = finalized(range_feature[r])
unfit = let("unfit", exists(r, r.in_(told) & ((at < lowest[r]) | (highest[r] < at))))
names_no_mv = let("names_no_metadata_version", ~exists(r, r.in_(told) & range_feature[r].is_(metadata_version)))
silent = let("silent", exists(f, (finalized(f) >= 1) & ~exists(r, r.in_(told) & range_feature[r].is_(f))))
cleaned = let("cleaned_up", elr_on & (~registered[b] | new & ~clean))
haunted = let("haunted", exists(p, (elr_index[p, b] >= 1) & ~exists_[p]))


_at, _is_fenced, _in_shutdown = OFFSET.var("epoch"), BOOL.var("as_fenced"), BOOL.var("as_in_shutdown")
_ranges = set_of(RANGE).var("with_ranges")
_dirs, _i = set_of(DIRECTORY).var("in_directories"), INCARNATION.var("as_incarnation")


@procedure(
    b,
    _i,
    _dirs,
    _ranges,
    epoch=(_at, lambda *_: log_end + 1),
    fenced=(_is_fenced, lambda *_: TRUE),
    ics=(_in_shutdown, lambda *_: FALSE),
)
def registers(
    b: Term[Broker],
    i_: Term[Any],
    dirs_: Term[Any],
    ranges_: Term[Any],
    at: Term[int],
    is_fenced: Term[bool],
    in_shutdown: Term[bool],
) -> object:
    """The registration record, and the heartbeat state made anew: no offset reported, no controlled shutdown under way."""
    return (
        REGISTER_BROKER(
            b,
            epoch=at,
            incarnation=i_,
            fenced=is_fenced,
            ics=in_shutdown,
            directories=when(mv >= 17, dirs_, NO_DIRECTORY),
            ranges=ranges_,
        ),
        log_end.becomes(log_end + 1),
        registration_offset[b].becomes(log_end + 1),
        soft_fenced[b].becomes(is_fenced),
        shutdown_offset[b].becomes(-1),
        reported[b].becomes(-1),
    )


@procedure(b)
def no_contact(b: Term[Broker]) -> object:
    """No heartbeat has come under this epoch yet."""
    return contact[b].becomes(Contact.NOTHING)


register = event(
    "RegisterBroker", b, i, previous, tells_epoch, dirs, told, same_cluster, migrates,
    given=formatted,
    clues={dirs: (ascending(REGISTER_BROKER.field("directories")),)},
    reply={"epoch": next_(epoch[b]), "atomic": FALSE},
    source="S3:228", code="ClusterControlManager.registerBroker",
)  # fmt: skip
REGISTRATION = table(
    "registration",
    register("RG1", ~same_cluster,                                              say=Error.INCONSISTENT_CLUSTER_ID),
    register("RG2", registered[b] & new & contact[b].is_(Contact.RECENT),       say=Error.DUPLICATE_BROKER_REGISTRATION),
    register("RG3", migrates,                                                   say=Error.BROKER_ID_NOT_REGISTERED),
    register("RG4", bad_dirs,                                                   say=Error.INVALID_REGISTRATION),
    register("RG5", unfit,                                                      say=Error.UNSUPPORTED_VERSION),
    register("RG6", names_no_mv,                                                say=Error.INVALID_REGISTRATION),
    register("RG7", silent,                                                     say=Error.UNSUPPORTED_VERSION),
    register("RG8", cleaned & haunted,                throws="RuntimeException", finding="D6c"),
    register("R1",  ~registered[b],  only_if(elr_on, forget(b)), only_if(~elr_on, retreat(b)), registers(b, i, named_dirs, told), no_contact(b), say=Error.NONE),
    register("R2",  new & (clean | ~elr_on),          retreat(b), registers(b, i, named_dirs, told), no_contact(b), say=Error.NONE),
    register("R2u", new,                              forget(b),  registers(b, i, named_dirs, told), no_contact(b), say=Error.NONE),
    register("R3",  TRUE,                                         registers(b, i, named_dirs, told, epoch=epoch[b], fenced=fenced[b], ics=ics[b]), say=Error.NONE),
    mode="first match",
    total=True,
    about="A broker registers. Its epoch is the offset at which the result begins.",
    why={
        "RG2": "A session is a recent contact: a mere registration starts none, a fenced broker that heartbeats has one (K2).",
        "RG4": "No directory, a reserved one, one twice, or one of another broker.",
        "RG5": "A feature that the broker names without the level that is finalized, 0 where none is; that of kraft.version is Raft's.",
        "RG6": "A broker has to say which metadata.version it can do.",
        "RG7": "A finalized feature that the broker does not name is one that it cannot do.",
        "RG8": "The index still names a partition whose topic is gone: every attempt to register fails, and the controller resigns.",
        "R1": "Finds what an unregistration left in the eligible leader replicas (D7), if these are on.",
        "R2": "The broker says which epoch it had: if that is the stored one it stopped in good order.",
        "R3": "The same process again: epoch, fencing and controlled shutdown stay (K3); the heartbeat state does not (D10).",
    },
)  # fmt: skip

unregister = event("UnregisterBroker", b, source="S2:418", code="ReplicationControlManager.unregisterBroker")
UNREGISTRATION = table(
    "unregistration",
    unregister("UR1", ~registered[b], say=Error.BROKER_ID_NOT_REGISTERED),
    unregister("UR2", registered[b] & haunted, throws="RuntimeException", finding="D6c"),
    unregister("UR3", registered[b] & ~haunted, leave(b), UNREGISTER_BROKER(b, epoch=epoch[b]), say=Error.NONE),
    total=True,
    about="An operator takes a broker's registration away; one that is alive is not spared.",
    why={"UR3": "What the first pass puts among the eligible leader replicas the second does not see: the id stays there (D7)."},
)  # fmt: skip

# -- heartbeats ------------------------------------------------------------------------------------------
leaving = let("leaving", shutdown_offset[b] >= 0)
down = let("is_fenced", (shutdown_offset[b] < 0) & soft_fenced[b])
up = let("is_up", (shutdown_offset[b] < 0) & ~soft_fenced[b])
known = let("known", registered[b] & be.is_(epoch[b]))
caught_up = let("caught_up", off >= registration_offset[b])
stranded = let(
    "stranded",
    exists(
        p,
        exists_[p]
        & absent(leader[p])
        & elr_on
        & empty(isr[p])
        & elr[p].is_(nobody(BROKER))
        & exists(x, x.in_(last_known[p]) & ~x.in_(replicas[p]) & (active_broker(x) | x.is_(b))),
    ),
)
drained = let(
    "drained",
    forall(x, (registered[x] & ~soft_fenced[x] & (shutdown_offset[x] < 0)).implies(shutdown_offset[b] <= reported[x])),
)


@procedure(b, off)
def stays(b: Term[Broker], off: Term[int]) -> object:
    """The contact and the offset are noted."""
    return contact[b].becomes(Contact.RECENT), reported[b].becomes(off)


@procedure(b)
def rises(b: Term[Broker]) -> object:
    """The broker is unfenced from now on; replaying that forgets the offset that it has just reported."""
    return contact[b].becomes(Contact.RECENT), reported[b].becomes(-1), soft_fenced[b].becomes(FALSE)


@procedure(b, off)
def falls(b: Term[Broker], off: Term[int]) -> object:
    """The broker is fenced from now on, and its controlled shutdown forgotten."""
    return (
        contact[b].becomes(Contact.RECENT),
        reported[b].becomes(off),
        soft_fenced[b].becomes(TRUE),
        shutdown_offset[b].becomes(-1),
    )


@procedure(b, off)
def sinks(b: Term[Broker], off: Term[int]) -> object:
    """The broker's controlled shutdown begins, at the offset at which this result ends."""
    return (
        contact[b].becomes(Contact.RECENT),
        reported[b].becomes(when(ics[b], off, no_offset)),
        shutdown_offset[b].becomes(log_end + 1),
        log_end.becomes(log_end + 1),
    )


@procedure(b)
def expires(b: Term[Broker]) -> object:
    """The session is over: fenced, without contact, its controlled shutdown forgotten."""
    return contact[b].becomes(Contact.NOTHING), soft_fenced[b].becomes(TRUE), shutdown_offset[b].becomes(-1)


answer = Control
answered = one_of(Control).var("answer")
heartbeat = event(
    "Heartbeat", b, be, off, want_fence, want_down,
    reply={
        "current": when(leaving, literal(Control.CONTROLLED_SHUTDOWN), when(down, literal(Control.FENCED), literal(Control.UNFENCED))),
        "caught_up": caught_up,
        "fenced": next_(soft_fenced[b]),
        "in_controlled_shutdown": next_(shutdown_offset[b] >= 0),
        "shut_down": answered.is_(Control.SHUTDOWN_NOW),
        "shutdown_offset": next_(shutdown_offset[b]),
        "atomic": FALSE,
    },
    source="S2:59-65, S3:236-244", code="BrokerHeartbeatManager.calculateNextBrokerState",
)  # fmt: skip
HEARTBEAT = table(
    "broker lifecycle",
    heartbeat("HB0",  ~known,                                                                        say=Error.STALE_BROKER_EPOCH),
    heartbeat("HB1",  known & down &  want_down,                                 fence(b),     falls(b, off), say=answer.SHUTDOWN_NOW),
    heartbeat("HB2",  known & down & ~want_down & ~want_fence &  caught_up & ~stranded, unfence(b), rises(b), say=answer.UNFENCED),
    heartbeat("HB2t", known & down & ~want_down & ~want_fence &  caught_up &  stranded, throws="IllegalArgumentException", finding="D9"),
    heartbeat("HB3",  known & down & ~want_down & (want_fence | ~caught_up),                   stays(b, off), say=answer.FENCED),
    heartbeat("HB4",  known & up &  want_fence &  want_down,                     fence(b),     falls(b, off), say=answer.SHUTDOWN_NOW),
    heartbeat("HB5",  known & up &  want_fence & ~want_down,                     fence(b),     falls(b, off), say=answer.FENCED),
    heartbeat("HB6",  known & up & ~want_fence &  want_down &  leads(b),         shut_down(b), sinks(b, off), say=answer.CONTROLLED_SHUTDOWN),
    heartbeat("HB7",  known & up & ~want_fence &  want_down & ~leads(b),         fence(b),     falls(b, off), say=answer.SHUTDOWN_NOW),
    heartbeat("HB8",  known & up & ~want_fence & ~want_down,                                   stays(b, off), say=answer.UNFENCED),
    heartbeat("HB9",  known & leaving &  leads(b),                                             stays(b, off), say=answer.CONTROLLED_SHUTDOWN),
    heartbeat("HB10", known & leaving & ~leads(b) &  drained,                    fence(b),     falls(b, off), say=answer.SHUTDOWN_NOW),
    heartbeat("HB11", known & leaving & ~leads(b) & ~drained,                                  stays(b, off), say=answer.CONTROLLED_SHUTDOWN),
    total=True,
    about="A broker says that it lives, how far it has read, and whether it wants to be fenced or to shut down.",
    why={
        "HB1": "Writes a fence although the broker is fenced: its state is not checked first.",
        "HB2": "The broker must have read its own registration; the log's end would never be reached on a busy log (K9).",
        "HB2t": "The last known leader of a partition is asked whether it may lead, and is no replica of it any more.",
        "HB6": "The leaderships move first; the broker may go once every active broker has read that they have.",
        "HB9": "Wanting to be fenced is ignored here.",
    },
)  # fmt: skip

expired = event(
    "ExpiredHeartbeat", b, be, off,
    source="S3:83, S3:234", code="ReplicationControlManager.processExpiredBrokerHeartbeat",
)  # fmt: skip
EXPIRED = table(
    "heartbeats that came too late",
    expired("HX0", ~known,                                    say=Error.REQUEST_TIMED_OUT),
    expired("HX1", known & fenced[b],  falls(b, off),         say=Error.REQUEST_TIMED_OUT),
    expired("HX2", known & ~fenced[b], stays(b, off), soft_fenced[b].becomes(FALSE), say=Error.REQUEST_TIMED_OUT),
    total=True,
    about="A heartbeat waits in the controller's queue past its deadline: nothing is decided, but it was heard.",
    why={"HX2": "The offset counts, so that another broker's controlled shutdown may end by it; what was wished for does not."},
)  # fmt: skip

# -- silence and failover ---------------------------------------------------------------------------
silence = event("Silence", b, environment=True, source="S3:246-248", code="BrokerHeartbeatTracker")
stale = event(
    "FenceStaleBroker", b, environment=True, source="S3:246-248", code="QuorumController.maybeFenceStaleBrokers"
)
taker = NAME.var("c")
takes_over = active_controller.becomes(taker)
failover = event("Failover", taker, environment=True, source="S3:171", code="QuorumController.claim")
FENCING = table(
    "silent brokers",
    silence("SI1", contact[b].is_(Contact.RECENT), contact[b].becomes(Contact.EXPIRED)),
    stale("F1", contact[b].is_(Contact.EXPIRED) & registered[b] & ~fenced[b], fence(b), expires(b)),
    stale("F2", contact[b].is_(Contact.EXPIRED) & registered[b] & fenced[b], fence(b), expires(b), finding="D23"),
    failover(
        "FO1",
        TRUE,
        takes_over,
        every(
            x,
            registered[x],
            soft_fenced[x].becomes(fenced[x]),
            shutdown_offset[x].becomes(-1),
            reported[x].becomes(-1),
            contact[x].becomes(when(fenced[x], literal(Contact.NOTHING), literal(Contact.RECENT))),
        ),
    ),
    about="Sessions run out, silent brokers are fenced, and a new active controller begins with what the log says.",
    why={
        "F2": "The expired session of a broker that is fenced already writes a second fence: its state is not checked.",
        "FO1": "The tracker is seeded with the unfenced brokers, so that one that died meanwhile is fenced in time (K10). From "
        "now on the configuration of this controller's own node decides unclean elections (D31).",
    },
)
