"""KIP-853's quorum restated: Raft of KRaft with pulled logs, elections, restarts, as far as a quorum does not change.

Read beside Jack Vanlightly's TLA+ specification (github.com/Vanlightly/kafka-tlaplus, kraft/kip_853), which models
KIP-853 on top of Kafka's implementation. Restated are all of its actions that a configuration without crashes that lose
state, without new servers and without reconfigurations enables: the voters are fixed, so that roles, identities and the
members of configurations are constants there, and left out here. What remains of a configuration is whether it is
committed. Sets of messages are sets of records; an answer to a fetch has the columns of the request in it.

One action is restated as it is meant: there, a vote that is asked for an epoch that is over may take a voter that is
unattached back to that epoch, which no run of two epochs shows.

The module has a VIEW that hides how many restarts there were; `restarts` is a variable here. With two servers, two
epochs, one value and one restart TLC counts 38,357 states of the module without that VIEW, as there are here, and
36,442 with it, which are fewer than the distinguishable ones: `test_kip853.py` says why.
"""

import enum
from typing import Any

from fencepost.model.language.vocabulary import *

SOURCE = "KIP-853, as modelled in Vanlightly/kafka-tlaplus"


class Server(Entity):
    """A voter of the quorum."""


class Value(Entity):
    """What a client writes."""


class Quorum(enum.Enum):
    """The states of a voter, those of Kafka's QuorumState."""

    UNATTACHED = "Unattached"
    VOTED = "Voted"
    CANDIDATE = "Candidate"
    LEADER = "Leader"
    FOLLOWER = "Follower"
    RESIGNED = "Resigned"
    ILLEGAL = "IllegalState"


class Error(enum.Enum):
    """What an answer says is wrong with a request."""

    NO_ERROR = "none"
    FENCED = "FencedLeaderEpoch"
    NOT_LEADER = "NotLeader"
    UNKNOWN_LEADER = "UnknownLeader"


SERVER, VALUE = sort(Server), sort(Value)
EPOCH, OFFSET, NEXT, RESTARTS = counter("epoch", lo=1), counter("offset"), counter("next", lo=2), counter("restarts")
SIZE = threshold("size")
FIRST = individual(SERVER, 0)

s, p, k = SERVER.var("s"), SERVER.var("p"), SERVER.var("k")
v = VALUE.var("v")
e, l, a, x = EPOCH.var("e"), EPOCH.var("l"), EPOCH.var("a"), EPOCH.var("x")
o, i, h = OFFSET.var("o"), OFFSET.var("i"), OFFSET.var("h")
n, g = NEXT.var("n"), NEXT.var("g")
who = maybe(SERVER).var("who")
what = maybe(VALUE).var("what")
granted = BOOL.var("granted")
error = one_of(Error).var("error")

state = per(
    SERVER, "state", one_of(Quorum),
    initial=lambda of: when(of.is_(FIRST), literal(Quorum.LEADER), literal(Quorum.FOLLOWER)),
    about="its role in elections; the first server leads from the beginning",
)  # fmt: skip
epoch = per(SERVER, "epoch", EPOCH, initial=1)
leader = per(SERVER, "leader", maybe(SERVER), initial=FIRST, about="whom it takes for the leader")
voted = per(SERVER, "voted", maybe(SERVER), initial=NONE, about="whom it voted for in its epoch")
votes = per(SERVER, "votes", set_of(SERVER), about="who voted for it, while it is a candidate")
acked = per2(SERVER, SERVER, "acked", OFFSET, initial=1, about="as far as a leader knows its followers' logs")
end = per(
    SERVER, "end", OFFSET, initial=1, about="the offset of the last entry; the first is the initial configuration"
)
entry_epoch = per2(SERVER, OFFSET, "entry_epoch", EPOCH, initial=1)
entry = per2(SERVER, OFFSET, "entry", maybe(VALUE), initial=NONE, about="the value, none of a record of the quorum")
hwm = per(SERVER, "hwm", OFFSET, initial=1)
committed = per(SERVER, "committed", BOOL, initial=TRUE, about="its configuration is below the high watermark")
pending = per(SERVER, "pending", set_of(VALUE), about="what its clients wait for")
asked = per(SERVER, "asked", maybe(SERVER), initial=NONE, about="to whom its fetch is on its way")
asked_epoch = per(SERVER, "asked_epoch", EPOCH, initial=1)
asked_next = per(SERVER, "asked_next", NEXT, initial=2)
asked_last = per(SERVER, "asked_last", EPOCH, initial=1)
told_by = per(SERVER, "told_by", maybe(SERVER), initial=NONE, about="who answered its last fetch")
told = per(SERVER, "told", one_of(Error), initial=Error.NO_ERROR, about="with which error")
sent = cell("sent", set_of(VALUE), about="what was written to a leader")
acknowledged = cell("acknowledged", set_of(VALUE), what="ghost", about="what was acknowledged to clients as written")
failed = cell("failed", set_of(VALUE), what="ghost", about="what was reported to clients as not written")
restarts = cell("restarts", RESTARTS, initial=0, about="how often a server was restarted, for the bound alone")
majority = cell("majority", SIZE, initial=2, what="fixed", about="the size of a majority: of two servers or of three")

_REQUEST: dict[str, Any] = {"epoch": EPOCH, "next": NEXT, "last": EPOCH, "source": SERVER, "dest": SERVER}
vote_requests = records_of("vote_requests", epoch=EPOCH, last=EPOCH, offset=OFFSET, source=SERVER, dest=SERVER)
vote_answers = records_of(
    "vote_answers", epoch=EPOCH, leader=maybe(SERVER), granted=BOOL, error=one_of(Error), source=SERVER, dest=SERVER
)
begin_quorum = records_of("begin_quorum", epoch=EPOCH, source=SERVER, dest=SERVER)
fetches = records_of("fetches", **_REQUEST)
not_leader = records_of("not_leader", leader=maybe(SERVER), at=EPOCH, hwm=OFFSET, **_REQUEST)
other_epoch = records_of("other_epoch", at=EPOCH, hwm=OFFSET, **_REQUEST)
diverging = records_of("diverging", since=EPOCH, until=NEXT, hwm=OFFSET, **_REQUEST)
empty_answers = records_of("empty_answers", hwm=OFFSET, **_REQUEST)
full_answers = records_of("full_answers", entry=maybe(VALUE), of=EPOCH, hwm=OFFSET, **_REQUEST)

NOBODY, NO_VALUE = none_of(SERVER), none_of(VALUE)
IS = {one: literal(one) for one in Quorum}
UNATTACHED, VOTED, CANDIDATE, LEADER, FOLLOWER, RESIGNED, ILLEGAL = Quorum


# -- what a server does with what it hears ---------------------------------------------------------------------------
@definition
def last_epoch(of: Term[Server]) -> Term[int]:
    """The epoch of the last entry of a log."""
    return entry_epoch[of, end[of]]


@definition
def hint(of: Term[Server], at: Term[Server | None]) -> Term[bool]:
    """Another server is said to lead, and the server knew of none."""
    return present(at) & absent(leader[of]) & at.isnt(of)


@definition
def agrees(of: Term[Server], at: Term[Server | None], since: Term[int]) -> Term[bool]:
    """What is said of the leader contradicts nothing that the server knows."""
    mine = at.is_(of) & ((epoch[of].is_(since) & state[of].is_(RESIGNED)) | state[of].is_(LEADER))
    other = at.isnt(of) & (since.isnt(epoch[of]) | absent(at) | absent(leader[of]) | leader[of].is_(at))
    return mine | other


@definition
def may_follow(of: Term[Server], at: Term[Server | None], since: Term[int]) -> Term[bool]:
    """A server may become a follower: not of itself, not again, and in no epoch that is over."""
    again = epoch[of].is_(since) & (state[of].is_(FOLLOWER) | state[of].is_(LEADER))
    return at.isnt(of) & ~again & (since >= epoch[of])


def learns(of: Any, at: Any, since: Any) -> tuple[Assign, ...]:
    """A server hears of an epoch, and who leads in it if anybody does: it may join it, or follow."""
    detach = let("detaches", agrees(of, at, since) & (since > epoch[of]) & absent(at), of, at, since)
    follow = let(
        "follows",
        agrees(of, at, since) & may_follow(of, at, since) & ((since > epoch[of]) & present(at) | hint(of, at)),
        of, at, since,
    )  # fmt: skip
    wrong = ~agrees(of, at, since) | (((since > epoch[of]) & present(at) | hint(of, at)) & ~may_follow(of, at, since))
    kept = when(wrong, IS[ILLEGAL], state[of])
    return (
        state[of].becomes(when(detach, IS[UNATTACHED], when(follow, IS[FOLLOWER], kept))),
        epoch[of].becomes(when(detach | follow, since, epoch[of])),
        leader[of].becomes(when(detach, NOBODY, when(follow, at, leader[of]))),
        votes[of].becomes(when(detach | follow, nobody(SERVER), votes[of])),
        voted[of].becomes(when(detach | (follow & (since > epoch[of])), NOBODY, voted[of])),
    )


def forgets_fetch(of: Any) -> tuple[Assign, ...]:
    """What a server knew of its fetch is gone."""
    return (*not_waiting(of), told_by[of].becomes(NOBODY), told[of].becomes(Error.NO_ERROR))


def not_waiting(of: Any) -> tuple[Assign, ...]:
    """A server has no fetch on its way."""
    return (asked[of].becomes(NOBODY), asked_epoch[of].becomes(1), asked_next[of].becomes(2), asked_last[of].becomes(1))


def fails_writes(of: Any) -> tuple[Assign, ...]:
    """A client that waits for a write is answered that it failed."""
    return (failed.becomes(failed | pending[of]), pending[of].becomes(nobody(VALUE)))


def resigns(of: Any) -> tuple[Assign, ...]:
    """A leader leads no more, in the same epoch."""
    return (state[of].becomes(RESIGNED), leader[of].becomes(NOBODY), votes[of].becomes(nobody(SERVER)))


def appends(of: Any, value: Any, since: Any) -> tuple[Assign, ...]:
    """An entry is put behind the last one."""
    return (
        end[of].becomes(end[of] + 1),
        entry_epoch[of, end[of] + 1].becomes(since),
        entry[of, end[of] + 1].becomes(value),
    )


# -- one server --------------------------------------------------------------------------------------------------------
restart = event("Restart", s, source=SOURCE, environment=True)
resign = event("CheckQuorumResign", s, source=SOURCE, environment=True)
campaign = event("RequestVote", s, source=SOURCE, environment=True)
win = event("BecomeLeader", s, source=SOURCE, environment=True)
write = event("ClientRequest", s, v, source=SOURCE, environment=True)
fetch = event("SendFetchRequest", s, p, source=SOURCE, environment=True)

_restarted = (
    hwm[s].becomes(0),
    forgets_fetch(s),
    every(k, TRUE, acked[s, k].becomes(0)),
    fails_writes(s),
    restarts.becomes(restarts + 1),
)
SERVERS = table(
    "servers",
    restart("RS1", state[s].is_(LEADER), resigns(s), *_restarted),
    restart("RS2", state[s].isnt(LEADER), *_restarted),
    resign("CQ1", state[s].is_(LEADER), resigns(s)),
    campaign("RV1", state[s].isnt(LEADER) & state[s].isnt(ILLEGAL),
             state[s].becomes(CANDIDATE), epoch[s].becomes(epoch[s] + 1), leader[s].becomes(NOBODY),
             votes[s].becomes(just(s)), voted[s].becomes(s), forgets_fetch(s),
             every(k, k.isnt(s),
                   vote_requests.put(epoch=epoch[s] + 1, last=last_epoch(s), offset=end[s], source=s, dest=k))),
    win("BL1", state[s].is_(CANDIDATE) & at_least(votes[s], majority),
        state[s].becomes(LEADER), leader[s].becomes(s), votes[s].becomes(nobody(SERVER)),
        appends(s, NO_VALUE, epoch[s]), every(k, TRUE, acked[s, k].becomes(0)), forgets_fetch(s),
        every(k, k.isnt(s), begin_quorum.put(epoch=epoch[s], source=s, dest=k))),
    write("CR1", state[s].is_(LEADER) & ~v.in_(sent)
          & ~exists(o, (o <= end[s]) & entry_epoch[s, o].is_(epoch[s]) & present(entry[s, o])),
          appends(s, v, epoch[s]), pending[s].becomes(pending[s] | just(v)), sent.becomes(sent | just(v))),
    fetch("SF1", s.isnt(p) & absent(asked[s]) & state[s].is_(FOLLOWER) & leader[s].is_(p),
          asked[s].becomes(p), asked_epoch[s].becomes(epoch[s]), asked_next[s].becomes(end[s] + 1),
          asked_last[s].becomes(last_epoch(s)),
          fetches.put(epoch=epoch[s], next=end[s] + 1, last=last_epoch(s), source=s, dest=p)),
    about="What a server does by itself: restarts with its state, resigns, campaigns, wins, writes, fetches.",
)  # fmt: skip

# -- elections ---------------------------------------------------------------------------------------------------------
asks = event("VoteRequest", s, p, e, l, o, source=SOURCE, environment=True)
answers = event("VoteResponse", s, p, e, who, granted, error, source=SOURCE, environment=True)
begins = event("BeginQuorumEpoch", s, p, e, source=SOURCE, environment=True)

_asked = vote_requests.has(epoch=e, last=l, offset=o, source=p, dest=s)
_asks = vote_requests.take(epoch=e, last=l, offset=o, source=p, dest=s)
_newer = e > epoch[s]
_log_ok = (l > last_epoch(s)) | (l.is_(last_epoch(s)) & (o >= end[s]))
_open = _newer | state[s].is_(UNATTACHED)
_told = vote_answers.has(epoch=e, leader=who, granted=granted, error=error, source=p, dest=s)
_tells = vote_answers.take(epoch=e, leader=who, granted=granted, error=error, source=p, dest=s)
_hears = (e > epoch[s]) | error.is_(Error.FENCED) | error.is_(Error.NOT_LEADER) | hint(s, who)


def vote(yes: Term[bool], at: Any = NOBODY, why: Error = Error.NO_ERROR, since: Any = e) -> Assign:
    """A vote is answered."""
    return vote_answers.put(epoch=since, leader=at, granted=yes, error=literal(why), source=s, dest=p)


NO = ~TRUE
_loses = (only_if(state[s].isnt(UNATTACHED), forgets_fetch(s), fails_writes(s)),)
ELECTIONS = table(
    "elections",
    asks("VR0", _asked & (e < epoch[s]), _asks, vote(NO, leader[s], Error.FENCED, epoch[s])),
    asks("VR1", _asked & (e >= epoch[s]) & _open & _log_ok, _asks,
         state[s].becomes(VOTED), epoch[s].becomes(e), leader[s].becomes(NOBODY), votes[s].becomes(nobody(SERVER)),
         voted[s].becomes(p), only_if(state[s].isnt(VOTED), forgets_fetch(s), fails_writes(s)), vote(TRUE)),
    asks("VR2", _asked & _newer & ~_log_ok, _asks,
         state[s].becomes(UNATTACHED), epoch[s].becomes(e), leader[s].becomes(NOBODY), votes[s].becomes(nobody(SERVER)),
         voted[s].becomes(NOBODY), *_loses, vote(NO)),
    asks("VR3", _asked & e.is_(epoch[s]) & state[s].is_(VOTED) & voted[s].is_(p) & _log_ok, _asks,
         vote(TRUE, leader[s])),
    asks("VR4", _asked & e.is_(epoch[s]) & ~(state[s].is_(UNATTACHED) & _log_ok)
         & ~(state[s].is_(VOTED) & voted[s].is_(p) & _log_ok), _asks, vote(NO, leader[s])),
    answers("VA0", _told & (e < epoch[s]), _tells),
    answers("VA1", _told & (e >= epoch[s]) & _hears, _tells, learns(s, who, e)),
    answers("VA2", _told & (e >= epoch[s]) & ~_hears & state[s].is_(CANDIDATE) & granted, _tells,
            votes[s].becomes(votes[s] | just(p))),
    answers("VA3", _told & (e >= epoch[s]) & ~_hears & ~(state[s].is_(CANDIDATE) & granted), _tells),
    begins("BQ1", begin_quorum.has(epoch=e, source=p, dest=s) & (e >= epoch[s]),
           begin_quorum.take(epoch=e, source=p, dest=s), learns(s, some(p), e), forgets_fetch(s), fails_writes(s)),
    about="Votes, and the news of who has won.",
)  # fmt: skip

# -- the log is pulled -----------------------------------------------------------------------------------------------
fetched = event("FetchRequest", s, p, e, n, l, source=SOURCE, environment=True)
told_not_leader = event("FetchNotLeader", s, p, who, a, h, source=SOURCE, environment=True)
told_other_epoch = event("FetchOtherEpoch", s, p, a, h, source=SOURCE, environment=True)
told_diverging = event("FetchDiverging", s, p, x, g, h, source=SOURCE, environment=True)
told_nothing = event("FetchEmpty", s, p, h, source=SOURCE, environment=True)
told_entry = event("FetchEntry", s, p, what, x, h, source=SOURCE, environment=True)

_wanted: dict[str, Any] = {"epoch": e, "next": n, "last": l, "source": p, "dest": s}
_mine: dict[str, Any] = {
    "epoch": asked_epoch[s], "next": asked_next[s], "last": asked_last[s], "source": s, "dest": p,
}  # fmt: skip
_takes = fetches.take(**_wanted)
_here = fetches.has(**_wanted)
_leads = state[s].is_(LEADER)
_valid_end = let("valid_end", max_of(o, (o > 0) & (o <= end[s]) & (entry_epoch[s, o] <= l), 0), s, l)
_valid = (n <= _valid_end + 1) & l.is_(entry_epoch[s, _valid_end])
_agree = at_least(those(k, k.is_(s) | when(k.is_(p), n > i, acked[s, k] >= i).is_(TRUE)), majority)
_best = let("best", max_of(i, (i > 0) & (i <= end[s]) & _agree, 0), s, p, n)
_mark = let("mark", when((_best > 0) & entry_epoch[s, _best].is_(epoch[s]), _best, hwm[s]), s, p, n)
_written = let(
    "written", those(v, v.in_(pending[s]) & exists(i, (i > hwm[s]) & (i <= _mark) & entry[s, i].is_(v))), s, p, n
)
_shown = when(_mark <= n, _mark, n)
_accepts = (
    _takes,
    acked[s, p].becomes(n - 1),
    only_if(
        _mark > hwm[s],
        hwm[s].becomes(_mark),
        committed[s].becomes(TRUE),
        acknowledged.becomes(acknowledged | _written),
        pending[s].becomes(pending[s] - _written),
    ),
)
_follows = state[s].is_(FOLLOWER)
_ours = asked[s].is_(p)


def answered(why: Error | Term[Any] = Error.NO_ERROR) -> tuple[Assign, ...]:
    """A fetch is answered."""
    return (*not_waiting(s), told_by[s].becomes(p), told[s].becomes(why))


_kept = max_of(o, (o > 0) & (o <= end[s]) & ((entry_epoch[s, o] < x) | (entry_epoch[s, o].is_(x) & (o < g))), 0)
_keeps = let("kept", _kept, s, x, g)
_wrong = when(asked_epoch[s] < a, literal(Error.FENCED), literal(Error.UNKNOWN_LEADER))
_same = asked_epoch[s].is_(epoch[s])
_hears_of_it = learns(s, some(p), asked_epoch[s])
_hint_of = ~(asked_epoch[s] < epoch[s]) & ((asked_epoch[s] > epoch[s]) | hint(s, some(p)))
FETCHES = table(
    "fetches",
    fetched("FR1", _here & ~_leads, _takes, not_leader.put(leader=leader[s], at=epoch[s], hwm=hwm[s], **_wanted)),
    fetched("FR2", _here & _leads & e.isnt(epoch[s]), _takes, other_epoch.put(at=epoch[s], hwm=hwm[s], **_wanted)),
    fetched("FR3", _here & _leads & e.is_(epoch[s]) & ~_valid, _takes,
            diverging.put(since=entry_epoch[s, _valid_end], until=_valid_end + 1, hwm=hwm[s], **_wanted)),
    fetched("FR4", _here & _leads & e.is_(epoch[s]) & _valid & (n > end[s]), *_accepts,
            empty_answers.put(hwm=_shown, **_wanted)),
    fetched("FR5", _here & _leads & e.is_(epoch[s]) & _valid & (n <= end[s]), *_accepts,
            full_answers.put(entry=entry[s, n], of=entry_epoch[s, n], hwm=_shown, **_wanted)),
    told_not_leader("FA1", _ours & not_leader.has(leader=who, at=a, hwm=h, **_mine),
                    not_leader.take(leader=who, at=a, hwm=h, **_mine),
                    only_if(a >= epoch[s], learns(s, who, a)), answered(Error.NOT_LEADER)),
    told_other_epoch("FA2", _ours & other_epoch.has(at=a, hwm=h, **_mine), other_epoch.take(at=a, hwm=h, **_mine),
                     only_if(a >= epoch[s], learns(s, some(p), a)), answered(_wrong)),
    told_diverging("FA3", _ours & diverging.has(since=x, until=g, hwm=h, **_mine) & ~_hint_of & _same & _follows,
                   diverging.take(since=x, until=g, hwm=h, **_mine), end[s].becomes(_keeps),
                   every(o, (o > _keeps) & (o <= end[s]), entry_epoch[s, o].becomes(1), entry[s, o].becomes(NO_VALUE)),
                   committed[s].becomes(h >= 1), answered()),
    told_diverging("FA4", _ours & diverging.has(since=x, until=g, hwm=h, **_mine) & (_hint_of | ~_same | ~_follows),
                   diverging.take(since=x, until=g, hwm=h, **_mine), only_if(_hint_of, _hears_of_it),
                   answered()),
    told_nothing("FA5", _ours & empty_answers.has(hwm=h, **_mine) & ~_hint_of & _same & _follows,
                 empty_answers.take(hwm=h, **_mine), hwm[s].becomes(h), committed[s].becomes(h >= 1), answered()),
    told_nothing("FA6", _ours & empty_answers.has(hwm=h, **_mine) & (_hint_of | ~_same | ~_follows),
                 empty_answers.take(hwm=h, **_mine), only_if(_hint_of, _hears_of_it), answered()),
    told_entry("FA7", _ours & full_answers.has(entry=what, of=x, hwm=h, **_mine) & ~_hint_of & _same & _follows,
               full_answers.take(entry=what, of=x, hwm=h, **_mine), appends(s, what, x), hwm[s].becomes(h),
               committed[s].becomes(h >= 1), answered()),
    told_entry("FA8", _ours & full_answers.has(entry=what, of=x, hwm=h, **_mine) & (_hint_of | ~_same | ~_follows),
               full_answers.take(entry=what, of=x, hwm=h, **_mine), only_if(_hint_of, _hears_of_it),
               answered()),
    about="A follower fetches entry by entry; the leader's high watermark follows what a majority has.",
)  # fmt: skip


# -- what is claimed -------------------------------------------------------------------------------------------------
_current = state[s].is_(LEADER) & ~exists(k, k.isnt(s) & (epoch[k] > epoch[s]))
_agreed = when(hwm[s] < hwm[p], hwm[s], hwm[p])
PROPERTIES = (
    always("LEGAL", forall(s, state[s].isnt(ILLEGAL)), "No server receives what contradicts its state.", SOURCE),
    always(
        "SAME_LOG",
        forall(s, forall(p, forall(o, ((o > 0) & (o <= _agreed)).implies(
            entry_epoch[s, o].is_(entry_epoch[p, o]) & entry[s, o].is_(entry[p, o])
        )))),
        "Below both high watermarks two logs have the same entries.",
        SOURCE,
    ),
    always(
        "ONE_LEADER",
        forall(s, forall(p, (present(leader[s]) & present(leader[p]) & epoch[s].is_(epoch[p])).implies(
            leader[s].is_(leader[p])
        ))),
        "In one epoch no server takes another one for the leader.",
        SOURCE,
    ),
    always(
        "LEADER_COMPLETE",
        forall(s, forall(v, (_current & v.in_(acknowledged)).implies(
            exists(o, (o <= end[s]) & entry[s, o].is_(v))
        ))),
        "The newest leader has every value that was acknowledged.",
        SOURCE,
    ),
    always(
        "NOT_LOST",
        forall(v, v.in_(acknowledged).implies(exists(s, exists(o, (o <= end[s]) & entry[s, o].is_(v))))),
        "What was acknowledged is in some log.",
        SOURCE,
    ),
    always(
        "UNATTACHED_KNOWS_NOBODY",
        forall(s, state[s].is_(UNATTACHED).implies(absent(leader[s]))),
        "An unattached server knows of no leader.",
        SOURCE,
    ),
    sometimes("WRITTEN", exists(v, v.in_(acknowledged)), "A value is acknowledged."),
    sometimes("ELECTED", exists(s, state[s].is_(LEADER) & (epoch[s] > 1)), "Another leader is elected."),
    sometimes("UNCOMMITTED", exists(s, ~committed[s]), "A configuration is taken for uncommitted after a restart."),
)  # fmt: skip

KIP853 = protocol(
    "kip853",
    SERVERS,
    ELECTIONS,
    FETCHES,
    properties=PROPERTIES,
    bounds={
        "published": Bound(
            {"Server": 2, "Value": 1, "epoch": 2, "offset": 3, "next": 4, "restarts": 1, "size": 2},
            about="two servers, two epochs, one value, one restart; no crash, no reconfiguration",
        ),
        "tiny": Bound(
            {"Server": 2, "Value": 1, "epoch": 1, "offset": 2, "next": 3, "restarts": 1, "size": 2},
            about="one epoch: no server can be elected",
        ),
    },
    ends=True,
    about="KIP-853's quorum: elections, pulled logs, restarts, the voters being fixed.",
)


def elected_alone(base: Protocol = KIP853) -> Protocol:
    """Return the protocol in which a candidate does not wait for a majority."""
    return base.but("BL1", when=state[s].is_(CANDIDATE), why="no other server is asked", name=f"{base.name}+alone")
