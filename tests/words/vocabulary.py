"""A protocol about nothing with each of the words that a restatement of foreign specifications needs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from fencepost.model.language import (
    BOOL,
    TRUE,
    Bound,
    Entity,
    Term,
    Var,
    always,
    counter,
    event,
    exists,
    forall,
    individual,
    just,
    min_of,
    per,
    per_all,
    protocol,
    records_of,
    sort,
    table,
    when,
)
from fencepost.model.language import cell as cell_of

SOURCE = "made up for the test"


class Server(Entity):
    """A server."""


SERVER, EPOCH, PRODUCT = sort(Server), counter("epoch"), counter("product")
FIRST, SECOND = individual(SERVER, 0), individual(SERVER, 1)
r, s = SERVER.var("r"), SERVER.var("s")
d, e, f = EPOCH.var("d"), EPOCH.var("e"), EPOCH.var("f")

rank = per(SERVER, "rank", EPOCH, initial=lambda of: when(of.is_(FIRST), 1, 0))
ready = per_all((SERVER, EPOCH), "ready", BOOL, initial=lambda of, at: cast(Any, of.is_(FIRST) & at.is_(1)))
seen = per_all((SERVER, SERVER, EPOCH, EPOCH), "seen", EPOCH, initial=0)
votes = records_of("votes", of=SERVER, to=SERVER, epoch=EPOCH)
first = cell_of("first", SERVER, initial=SECOND)
out = cell_of("out", PRODUCT, initial=0)


@dataclass(frozen=True)
class Seen:
    """A state and a binding as plain Python values."""

    rank: Mapping[int, int]
    seen: Mapping[tuple[int, ...], int]
    votes: frozenset[tuple[int, ...]]
    first: int
    values: Mapping[str, int]

    def __getattr__(self, name: str) -> int:
        return self.values[name]


WORDS: dict[str, tuple[Term[Any], Callable[[Any], Any]]] = {
    "*": (rank[s] * e, lambda v: v.rank[v.s] * v.e),
    "* binds tighter than +": (rank[s] * 2 + rank[r] * e, lambda v: v.rank[v.s] * 2 + v.rank[v.r] * v.e),
    "* of a sum": ((rank[s] + 1) * (e - rank[r]), lambda v: (v.rank[v.s] + 1) * (v.e - v.rank[v.r])),
    "when, both numbers": (when(rank[s] < e, 2, 1), lambda v: 2 if v.rank[v.s] < v.e else 1),
    "when, one number": (when(rank[s] < e, rank[s], 3), lambda v: v.rank[v.s] if v.rank[v.s] < v.e else 3),
    "when, the other": (when(rank[s] < e, 3, rank[s]), lambda v: 3 if v.rank[v.s] < v.e else v.rank[v.s]),
    "when, in a sum": (e + when(s.is_(r), 1, 0), lambda v: v.e + (v.s == v.r)),
    "min_of": (min_of(d, rank[s] < d, 0), lambda v: min((x for x in range(4) if v.rank[v.s] < x), default=0)),
    "min_of, never": (min_of(d, d < d, e), lambda v: v.e),
    "min_of, free": (
        min_of(d, votes.has(of=s, to=r, epoch=d) | d.is_(e), 3),
        lambda v: min(x for x in range(4) if (v.s, v.r, x) in v.votes or x == v.e),
    ),
    "individual": (rank[SECOND], lambda v: v.rank[1]),
    "individual, compared": (s.is_(SECOND), lambda v: v.s == 1),
    "individual, in a set": (first.in_(just(FIRST, s)), lambda v: v.first in {0, v.s}),
    "individuals differ": (FIRST.is_(SECOND), lambda v: False),
    "four keys": (seen[s, r, e, f], lambda v: v.seen[v.s, v.r, v.e, v.f]),
    "four keys, one fixed": (seen[s, FIRST, rank[s], f], lambda v: v.seen[v.s, 0, v.rank[v.s], v.f]),
    "records": (votes.has(of=s, to=r, epoch=rank[s]), lambda v: (v.s, v.r, v.rank[v.s]) in v.votes),
    "records, some": (votes.some(to=r), lambda v: any(to == v.r for _, to, _ in v.votes)),
    "records, of an individual": (
        exists(e, votes.has(of=FIRST, to=s, epoch=e)),
        lambda v: any(of == 0 and to == v.s for of, to, _ in v.votes),
    ),
}
"""Each word with its meaning in plain Python, in worlds of two servers and the epochs 0 to 3."""

VARIABLES: tuple[Var[Any], ...] = tuple(cast("Var[Any]", one) for one in (r, s, e, f))
SIZES = {"Server": 2, "epoch": 3, "product": 12}

_vote = event("Vote", s, r, e, source=SOURCE)
_lose = event("Lose", s, r, e, source=SOURCE)
_raise = event("Raise", s, source=SOURCE)
_mark = event("Mark", s, r, e, f, source=SOURCE)

VOCABULARY = protocol(
    "vocabulary",
    table(
        "messages",
        _vote("V1", ready[s, e] & ~votes.some(of=s, epoch=e) & first.isnt(FIRST), votes.put(of=s, to=r, epoch=e),
              out.becomes(when(s.is_(SECOND), 1, 0) + rank[r] * 2)),
        _lose("L1", votes.has(of=s, to=r, epoch=e), votes.take(of=s, to=r, epoch=e),
              first.becomes(when(r.is_(FIRST), FIRST, s))),
        _raise("R1", rank[s].is_(min_of(d, ~ready[s, d] | d.is_(rank[s]), 0)) | s.is_(FIRST),
               rank[s].becomes(rank[s] + 1), ready[s, rank[s] + 1].becomes(TRUE), out.becomes(0)),
        _mark("M1", votes.has(of=s, to=r, epoch=e) & (f <= rank[s]) & (e < 2), seen[s, r, e, f].becomes(f * 1)),
    ),
    properties=(
        always("SOME", forall(s, forall(r, forall(e, votes.has(of=s, to=r, epoch=e).implies(votes.some(of=s))))),
               "A record that is there is some record.", SOURCE),
        always("APART", FIRST.isnt(SECOND), "Two numbers name two entities.", SOURCE),
        always("NEVER", rank[FIRST] > 0, "The first server begins at 1, and no rank falls.", SOURCE),
        always("TWICE", forall(s, rank[s] * 2 >= rank[s]), "Twice a rank is no less.", SOURCE),
    ),
    bounds={"tiny": Bound({"Server": 2, "epoch": 1, "product": 12})},
    ends=True,
)  # fmt: skip
