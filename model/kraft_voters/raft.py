"""Elections, replication and the high watermark, by majorities of the voters that a controller's own log has."""

from __future__ import annotations

from typing import Any

from fencepost.model.language import (
    FALSE,
    Assumption,
    Term,
    absent,
    assume,
    event,
    every,
    exists,
    forall,
    let,
    present,
    table,
    those,
)

from .state import *

RAFT_CLIENT, LEADER_STATE = "KafkaRaftClient", "LeaderState"

elect = event("Elect", n, e, q, environment=True, source="KIP-595, KIP-853", code=RAFT_CLIENT)
fetch = event("Fetch", c, e, at, environment=True, source="KIP-595, KIP-853", code=RAFT_CLIENT)
raise_high_watermark = event(
    "RaiseHighWatermark", n, at, environment=True, source="KIP-595, KIP-853", code=LEADER_STATE
)
resign = event("Resign", n, environment=True, source="KIP-595", code=RAFT_CLIENT)

mine = let("mine", voters_at(follows[n], end[n]), n)
"""The voters of the candidate: the last in its own log, committed or not."""
elects = let(
    "elects",
    forall(
        k,
        k.in_(q).implies(
            k.in_(mine)
            & (epoch[k] < e)
            & ((last_epoch(k) < last_epoch(n)) | (last_epoch(k).is_(last_epoch(n)) & (end[k] <= end[n])))
        ),
    )
    & n.in_(q)
    & majority_of(q, mine),
    n, e, q,
)  # fmt: skip
"""Voters that have no newer log and have not voted in the epoch, the candidate among them, are a majority of its voters."""
begins_quorum = end[n].is_(0) & formatted
"""The first leader of a quorum that was formatted with kraft.version 1 writes its voters."""


def copied(e: Term[int], d: Term[int], at: Term[int]) -> tuple[Any, ...]:
    """The log of an epoch begins with that of another one, up to an offset."""
    return (
        every(o, o < at, wrote[e, o].becomes(wrote[d, o]), changes[e, o].becomes(changes[d, o])),
        every(s, s <= at, voters[e, s].becomes(voters[d, s]), level[e, s].becomes(level[d, s])),
    )


def appended(
    e: Term[int], at: Term[int], new: Term[frozenset[Controller]], change: Term[bool], version: Term[bool]
) -> tuple[Any, ...]:
    """A leader writes a record at the end of its epoch's log, after which these are the voters and the version."""
    return (
        wrote[e, at].becomes(e),
        changes[e, at].becomes(change),
        voters[e, at + 1].becomes(new),
        level[e, at + 1].becomes(version),
        log_end[e].becomes(at + 1),
    )


_log = epoch[n]
latest = let("latest", voters[epoch[n], log_end[epoch[n]]], n)
"""The voters with which a leader counts: the last in its log, committed or not."""
established = let("established", high_watermark[epoch[n]] > 0, n)
"""The leader has committed a record of its epoch, and with it all that earlier leaders left."""
pending = let("pending", exists(o, changes[epoch[n], o] & (o >= high_watermark[epoch[n]])), n)
"""The leader's log has a KRaftVoters that is not committed."""
_have = those(k, k.in_(latest) & holds(k, _log, at))
_commits = (
    leads[n]
    & (epoch_start[_log] < at)
    & (high_watermark[_log] < at)
    & (at <= log_end[_log])
    & majority_of(_have, latest)
)
_removed = ~n.in_(latest) & ~exists(o, (at <= o) & changes[_log, o])
_leader = present(leader_of[e]) & leader_of[e].isnt(c)
_same = (s <= end[c]) & (s <= log_end[e]) & (s.is_(0) | wrote[follows[c], s - 1].is_(wrote[e, s - 1]))
_raises = (high_watermark[_log].becomes(at), committed_by.becomes(_have))

RAFT = table(
    "Raft",
    elect(
        "VQ1",
        elects,
        raft_epoch.becomes(e),
        leader_of[e].becomes(n),
        epoch_start[e].becomes(end[n]),
        copied(e, follows[n], end[n]),
        appended(e, end[n], mine, begins_quorum, has_level(follows[n], end[n])),
        every(k, k.in_(q), epoch[k].becomes(e), leads[k].becomes(k.is_(n))),
        follows[n].becomes(e),
        end[n].becomes(end[n] + 1),
    ),
    fetch(
        "VQ2",
        _leader & (epoch[c] <= e) & (at <= log_end[e]) & forall(s, _same.implies(s <= at)),
        epoch[c].becomes(e),
        leads[c].becomes(FALSE),
        follows[c].becomes(e),
        end[c].becomes(at),
    ),
    raise_high_watermark("VQ3", _commits & ~_removed, *_raises),
    raise_high_watermark("VQ4", _commits & _removed, *_raises, leads[n].becomes(FALSE)),
    resign("VQ5", leads[n], leads[n].becomes(FALSE)),
    about="Who votes, and who counts, are the voters that the log of the candidate or the leader has last, committed or not.",
    why={
        "VQ1": "One step for an election: the votes, the first record of the epoch, and with the first of all the voters themselves. "
        "A voter votes whether or not its own log has it among the voters.",
        "VQ2": "The log is cut where it parts from the leader's, and continued; an answer may come when the leader leads no more. A controller "
        "that is no voter fetches, too.",
        "VQ3": "A record of an earlier epoch is committed only with one of the leader's own. A leader that is no voter does not count itself.",
        "VQ4": "A leader that is not among the voters resigns when that is committed.",
        "VQ5": "It lost its majority, was shut down, or its process ended.",
    },
)

ASSUMED: tuple[Assumption, ...] = (
    assume("VI1", (e > raft_epoch) & (e > 0), "No epoch has two leaders, and none begins after a later one.", "KIP-595", "Elect"),
    assume("VI2", forall(d, has_log(d, high_watermark[d], follows[n], end[n])),
           "The log with which a leader begins has all that is committed: of the majority that elects one has it.", "KIP-595, KIP-853", "Elect"),
    assume("VI3", forall(d, (d > _log).implies(absent(leader_of[d]) | has_log(_log, at, d, log_end[d]))),
           "What an earlier leader commits late is in the logs of the later ones: it was when they were elected.", "KIP-595", "RaiseHighWatermark"),
)  # fmt: skip
"""Assumptions of the proof about intersecting majorities; at the bounds, where majorities are counted, these are the claims VB1 to VB3."""
