"""Time, the leases that the controller has given, and controllers that fail."""

from __future__ import annotations

from fencepost.model.language import FALSE, TRUE, Term, definition, event, every, forall, procedure, table

from .partitions import advance, fall
from .records import FENCE_BROKER
from .state import *


@procedure(b)
def fence(b: Term[Broker]) -> object:
    """The partitions, then the broker."""
    return fall(b), FENCE_BROKER(b, epoch=broker_epoch[b])


@procedure(b)
def end_lease(b: Term[Broker]) -> object:
    """The controller knows of no lease."""
    return lease_end[b].becomes(-1), granted[b].becomes(FALSE)


@definition
def controller_in_time(to: Term[int]) -> Term[bool]:
    """An active controller has ended every lease that would be over: its timer fires when it is due."""
    return ~active | forall(x, lease_end[x].is_(-1) | (to <= lease_end[x] + 1))


over = active & lease_end[b].isnt(-1) & (now > lease_end[b])
pass_time = event("TimePasses", to, given=to > now, environment=True, source="S2:43")
choose = event("ChooseLease", to, given=(to > 0) & (to <= longest_lease), environment=True, source="S2:43")
expire = event("LeaseExpires", b, environment=True, source="S2:43")
fail = event("ControllerFails", environment=True, source="S2:20")
take_over = event("ControllerFailover", environment=True, source="S2:20")

LEASES = table(
    "leases",
    pass_time("VT1", controller_in_time(to), now.becomes(to)),
    choose("VT2", to.isnt(next_lease), next_lease.becomes(to)),
    expire("V1.8", over & ~fenced[b], fence(b), advance(), end_lease(b), source="S2:43,505"),
    expire("V1.8g", over & fenced[b], end_lease(b)),
    about="Time passes for all alike; the controller ends leases.",
    why={
        "VT1": "The controller's timer fires when it is due; that the brokers' do too is an assumption (VA6).",
        "VT2": "The length is chosen for each answer.",
        "V1.8": "FenceBroker says that the broker leaves all ISRs; here IsrChanges before it say so.",
        "V1.8g": "It was granted and never used, or the broker was fenced when a controller took over.",
    },
)
CONTROLLERS = table(
    "controllers",
    fail(
        "VF1",
        active,
        active.becomes(FALSE),
        every(
            b,
            TRUE,
            last_contact[b].becomes(-1),
            reported_offset[b].becomes(-1),
            shutting_down[b].becomes(FALSE),
            end_lease(b),
        ),
    ),
    take_over(
        "VF2",
        ~active,
        active.becomes(TRUE),
        every(b, registered[b], last_contact[b].becomes(now), lease_end[b].becomes(now + longest_lease)),
    ),
    about="A controller fails, with what it had in memory; another has read the whole log, and takes over.",
    why={
        "VF1": "What was written and not committed yet is not lost here: the next controller finds it in its log.",
        "VF2": "Which leases were given, it cannot know: for all that it knows, every broker has just got the longest.",
    },
)
PROMPT = forall(x, own_lease_end[x].is_(-1) | (to <= own_lease_end[x]))
"""No broker sleeps over the end of its lease: time stops until it has acted."""
