"""Edits of rows of the KRaft tables, each with the claim that refutes it; no claim that was there before does."""

from fencepost.model.kraft import KRAFT
from fencepost.model.kraft.brokers import (
    NO_DIRECTORY,
    be,
    down,
    fence,
    haunted,
    named_dirs,
    no_contact,
    off,
    registers,
    retreat,
    rises,
    told,
    up,
    want_down,
)
from fencepost.model.kraft.builder import Election, change
from fencepost.model.kraft.cluster import controller, to
from fencepost.model.kraft.cluster_records import (
    CLUSTER_MIN_INSYNC,
    CLUSTER_UNCLEAN,
    CONFIG,
    ELR_VERSION,
    NO_OP,
    NODE_UNCLEAN,
    REGISTER_CONTROLLER,
    TOPIC_MIN_INSYNC,
    TOPIC_UNCLEAN,
)
from fencepost.model.kraft.configurations import deletes, dry, n, one, size, switch, value
from fencepost.model.kraft.directories import forgets
from fencepost.model.kraft.reassignment import NOBODY, entering, kept, leaving, old_isr, old_replicas, target
from fencepost.model.kraft.records import (
    DIRECTORIES,
    FENCE,
    IN_CONTROLLED_SHUTDOWN,
    PARTITION_RECORD,
    REGISTER_BROKER,
    TOPIC_RECORD,
    UNFENCE,
    level_at,
)
from fencepost.model.kraft.state import (
    BROKER,
    Contact,
    Recovery,
    active,
    b,
    contact,
    controller_incarnation,
    electable,
    epoch,
    exists_,
    fenced,
    i,
    ics,
    index,
    isr,
    leader,
    log_end,
    migrating,
    mv,
    p,
    recovery,
    registered,
    registration_offset,
    replicas,
    reported,
    shutdown_offset,
    soft_fenced,
    t,
    topic,
    x,
)
from fencepost.model.kraft.topics import born, comes_before, placed
from fencepost.model.kraft.topics import new as added
from fencepost.model.language.vocabulary import *

from .edits import Mutant, but
from .reaching import REACHING
from .security import SECURITY


def _when(id: str, term: object) -> Protocol:
    return KRAFT.but(id, when=term, why="a mutant")


def _without(id: str) -> Protocol:
    return KRAFT.without(id, why="a mutant")


def _born(partition_epoch: int, where: object) -> object:
    return PARTITION_RECORD(
        p,
        topic=t,
        index=index[p],
        replicas=placed[p],
        isr=keep(placed[p], active),
        removing=nobody(BROKER),
        adding=nobody(BROKER),
        leader=first(placed[p], active),
        leader_epoch=level_at(0),
        partition_epoch=level_at(partition_epoch),
        directories=said(each(x, placed[p], where), if_=TRUE),  # type: ignore[arg-type]
    )


def _late() -> Protocol:
    return but(
        "R3",
        REGISTER_BROKER(
            b,
            epoch=epoch[b],
            incarnation=i,
            fenced=fenced[b],
            ics=ics[b],
            directories=when(mv >= 17, named_dirs, NO_DIRECTORY),
            ranges=told,
        ),
        log_end.becomes(log_end + 1),
        registration_offset[b].becomes(log_end),
        soft_fenced[b].becomes(fenced[b]),
        shutdown_offset[b].becomes(-1),
        reported[b].becomes(-1),
    )


def _silent_change(acceptable: object) -> object:
    return every(p, exists_[p] & b.in_(isr[p]), change(p, drop(isr[p], just(b)), acceptable))


_EXPIRES = (contact[b].becomes(Contact.NOTHING), soft_fenced[b].becomes(TRUE), shutdown_offset[b].becomes(-1))
_online, _unclean = literal(Election.ONLINE), literal(Election.UNCLEAN)
_known = registered[b] & be.is_(epoch[b])

_joining = (members(replicas[p]) & active) - members(isr[p]) - just(b)
_enlarged = when(
    present(leader[p]) & leader[p].isnt(some(b)) & recovery[p].is_(Recovery.RECOVERED),
    then(drop(isr[p], just(b)), ascending(_joining)),
    drop(isr[p], just(b)),
)

MUTANTS = (
    Mutant(
        "P36",
        "OD4",
        "a broker without directories stays in every ISR",
        lambda: but("OD4", DIRECTORIES(b, epoch=epoch[b]), forgets(b)),
    ),
    Mutant(
        "P29",
        "F1",
        "a fence puts live replicas that are not in sync into the ISR",
        lambda: but(
            "F1",
            every(p, exists_[p] & b.in_(isr[p]), change(p, _enlarged, electable(p) - just(b))),
            FENCE(b, epoch=epoch[b]),
            *_EXPIRES,
        ),
    ),
    Mutant(
        "P30",
        "OD3",
        "replicas that were never in sync become eligible",
        lambda: KRAFT.redefine(
            "elr3",
            lambda old: when(old.is_(NOBODY), old, old | (members(replicas[p]) - members(isr[p]) - electable(p))),
            why="a mutant",
            rows=("OD3",),
        ),
    ),
    Mutant(
        "P32",
        "F1",
        "a fence elects any active replica, in whatever directory",
        lambda: but("F1", _silent_change(active - just(b)), FENCE(b, epoch=epoch[b]), *_EXPIRES),
    ),
    Mutant(
        "P32",
        "RC5",
        "a reassignment that is cancelled elects any active replica",
        lambda: but(
            "RC5", change(p, old_isr, active, target=old_replicas, target_removing=NOBODY, target_adding=NOBODY)
        ),
    ),
    Mutant(
        "P33",
        "CP6",
        "a partition begins at partition epoch 1",
        lambda: but("CP6", every(p, added & comes_before, _born(1, some(migrating)))),
    ),
    Mutant("P34", "HB2", "an unfenced broker leads nothing", lambda: but("HB2", UNFENCE(b, epoch=epoch[b]), rises(b))),
    Mutant(
        "P35",
        "RC5",
        "a reassignment that is taken back forgets who is eligible",
        lambda: but(
            "RC5",
            change(
                p,
                old_isr,
                electable(p),
                lost=members(replicas[p]) - members(old_isr),
                target=old_replicas,
                target_removing=NOBODY,
                target_adding=NOBODY,
            ),
        ),
    ),
    Mutant(
        "P37", "CP5", "new replicas count as migrating", lambda: but("CP5", every(p, added, _born(0, some(migrating))))
    ),
    Mutant(
        "P38", "UE1", "no partition is rescued", lambda: but("UE1", change(p, isr[p], electable(p), election=_online))
    ),
    Mutant(
        "P39",
        "BA1",
        "balancing keeps any leader",
        lambda: but("BA1", change(p, isr[p], electable(p), election=_online)),
    ),
    Mutant("B1", "R3", "the offset of a registration is one too small", _late),
    Mutant(
        "B2",
        "R2",
        "a new incarnation is unfenced at once",
        lambda: but("R2", retreat(b), registers(b, i, named_dirs, told, fenced=FALSE), no_contact(b)),
    ),
    Mutant(
        "B7",
        "R2",
        "a new incarnation is unfenced at once",
        lambda: but("R2", retreat(b), registers(b, i, named_dirs, told, fenced=FALSE), no_contact(b)),
    ),
    Mutant("B4", "R1", "a broker of another cluster registers", lambda: _without("RG1")),
    Mutant("B4", "R1", "a broker that migrates registers", lambda: _without("RG3")),
    Mutant(
        "B5",
        "R1",
        "a broker has a reserved directory",
        lambda: KRAFT.redefine("directory_reserved", lambda old: old & FALSE, why="a mutant"),
    ),
    Mutant(
        "B8",
        "HB2",
        "a broker that wants to be fenced is unfenced",
        lambda: _when("HB2", _known & down & ~want_down & (off >= registration_offset[b])),
    ),
    Mutant("B9", "HB5", "every heartbeat fences", lambda: _when("HB5", _known & up & ~want_down)),
    Mutant("B10", "F1", "a broker with a session is fenced", lambda: _when("F1", registered[b] & ~fenced[b])),
    Mutant(
        "B12",
        "HB8",
        "a heartbeat under an old epoch counts",
        lambda: KRAFT.redefine("known", lambda old: registered[b], why="a mutant"),
    ),
    Mutant(
        "B13",
        "HB8",
        "a broker is taken to have read the whole log",
        lambda: but("HB8", contact[b].becomes(Contact.RECENT), reported[b].becomes(log_end)),
    ),
    Mutant(
        "B14",
        "HB5",
        "a broker that is fenced counts as active",
        lambda: but("HB5", fence(b), contact[b].becomes(Contact.RECENT), reported[b].becomes(off)),
    ),
    Mutant(
        "B15",
        "HB6",
        "a shutdown is over before its last record is read",
        lambda: but(
            "HB6",
            only_if(~ics[b], IN_CONTROLLED_SHUTDOWN(b, epoch=epoch[b])),
            retreat(b),
            contact[b].becomes(Contact.RECENT),
            reported[b].becomes(-1),
            shutdown_offset[b].becomes(log_end),
            log_end.becomes(log_end + 1),
        ),
    ),
    Mutant("C3", "CF19", "a dry run writes", lambda: _without("CF18")),
    Mutant("C3", "CF10", "what is not valid is written", lambda: _without("CF6")),
    Mutant("C3", "CF19", "what the policy forbids is written", lambda: _without("CF17")),
    Mutant("C3", "CF24", "what is not valid is written", lambda: _without("CF20")),
    Mutant(
        "C4", "CF5", "the value is never written", lambda: but("CF5", TOPIC_MIN_INSYNC(n, value=said(size, if_=FALSE)))
    ),
    Mutant(
        "C5", "CF10", "the value is never written", lambda: but("CF10", TOPIC_UNCLEAN(n, value=said(switch, if_=FALSE)))
    ),
    Mutant(
        "C6", "CF15", "the value is never written", lambda: but("CF15", CLUSTER_MIN_INSYNC(value=said(size, if_=FALSE)))
    ),
    Mutant(
        "C7", "CF19", "the value is never written", lambda: but("CF19", CLUSTER_UNCLEAN(value=said(switch, if_=FALSE)))
    ),
    Mutant("C3", "CF28", "a dry run writes", lambda: _without("CF27")),
    Mutant("C18", "CF28", "the value is deleted", lambda: but("CF28", NODE_UNCLEAN(n, value=said(switch, if_=FALSE)))),
    Mutant("C8", "CF24", "the value is never written", lambda: but("CF24", CONFIG(one, value=said(value, if_=FALSE)))),
    Mutant("C11", "CF5", "the same value again forgets who is eligible", lambda: _when("CF4", dry)),
    Mutant(
        "C12",
        "CF5",
        "another minimum keeps who is eligible",
        lambda: but("CF5", TOPIC_MIN_INSYNC(n, value=said(size, if_=~deletes))),
    ),
    Mutant(
        "C19",
        "CT3",
        "the partition with the number 0 is left out",
        lambda: but("CT3", TOPIC_RECORD(t, name=n), every(p, topic[p].is_(t) & index[p].isnt(0), born(p, t))),
    ),
    Mutant(
        "C19",
        "CP5",
        "a partition that has no other before it is added alone",
        lambda: but("CP5", every(p, added & index[p].is_(2), born(p, t))),
    ),
    Mutant("C15", "CP5", "no partition is added", lambda: _without("CP2")),
    Mutant(
        "C16",
        "RA3",
        "the target comes last",
        lambda: but(
            "RA3",
            change(
                p,
                isr[p],
                electable(p),
                election=_online,
                target=then(ascending(leaving), target),
                target_removing=kept(leaving, nobody(BROKER)),
                target_adding=kept(entering, nobody(BROKER)),
            ),
        ),
    ),
    Mutant(
        "C17",
        "RC5",
        "who was being added stays",
        lambda: but("RC5", change(p, old_isr, electable(p), target_removing=NOBODY, target_adding=NOBODY)),
    ),
    Mutant("C20", "RA3", "the number of replicas is not asked", lambda: _without("RA4")),
    Mutant(
        "B17",
        "HX1",
        "a late heartbeat is no contact",
        lambda: but("HX1", reported[b].becomes(off), soft_fenced[b].becomes(TRUE), shutdown_offset[b].becomes(-1)),
    ),
    Mutant(
        "L26",
        "CU3",
        "the active controller is unregistered by its own hand",
        lambda: _when("CU3", (mv >= 33) & present(controller_incarnation[controller])),
    ),
    Mutant("L18", "FE9", "an upgrade lowers a level", lambda: _without("FE2")),
    Mutant("L19", "FE5", "metadata.version goes back across a gate", lambda: _without("FE4")),
    Mutant("L20", "FE7", "eligible leader replicas at any level", lambda: _without("FE6")),
    Mutant("L21", "FE7", "no minimum is written", lambda: but("FE7", ELR_VERSION(level=to))),
    Mutant(
        "L24",
        "CR1",
        "what a controller can do is not written",
        lambda: but("CR1", REGISTER_CONTROLLER(controller, incarnation=i, migration_ready=FALSE)),
    ),
    *REACHING,
    *SECURITY,
    Mutant(
        "P35u",
        "R2u",
        "an unclean return makes every replica ineligible",
        lambda: KRAFT.redefine("elr3", lambda old: old & NOBODY, why="a mutant", rows=("R2u",)),
    ),
    Mutant("L22n", "NO1", "a NoOp takes no offset", lambda: but("NO1", NO_OP())),
    Mutant("B6s", "R2u", "an unclean return registers whatever the index lists", lambda: _without("RG8")),
    Mutant("B6f", "RG8", "a registration fails where the index is stale", lambda: _when("RG8", haunted)),
)
