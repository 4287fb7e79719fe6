"""Part 1 of KIP-46: how the controller finds out that a broker has failed (S1:21-33), and what processes do meanwhile."""

from __future__ import annotations

from typing import Any

from fencepost.model.language.vocabulary import *

from .state import *

to = TIME.var("to")
clock = let("clock", now)
"""The time of the controller's own clock."""

OFF = let("off", interval.is_(-1))


@definition
def without(p: Term[Partition], gone: Term[frozenset[Broker]]) -> Term[frozenset[Broker]]:
    """The ISR without these brokers; an ISR that would be empty is unchanged."""
    return when(empty(isr[p] - gone), isr[p], isr[p] - gone)


@procedure(b)
def forget_healing(b: Term[Broker]) -> list[Any]:
    """Drop the pending healing of the broker."""
    return [
        healing[b].becomes(FALSE),
        listed[b].becomes(nobody(PARTITION)),
        placed[b].becomes(nobody(PARTITION)),
        every(q, TRUE, plan[b, q].becomes(nobody(BROKER))),
    ]


@procedure(b)
def takes_offline(b: Term[Broker]) -> list[Any]:
    """The broker is live no more for the controller, and leaves every ISR that has another member."""
    return [
        live[b].becomes(FALSE),
        every(q, b.in_(isr[q]), isr[q].becomes(without(q, just(b)))),
        every(q, b.in_(replicas[q]), settled[q].becomes(FALSE)),
    ]


pass_time = event("TimePasses", to, environment=True, source="S1:31")
fail = event("BrokerFails", b, environment=True, source="S1:63")
come = event("BrokerReturns", b, environment=True, source="S1:66")
catch_up = event("CatchUp", p, b, environment=True, source="S1:72")
PROCESSES = table(
    "brokers and the clock",
    pass_time("TM1", to > now, now.becomes(to)),
    fail("BP1",  alive[b] & controller,  alive[b].becomes(FALSE)),
    fail("SH11", alive[b] & ~controller, alive[b].becomes(FALSE), source="S1:29,87"),
    come("BP2", ~alive[b], alive[b].becomes(TRUE), only_if(missed(b), back[b].becomes(TRUE))),
    catch_up(
        "RP1", b.in_(replicas[p]) & alive[b] & ~b.in_(isr[p]) & exists(x, x.in_(isr[p]) & alive[x]),
        isr[p].becomes(isr[p] | just(b)), only_if(being_moved(p), caught[p].becomes(caught[p] | just(b))),
    ),
    about="Failures, and the replicas that fetch: nothing here is the controller's.",
    why={
        "SH11": "While there is no controller no process receives the callback, so no entry is written.",
        "RP1": "A replica catches up with a live member of the ISR; that it once did is what a task waits for.",
    },
)  # fmt: skip

missing = event("OnBrokerFailure", b, given=controller & live[b] & ~alive[b], source="S1:29-31,63")
returned = event("OnBrokerStartup", b, given=controller & ~live[b] & alive[b], source="S1:31,66")
DISCOVERY = table(
    "discovery of failed brokers",
    missing("SH1", ~OFF & ~missed(b), takes_offline(b),
            failed[b].becomes(clock), timer[b].becomes(clock + interval),
            gone_since[b].becomes(now), back[b].becomes(FALSE)),
    missing("SH1k", ~OFF & missed(b), takes_offline(b), source="S1:29,33"),
    missing("SH10", OFF, takes_offline(b), source="S1:112"),
    returned("SH2", missed(b), live[b].becomes(TRUE), failed[b].becomes(-1), timer[b].becomes(-1), forget_healing(b),
             source="S1:31,66,82"),
    returned("SH7", ~missed(b), live[b].becomes(TRUE), source="S1:76"),
    total=True,
    about="Callbacks of the controller: a broker that it took for live is gone, or one that was gone is there.",
    why={
        "SH1k": "SH1' of the text: the first time is kept. Only a failover makes this possible, since the entry of a broker "
                "that came back meanwhile is not deleted.",
        "SH7": "Nothing is cancelled here: what is queued is looked at when its turn comes, what runs goes on.",
    },
)  # fmt: skip

stop = event("ControllerFails", environment=True, source="S1:87")
take_over = event("ControllerFailover", environment=True, source="S1:33,87")
dead = those(x, ~alive[x])
FAILOVER = table(
    "controller failover",
    stop(
        "CP1", controller,
        controller.becomes(FALSE), every(b, TRUE, live[b].becomes(FALSE), timer[b].becomes(-1), forget_healing(b)),
        every(q, TRUE, caught[q].becomes(nobody(BROKER))),
    ),
    take_over(
        "SH8", ~controller,
        controller.becomes(TRUE), controller_epoch.becomes(controller_epoch + 1),
        every(b, TRUE, live[b].becomes(alive[b]), timer[b].becomes(when(missed(b), failed[b] + interval, timer[b]))),
        every(
            q, TRUE, isr[q].becomes(without(q, dead)), only_if(being_moved(q), caught[q].becomes(without(q, dead))),
            only_if(~all_of(replicas[q] <= those(x, alive[x])), settled[q].becomes(FALSE)),
        ),
    ),
    about="A new controller has what ZooKeeper holds: entries with the time of the first failure, and tasks.",
    why={
        "SH8": "Literally: entries and tasks are read, and the live brokers are not compared with them (SH11).",
    },
)  # fmt: skip
