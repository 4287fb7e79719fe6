"""KIP-1279's mirror of one partition, as far as it is settled: two clusters, a failover, a way back, three faults."""

from __future__ import annotations

from fencepost.model.language import Bound, Protocol, Term
from fencepost.model.language.vocabulary import (
    ANY,
    BOOL,
    FALSE,
    TRUE,
    Entity,
    always,
    counter,
    event,
    exists,
    forall,
    per,
    per2,
    protocol,
    sort,
    table,
    when,
)


class Site(Entity):
    """A cluster that has the partition."""


SITE, OFFSET, EPOCH = sort(Site), counter("offset"), counter("leader epoch")
x, y = SITE.var("x"), SITE.var("y")
o, i, n, end = OFFSET.var("o"), OFFSET.var("i"), OFFSET.var("n"), OFFSET.var("end")

# -- state -------------------------------------------------------------------------------------------------------------
log = per2(
    SITE, OFFSET, "log", EPOCH, 0, about="the leader epoch of the record at an offset; a mirror keeps it as it is"
)
writer = per2(SITE, OFFSET, "writer", SITE, ANY, about="the cluster whose producer wrote the record")
log_end = per(SITE, "log_end", OFFSET, 0)
epoch = per(SITE, "epoch", EPOCH, ANY, about="the leader epoch of the cluster's own leader")
writable = per(SITE, "writable", BOOL, ANY, about="the cluster takes records of producers")
mirrors = per(SITE, "mirrors", BOOL, ANY, about="the cluster fetches from the other one")
last_mirrored = per(SITE, "last_mirrored", EPOCH, 0, about="leader epoch of the last record at the failover")


def last(of: Term[Site], to: Term[int]) -> Term[int]:
    """Return the leader epoch of the record in front of an offset, 0 where there is none."""
    return when(to > 0, log[of, to - 1], 0)


# The other cluster answers a fetch with the end of the newest epoch that it has up to the mirror's last one (KIP-320).
asked = last(x, log_end[x])
answered = last(y, end)
is_answer = (end <= log_end[y]) & (answered <= asked) & (end < log_end[y]).implies(log[y, end] > asked)
agrees = answered.is_(asked) & (log_end[x] <= end)
other = x.isnt(y)

# -- events and rows ---------------------------------------------------------------------------------------------------
SOURCE = "KIP-1279"
append = event("Append", x, source=SOURCE)
elect = event("Elect", x, n, source=SOURCE)
fetch = event("Fetch", x, y, end, n, source=f"{SOURCE}, KIP-320")
fail_over = event("FailOver", x, source=SOURCE)
fail_back = event("FailBack", x, y, n, source=SOURCE)
beyond = forall(o, ((o < n) & (o < log_end[x])).implies(log[x, o] <= last_mirrored[y]))
TABLE = table(
    "mirror",
    append(
        "MI1", writable[x], log[x, log_end[x]].becomes(epoch[x]), writer[x, log_end[x]].becomes(x),
        log_end[x].becomes(log_end[x] + 1),
    ),
    elect("MI2", (n <= log_end[x]) & writable[x], epoch[x].becomes(epoch[x] + 1), log_end[x].becomes(n)),
    fetch(
        "MI3", mirrors[x] & other & is_answer & agrees & (log_end[x] < log_end[y]) & n.is_(log_end[x]),
        log[x, n].becomes(log[y, n]), writer[x, n].becomes(writer[y, n]), log_end[x].becomes(n + 1),
    ),
    fetch(
        "MI4",
        mirrors[x] & other & is_answer & ~agrees & (n < log_end[x]) & (n <= end)
        & forall(o, (o < n).implies(log[x, o] <= answered)) & (n.is_(end) | (log[x, n] > answered)),
        log_end[x].becomes(n),
    ),
    fail_over(
        "MI5", mirrors[x], mirrors[x].becomes(FALSE), writable[x].becomes(TRUE), last_mirrored[x].becomes(asked),
        epoch[x].becomes(when(epoch[x] > asked, epoch[x], asked + 1)),
    ),
    fail_back(
        "MI6",
        writable[x] & writable[y] & other & (n <= log_end[x]) & beyond
        & (n.is_(log_end[x]) | (log[x, n] > last_mirrored[y])),
        mirrors[x].becomes(TRUE), writable[x].becomes(FALSE), log_end[x].becomes(n),
    ),
    about="A partition in two clusters, one of which mirrors the other.",
    why={
        "MI2": "An unclean election loses the records from n on; a clean one has n at the end.",
        "MI4": "The log is cut by what the other cluster answers, as a follower cuts it.",
        "MI5": "The leader epoch is forced above the last mirrored one. The other cluster may go on to take records.",
        "MI6": "What is of a later epoch than the last mirrored one the other cluster does not have.",
    },
)  # fmt: skip
MATCHES = always(
    "MirrorsMatch",
    forall(x, forall(y, forall(o, forall(i, (
        mirrors[x] & other & (o < log_end[x]) & (o < log_end[y]) & log[x, o].is_(log[y, o]) & (i <= o)
    ).implies(log[x, i].is_(log[y, i]) & writer[x, i].is_(writer[y, i])))))),
    "Where a mirror and its source have a record of one leader epoch at one offset, their logs are equal up to there.",
    SOURCE,
)  # fmt: skip
one = forall(x, epoch[x].is_(1) & mirrors[x].is_(~writable[x]))
one &= exists(x, writable[x]) & forall(x, forall(y, (writable[x] & writable[y]).implies(x.is_(y))))
SIZES = {"Site": 2, "offset": 2, "leader epoch": 4}
MIRROR: Protocol = protocol(
    "mirror",
    TABLE,
    properties=(MATCHES,),
    start=one,
    bounds={"clean": Bound(SIZES, given={"Elect": n.is_(log_end[x])}), "unclean": Bound(SIZES)},
    about="KIP-1279: a partition is mirrored, fails over, and comes back.",
)
"""As the discussion has it: the last mirrored leader epoch is kept, and is a border."""
UNFORCED = MIRROR.but(
    "MI5",
    effects=(mirrors[x].becomes(FALSE), writable[x].becomes(TRUE), last_mirrored[x].becomes(asked)),
    why="the failover leaves the cluster's own leader epoch",
    name="mirror+unforced",
)
UNCUT = MIRROR.but(
    "MI6",
    when=writable[x] & writable[y] & other & n.is_(log_end[x]),
    why="the way back cuts nothing",
    name="mirror+uncut",
)
last_offset = per(SITE, "last_offset", OFFSET, 0, about="the end of the log at the failover")
BY_OFFSET = MIRROR.but(
    "MI5",
    effects=(*MIRROR.row("MI5").effects, last_offset[x].becomes(log_end[x])),
    why="the failover keeps the last mirrored offset",
    name="mirror+by-offset",
).but(
    "MI6",
    when=writable[x] & writable[y] & other & n.is_(when(log_end[x] < last_offset[y], log_end[x], last_offset[y])),
    why="the way back cuts at an offset",
    name="mirror+by-offset",
)
"""As the first text has it: the last mirrored offset is the border."""
