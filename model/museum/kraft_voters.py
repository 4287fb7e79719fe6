"""Ways in which voters could change so that a committed change is lost, or a controller votes that must not: each with its shortest run."""

from __future__ import annotations

from fencepost.model.kraft_voters.slices import (
    FIRST,
    JOINS,
    KNOWING,
    ONE_EACH,
    UPGRADES,
    WAITING,
    among,
    bound,
    without,
)
from fencepost.model.kraft_voters.state import *
from fencepost.model.language import FALSE, TRUE, Bound, Protocol, exists, individual, just

from .edits import Edit, but, redefine
from .entry import Entry, Expected

SECOND, THIRD, FOURTH = (individual(CONTROLLER, number) for number in (1, 2, 3))
_DYNAMIC = formatted & ONE_EACH & KNOWING & WAITING
_OPERATED = without(*UPGRADES, *JOINS)
_ADDED = bound(2, 2, 1, 3, _DYNAMIC & among(FIRST), _OPERATED)
_REMOVED = bound(2, 2, 1, 3, _DYNAMIC & among(FIRST, SECOND), _OPERATED)

_TWO_LEADERS = {
    "Elect": (n.is_(FIRST) & (q.is_(just(FIRST, SECOND, THIRD)) | q.is_(just(FIRST, THIRD))))
    | (n.is_(SECOND) & q.is_(just(SECOND, THIRD, FOURTH))),
    "Fetch": at.is_(log_end[e]) & c.isnt(FIRST),
    "RemoveRaftVoter": (n.is_(FIRST) & c.is_(FOURTH)) | (n.is_(SECOND) & c.is_(FIRST)),
    **without("AddRaftVoter", "Resign"),
}
"""Two of the four lead by turns, elected by these majorities, and remove one voter each; what is fetched is the whole log."""


def _entry(name: str, edit: Edit, known_as: str, why: str, where: Bound, length: int, row: str, broken: str) -> Entry:
    """Return what must not be done, with the shortest run that shows it at a bound."""
    expected = Expected(broken, length, "tiny", where.sizes, row, where.start, where.given)
    return Entry(name, "kraft-voters", known_as, why, edit, (expected,))


def _trusts_earlier_commits(base: Protocol) -> Protocol:
    """A leader takes for committed what it knows from earlier epochs, before it has committed a record of its own."""
    why = "a leader does not wait until it has committed a record of its epoch"
    known = exists(o, (o < log_end[epoch[n]]) & changes[epoch[n], o] & ~exists(d, o < high_watermark[d]))
    return base.redefine("established", lambda _: TRUE, why=why).redefine("pending", lambda _: known, why=why)


KRAFT_VOTERS_MUSEUM: tuple[Entry, ...] = (
    _entry(
        "trusts-earlier-commits", _trusts_earlier_commits, "raft-dev 2015, KIP-853",
        "Raft's rule for single changes as first published: two leaders change the same voters in two ways, and a majority of the one "
        "and of the other have no voter in common.",
        bound(4, 4, 3, 3, _DYNAMIC & among(FIRST, SECOND, THIRD, FOURTH), {**_OPERATED, **_TWO_LEADERS}), 10, "VQ1", "VB2",
    ),
    _entry(
        "two-at-once", redefine("pending", FALSE, why="a change is not waited for"), "KIP-853",
        "A second change is written while the first is not committed: the voters before and after differ in two.",
        _REMOVED, 5, "VA8", "VP1",
    ),
    _entry(
        "leads-on", but("VQ4", effects=(high_watermark[epoch[n]].becomes(at),), why="a removed leader does not resign"), "KIP-853",
        "A leader whose removal is committed goes on.", _REMOVED, 6, "VQ4", "VP12",
    ),
    _entry(
        "adds-who-lags", redefine("caught_up", TRUE, why="a new voter need have nothing"), "KIP-853",
        "A controller is added that has nothing yet: the high watermark waits for it.", _ADDED, 3, "VA8", "VP11",
    ),
    _entry(
        "two-directories", redefine("same_node", c.in_(voters_at(epoch[n], log_end[epoch[n]])), why="a node may vote with two directories"), "KIP-853",
        "A node whose directory was replaced is added beside the old one: it votes twice.",
        bound(2, 1, 1, 3, formatted & KNOWING & WAITING & among(FIRST), _OPERATED), 4, "VA8", "VP6",
    ),
    _entry(
        "removes-the-last", redefine("others", TRUE, why="the only voter is removed"), "KIP-853",
        "The only voter is removed: no node can be elected, nor anything committed.", _ADDED, 3, "VR6", "VP5",
    ),
    _entry(
        "upgrades-unasked", redefine("all_know", TRUE, why="what voters know is not asked"), "KAFKA-16538",
        "kraft.version is raised over voters that do not know it.",
        bound(1, 1, 1, 3, ~formatted & WAITING & among(FIRST), without(*JOINS)), 3, "VK4", "VP8",
    ),
)  # fmt: skip
