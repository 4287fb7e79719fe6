"""Heartbeats and answers on their way: they may be late, overtake each other, or never come."""

from __future__ import annotations

from fencepost.model.language import Term, definition, every, none_of, one_of, procedure
from fencepost.model.language.effects import Effects

from .state import *

epoch, offset = OFFSET.var("epoch"), OFFSET.var("offset")
current, target = one_of(Current).var("current"), one_of(Target).var("target")


@definition
def carried(m: Term[Exchange]) -> Term[bool]:
    """The exchange has this heartbeat on its way."""
    return (
        phase[m].is_(Phase.ASKED)
        & sender[m].is_(b)
        & says_epoch[m].is_(epoch)
        & says_current[m].is_(current)
        & says_target[m].is_(target)
        & says_offset[m].is_(offset)
    )


@procedure(m)
def forget_question(m: Term[Exchange]) -> object:
    """Reset the columns of the heartbeat's request, which are not read any more."""
    return (
        says_epoch[m].becomes(-1),
        says_current[m].becomes(Current.FENCED),
        says_target[m].becomes(Target.ACTIVE),
        says_offset[m].becomes(-1),
    )


@procedure(m)
def free(m: Term[Exchange]) -> object:
    """Nothing is on its way any more."""
    return (
        phase[m].becomes(Phase.FREE),
        sender[m].becomes(none_of(BROKER)),
        asker[m].becomes(0),
        sent_at[m].becomes(-1),
        says_next[m].becomes(Next.NOTHING),
        says_lease[m].becomes(0),
    )


def drop() -> Effects:
    """Let the heartbeat go, with no answer that has an effect."""
    return every(m, carried(m), forget_question(m), free(m))


def answer(next: Next, length: Term[int] | int = 0) -> Effects:
    """Send an answer to the broker that asked."""
    return every(
        m,
        carried(m),
        forget_question(m),
        phase[m].becomes(Phase.ANSWERED),
        says_next[m].becomes(next),
        says_lease[m].becomes(length),
    )
