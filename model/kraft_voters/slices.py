"""The bounds at which `kraft-voters` is explored; there majorities are counted, and nothing is assumed of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fencepost.model.kraft_data.quantified import for_all
from fencepost.model.language import FALSE, TRUE, Bound, NotFor, Protocol, Term, declaring, individual, just, not_for

from .properties import MAJORITIES
from .protocol import KRAFT_VOTERS
from .state import *

FIRST, SECOND, THIRD = (individual(CONTROLLER, number) for number in range(3))
ONE_EACH = for_all(c, k, node_id[c].is_(node_id[k]).implies(c.is_(k)))
"""No two controllers have one node id."""
KNOWING = for_all(c, supports[c])
"""Every controller knows kraft.version 1."""
WAITING = for_all(c, ~auto_join[c])
"""No controller joins by itself."""
_REPLACED = node_id[SECOND].is_(node_id[THIRD]) & node_id[FIRST].isnt(node_id[SECOND])
"""The third controller is the second node with another directory."""


def bound(
    controllers: int,
    nodes: int,
    epochs: int,
    offsets: int,
    start: Term[bool] = TRUE,
    given: Mapping[str, Term[bool]] | None = None,
) -> Bound:
    """Return the bound of so many controllers, node ids, leader epochs and records."""
    sizes = {"Controller": controllers, "Node": nodes, "leader epoch": epochs, "offset": offsets}
    return Bound(sizes, start, dict(given or {}))


def without(*events: str) -> dict[str, Term[bool]]:
    """No event of these happens."""
    return dict.fromkeys(events, FALSE)


def among(*controllers: Term[Controller]) -> Term[bool]:
    """The given controllers are the first voters."""
    return configured.is_(just(*controllers))


JOINS = ("JoinVoters", "ReplaceDirectory")
UPGRADES = ("UpdateRaftVoter", "UpgradeKRaftVersion")
_OPERATED = without(*UPGRADES, *JOINS)
_dynamic = formatted & ONE_EACH & KNOWING
VOTING: Protocol = replace(
    KRAFT_VOTERS,
    inputs=(),
    properties=(*KRAFT_VOTERS.properties, *MAJORITIES),
    bounds={
        "tiny": bound(2, 2, 2, 4, _dynamic & among(FIRST) & for_all(c, auto_join[c]), without(*UPGRADES)),
        "directories": bound(
            3,
            2,
            1,
            3,
            formatted & KNOWING & _REPLACED & among(FIRST, SECOND) & for_all(c, auto_join[c].is_(c.is_(THIRD))),
            without(*UPGRADES),
        ),
        "static": bound(2, 2, 2, 3, ~formatted & ONE_EACH & among(FIRST, SECOND) & WAITING, without(*JOINS)),
        "knowing": bound(2, 2, 1, 2, formatted & ONE_EACH & among(FIRST) & WAITING, without(*JOINS)),
        "two-of-three": bound(3, 3, 2, 3, _dynamic & among(FIRST, SECOND) & WAITING, _OPERATED),
        "three": bound(3, 3, 2, 3, _dynamic & among(FIRST, SECOND, THIRD) & WAITING, _OPERATED),
    },
    ends=True,
)
"""`tiny` has a voter that joins by itself, is removed and comes back; `directories` one whose directory was replaced.

`static` begins with kraft.version 0, `knowing` has controllers that do not know 1. `two-of-three` and `three` change the voters over
two leaders.
"""
NOT_FOR: tuple[NotFor, ...] = (
    not_for(
        "kraft.version is 1 from the beginning, and every controller knows it",
        "VP13 VP21 VP24 VP26u VP27 VP28 VP41",
        "tiny directories two-of-three three",
    ),
    not_for("kraft.version is 1 from the beginning", "VP13 VP21 VP27 VP28 VP41", "knowing"),
    not_for("no directory is replaced", "VP17 VP18r VP34", "tiny static knowing two-of-three three"),
    not_for("no controller joins by itself", "VP15 VP16 VP33 VP35", "static knowing two-of-three three"),
    not_for("the log has no room for one that joins again", "VP16", "directories"),
    not_for("there is one leader", "VP44 VB2 VB3 VB4", "directories knowing"),
    not_for("the log has no room for one that is added after the upgrade", "VP9o VP11 VP24", "static"),
    not_for("the log has no room for a removal", "VP5 VP10o VP32 VP47 VX2 VX3 VX4 VB6", "knowing"),
)
SLICES: tuple[Protocol, ...] = declaring((VOTING,), *NOT_FOR)
