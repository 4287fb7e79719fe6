"""Lemmas: what only induction needs. They hold between rows and claim nothing that `properties` does not."""

from __future__ import annotations

from fencepost.model.language import Always, Term, any_of, definition, forall, lemma, when

from .state import *


@definition
def known_until(x: Term[Broker], end: Term[int]) -> Term[bool]:
    """The controller takes a lease of the broker for no shorter than this, and so will one that takes over."""
    return registered[x] & when(active, end <= lease_end[x], end <= now + longest_lease)


@definition
def registers(x: Term[Broker]) -> Term[bool]:
    """The process runs, and has not heard of its epoch."""
    early = (BrokerState.STARTING, BrokerState.RECOVERING, BrokerState.REGISTERING)
    return any_of(*(broker_state[x].is_(one) for one in early))


@definition
def gives_lease(m: Term[Exchange]) -> Term[bool]:
    """An answer is on its way that gives a lease which is not over."""
    return phase[m].is_(Phase.ANSWERED) & says_next[m].is_(Next.ACTIVE) & (sent_at[m] + says_lease[m] >= now)


LEMMAS: tuple[Always, ...] = (
    lemma(
        "L1",
        (next_lease > 0) & (next_lease <= longest_lease) & (longest_lease <= id_reuse) & (now >= 0),
        "The settings fit.",
    ),
    lemma(
        "L2",
        (committed < next_offset) & forall(x, broker_epoch[x] <= committed),
        "An epoch was the offset of something that is committed.",
    ),
    lemma(
        "L3",
        forall(
            x,
            (answered_epoch[x] <= broker_epoch[x])
            & (own_epoch[x] <= broker_epoch[x])
            & (told_active[x] <= broker_epoch[x])
            & (answered[x] <= started[x])
            & (asked[x] <= started[x])
            & (own_incarnation[x] <= started[x]),
        ),
        "No process knows a higher epoch than the controller gave.",
    ),
    lemma(
        "L4",
        forall(m, forall(x, sender[m].is_(x).implies(says_epoch[m] <= broker_epoch[x]))),
        "No heartbeat names a higher epoch than the controller gave.",
    ),
    lemma(
        "L5",
        forall(x, own_lease_end[x].is_(-1) | ((own_lease_end[x] >= now) & known_until(x, own_lease_end[x]))),
        "A broker's lease is one that the controller counts for as long at least.",
    ),
    lemma(
        "L6",
        forall(m, forall(x, (gives_lease(m) & sender[m].is_(x)).implies(registered[x]))),
        "Whom a lease is on its way to is registered.",
    ),
    lemma(
        "L6a",
        forall(
            m,
            forall(x, (gives_lease(m) & sender[m].is_(x) & active).implies(sent_at[m] + says_lease[m] <= lease_end[x])),
        ),
        "The controller counts a lease that is on its way for as long at least, unless it is over.",
    ),
    lemma(
        "L6c",
        forall(m, (phase[m].is_(Phase.ANSWERED) & says_next[m].is_(Next.ACTIVE)).implies(says_lease[m] > 0)),
        "For M9: a lease that is on its way is longer than nothing.",
    ),
    lemma(
        "L6b",
        forall(m, (phase[m].is_(Phase.ANSWERED)).implies(sent_at[m] + says_lease[m] <= now + longest_lease)),
        "A lease that is on its way ends no later than the longest one that begins now.",
    ),
    lemma(
        "L12",
        forall(
            x,
            (last_contact[x] <= now)
            & (active & registered[x]).implies(lease_end[x] <= last_contact[x] + longest_lease),
        ),
        "The controller counts a lease from the last contact at the latest.",
    ),
    lemma("L7", forall(m, sent_at[m] <= now), "What is on its way was sent."),
    lemma(
        "L8",
        forall(
            x,
            serving[x].implies(
                told_active[x].is_(own_epoch[x])
                & (broker_state[x].is_(BrokerState.RUNNING) | broker_state[x].is_(BrokerState.PENDING))
            ),
        ),
        "A broker that serves was answered that it may.",
    ),
    lemma(
        "L9",
        forall(
            x,
            (registers(x) & answered[x].is_(own_incarnation[x])).implies(answered_epoch[x] >= told_active[x])
            & registers(x).implies(own_incarnation[x] > 0)
            & (registers(x) | broker_state[x].is_(BrokerState.NOT_RUNNING) | (own_epoch[x] >= told_active[x])),
        ),
        "The epoch of a process is no lower than one that an earlier process of the id was given.",
    ),
    lemma(
        "L10",
        forall(
            m,
            forall(
                x,
                (
                    phase[m].is_(Phase.ASKED)
                    & sender[m].is_(x)
                    & says_current[m].is_(Current.ACTIVE)
                    & says_epoch[m].is_(broker_epoch[x])
                ).implies(told_active[x].is_(broker_epoch[x])),
            ),
        ),
        "A broker that says under its current epoch that it is active was answered so.",
    ),
    lemma(
        "L11",
        forall(
            p,
            leader_in[p, leader_epoch[p]].is_(leader[p])
            & forall(
                x, (seen_epoch[x, p] <= leader_epoch[p]) & leads[x, p].implies(leader_in[p, seen_epoch[x, p]].is_(x))
            ),
        ),
        "A broker that believes that it leads was the leader in the epoch that it has seen.",
    ),
    lemma("L13", (committed >= 0) & forall(p, led_at[p] >= 0), "For K27: offsets begin at 0."),
)
