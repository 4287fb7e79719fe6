"""Paxos, as Lamport's Paxos states it (the TLA+ examples): acceptors promise and vote, leaders of ballots propose.

Restated from the specification, in our words. The set of messages is a few cells for each acceptor and ballot, since an
acceptor promises and votes once at most in a ballot, and a ballot proposes one value. It has the figures of the
original, with its three acceptors, two values and two ballots and without the symmetry of its configuration: 3,921
states, depth 17. Transitions differ: docs/explore.md says why.
"""

from fencepost.model.language.vocabulary import *


class Acceptor(Entity):
    """A process that votes."""


class Value(Entity):
    """What may be chosen."""


ACCEPTOR, VALUE = sort(Acceptor), sort(Value)
BALLOT = counter("ballot")
LATEST = counter("latest", lo=-1)  # a ballot, -1 for none
a, x, y = ACCEPTOR.var("a"), ACCEPTOR.var("x"), ACCEPTOR.var("y")
v, w = VALUE.var("v"), VALUE.var("w")
b, d = BALLOT.var("b"), BALLOT.var("d")

highest = per(ACCEPTOR, "highest", LATEST, initial=-1, about="the highest ballot that the acceptor has heard of")
voted_in = per(ACCEPTOR, "voted_in", LATEST, initial=-1, about="the highest ballot that it has voted in")
voted_for = per(ACCEPTOR, "voted_for", maybe(VALUE), initial=NONE, about="what it voted for there")
# Messages: 1a begins a ballot, 1b is a promise with the acceptor's last vote, 2a a proposal, 2b a vote.
begun = per(BALLOT, "begun", BOOL, what="message")
promised = per2(ACCEPTOR, BALLOT, "promised", BOOL, what="message")
promised_vote = per2(ACCEPTOR, BALLOT, "promised_vote", LATEST, initial=-1, what="message", about="its ballot")
promised_value = per2(ACCEPTOR, BALLOT, "promised_value", maybe(VALUE), initial=NONE, what="message")
proposed = per(BALLOT, "proposed", maybe(VALUE), initial=NONE, what="message")
accepted = per2(ACCEPTOR, BALLOT, "accepted", maybe(VALUE), initial=NONE, what="message")


@definition
def is_last_vote(b: Term[int], x: Term[Acceptor], y: Term[Acceptor], v: Term[Value]) -> Term[bool]:
    """Of two promises the first says the later vote, and it was for the value."""
    return (promised_vote[x, b] >= 0) & promised_value[x, b].is_(v) & (promised_vote[x, b] >= promised_vote[y, b])


@definition
def is_safe(b: Term[int], x: Term[Acceptor], y: Term[Acceptor], v: Term[Value]) -> Term[bool]:
    """What two acceptors, a quorum, have promised to a ballot lets it propose the value."""
    return (
        x.isnt(y)
        & promised[x, b]
        & promised[y, b]
        & (
            ((promised_vote[x, b] < 0) & (promised_vote[y, b] < 0))
            | is_last_vote(b, x, y, v)
            | is_last_vote(b, y, x, v)
        )
    )


SOURCE = "Paxos.tla"
begin = event("Phase1a", b, source=SOURCE)
promise = event("Phase1b", a, b, source=SOURCE)
propose = event("Phase2a", b, v, source=SOURCE)
vote = event("Phase2b", a, b, v, source=SOURCE)

CONSENSUS = table(
    "paxos",
    begin("P1", TRUE, begun[b].becomes(TRUE)),
    promise(
        "P2",
        begun[b] & (b > highest[a]),
        highest[a].becomes(b),
        promised[a, b].becomes(TRUE),
        promised_vote[a, b].becomes(voted_in[a]),
        promised_value[a, b].becomes(voted_for[a]),
    ),
    propose("P3", ~present(proposed[b]) & exists(x, exists(y, is_safe(b, x, y, v))), proposed[b].becomes(some(v))),
    vote(
        "P4",
        proposed[b].is_(v) & (b >= highest[a]),
        highest[a].becomes(b),
        voted_in[a].becomes(b),
        voted_for[a].becomes(some(v)),
        accepted[a, b].becomes(some(v)),
    ),
)


@definition
def chosen(b: Term[int], v: Term[Value]) -> Term[bool]:
    """Two acceptors, a quorum, voted for the value in the ballot."""
    return exists(x, exists(y, x.isnt(y) & accepted[x, b].is_(v) & accepted[y, b].is_(v)))


PAXOS = protocol(
    "paxos",
    CONSENSUS,
    properties=[
        always(
            "Agreement",
            forall(b, forall(d, forall(v, forall(w, (chosen(b, v) & chosen(d, w)).implies(v.is_(w)))))),
            about="no two values are chosen",
            source=SOURCE,
        ),
        always(
            "VotesSafe",
            forall(x, forall(b, forall(v, accepted[x, b].is_(v).implies(proposed[b].is_(v))))),
            about="a vote is for what its ballot proposes",
            source=SOURCE,
        ),
    ],
    bounds={"example": Bound({"Acceptor": 3, "Value": 2, "ballot": 1, "latest": 1}, about="3,921 states, as MCPaxos")},
    about="Paxos: leaders of ballots, and acceptors of which any two are a quorum of three.",
)
