"""Properties of the voters: one change at a time, never undone; additions and removals; majorities that intersect."""

from __future__ import annotations

from fencepost.model.kraft_data.quantified import for_all
from fencepost.model.language.vocabulary import *

from .changes import all_know, by, dynamic, own_voters
from .raft import ASSUMED, established, latest, pending
from .state import *

WRITES = ("VA8", "VR6", "VU7", "VK4")
"""The rows with which a leader writes voters."""
REFUSALS = (
    "VA1",
    "VA2",
    "VA3",
    "VA4",
    "VA5",
    "VA6",
    "VA7",
    "VR1",
    "VR2",
    "VR3",
    "VR4",
    "VR5",
    "VU1",
    "VU2",
    "VU3",
    "VU4",
    "VU5",
    "VK1",
    "VK2",
    "VK3",
)
_log = epoch[n]
_in = s < log_end[e]


def differs(k: Term[Controller]) -> Term[bool]:
    """A record at an offset of a log makes a controller a voter, or takes it away."""
    return k.in_(voters_at(e, s)).isnt(k.in_(voters_at(e, s + 1)))


ONE_AT_A_TIME: tuple[Property, ...] = (
    always(
        "VP1",
        for_all(e, o, p, (changes[e, o] & changes[e, p] & (o < p) & (p < log_end[e])).implies(o < high_watermark[wrote[e, p]])),
        "One change at a time: where a log has a KRaftVoters, the leader that wrote it had committed every earlier one.",
        "KIP-853",
    ),
    always(
        "VP2",
        for_all(d, e, o, ((d <= e) & present(leader_of[e]) & (o < high_watermark[d])).implies(
            (o < log_end[e]) & wrote[e, o].is_(wrote[d, o]))),
        "A committed change is never undone: what was committed in an epoch is in the log of every later leader.",
        "KIP-853, KIP-595",
    ),
    step(
        "VP2s",
        for_all(e, o, k, ((o < log_end[e]) & present(leader_of[e])).implies(
            next_((o < log_end[e]) & (high_watermark[e] >= 0)) & next_(wrote[e, o]).is_(wrote[e, o]) & next_(changes[e, o]).is_(changes[e, o])
            & next_(k.in_(voters[e, o + 1])).is_(k.in_(voters[e, o + 1])))),
        "What is in the log of an epoch stays there, and what it says.",
        "KIP-595",
    ),
    step(
        "VP2h",
        for_all(e, (high_watermark[e] <= next_(high_watermark[e]))),
        "A high watermark never goes back.",
        "KIP-595",
    ),
    always(
        "VP3",
        for_all(e, s, c, k, (_in & differs(c) & differs(k)).implies(c.is_(k))),
        "Two voter sets that follow one another in a log differ in one controller at most, so that a majority of the old one and a "
        "majority of the new one have a voter in common.",
        "KIP-853",
    ),
    step(
        "VP4",
        (high_watermark[_log] > epoch_start[_log]) & ~pending,
        "A leader writes voters when it has committed a record of its own epoch, and every change that its log has.",
        "KIP-853",
        rows=("VA8", "VR6", "VU7"),
    ),
)  # fmt: skip
VOTERS: tuple[Property, ...] = (
    step(
        "VP5",
        exists(k, next_(k.in_(voters_at(_log, log_end[_log])))),
        "A voter is left when another one is removed.",
        "KIP-853",
        rows=("VR6",),
        named_for="no other row takes a voter away (VP10)",
    ),
    always(
        "VP6",
        for_all(e, s, c, k, ((s <= log_end[e]) & c.in_(voters_at(e, s)) & k.in_(voters_at(e, s)) & node_id[c].is_(node_id[k])).implies(c.is_(k))),
        "No node votes with two directories.",
        "KIP-853",
    ),
    always(
        "VP7",
        for_all(e, s, k, (_in & differs(k)).implies(has_level(e, s))),
        "Voters change with kraft.version 1 only.",
        "KIP-853",
    ),
    always("VP7l", for_all(e, s, (_in & has_level(e, s)).implies(has_level(e, s + 1))), "kraft.version is never lowered.", "KIP-853"),
    always(
        "VP8",
        for_all(e, s, k, ((s <= log_end[e]) & has_level(e, s) & k.in_(voters_at(e, s))).implies(supports[k])),
        "With kraft.version 1 every voter knows it.",
        "KIP-853, KAFKA-16538",
    ),
    step(
        "VP9",
        for_all(e, k, (present(leader_of[e]) & ~k.in_(voters_at(e, log_end[e]))).implies(next_(~k.in_(voters_at(e, log_end[e]))))),
        "Nothing but an AddRaftVoter makes a controller a voter.",
        "KIP-853",
        except_rows={"VA8": "it is that"},
    ),
    step(
        "VP9o",
        for_all(k, next_(k.in_(voters_at(_log, log_end[_log]))).is_(k.in_(latest) | k.is_(c))) & ~c.in_(latest),
        "It makes that controller a voter, and no other.",
        "KIP-853",
        rows=("VA8",),
    ),
    step(
        "VP10",
        for_all(e, k, (present(leader_of[e]) & k.in_(voters_at(e, log_end[e]))).implies(next_(k.in_(voters_at(e, log_end[e]))))),
        "Nothing but a RemoveRaftVoter takes a voter away.",
        "KIP-853",
        except_rows={"VR6": "it is that"},
    ),
    step(
        "VP10o",
        for_all(k, next_(k.in_(voters_at(_log, log_end[_log]))).is_(k.in_(latest) & k.isnt(c))) & c.in_(latest),
        "It takes that voter away, and no other.",
        "KIP-853",
        rows=("VR6",),
    ),
    step(
        "VP11",
        follows[c].is_(_log) & end[c].is_(log_end[_log]) & seen,
        "A controller that becomes a voter has all that the leader has, and the leader has seen it.",
        "KIP-853",
        rows=("VA8",),
    ),
    always(
        "VP12",
        for_all(n, (leads[n] & ~pending).implies(n.in_(latest))),
        "A leader is a voter, or its removal is not committed yet.",
        "KIP-853",
    ),
    step(
        "VP13",
        all_know & ~dynamic & established & next_(dynamic) & next_(changes[_log, log_end[_log] - 1]),
        "kraft.version is raised by a leader that knows of every voter that it knows the version, and with the voters in the log.",
        "KAFKA-16538",
        rows=("VK4",),
    ),
    step(
        "VP14",
        for_all(e, next_(log_end[e]).is_(log_end[e])) & for_all(k, next_(epoch[k]).is_(epoch[k]) & next_(leads[k]).is_(leads[k])),
        "A request that is refused changes no log.",
        "KIP-853",
        rows=REFUSALS,
        named_for="it is about requests that are refused; others write records, and elections epochs and leaders",
    ),
)  # fmt: skip
JOINING: tuple[Property, ...] = (
    step(
        "VP15",
        own.implies(auto_join[c]),
        "A controller without auto-join becomes a voter by an operator's request alone, however often it was removed.",
        "KIP-853",
        rows=("VA8",),
    ),
    step(
        "VP16",
        own.implies(~c.in_(was_voter)),
        "A removed voter does not come back by itself.",
        "KAFKA-19850",
        rows=("VA8",),
        expected="violated",
        finding="KAFKA-19850",
        by=("VA8",),
    ),
    step(
        "VP17",
        present(by).implies(exists(k, by.is_(k) & node_id[k].is_(node_id[c]) & k.isnt(c))),
        "A controller removes by itself the other directory of its own node, and nothing else.",
        "KIP-853",
        rows=("VR6",),
    ),
)  # fmt: skip
_asked = next_(joins[c]).is_(joins[c] & ~own)
REQUESTS: tuple[Property, ...] = (
    step("VP18", _asked, "A request of a controller's own is answered once.", "KIP-853", rows=("VA1", "VA2", "VA3", "VA4", "VA5", "VA6", "VA7", "VA8")),
    step("VP18r", for_all(k, by.is_(k).implies(next_(absent(replaces[k])))), "So is its request to remove another directory.", "KIP-853",
         rows=("VR1", "VR2", "VR3", "VR4", "VR5", "VR6")),
    step("VP19", ~leads[n], "NOT_LEADER_OR_FOLLOWER: it does not lead.", "KIP-853", rows=("VA1", "VR1", "VU1")),
    step("VP20", leads[n] & (high_watermark[_log] <= epoch_start[_log]), "REQUEST_TIMED_OUT: nothing of the epoch is committed.", "KIP-853", rows=("VA2", "VR2", "VU2")),
    step("VP21", leads[n] & ~has_level(_log, log_end[_log]), "UNSUPPORTED_VERSION: kraft.version is 0.", "KIP-853", rows=("VA3", "VR3")),
    step("VP22", leads[n] & pending, "REQUEST_TIMED_OUT: a change is not committed yet.", "KIP-853", rows=("VA4", "VR4", "VU3")),
    step("VP23", exists(k, k.in_(latest) & node_id[k].is_(node_id[c])), "DUPLICATE_VOTER: the node is a voter.", "KIP-853", rows=("VA5",)),
    step("VP24", ~supports[c] & dynamic, "INVALID_REQUEST: the controller does not know the version.", "KIP-853", rows=("VA6", "VU4")),
    step("VP25", ~seen | follows[c].isnt(_log) | (end[c] < log_end[_log]), "REQUEST_TIMED_OUT: the leader has not seen that the controller has all.", "KIP-853", rows=("VA7",)),
    step("VP26", ~c.in_(latest) | latest.is_(just(c)), "VOTER_NOT_FOUND: it is no voter, or the only one.", "KIP-853", rows=("VR5",)),
    step("VP26u", ~c.in_(latest), "VOTER_NOT_FOUND: it is no voter.", "KIP-853", rows=("VU5",)),
    step("VP27", exists(k, k.in_(latest) & ~told[_log, k] & ~(k.is_(n) & supports[k])), "INVALID_UPDATE_VERSION: a voter may not know the version.", "KAFKA-16538", rows=("VK3",)),
    step("VP28", c.in_(latest) & ~dynamic & next_(told[_log, c]).is_(supports[c]), "With kraft.version 0 a voter's update is remembered.", "KAFKA-16538", rows=("VU6",)),
)  # fmt: skip
STEPS: tuple[Property, ...] = (
    step("VP29", leads[n] & ~next_(leads[n]), "A leader that resigns leads no more.", "KIP-595", rows=("VQ5",)),
    step("VP30", next_(high_watermark[_log]).is_(at) & (at > high_watermark[_log]), "A commit raises the high watermark.", "KIP-595", rows=("VQ3", "VQ4")),
    step("VP31", for_all(k, (~by.is_(k)).implies(next_(replaces[k]).is_(replaces[k]))), "No other request is answered with it.", "KIP-853",
         rows=("VR1", "VR2", "VR3", "VR4", "VR5", "VR6")),
    step("VP32", for_all(k, next_(k.in_(was_voter)).is_(k.in_(was_voter) | k.is_(c))), "Who is removed was a voter.", "KIP-853", rows=("VR6",)),
    step(
        "VP33",
        next_(joins[c]) & ~exists(k, k.in_(own_voters) & node_id[k].is_(node_id[c])),
        "A controller asks to join where its log has no voter of its node.",
        "KIP-853",
        rows=("VJ1",),
    ),
    step("VP34", next_(replaces[c].is_(k)) & k.in_(own_voters), "A controller asks to remove a voter that its log has.", "KIP-853", rows=("VJ2",)),
    step(
        "VP35",
        auto_join[c] & ~leads[c] & when(end[c].is_(0), formatted, level[follows[c], end[c]]),
        "Only a follower with auto-join asks, whose log has kraft.version 1.",
        "KIP-853",
        rows=("VJ1", "VJ2"),
    ),
)  # fmt: skip
ORDER: tuple[Property, ...] = (
    step("VP36", established, "All else is checked once a record of the leader's epoch is committed.", "KIP-853",
         rows=("VA3", "VA4", "VA5", "VA6", "VA7", "VR3", "VR4", "VR5", "VU3", "VU4", "VU5", "VU6", "VK2", "VK3", "VK4")),
    step("VP37", dynamic, "Then, whether kraft.version is 1.", "KIP-853",
         rows=("VA4", "VA5", "VA6", "VA7", "VA8", "VR4", "VR5", "VR6", "VU3", "VU7", "VK2")),
    step("VP38", dynamic.implies(~pending), "Then, whether a change is not committed.", "KIP-853", rows=("VA5", "VA6", "VA7", "VR5", "VU4", "VU5")),
    step("VP39", ~exists(k, k.in_(latest) & node_id[k].is_(node_id[c])), "Then, whether the node is a voter.", "KIP-853", rows=("VA6", "VA7")),
    step("VP40", dynamic.implies(supports[c]), "Then, whether the controller knows the version.", "KIP-853", rows=("VA7", "VA8", "VU5", "VU7")),
    step("VP41", ~dynamic, "An upgrade is checked against what voters know only where it raises the version.", "KAFKA-16538", rows=("VK3",)),
)  # fmt: skip
"""Answers imply the conditions that are checked before their own: the order is that in which KIP-853 lists them."""
_newest = wrote[follows[n], end[n] - 1]
COUNTED: tuple[Property, ...] = (
    step("VP42", for_all(k, epoch[k] <= next_(epoch[k])), "A controller's epoch never goes back.", "KIP-595"),
    step(
        "VP43",
        for_all(k, when(k.in_(q), next_(epoch[k]).is_(e) & next_(leads[k]).is_(k.is_(n)), next_(epoch[k]).is_(epoch[k]) & next_(leads[k]).is_(leads[k]))),
        "An election is between those that vote in it: they know its epoch, and one leads.",
        "KIP-595",
        rows=("VQ1",),
    ),
    step(
        "VP44",
        for_all(k, (k.in_(q) & (end[k] > 0)).implies((end[n] > 0) & when(
            wrote[follows[k], end[k] - 1].is_(_newest), end[k] <= end[n], wrote[follows[k], end[k] - 1] < _newest))),
        "A voter votes for no controller whose log is behind its own: by the epoch of the last record, then by the end.",
        "KIP-595",
        rows=("VQ1",),
    ),
    step(
        "VP45",
        leader_of[e].isnt(c)
        & for_all(o, ((o < end[c]) & (o < log_end[e]) & wrote[follows[c], o].is_(wrote[e, o])).implies(o < next_(end[c]))),
        "A fetch is from another controller, and takes no record away that the leader's log has.",
        "KIP-595",
        rows=("VQ2",),
    ),
    step(
        "VP46",
        for_all(k, next_(k.in_(committed_by)).is_(k.in_(latest) & follows[k].is_(_log) & (at <= end[k]))),
        "VB4 is about all voters that have what is committed.",
        "KIP-853",
        rows=("VQ3", "VQ4"),
    ),
    step(
        "VP47",
        ~n.in_(latest) & for_all(o, (changes[_log, o]).implies(o < next_(high_watermark[_log]))) & ~next_(leads[n]),
        "A leader resigns at a commit where it is no voter, and with this every change is committed.",
        "KIP-853",
        rows=("VQ4",),
    ),
    step("VP48", next_(changes[_log, log_end[_log] - 1]), "New voters are a KRaftVoters in the log.", "KIP-853", rows=WRITES),
)  # fmt: skip
WITNESSES: tuple[Sometimes, ...] = (
    sometimes("VX1", exists(e, exists(o, changes[e, o] & (o > 0) & (o < high_watermark[e]))), "A change is committed.", "KIP-853"),
    sometimes("VX2", exists(c, c.in_(was_voter) & exists(n, leads[n] & ~pending & ~c.in_(latest))), "A voter is removed.", "KIP-853"),
    sometimes("VX3", exists(n, leads[n] & ~n.in_(latest)), "A leader leads that is no voter any more.", "KIP-853"),
    sometimes(
        "VX4",
        exists(e, exists(n, leader_of[e].is_(n) & ~n.in_(voters[e, log_end[e]]) & ~exists(o, changes[e, o] & (high_watermark[e] <= o)))),
        "The removal of a leader is committed.",
        "KIP-853",
    ),
)  # fmt: skip
PROPERTIES: tuple[Property, ...] = (*ONE_AT_A_TIME, *VOTERS, *JOINING, *REQUESTS, *STEPS, *ORDER, *COUNTED, *WITNESSES)

_last = voters_at(follows[n], end[n])
_ahead = (last_epoch(n) < last_epoch(k)) | (last_epoch(n).is_(last_epoch(k)) & (end[n] < end[k]))
MAJORITIES: tuple[Property, ...] = (
    *(
        step(id, one.term, one.about, one.source, rows=rows)
        for id, one, rows in zip(("VB1", "VB2", "VB3"), ASSUMED, (("VQ1",), ("VQ1",), ("VQ3", "VQ4")), strict=True)
    ),
    step(
        "VB4",
        exists(k, k.in_(committed_by)).implies(exists(k, k.in_(committed_by) & k.in_(q))),
        "The majority that elects and the majority that committed last have a voter in common.",
        "KIP-853",
        rows=("VQ1",),
    ),
    step(
        "VB5",
        majority_of(those(k, k.in_(latest) & follows[k].is_(_log) & (next_(high_watermark[_log]) <= end[k])), latest),
        "What is committed a majority of the voters has, those that the leader's log has last.",
        "KIP-595, KIP-853",
        rows=("VQ3", "VQ4"),
    ),
    always(
        "VB6",
        exists(n, leads[n]) | exists(n, n.in_(_last) & majority_of(those(k, k.in_(_last) & ~_ahead), _last)),
        "Where no controller leads, one can be elected.",
        "KIP-853",
        expected="violated",
        finding="removed leader",
    ),
)
"""The proof's assumptions, as claims: evaluated at bounds, where the members of a set are counted."""
