"""Decisions of the controller, each under the next partition epoch: elections, the ISR, the ELR, registrations."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .state import *
from .state import elected_in

REPLICATION_CONTROL, CLUSTER_CONTROL = "ReplicationControlManager, PartitionChangeBuilder", "ClusterControlManager"


def under_the_next(
    to: Term[Broker | None],
    under: Term[int],
    new_isr: Term[frozenset[Broker]],
    new_elr: Term[frozenset[Broker]],
    until: Term[int],
    is_enough: Term[bool],
    *further: Assign,
) -> tuple[Assign, ...]:
    """What a partition change says under the next partition epoch, which is the newest up to a configuration."""
    new = partition_epoch + 1
    return (
        partition_epoch.becomes(new),
        leader_at[new].becomes(to),
        epoch_at[new].becomes(under),
        isr_at[new].becomes(new_isr),
        elr_at[new].becomes(new_elr),
        *further,
        first_config[new].becomes(config),
        last_config[new].becomes(until),
        was_enough[new].becomes(is_enough),
    )


_to, _under = maybe(BROKER).var("to"), EPOCH.var("under")
_isr, _elr = BROKERS.var("new_isr"), BROKERS.var("new_elr")
_unclean = EPOCH.var("unclean")


@procedure(_to, _under, _isr, _elr, _unclean)
def change(
    to: Term[Broker | None],
    under: Term[int],
    new_isr: Term[frozenset[Broker]],
    new_elr: Term[frozenset[Broker]],
    unclean: Term[int],
) -> object:
    """The controller writes a partition change, under the next partition epoch: leader, leader epoch, ISR, ELR.

    `unclean` is the newest leader epoch that began with an unclean election.
    """
    is_enough = at_least(new_isr, min_isr)
    return *under_the_next(to, under, new_isr, new_elr, config, is_enough), unclean_at[under].becomes(unclean)


def decide(
    to: Term[Broker | None], under: Term[int], new_isr: Term[frozenset[Broker]], new_elr: Term[frozenset[Broker]]
) -> Applied:
    """A partition change that is no unclean election."""
    return change(to, under, new_isr, new_elr, unclean_at[epoch])


@definition
def eligible(new_isr: Term[frozenset[Broker]], lost: Term[frozenset[Broker]] = NOBODY) -> Term[frozenset[Broker]]:
    """The ELR beside a new ISR: below min.insync.replicas all who were in the ISR or the ELR and have lost nothing."""
    return when(at_least(new_isr, min_isr), NOBODY, (elr | isr) - new_isr - lost)


def elects(
    g: Term[Broker], new_isr: Term[frozenset[Broker]], new_elr: Term[frozenset[Broker]]
) -> tuple[Applied, Every]:
    """Another broker is elected, under the next leader epoch."""
    noted = every(k, k >= unclean_at[epoch], elected_in[g, k].becomes(epoch + 1))
    return decide(some(g), epoch + 1, new_isr, new_elr), noted


def elects_uncleanly(g: Term[Broker]) -> Applied:
    """A broker that may lack records is elected: it is all of the ISR, and the change is marked (RECOVERING)."""
    return change(some(g), epoch + 1, just(g), NOBODY, epoch + 1)


@procedure(c)
def clears(c: Term[int]) -> object:
    """The controller writes ClearElr with a configuration: the ELR is empty afterwards; that takes a partition epoch."""
    is_enough = at_least(isr, min_isr) | at_least(isr, min_isr_in[c])
    return under_the_next(leader, epoch, isr, NOBODY, c, is_enough)


_read = EPOCH.var("read")


@procedure(b, _read)
def registers(b: Term[Broker], read: Term[int]) -> object:
    """A broker that has lost records is back under a new broker epoch, and has read the metadata up to a leader epoch."""
    return (
        broker_epoch[b].becomes(broker_epoch[b] + 1),
        crashed[b].becomes(FALSE),
        known_epoch[b].becomes(read),
        truncated[b].becomes(FALSE),
    )


members_ = BROKERS.var("members")
read, queued = EPOCH.var("read"), BOOL.var("queued")
registered_under = when(leader.is_(b), epoch + 1, epoch)
"""The leader epoch of the result that registers a broker: the next one if it led."""
_within = read <= registered_under

create = event("Create", g, members_, environment=True, source="KIP-966", code=REPLICATION_CONTROL)
fence = event("Fence", b, environment=True, source="KIP-841", code=REPLICATION_CONTROL)
elect = event("Elect", g, environment=True, source="KIP-966", code=REPLICATION_CONTROL)
depose = event("FenceLeader", g, environment=True, source="KIP-966", code=REPLICATION_CONTROL)
register = event("RegisterUncleanly", b, read, given=_within, environment=True, source="KIP-966", code=CLUSTER_CONTROL)
replace = event(
    "RegisterUncleanlyAsLeader", b, g, read, given=_within, environment=True, source="KIP-966", code=CLUSTER_CONTROL
)
recover = event("ElectUncleanly", g, environment=True, source="KIP-704, KIP-966", code=REPLICATION_CONTROL)
replace_uncleanly = event(
    "RegisterUncleanlyElectsUncleanly",
    b,
    g,
    read,
    given=read <= epoch + 1,
    environment=True,
    source="KIP-704, KIP-966",
    code=CLUSTER_CONTROL,
)
alter = event("AlterPartition", e, environment=True, source="KIP-497, KIP-903", code=REPLICATION_CONTROL)
succeed = event("AlterPartitionElects", e, g, environment=True, source="KIP-497, KIP-903", code=REPLICATION_CONTROL)
configure = event("SetMinIsr", c, environment=True, source="KIP-966", code="ConfigurationControlManager")
clear = event("ClearElr", c, environment=True, source="KIP-966", code="ConfigurationControlManager")
refuse = event("RefuseProposal", e, queued, environment=True, source="KIP-497, KIP-903", code=REPLICATION_CONTROL)

ASSUMED = (
    assume(
        "DA1", ~queued, "No copy of a refused AlterPartition is processed later.", "KIP-497", event="RefuseProposal"
    ),
    *(
        assume(id, read >= registered_under, about, "KIP-631", event=name)
        for id, about, name in (
            (
                "DA3",
                "A broker that lost records has read its registration before it follows or leads.",
                "RegisterUncleanly",
            ),
            ("DA3l", "So has one that was the leader when it registered.", "RegisterUncleanlyAsLeader"),
        )
    ),
    assume(
        "DA3u",
        read >= epoch + 1,
        "So has one in whose place another is elected uncleanly.",
        "KIP-631",
        event="RegisterUncleanlyElectsUncleanly",
    ),
)

_another = (partition_epoch > 0) & c.is_(config + 1)
_uncleanly = (partition_epoch > 0) & ~g.in_(isr) & ~g.in_(elr)
others = isr - just(leader)
without = isr - just(b)
in_flight = let("in_flight", alter_sent[e] & e.is_(epoch) & proposed_under[e].is_(partition_epoch), e)
"""The proposal of the newest leader, under the newest partition epoch."""
none_restarted = let(
    "none_restarted",
    forall(x, x.in_(proposed_isr[e]).implies(x.in_(isr) | proposed_broker_epoch[e, x].is_(broker_epoch[x]))),
    e,
)
"""Every new member has the broker epoch under which it fetched."""

CONTROLLER = table(
    "controller",
    create("DC1", partition_epoch.is_(0) & g.in_(members_), elects(g, members_, NOBODY)),
    fence("DC2", b.in_(isr) & leader.isnt(b), decide(leader, epoch, without, eligible(without))),
    fence("DC3", leader.is_(b), decide(NO_ONE, epoch + 1, without, eligible(without))),
    elect("DC4", g.in_(isr) & leader.isnt(g), elects(g, isr, elr)),
    depose("DC5", g.in_(isr) & leader.isnt(g), elects(g, others, eligible(others))),
    elect("DC6", absent(leader) & isr.is_(NOBODY) & g.in_(elr), elects(g, just(g), elr - just(g))),
    register("DC7", crashed[b] & ~b.in_(isr) & ~b.in_(elr), registers(b, read)),
    register("DC8", crashed[b] & b.in_(elr), registers(b, read), decide(leader, epoch, isr, elr - just(b))),
    register(
        "DC9",
        crashed[b] & b.in_(isr) & leader.isnt(b),
        registers(b, read),
        decide(leader, epoch, without, eligible(without, just(b))),
    ),
    register(
        "DC10",
        crashed[b] & leader.is_(b),
        registers(b, read),
        decide(NO_ONE, epoch + 1, without, eligible(without, just(b))),
    ),
    replace(
        "DC11",
        crashed[b] & leader.is_(b) & g.in_(isr) & b.isnt(g),
        registers(b, read),
        elects(g, without, eligible(without, just(b))),
    ),
    alter("DC12", in_flight & none_restarted, decide(leader, epoch, proposed_isr[e], eligible(proposed_isr[e]))),
    refuse("DC13", in_flight, alter_sent[e].becomes(queued), alter_refused[e].becomes(TRUE)),
    depose("DC14", leader.isnt(g) & isr.is_(just(leader)) & g.in_(elr), elects(g, just(g), (elr | isr) - just(g))),
    replace(
        "DC15",
        crashed[b] & leader.is_(b) & isr.is_(just(b)) & g.in_(elr),
        registers(b, read),
        elects(g, just(g), elr - just(g) - just(b)),
    ),
    succeed(
        "DC16",
        in_flight & none_restarted & g.in_(proposed_isr[e]) & leader.isnt(g),
        elects(g, proposed_isr[e], eligible(proposed_isr[e])),
    ),
    configure(
        "DC17",
        _another & elr.is_(NOBODY),
        config.becomes(c),
        last_config[partition_epoch].becomes(c),
        was_enough[partition_epoch].becomes(was_enough[partition_epoch] | at_least(isr, min_isr_in[c])),
    ),
    clear("DC18", _another, config.becomes(c), clears(c)),
    recover("DC19", _uncleanly, elects_uncleanly(g)),
    replace_uncleanly(
        "DC20",
        crashed[b] & (leader.is_(b) | absent(leader) & (b.in_(isr) | b.in_(elr))) & b.isnt(g) & _uncleanly,
        registers(b, read),
        elects_uncleanly(g),
    ),
    about="Whom the controller fences, whom it elects of those who may lead, which proposal it refuses, and when, is left open.",
    why={
        "DC3": "The leader is fenced, and no other broker could be elected: the partition has no leader.",
        "DC4": "Another member of the ISR is elected, as in a preferred election; the old leader stays in the ISR.",
        "DC5": "The leader is fenced and another member of the ISR is elected.",
        "DC6": "The ISR is empty: one of the ELR leads, and is its only member.",
        "DC8": "A broker that lost records is not eligible any more.",
        "DC10": "The leader has lost records, and no other broker could be elected.",
        "DC12": "A member that restarted since it fetched does not come in (KIP-903). The request may have been delayed, and may be repeated.",
        "DC13": "A proposed member is fenced, or has restarted: INELIGIBLE_REPLICA.",
        "DC14": "The leader was alone in the ISR and is fenced: one of the ELR leads at once, and the old leader stays eligible.",
        "DC15": "The leader was alone in the ISR and has lost records: one of the ELR leads at once.",
        "DC16": "The proposal is accepted, but its leader is shutting down: a proposed member is elected (NEW_LEADER_ELECTED).",
        "DC17": "Where the ELR is empty, the partition does not change.",
        "DC18": "Another minimum, or the same again: the ELR is cleared (ClearElr in the same result).",
        "DC19": "Unclean election is enabled or requested, or the last known leader comes back: any broker may be elected.",
        "DC20": "The last broker that could be elected has lost records, and another is elected uncleanly at once.",
    },
)
