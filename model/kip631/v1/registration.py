"""Registration at the controller: which process has a broker id, and under which epoch."""

from __future__ import annotations

from fencepost.model.language import BOOL, FALSE, TRUE, Term, definition, event, next_, procedure, table

from .partitions import advance, fall
from .records import REGISTER_BROKER
from .state import *

process = INCARNATION.var("incarnation")
supports = BOOL.var("supports")


@definition
def conflict(b: Term[Broker], process: Term[int]) -> Term[bool]:
    """Another process is registered under the id."""
    return registered[b] & incarnation[b].isnt(process)


@definition
def contact_recent(b: Term[Broker]) -> Term[bool]:
    """The registered process registered or sent a heartbeat not long ago, fenced or not."""
    return now <= last_contact[b] + id_reuse


@definition
def new_epoch() -> Term[int]:
    """The epoch of a new registration: the last committed offset."""
    return committed


@procedure(b, process, supports)
def register(b: Term[Broker], process: Term[int], supports: Term[bool]) -> object:
    """The process is registered, fenced, under a new epoch; what its id led goes, and so does its place in ISRs."""
    return (
        fall(b),
        REGISTER_BROKER(b, incarnation=process, epoch=new_epoch()),
        advance(),
        last_contact[b].becomes(now),
        lease_end[b].becomes(-1),
        granted[b].becomes(FALSE),
        reported_offset[b].becomes(-1),
        shutting_down[b].becomes(FALSE),
        answered[b].becomes(process),
        answered_epoch[b].becomes(new_epoch()),
        supported[b].becomes(supports),
    )


request = event(
    "Register", b, process, supports,
    given=process > 0,
    reply={"epoch": next_(broker_epoch[b]), "lease": next_lease},
    source="S2:34-39",
)  # fmt: skip
REGISTRATION = table(
    "registration",
    request("V1.1n", ~active, say=Error.NOT_CONTROLLER, source="S2:446"),
    request(
        "V1.3", conflict(b, process) & contact_recent(b), say=Error.DUPLICATE_BROKER_REGISTRATION, source="S2:38-39"
    ),
    request("V1.4", ~supports, say=Error.UNSUPPORTED_VERSION, source="S2:36"),
    request(
        "V1.2",
        registered[b] & ~conflict(b, process),
        last_contact[b].becomes(now),
        answered[b].becomes(process),
        answered_epoch[b].becomes(broker_epoch[b]),
        say=Error.NONE,
        source="S2:35",
    ),
    request("V1.1", ~registered[b], register(b, process, supports), say=Error.NONE, source="S2:34"),
    request("V1.1b", TRUE, register(b, process, supports), say=Error.NONE, source="S2:38"),
    mode="first match",
    total=True,
    about="A process asks to be registered under a broker id.",
    why={
        "V1.3": "A refused request is no contact of the registered process.",
        "V1.2": "The answer was lost: the same process gets the same one.",
        "V1.1b": "The former process was silent for long enough; if it was not fenced yet, it is now.",
    },
)
