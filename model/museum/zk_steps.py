"""Where the page's twelve steps are explored to the end: a crash, a lost session or another controller after every step."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.language import Bound, Protocol, members
from fencepost.model.zk.alter import wanted
from fencepost.model.zk.operations import target
from fencepost.model.zk.state import controller_epoch, isr, p, replicas
from fencepost.model.zk.twelve_steps import before, twelve_steps

from .zk_bounds import CLEAN, CREATED, HONEST, SIZES, TAKES_TURNS, WORLD, among, listed, settled

STEPS = Bound(
    {**SIZES, "Controller": 2, "controller epoch": 2, "leader epoch": 8, "version": 10},
    CLEAN,
    {
        **WORLD,
        "CreateTopic": CREATED & target.is_(listed(0)),
        "RequestReassignment": among(target, (1,), (1, 0)) & settled & before[p].is_(listed()),
        "AlterPartition": HONEST & wanted.isnt(isr[p]) & wanted.is_(members(replicas[p])),
        "Crash": controller_epoch.is_(1),
        "SessionExpired": controller_epoch.is_(1),
        "DeleteController": controller_epoch.is_(1),
        "ControllerChange": controller_epoch > 1,
        "Elect": TAKES_TURNS,
    },
    "one partition goes from one broker to another, and its controller may fail at every step",
)


def every_crash(base: Protocol) -> Protocol:
    """Return the variant with the page's reassignment; a slice gets the bound `steps`."""
    twelve = twelve_steps(base)
    if not base.bounds:
        return twelve
    events = {event.name for event in twelve.events}
    bound = replace(STEPS, given={name: term for name, term in STEPS.given.items() if name in events})
    return replace(twelve, bounds={"steps": bound, **twelve.bounds})
