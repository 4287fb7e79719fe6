"""Time leases as one protocol: what is claimed, what only induction needs, and where it is explored."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .more_properties import MORE
from .state import *
from .tables import CONTROLLER, HEARTBEATS, RECORDS, TIME

lengths = (
    (shortest_lease > 0)
    & (shortest_lease <= longest_lease)
    & (shortest_session > 0)
    & (shortest_session <= longest_session)
)
"""A timer has a length, and the shortest that it may last is no longer than the longest."""

region = when(
    from_send, longest_lease <= shortest_session, in_time & (longest_lease + longest_delay <= shortest_session)
)
"""The safe region that `checkers/leases` derives, in units of real time: the longest lease is over within the shortest session."""

PROPERTIES = (
    always("LE1", forall(x, forall(y, (believes(x) & believes(y)).implies(x.is_(y)))), "no two brokers believe that they lead", "S-a"),
    always("LE2", forall(x, believes(x).implies(leader.is_(x))), "a broker that believes that it leads is the leader", "S2:43"),
    step("LE3", leader.is_(b), "what is appended is the leader's", "S-a", rows=("LB3",)),
    always(
        "LE4",
        forall(x, (~fenced[x] & exchange[x].is_(Exchange.NONE) & lease[x].is_(0)).implies(session[x].is_(0))),
        "a broker whose own timer is over is not taken for active any more (HI3)", "S0:50",
        expected="violated", finding="S-a", by=("LC1", "LH4", "LH7"),
    ),
    sometimes("LW1", exists(x, believes(x) & ~fenced[x] & (session[x] > lease[x])), "a broker believes"),
    sometimes("LW2", exists(x, believes(x) & (epoch > 1)), "a broker believes after another leadership was over"),
    sometimes("LW3", exists(x, leads[x] & leader.isnt(x)), "a broker whose lease is over has not read that another leads"),
)  # fmt: skip

LEMMAS = (
    lemma("LLr", lengths & region, "the settings are in the safe region"),
    lemma("LLs", forall(x, lease[x] <= session[x]), "the lease is over when the session is"),
    lemma("LLl", forall(x, (lease[x] <= longest_lease) & (offered[x] <= longest_lease)), "no lease is longer than it may be"),
    lemma(
        "LLa",
        forall(x, exchange[x].is_(Exchange.ANSWERED).implies(
            when(from_send, offered[x] <= session[x], longest_lease + due[x] <= session[x]))),
        "what an answer brings is over when the session is",
    ),
    lemma("LLf", forall(x, fenced[x].implies(session[x].is_(0))), "the session of who is given up is over"),
    lemma("LLg", forall(x, exchange[x].is_(Exchange.REFUSED).implies(fenced[x])), "who is refused was given up"),
    lemma("LLk", forall(x, (leads[x] & ~fenced[x]).implies(leader.is_(x))), "who has read that it leads does, or is given up"),
)  # fmt: skip


def settings(send: bool, lease: tuple[int, int], session: tuple[int, int], delay: int | None = None) -> Term[bool]:
    """Return the start with these settings: the shortest and the longest that each timer lasts, the longest delay if any."""
    return all_of(
        from_send if send else ~from_send,
        shortest_lease.is_(lease[0]),
        longest_lease.is_(lease[1]),
        shortest_session.is_(session[0]),
        longest_session.is_(session[1]),
        ~in_time if delay is None else in_time,
        longest_delay.is_(delay or 0),
    )


ELECTED_TWICE = {"Elect": epoch < 3}
"""Events left out at the bounds: a third election. Each election and each session that is over raises the leader epoch."""

LEASE: Protocol = protocol(
    "lease",
    TIME,
    HEARTBEATS,
    CONTROLLER,
    RECORDS,
    properties=(*PROPERTIES, *MORE, *LEMMAS),
    start=lengths & region,
    bounds={
        "tiny": Bound(
            {"Broker": 2, "units": 2, "leader epoch": 4},
            settings(True, (1, 1), (2, 2)),
            ELECTED_TWICE,
            "two brokers, a lease of one unit and a session of two, from the send; messages take any time",
        ),
        "drift": Bound(
            {"Broker": 2, "units": 3, "leader epoch": 4},
            any_of(settings(True, (1, 2), (2, 3)), settings(False, (1, 1), (2, 3), 1)),
            ELECTED_TWICE,
            "two brokers whose clocks drift; from the send, and from an answer that is at most one unit under way",
        ),
    },
    about="Time leases: a broker believes while its own timer runs, the controller waits until its timer for the broker is over.",
)
"""Leases with nothing but time to protect them; what they never protect from are variants of the museum."""

SLICES = (LEASE,)

__all__ = ["LEASE", "LEMMAS", "PROPERTIES", "SLICES", "lengths", "region", "settings"]
