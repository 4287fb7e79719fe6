"""The edits that make the tables say what the page (S4) says; `zk_page.py` has their stories and verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import map_effect, rewrite
from fencepost.model.zk.alter import wanted
from fencepost.model.zk.deletion import DELETION
from fencepost.model.zk.operations import LOG_DIRECTORIES, NOBODY
from fencepost.model.zk.partitions import PARTITIONS, in_sync, preferred, replica_list
from fencepost.model.zk.partitions import to as partition_to
from fencepost.model.zk.replicas import REPLICAS, done, others
from fencepost.model.zk.replicas import to as replica_to
from fencepost.model.zk.sessions import living
from fencepost.model.zk.state import *
from fencepost.model.zk.twelve_steps import TWELVE_STEPS, before, begin, twelve_steps
from fencepost.model.zk.znodes import ASSIGNMENT, STATE, cut_off, moved, online, reachable

from .edits import replaced


# -- selectors -----------------------------------------------------------------------------------------------------------
def leaders_write(base: Protocol) -> Protocol:
    """Return the page's reassignment with leaders that write their ISRs to ZooKeeper themselves, as they did then."""
    twelve = twelve_steps(base)
    row = _write_isr(
        "LW1",
        stated[p] & leader[p].is_(b) & b.in_(wanted) & alive[b],
        STATE(
            p,
            leader=leader[p],
            leader_epoch=leader_epoch[p],
            isr=wanted,
            controller_epoch=written_in[p],
            recovering=recovering[p],
            version=version[p] + 1,
        ),
    )
    return twelve.plus(row, table="brokers", why="leaders write their ISRs to ZooKeeper")


_write_isr = event("LeaderWritesIsr", b, p, wanted, environment=True, source="KIP-497", code="Partition.expandIsr")


def told_live_only(base: Protocol) -> Protocol:
    """Return the variant in which the broker that shuts down is not notified that it no longer leads."""
    old, new = members(replica_list) & reachable(c, p), members(replica_list) & online(c, p)
    why = "the broker that shuts down is not notified that it no longer leads"
    return replaced(base, "ZP3d", old, new, why=why)


def preferred_in_isr_only(base: Protocol) -> Protocol:
    """Return the variant in which the preferred replica need not be live."""
    asked, named = preferred.in_(in_sync(c, p)), preferred.in_(isr[p])

    def anywhere(node: Term[Any]) -> Term[Any] | None:
        return named if node is asked else None

    why = "the preferred replica need not be live"
    return base.redefine("nobody_leads", lambda old: rewrite(old, anywhere), why=why)


# -- the ISR -------------------------------------------------------------------------------------------------------------


def tells_leader_only(base: Protocol) -> Protocol:
    """Return the variant in which a smaller ISR is sent to the leader only."""
    why = "a smaller ISR is sent to the leader only"
    return replaced(base, "ZR4", others, others & just(leader[p]), why=why)


def all_online(base: Protocol) -> Protocol:
    """Return the variant in which every replica is sent to Online when a controller starts, dead or not."""
    why = "every replica is sent to Online when a controller starts, dead or not"
    everybody = replaced(base, "ZC0", members(replicas[q]) & living, members(replicas[q]), why=why)
    return everybody.but("ZC6b", effects=(call[c].becomes(Call.OVER_OFFLINE),), why=why)


# -- reassignment ----------------------------------------------------------------------------------------------------------


_started = members(request[p]) <= members(replicas[p])
_goes_back = begin(
    "T1b",
    ~cut_off(c) & ~moved(c) & _started & (members(replicas[p]) - members(request[p])).isnt(NOBODY),
    ASSIGNMENT(p, replicas=drop(replicas[p], members(request[p])), adding=NOBODY, removing=NOBODY),
    requested[p].becomes(FALSE),
)
ENDS = step(
    "ZI6e",
    forall(
        p,
        (requested[p] & ~next_(requested[p])).implies(
            next_(replicas[p]).is_(request[p]) | next_(replicas[p]).is_(before[p])
        ),
    ),
    "A reassignment ends where it was to lead to, or where it came from.",
    "S4:106",
)


def recovers_backwards(base: Protocol) -> Protocol:
    """Return the variant in which a successor that finds OAR + RAR goes back to what is not in RAR."""
    why = "a successor that finds OAR + RAR goes back to what is not in RAR"
    return base.plus(_goes_back, table=TWELVE_STEPS.name, before="T1", why=why)


# -- what the page rules out -----------------------------------------------------------------------------------------------
def online_first(base: Protocol) -> Protocol:
    """Return the variant in which replicas are Online before one of them is made leader."""
    why = "replicas are Online before one of them is made leader"
    replicas_on = every(q, about[c, q], due_replicas[c, q].becomes(members(assigned[c, q])))
    leaders = every(q, about[c, q], due[c, q].becomes(TRUE))
    return (
        base.but("ZC1c", effects=(call[c].becomes(Call.CREATE_ONLINE), replicas_on), why=why)
        .but(
            "ZC1d",
            when=call[c].is_(Call.CREATE_ONLINE),
            effects=(call[c].becomes(Call.CREATE_LEADERS), leaders),
            why=why,
        )
        .but("ZC1e", when=call[c].is_(Call.CREATE_LEADERS), why=why)
    )


# -- the page's own machines -------------------------------------------------------------------------------------------------
_P, _R = PartitionState, ReplicaState
PAGE_PARTITIONS: dict[PartitionState, tuple[PartitionState, ...]] = {
    _P.NEW: (_P.NONEXISTENT,),
    _P.ONLINE: (_P.NEW, _P.ONLINE, _P.OFFLINE),
    _P.OFFLINE: (_P.NEW, _P.ONLINE),
    _P.NONEXISTENT: (_P.OFFLINE,),
}
"""S4:17-33."""
PAGE_REPLICAS: dict[ReplicaState, tuple[ReplicaState, ...]] = {
    _R.NEW: (_R.NONEXISTENT,),
    _R.ONLINE: (_R.NEW, _R.ONLINE, _R.OFFLINE),
    _R.OFFLINE: (_R.NEW, _R.ONLINE),
    _R.NONEXISTENT: (_R.OFFLINE,),
}
"""S4:43-55."""


def _changes(state: Term[Any], to: Term[Any], valid: Mapping[Any, tuple[Any, ...]]) -> Term[bool]:
    return any_of(*(to.is_(new) & any_of(*(state.is_(old) for old in olds)) for new, olds in valid.items()))


def page_states(base: Protocol) -> Protocol:
    """Return the variant with the page's states and changes: replicas have four states, there is no deletion of topics, a
    controller that starts sends every replica to Online, and reassignments are the page's twelve steps."""
    why = "the states and changes are those that the page lists"
    twelve = twelve_steps(all_online(base))
    kept = tuple(one for one in twelve.tables if one.name not in (DELETION.name, LOG_DIRECTORIES.name))
    edited = replace(twelve, tables=kept, properties=())
    for row in ("ZR5", "ZR6", "ZR7", "T9b", "T9c"):
        edited = edited.without(row, why=why)
    gone = (
        erased[c, p].becomes(erased[c, p] | just(r)),
        assigned[c, p].becomes(drop(assigned[c, p], just(r))),
        done,
        replica_state[c, p, r].becomes(_R.NONEXISTENT),
    )
    starts = tuple(map_effect(one, _starts_offline) for one in edited.row("ZC0").effects)
    to_gone = (call[c].becomes(Call.REMOVE_GONE), due_replicas[c, p].becomes(subjects[c]))
    of = {row.id for row in edited.rows}
    partition_rows = tuple(row.id for row in PARTITIONS.rows if row.id in of)
    replica_rows = tuple(row.id for row in REPLICAS.rows if row.id in of)
    return (
        edited.but("ZR8", effects=gone, why=why)
        .but("ZC0", effects=starts, why=why)
        .but("T9a", effects=to_gone, why=why)
        .redefine(
            "legal",
            lambda old: _changes(partition_state[c, p], partition_to, PAGE_PARTITIONS),
            rows=partition_rows,
            why=why,
        )
        .redefine(
            "legal", lambda old: _changes(replica_state[c, p, r], replica_to, PAGE_REPLICAS), rows=replica_rows, why=why
        )
    )


def _starts_offline(term: Term[Any]) -> Term[Any]:
    ineligible, offline = literal(_R.DELETION_INELIGIBLE), literal(_R.OFFLINE)
    return rewrite(term, lambda node: offline if node is ineligible else None)
