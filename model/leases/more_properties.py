"""Further properties of leases: expired sessions, elections, and the effects of heartbeats, answers and records."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .state import *
from .tables import lasts, runs

_silent = exchange[x].is_(Exchange.NONE)


MORE: tuple[Property, ...] = (
    always("LE5", forall(x, fenced[x].implies(leader.isnt(x))), "whom the controller has given up does not lead", "S0:48"),
    step(
        "LE6",
        forall(
            x,
            (~fenced[x] & next_(fenced[x])).implies(session[x].is_(0))
            & (leader.is_(x) & next_(leader).isnt(x)).implies(session[x].is_(0) & next_(absent(leader)))
            & (leader.isnt(x) & next_(leader).is_(x)).implies(absent(leader) & ~fenced[x]),
        ),
        "no broker is given up, or loses its leadership, before its session is over, and none is elected beside a leader",
        "S0:48, S2:43",
    ),
    step(
        "LE7",
        next_(epoch).is_(when(next_(leader).is_(leader), epoch, epoch + 1)),
        "a change of the leader raises the leader epoch by one, and nothing else does",
        "S0:107",
    ),
    step(
        "LE8",
        forall(
            x,
            (_silent & ~next_(_silent)).implies(next_(exchange[x]).is_(Exchange.SENT))
            & (exchange[x].isnt(Exchange.SENT) & next_(exchange[x]).is_(Exchange.SENT)).implies(_silent)
            & (exchange[x].isnt(Exchange.ANSWERED) & next_(exchange[x]).is_(Exchange.ANSWERED)).implies(
                exchange[x].is_(Exchange.SENT) & ~fenced[x]
            )
            & (exchange[x].isnt(Exchange.REFUSED) & next_(exchange[x]).is_(Exchange.REFUSED)).implies(
                exchange[x].is_(Exchange.SENT) & fenced[x]
            ),
        ),
        "a heartbeat is sent when no other is under way, and then answered, or refused where its broker was given up",
        "S2:41",
    ),
    step(
        "LE9",
        forall(
            x,
            (next_(lease[x]) > lease[x]).implies(exchange[x].is_(Exchange.ANSWERED) | (fenced[x] & ~next_(fenced[x])))
            & (next_(session[x]) > session[x]).implies(exchange[x].is_(Exchange.SENT) | (fenced[x] & ~next_(fenced[x])))
            & (fenced[x] & ~next_(fenced[x])).implies(_silent & ~leads[x]),
        ),
        "only an answer gives a broker more time, only a heartbeat the controller, and a registration both",
        "S0:42,48",
    ),
    always(
        "LE10",
        forall(
            x,
            ((~_silent & from_send) | offered[x].is_(0)) & ((exchange[x].is_(Exchange.ANSWERED) & in_time) | due[x].is_(0)),
        ),
        "nothing is left of a heartbeat that is no longer under way",
        "S0:42",
    ),
    step(
        "LE11",
        forall(
            x,
            next_(lease[x]).is_(less(lease[x]))
            & next_(session[x]).is_(less(session[x]))
            & next_(offered[x]).is_(less(offered[x]))
            & next_(due[x]).is_(less(due[x])),
        ),
        "a unit of time takes one off every timer that is not over",
        "S0:42,48",
        named_for="it is about time that passes; other rows set timers",
        rows=("LC1",),
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "LE12",
        next_(session[b]).is_(runs) & ~next_(fenced[b]),
        "a registration and a heartbeat give the session a new start",
        "S0:48, S2:34",
        rows=("LR1", "LH2"),
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "LE13",
        next_(lease[b]).is_(when(from_send & exchange[b].is_(Exchange.ANSWERED), when(lease[b] < offered[b], offered[b], lease[b]), lasts))
        & next_(exchange[b]).is_(Exchange.NONE),
        "a registration and an answer give the lease a new start, from the send where it counts from there",
        "S0:42, S2:43",
        rows=("LR1", "LH4", "LH5"),
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "LE14",
        next_(leads[b]).is_(leader.is_(b)) & leader.is_(b).implies(next_(read_epoch[b]).is_(epoch)),
        "who reads the newest record knows whether it leads, and in which epoch",
        "S0:26",
        rows=("LB1", "LB2"),
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "LE15",
        ~next_(leads[b]) & next_(exchange[b]).is_(Exchange.NONE),
        "a broker that is answered that it was given up no longer leads",
        "S2:41",
        rows=("LH6",),
        scope=AT_RESULT_BOUNDARIES,
    ),
    step("LE16", next_(last).is_(b), "an append is stored", "S0:44", rows=("LB3",), scope=AT_RESULT_BOUNDARIES),
)  # fmt: skip
