"""KAFKA-19850 as variants of kraft-voters: when a controller that joins by itself is refused because it was a voter before."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kraft_voters.changes import ADDED, add
from fencepost.model.kraft_voters.slices import (
    FIRST,
    JOINS,
    KNOWING,
    ONE_EACH,
    SECOND,
    UPGRADES,
    VOTING,
    bound,
    without,
)
from fencepost.model.kraft_voters.state import *
from fencepost.model.language import FALSE, Lit, Protocol, Term, event, exists, just, let, per, table

WHY = "a controller joins by itself once, if it was never a voter"
snapshot = per(CONTROLLER, "snapshot", OFFSET, 0, about="the end of the newest snapshot that the controller has made")
history = per(CONTROLLER, "history", OFFSET, 0, "soft", "where the voters begin that it has in memory")

take = event("TakeSnapshot", n, at, environment=True, source="KIP-630", code="KafkaRaftClient.createSnapshot")
restart = event("Restart", n, environment=True, source="KIP-853", code="KRaftControlRecordStateMachine")
SNAPSHOTS = table(
    "snapshots",
    take("VS1", leads[n] & (snapshot[n] < at) & (at <= high_watermark[epoch[n]]), snapshot[n].becomes(at)),
    restart("VS2", leads[n], leads[n].becomes(FALSE), history[n].becomes(snapshot[n])),
    about="A snapshot has the voters at its end, and those before it are forgotten when a controller begins with it.",
)
TODAY = replace(
    VOTING,
    name="kraft-voters+snapshots",
    tables=(*VOTING.tables, SNAPSHOTS),
    properties=tuple(one for one in VOTING.properties if one.id == "VP16"),
    bounds={
        "rejoin": bound(
            2,
            2,
            2,
            5,
            formatted & ONE_EACH & KNOWING & configured.is_(just(FIRST)) & auto_join[SECOND] & ~auto_join[FIRST],
            {**without("Resign", *UPGRADES), "RemoveRaftVoter": c.is_(SECOND), "Fetch": at.is_(log_end[e])},
        )
    },
)
"""Kafka 4.4, with the snapshots of a leader and its restarts."""


def seen(since: Term[int]) -> Term[bool]:
    """The leader's log had the controller among the voters at some offset from one on."""
    log, there = epoch[n], (since <= s) & (s <= log_end[epoch[n]])
    return let("seen", exists(s, there & c.in_(voters_at(log, s))), n, c)


def refusing(name: str, was_voter_since: Term[bool]) -> Protocol:
    """Return the tables in which a leader refuses a controller that joins by itself and, as far as it knows, was a voter."""
    refused = add("VA5s", own & was_voter_since, joins[c].becomes(FALSE), say=Answer.INVALID_REQUEST)
    holds = [replace(one, expected="holds", finding="", by=()) for one in TODAY.properties]
    edited = TODAY.plus(refused, why=WHY, table=ADDED.name, before="VA6", name=f"kraft-voters+{name}")
    return replace(edited, properties=tuple(holds))


ONCE = refusing("once", seen(history[n]))
"""The rule as it is written: the leader looks into the voters that it has in memory."""
KEPT = refusing("kept", seen(Lit(0, OFFSET)))
"""The leader knows all that were ever voters: a snapshot keeps those that were removed, too."""
