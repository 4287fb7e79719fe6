"""Properties that `kraft-data` assumes of the controller and no other claim states: each is proved of these tables."""

from __future__ import annotations

from fencepost.model.language import AT_RESULT_BOUNDARIES, forall, members, next_, only, some, step

from .leadership_properties import stays
from .properties import COMPLETING
from .state import BROKER, Recovery, elr, isr, leader, m, p, recovery, replicas, wanted, x

y, z = BROKER.var("y"), BROKER.var("z")
_from_elr = (
    stays
    & next_(leader[p]).is_(x)
    & leader[p].isnt(some(x))
    & x.in_(elr[p])
    & ~x.in_(isr[p])
    & next_(recovery[p]).is_(Recovery.RECOVERED)
    & next_(replicas[p]).is_(replicas[p])
)
_ELECTING = tuple(row for row in COMPLETING if row != "A14")
"""The rows that may elect, but for proposals: a proposed member that is eligible, too, leads with those proposed beside it."""
PROPERTIES = (
    step(
        "P42",
        forall(
            p,
            forall(
                x,
                _from_elr.implies(
                    next_(isr[p]).is_(only(some(x)))
                    & forall(y, forall(z, (y.in_(isr[p]) & z.in_(isr[p])).implies(y.is_(z))))
                ),
            ),
        ),
        "While the replicas stay as they are, an eligible leader replica is elected only where the ISR had one member at most, and is alone in the new one.",
        "KIP-966",
        scope=AT_RESULT_BOUNDARIES,
        rows=_ELECTING,
    ),
    step(
        "P43",
        next_(leader[p]).isnt(leader[p])
        | next_(replicas[p]).isnt(replicas[p])
        | next_(members(isr[p])).is_(members(wanted[m])),
        "A proposal that is accepted becomes the ISR as it is, unless it ends the leadership or a reassignment.",
        "KIP-497",
        scope=AT_RESULT_BOUNDARIES,
        rows=("A14",),
    ),
)
