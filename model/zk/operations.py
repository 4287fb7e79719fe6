"""Operations of the controller as sequences of calls (S4:57-124): each row ends one call and begins the next."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .outcomes import Error
from .state import *
from .znodes import inform, nothing_assigned, online

NEW, OFFLINE = PartitionState.NEW, PartitionState.OFFLINE
NOBODY = nobody(BROKER)


@definition
def pausing(c: Term[Controller]) -> Term[bool]:
    """No operation is under way."""
    return acting[c] & call[c].is_(Call.IDLE)


@definition
def ready(c: Term[Controller]) -> Term[bool]:
    """The event thread waits for an event: no operation is under way, and no bounced broker is still to be started up."""
    return acting[c] & call[c].is_(Call.IDLE) & empty(returning[c])


@definition
def called_all(c: Term[Controller]) -> Term[bool]:
    """The call has come to everything that it was about."""
    return acting[c] & forall(q, ~due[c, q] & empty(due_replicas[c, q]))


@definition
def leaderless(c: Term[Controller], p: Term[Partition]) -> Term[bool]:
    """The partition waits for a leader, and is not about to be deleted."""
    state = partition_state[c, p]
    return (state.is_(NEW) | state.is_(OFFLINE)) & ~deleting[c, topic[p]]


@definition
def fresh(c: Term[Controller], p: Term[Partition]) -> Term[bool]:
    """The partition is in ZooKeeper, the controller has not heard of it, and its topic is not to be deleted (KAFKA-6612)."""
    return (
        exists_[p]
        & ~deleting[c, topic[p]]
        & empty(assigned[c, p])
        & partition_state[c, p].is_(PartitionState.NONEXISTENT)
    )


@definition
def leaderless_by(c: Term[Controller], p: Term[Partition], brokers: Term[frozenset[Broker]]) -> Term[bool]:
    """Without these brokers the partition has no leader that is online, and is not about to be deleted."""
    return knows[c, p] & ~deleting[c, topic[p]] & ~cached_leader[c, p].in_(online(c, p) - brokers)


@definition
def led_as_preferred(c: Term[Controller], p: Term[Partition]) -> Term[bool]:
    """The first of the replicas leads already."""
    return cached_leader[c, p].is_(first(assigned[c, p], members(assigned[c, p])))


@definition
def failed_replicas(c: Term[Controller], p: Term[Partition]) -> Term[frozenset[Broker]]:
    """The replicas on the brokers that failed: those assigned to them, and those in a failed directory, assigned or not."""
    return (members(assigned[c, p]) | lost[c, p]) & subjects[c]


_c = CONTROLLER.var("c")
_brokers = set_of(BROKER).var("brokers")


@procedure(_c)
def elect_leaderless(c: Term[Controller]) -> Effects:
    """The call is about every partition that waits for a leader."""
    return every(q, leaderless(c, q), due[c, q].becomes(TRUE))


@procedure(_c, _brokers)
def replicas_on(c: Term[Controller], brokers: Term[frozenset[Broker]]) -> Effects:
    """The call is about the replicas on these brokers."""
    return every(q, TRUE, due_replicas[c, q].becomes(members(assigned[c, q]) & brokers))


@procedure(_c)
def finish(c: Term[Controller]) -> Effects:
    """The operation is over."""
    return (
        call[c].becomes(Call.IDLE),
        subjects[c].becomes(NOBODY),
        aim[c].becomes(nothing_assigned),
        every(q, TRUE, about[c, q].becomes(FALSE)),
    )


@procedure(_c, _brokers)
def fail(c: Term[Controller], brokers: Term[frozenset[Broker]]) -> Effects:
    """The failure of brokers begins: what they lead goes Offline."""
    return (
        live[c].becomes(live[c] - brokers),
        shutting_down[c].becomes(shutting_down[c] - brokers),
        subjects[c].becomes(brokers),
        call[c].becomes(Call.FAIL_OFFLINE),
        every(
            q,
            TRUE,
            lost[c, q].becomes(lost[c, q] - brokers),
            about[c, q].becomes(TRUE),
            due[c, q].becomes(leaderless_by(c, q, brokers)),
        ),
    )


# -- topics ------------------------------------------------------------------------------------------------------------
target = BROKERS.var("target")
create = event("CreateTopic", p, target, environment=True, source="S4:59-60")
topic_change = event("TopicChange", c, environment=True, source="S4:59-60", code="KafkaController.processTopicChange")
step_on = event("NextCall", c, given=called_all(c), environment=True, source="S4:57-124")
CREATION = table(
    "onNewPartitionCreation",
    create("CT1", ~exists_[p] & ~gone[p] & ~empty(target), exists_[p].becomes(TRUE), replicas[p].becomes(target)),
    topic_change(
        "ZC1a",
        ready(c) & session[c] & exists(q, fresh(c, q)),
        every(q, fresh(c, q), assigned[c, q].becomes(replicas[q]), about[c, q].becomes(TRUE), due[c, q].becomes(TRUE)),
        call[c].becomes(Call.CREATE_PARTITIONS),                                                            source="S4:65",
    ),
    step_on("ZC1b", call[c].is_(Call.CREATE_PARTITIONS), call[c].becomes(Call.CREATE_REPLICAS),
            every(q, about[c, q], due_replicas[c, q].becomes(members(assigned[c, q]))),                     source="S4:66"),
    step_on("ZC1c", call[c].is_(Call.CREATE_REPLICAS), call[c].becomes(Call.CREATE_LEADERS),
            every(q, about[c, q], due[c, q].becomes(TRUE)),                                                 source="S4:67"),
    step_on("ZC1d", call[c].is_(Call.CREATE_LEADERS), call[c].becomes(Call.CREATE_ONLINE),
            every(q, about[c, q], due_replicas[c, q].becomes(members(assigned[c, q]))),                     source="S4:68"),
    step_on("ZC1e", call[c].is_(Call.CREATE_ONLINE), finish(c)),
    about="New partitions: partitions to New, replicas to New, partitions to Online, replicas to Online.",
    why={"ZC1c": "The leader is elected before its replica is Online (ZI16)."},
)  # fmt: skip

# -- brokers come and go -------------------------------------------------------------------------------------------------
appeared = let("appeared", those(x, alive[x] & ~x.in_(live[c])))
bounced = let("bounced", those(x, alive[x] & x.in_(live[c]) & (broker_epoch[x] > known_epoch[c, x])))
dead = let("dead", those(x, ~alive[x] & x.in_(live[c])))
broker_change = event(
    "BrokerChange",
    c,
    given=ready(c) & session[c],
    environment=True,
    source="S4:71-81",
    code="KafkaController.processBrokerChange",
)
hit = set_of(PARTITION).var("partitions")
reporters = set_of(BROKER).var("brokers")
listing = event(
    "LogDirEvent", c, reporters, environment=True, source="KIP-112", code="KafkaController.onBrokerLogDirFailure"
)
offline = event(
    "ReplicasOffline", c, b, hit, environment=True, source="KIP-112", code="KafkaController.onReplicasBecomeOffline"
)
bounced_startup = event(
    "BouncedStartup", c, given=pausing(c) & ~empty(returning[c]), environment=True, source="KIP-380", code="KafkaController.processBrokerChange"
)  # fmt: skip
BROKER_CHANGES = table(
    "onBrokerFailure, onBrokerStartup",
    broker_change(
        "ZC4n", ~empty(appeared),
        live[c].becomes(live[c] | appeared), every(x, x.in_(appeared), known_epoch[c, x].becomes(broker_epoch[x])),
        subjects[c].becomes(appeared), call[c].becomes(Call.START_REPLICAS), replicas_on(c, appeared),
        informed[c].becomes(live[c] | appeared),                                                            source="S4:77-79",
    ),
    broker_change("ZC4b", ~empty(bounced), returning[c].becomes(bounced), fail(c, bounced),                 source="KIP-380"),
    broker_change("ZC4d", ~empty(dead), fail(c, dead),                                                      source="S4:71-72"),
    step_on("ZC2b", call[c].is_(Call.FAIL_OFFLINE), call[c].becomes(Call.FAIL_ELECT), elect_leaderless(c),  source="S4:73"),
    step_on("ZC2c", call[c].is_(Call.FAIL_ELECT), call[c].becomes(Call.FAIL_REPLICAS),
            every(q, about[c, q] & ~deleting[c, topic[q]], due_replicas[c, q].becomes(failed_replicas(c, q))),      source="S4:74"),
    step_on("ZC2d", call[c].is_(Call.FAIL_REPLICAS), call[c].becomes(Call.FAIL_DELETION),
            every(q, about[c, q] & deleting[c, topic[q]], due_replicas[c, q].becomes(failed_replicas(c, q))),       source="code"),
    step_on("ZC2e", call[c].is_(Call.FAIL_DELETION), finish(c), inform(c),            source="KAFKA-13225"),
    bounced_startup(
        "ZC2r", TRUE,
        live[c].becomes(live[c] | returning[c]), every(x, x.in_(returning[c]), known_epoch[c, x].becomes(broker_epoch[x])),
        subjects[c].becomes(returning[c]), returning[c].becomes(NOBODY), call[c].becomes(Call.START_REPLICAS),
        replicas_on(c, returning[c]), informed[c].becomes(live[c] | returning[c]),                          source="KIP-380",
    ),
    step_on("ZC3b", call[c].is_(Call.START_REPLICAS), call[c].becomes(Call.START_ELECT), elect_leaderless(c), source="S4:79-80"),
    step_on("ZC3c", call[c].is_(Call.START_ELECT), finish(c),
            every(q, ~empty((cached_adding[c, q] | members(assigned[c, q])) & subjects[c]), resumed[c, q].becomes(FALSE)),
            source="S4:81"),
    mode="first match",
    about="Brokers that appeared are started up, then those that bounced fail and are started up, then those that died fail.",
    why={
        "ZC4b": "The same id under a larger epoch: its requests may have been lost with the old process.",
        "ZC2e": "Even where no partition changed the others must hear of the death.",
        "ZC3c": "Reassignments to the brokers that came are taken up again.",
    },
)  # fmt: skip

LOG_DIRECTORIES = table(
    "onBrokerLogDirFailure",
    listing("ZC2l", ready(c) & ~empty(reporters), call[c].becomes(Call.LISTED), replicas_on(c, reporters)),
    step_on("ZC2m", call[c].is_(Call.LISTED), finish(c)),
    offline(
        "ZC2o", ready(c) & b.in_(live[c]), subjects[c].becomes(just(b)), call[c].becomes(Call.FAIL_OFFLINE),
        every(q, q.in_(hit), about[c, q].becomes(TRUE), lost[c, q].becomes(lost[c, q] | just(b))),
        every(q, leaderless_by(c, q, when(q.in_(hit), just(b), NOBODY)), due[c, q].becomes(TRUE)),
    ),
    mode="first match",
    about="Every replica of the brokers is notified again; those whose directory is lost answer so, and go Offline as if their broker had died.",
    why={"ZC2o": "The replicas that the broker names are meant even where they are assigned no more."},
)  # fmt: skip

# -- failover ------------------------------------------------------------------------------------------------------------
FAILOVER = table(
    "onControllerFailover",
    step_on("ZC6b", call[c].is_(Call.OVER_ONLINE), call[c].becomes(Call.OVER_OFFLINE),
            every(q, TRUE, due_replicas[c, q].becomes(members(assigned[c, q]) - live[c])),                  source="S4:110"),
    step_on("ZC6c", call[c].is_(Call.OVER_OFFLINE), call[c].becomes(Call.OVER_ELECT), elect_leaderless(c),  source="S4:111,113"),
    step_on("ZC6d", call[c].is_(Call.OVER_ELECT), finish(c),                                                source="S4:114-115"),
    about="Replicas on live brokers go Online, so that all are notified; the others Offline, so that ISRs are cleaned; then elections.",
    why={"ZC6b": "The page sends every replica to Online (KAFKA-3143)."},
)  # fmt: skip

# -- elections and shutdown ------------------------------------------------------------------------------------------------
those_asked = set_of(PARTITION).var("partitions")
elect_preferred = event(
    "ElectLeaders", c, those_asked, environment=True, source="S4:118-119", code="KafkaController.onReplicaElection"
)
asked_epoch = CZXID.var("asked_epoch")
shut_down = event(
    "ControlledShutdown",
    c,
    b,
    asked_epoch,
    environment=True,
    source="S4:121-124",
    code="KafkaController.doControlledShutdown",
)
unclean_too = event(
    "ElectLeadersUnclean", c, those_asked, environment=True, source="KIP-460", code="KafkaController.onReplicaElection"
)
replicated = let("replicated", exists(x, x.in_(assigned[c, q]) & x.isnt(b)))
ELECTIONS = table(
    "elections and controlled shutdown",
    elect_preferred("ZC7a", ready(c), call[c].becomes(Call.ELECT),
                    every(q, q.in_(those_asked) & knows[c, q] & ~deleting[c, topic[q]] & ~led_as_preferred(c, q), due[c, q].becomes(TRUE))),
    unclean_too("ZC7u", ready(c), call[c].becomes(Call.ELECT_UNCLEAN),
                every(q, q.in_(those_asked) & knows[c, q] & ~deleting[c, topic[q]] & ~cached_leader[c, q].in_(live[c] - shutting_down[c]), due[c, q].becomes(TRUE))),
    step_on("ZC7b", call[c].is_(Call.ELECT) | call[c].is_(Call.ELECT_UNCLEAN), finish(c)),
    shut_down("ZC8n", ~acting[c],                                                       say=Error.STALE_CONTROLLER_EPOCH),
    shut_down("ZC8e", call[c].is_(Call.IDLE) & b.in_(live[c] | shutting_down[c]) & (asked_epoch < known_epoch[c, b]), say=Error.STALE_BROKER_EPOCH),
    shut_down("ZC8u", call[c].is_(Call.IDLE) & ~b.in_(live[c]),                         say=Error.UNKNOWN_SERVER_ERROR),
    shut_down("ZC8a", ready(c),
              shutting_down[c].becomes(shutting_down[c] | just(b)), subjects[c].becomes(just(b)),
              call[c].becomes(Call.SHUTDOWN_LEADERS),
              every(q, replicated & knows[c, q] & ~deleting[c, topic[q]] & cached_leader[c, q].is_(b), due[c, q].becomes(TRUE)),
              every(q, replicated & knows[c, q] & ~deleting[c, topic[q]] & b.in_(assigned[c, q]) & cached_leader[c, q].isnt(b), about[c, q].becomes(TRUE)),
              say=Error.NONE, source="S4:121-122"),
    step_on("ZC8b", call[c].is_(Call.SHUTDOWN_LEADERS), call[c].becomes(Call.SHUTDOWN_FOLLOWERS),
            every(q, about[c, q], due_replicas[c, q].becomes(members(assigned[c, q]) & subjects[c])), source="S4:123-124"),
    step_on("ZC8c", call[c].is_(Call.SHUTDOWN_FOLLOWERS), finish(c)),
    mode="first match",
    about="Partitions that only the broker has keep their leader; the page has no rule for them.",
    why={
        "ZC7a": "Whose preferred replica leads needs no election, and keeps its leader epoch.",
        "ZC8n": "Kafka's answer of a node that is not the controller, here; NOT_CONTROLLER elsewhere.",
        "ZC8u": "The epoch of a broker that is not known is looked up first, and that fails: BROKER_NOT_AVAILABLE is for requests without one.",
    },
)  # fmt: skip
