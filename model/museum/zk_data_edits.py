"""Rules that Kafka lacked before some release of the ZooKeeper era, or never had there, as edits of `zk-data`."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kraft_data.state import *
from fencepost.model.language import Protocol, Term, absent, event, every, exists, forall, maybe, per, when
from fencepost.model.zk_data.brokers import new_follower
from fencepost.model.zk_data.controller import members_
from fencepost.model.zk_data.state import elected_in, write

own_high_watermark = per(
    BROKER, "own_high_watermark", OFFSET, 0, about="the high watermark that the broker has heard of"
)


def _least(one: Term[int], other: Term[int]) -> Term[int]:
    return when(one <= other, one, other)


def truncates_to_the_high_watermark(base: Protocol) -> Protocol:
    """Before KIP-101: a follower cuts its log to the high watermark that it has heard of."""
    why = "a follower truncates to its own high watermark"
    hears = own_high_watermark[f].becomes(_least(high_watermark[e], log_end[f]))
    told = event("HighWatermarkAnswer", f, e, environment=True, source="KIP-101", code="AbstractFetcherThread.scala")
    follows = truncated[f] & ~crashed[f] & known_epoch[f].is_(e) & leader_of[e].isnt(f)
    edited = base.but("ZDF1", when=new_follower & n.is_(own_high_watermark[f]), why=why)
    raises = (*base.row("ZDL3").effects, own_high_watermark[b].becomes(n))
    stops = (*base.row("ZDX1").effects, own_high_watermark[b].becomes(_least(own_high_watermark[b], n)))
    edited = edited.but("ZDL3", effects=raises, why=why).but("ZDX1", effects=stops, why=why)
    row = told("ZDF4", follows & (own_high_watermark[f] < _least(high_watermark[e], log_end[f])), hears)
    return edited.plus(row, why=why, table="followers")


def asks_for_one_epoch(base: Protocol) -> Protocol:
    """Before KIP-279: one round of KIP-101, the leader's end offset for the follower's last epoch."""
    last = log[f, log_end[f] - 1]
    older = forall(i, ((i < leader_end[e]) & (i < log_end[f])).implies((i < n).is_(leader_log[e, i] <= last)))
    there = (n <= log_end[f]) & (n <= leader_end[e])
    return base.but("ZDF1", when=new_follower & there & older, why="one round of epochs is asked")


def counts_fetches_of_any_epoch(base: Protocol) -> Protocol:
    """Before KIP-320: a leader counts the fetches of every follower, whatever leader epoch the follower knows."""
    sent = exists(d, (fetch_broker_epoch[d, f] > 0) & (n <= fetch_offset[d, f]))
    noted = fetched[e, f].becomes(n), fetched_broker_epoch[e, f].becomes(broker_epoch[f])
    return base.but("DL2", when=leads(b, e) & sent, effects=noted, why="a fetch carries no leader epoch")


def has_any_controller(base: Protocol) -> Protocol:
    """Nothing is known of the controller but the lines DG1 to DG7: its changes raise the leader epoch and add no broker to the ISR."""
    to = maybe(BROKER).var("to")
    changes = event("ControllerChange", to, members_, environment=True, source="S0:34-36", code="KafkaController.scala")
    why = "any controller that keeps to the interface"
    row = changes(
        "ZDC5",
        (members_ <= isr) & (absent(to) | to.in_(members_)),
        write(to, epoch + 1, members_),
        every(x, to.is_(x), elected_in[x].becomes(epoch + 1)),
    )
    # How a partition begins is no line of the interface.
    free = replace(base, properties=tuple(one for one in base.properties if one.id != "ZDP1"))
    return free.without("ZDC2", why=why).without("ZDC3", why=why).plus(row, why=why, table="controller")
