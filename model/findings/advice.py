"""Workarounds for findings: for each, a condition on requests under which today's rows keep the claim."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from fencepost.model.kraft.brokers import want_down
from fencepost.model.kraft.cluster import to
from fencepost.model.kraft.configurations import n, same_minimum
from fencepost.model.kraft.directories import failed
from fencepost.model.kraft.reassignment import target
from fencepost.model.kraft.state import *
from fencepost.model.language.vocabulary import *

from .finding import NOBODY
from .reassignments import ENOUGH

_NOTHING: Mapping[str, Term[bool]] = MappingProxyType({})


@dataclass(frozen=True)
class Advice:
    """A workaround for a finding: `says` is the sentence that commands print.

    With `given`, a condition on the requests of each event, the search that breaks the finding's claim finds nothing, and
    the rows `still` fire: what the requests are for goes on. Without, there is nothing to do, or nothing that rows can
    say: `because` has the reason, `shown` the test that shows it, and the search of the repaired rows finds nothing.
    """

    finding: str
    says: str
    given: Mapping[str, Term[bool]] = field(default_factory=lambda: _NOTHING)
    still: tuple[str, ...] = ()
    because: str = ""
    shown: str = ""


_of_topic = exists_[p] & topic[p].is_(t)
_named_topic = exists_[p] & name[topic[p]].is_(some(n))
_index_right = forall(p, _of_topic.implies(forall(x, (elr_index[p, x] >= 1).implies(x.in_(elr[p])))))
_wide = at_least(members(target), min_isr(p))  # type: ignore[arg-type]
_REFERENCE = "tests/reference/kraft/test_known_defects.py::"
_HERE = "tests/findings/test_advice.py::"
_SNAPSHOT = "restart the controllers from a newer snapshot"

ADVICE: tuple[Advice, ...] = (
    Advice(
        "D5",
        "delete a topic only while each of its partitions has a replica in the ISR; after any other deletion, before a log "
        f"directory fails, {_SNAPSHOT}",
        {"DeleteTopic": forall(p, _of_topic.implies(~empty(isr[p])))},
        ("DT2",),
    ),
    Advice(
        "D6",
        "none while the topic is there: set min.insync.replicas only while no replica is eligible outside the ISR, or "
        f"before the topic is deleted {_SNAPSHOT}",
        {"AlterTopicMinInsync": forall(p, _named_topic.implies(elr[p].is_(NOBODY)))},
        ("CF5", "DT2"),
    ),
    Advice(
        "D6c",
        f"before such a topic is deleted {_SNAPSHOT}, whose index lists eligible leader replicas alone",
        {"DeleteTopic": _index_right},
        ("CF5", "DT2"),
    ),
    Advice(
        "D7",
        "unregister a broker only when it is no partition's replica; where it was one, and the partition goes offline, only "
        "an unclean election helps",
        {"UnregisterBroker": forall(p, exists_[p].implies(~b.in_(replicas[p])))},
        ("UR3",),
    ),
    Advice("D8", "none: the cancel is accepted once an old replica is in the ISR", because="the refusal loses nothing"),
    Advice(
        "D9",
        "none: the broker is unfenced once another one leads the partition",
        because="only a cancel with unclean elections allowed leads there",
        shown=f"{_REFERENCE}test_a_last_known_leader_that_is_no_replica_cannot_be_unfenced",
    ),
    Advice(
        "D10",
        "restart controllers only while no broker shuts down",
        {"Failover": forall(x, ~(registered[x] & ics[x] & ~fenced[x]))},
        ("HB6", "FO1"),
    ),
    Advice("D10b", "none", because="a process registers again by itself"),
    Advice(
        "D11",
        "restart the broker, so that its partitions get leaders that may be in sync",
        {"Heartbeat": ics[b].implies(want_down)},
        ("HB2", "HB10"),
    ),
    Advice(
        "D12",
        "stop the broker: its disks have failed, and its replicas still count as online",
        {"OfflineDirectories": (directories[b] - failed).isnt(nobody(DIRECTORY))},
        ("R1",),
    ),
    Advice(
        "D13",
        "run kafka-leader-election --election-type preferred for a partition that stays without a leader",
        because="no row shows a result that is cut",
        shown=f"{_REFERENCE}test_a_fence_of_many_leaderships_is_no_batch",
    ),
    Advice(
        "D14",
        "cancel a reassignment first, then reassign again",
        {"Reassign": removing[p].is_(NOBODY) & adding[p].is_(NOBODY)},
        ("RA3", "RC5"),
    ),
    Advice(
        "D15",
        "reassign no partition to fewer replicas than min.insync.replicas; one that was reassigned so gets no replica back "
        "before it has no eligible leader replica, or records are lost",
        {"Reassign": _wide},
        ("RA3",),
    ),
    Advice("D15b", "as for D15", {"Reassign": _wide}, ("RA3",)),
    Advice(
        "D17",
        "add no partitions to a topic that is being reassigned",
        because="a claim about what a request asks for would be about the event alone",
        shown=f"{_HERE}test_partitions_are_added_when_no_reassignment_is_under_way",
    ),
    Advice(
        "D18",
        "describe the topic after a preferred election: NONE does not say that the preferred replica leads, and a last known "
        "leader that is all that is left is elected uncleanly",
        because="the answer alone is wrong, and no request of an operator keeps the balance from electing",
        shown=f"{_REFERENCE}test_a_preferred_election_may_elect_somebody_else",
    ),
    Advice("D19", "upgrade: from 4.0 on a failover arms the timer", because="the tables of 3.9 tell no timers"),
    Advice("D20", "none: the next controller writes the bootstrap again", because="it heals by itself"),
    Advice(
        "D21",
        "switch eligible leader replicas off only while no replica is eligible; after any other switch, switch them on only "
        "when every partition has all its replicas in the ISR",
        {"UpdateFeature": to.is_(0).implies(forall(p, elr[p].is_(NOBODY)))},
        ("FE8",),
    ),
    Advice("D22", "none", because="it lasts until the next heartbeat"),
    Advice(
        "D23",
        "none; upgrade from 4.0, where a broker that restarts at a failover waits for a session (KAFKA-19130)",
        because="nothing changes but for the record",
    ),
    Advice(
        "D24",
        "do not set the cluster's min.insync.replicas again to the value that it has",
        {"AlterClusterMinInsync": ~same_minimum},
        ("CF15",),
    ),
    Advice(
        "D25",
        "none: no acknowledged record is lost; give partition 0 as many replicas as the others have",
        {"Reassign": at_least(members(target), replication[topic[p]])},
        ("RA3",),
    ),
    Advice(
        "D26",
        "none, if the leader is alive: its next proposal puts it back into the ISR",
        because="a broker assigns by itself",
    ),
    Advice(
        "D27",
        "set the value again without the space",
        because="numbers of the tables have no spelling",
        shown=f"{_REFERENCE}test_a_number_with_white_space_fails_every_change_of_its_partitions",
    ),
    Advice(
        "D28",
        "set the configuration of a topic again after it was deleted and created under the same name",
        because="the tables have the controller's view, not that of one node",
        shown="tests/reference/kraft/test_simulation.py::test_an_inherited_configuration_loses_acknowledged_records",
    ),
    Advice("D29", "none is known", because="a candidate, from reading"),
    Advice(
        "D30",
        "count the partitions before asking for more of them again",
        because="the rows have it as the answer of another request",
        shown=f"{_REFERENCE}test_a_refused_request_adds_partitions",
    ),
    Advice(
        "D31",
        "set unclean.leader.election.enable for topics or the cluster, and for no single node",
        {"AlterNodeUnclean": FALSE},
        ("FO1",),
    ),
    Advice(
        "D32",
        "after a token was removed look whether it is gone, and remove it again if not",
        because="the tables have the log, not a manager's image that is behind it",
        shown="tests/kafka/test_tokens.py::test_a_removed_token_is_removed_again_and_comes_back",
    ),
    Advice(
        "D33",
        "set min.insync.replicas only while every partition concerned has so many replicas in its ISR; fencepost health "
        "lists the others",
        {
            "AlterTopicMinInsync": forall(p, _named_topic.implies(ENOUGH)),
            "AlterClusterMinInsync": forall(p, exists_[p].implies(ENOUGH)),
        },
        ("CF5",),
    ),
    Advice(
        "D34",
        "restart the broker: it leads partitions in a directory that it no longer has, which fencepost health lists",
        because="a broker beats by itself, and unfencing it is what the heartbeat is for",
        shown=f"{_HERE}test_a_broker_that_stops_gives_up_what_it_leads_in_a_failed_directory",
    ),
    Advice(
        "K7",
        "register that controller once with the new software, or unregister it",
        because="it is about a node's software",
        shown="tests/findings/test_dead_controller.py::test_the_reference_neither_upgrades_nor_removes",
    ),
)
"""One for each page of `spec/findings`, and for each second claim of one (`D10b`, `D15b`)."""

ACTIONS: Mapping[str, str] = {one.finding: one.says for one in ADVICE}
"""The sentence of each workaround, by the finding's id."""
