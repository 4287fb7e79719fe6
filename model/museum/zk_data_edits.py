"""Rules that Kafka lacked before some release of the ZooKeeper era, or never had there, as edits of `zk-data`."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kraft_data.state import *
from fencepost.model.language import Protocol, Term, absent, event, every, exists, forall, just, maybe, per, when
from fencepost.model.zk_data.brokers import joins, new_follower, writes
from fencepost.model.zk_data.controller import elects, members_
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
    """Before KIP-320: a leader counts the fetches of whoever follows it, whatever leader epoch that has heard of."""
    sent = exists(d, (fetch_broker_epoch[d, f] > 0) & (n <= fetch_offset[d, f]))
    noted = fetched[e, f].becomes(n), fetched_broker_epoch[e, f].becomes(broker_epoch[f])
    return base.but("DL2", when=leads(b, e) & sent, effects=noted, why="a fetch carries no leader epoch")


def joins_at_the_high_watermark(base: Protocol) -> Protocol:
    """Before KAFKA-7128: a follower joins the ISR at the high watermark, which of a new leader lags behind."""
    caught_up = ~f.in_(known_isr[e]) & (fetched_broker_epoch[e, f] > 0) & (fetched[e, f] >= high_watermark[e])
    return base.but("ZDL1", when=writes & caught_up, why="the start of the leader epoch is not looked at")


def writes_over(base: Protocol) -> Protocol:
    """A leader writes the ISR whatever the version of the znode is."""
    return base.but(
        "ZDL1",
        when=leads(b, e) & (known_partition_epoch[e] <= partition_epoch) & joins,
        why="the version is not asked for",
    )


def elects_outsiders(base: Protocol) -> Protocol:
    """An election takes any broker, as if nothing were lost."""
    return base.but("ZDC3", when=members_.is_(just(g)), effects=elects(g, members_), why="any broker is elected")


def _dropping(base: Protocol, id: str, row: str, why: str) -> Protocol:
    """Return the tables without an assumption on the event of a row."""
    kept = tuple(one for one in base.inputs if one.id != id)
    return replace(base.but(row, when=base.row(row).when, why=why), inputs=kept)


def returns_unnoticed(base: Protocol) -> Protocol:
    """Before KIP-380: a broker that stopped and came back at once was taken for the process that it had been."""
    return _dropping(base, "ZDA2", "ZDC4", "nobody notices that a broker stopped")


def takes_old_requests(base: Protocol) -> Protocol:
    """Before KIP-380: a new process takes LeaderAndIsr that was meant for the one before."""
    return _dropping(base, "ZDA3", "ZDC4", "LeaderAndIsr carries no broker epoch")


def joins_by_earlier_fetches(base: Protocol) -> Protocol:
    """Without KIP-903: a follower comes into the ISR by what an earlier process of it had fetched."""
    return _dropping(base, "ZDA4", "ZDL1", "the broker epoch of a fetch is not looked at")


def writes_unanswered(base: Protocol) -> Protocol:
    """Before KIP-497: a leader whose write was made, and not answered, goes on with the ISR of before."""
    return _dropping(base, "ZDA5", "ZDL1", "the answer to a write is lost")


def loses_the_last(base: Protocol) -> Protocol:
    """The last member of the ISR stays in it, whatever it has lost."""
    return _dropping(base, "ZDA1", "ZDC4", "the last member of the ISR may have lost records")


def uses_late_answers(base: Protocol) -> Protocol:
    """Before KAFKA-18723: a fetch answer of an older leader epoch is used if its offset fits."""
    return _dropping(base, "DA4", "DF2", "the leader epoch of an answer is not looked at")


def has_any_controller(base: Protocol) -> Protocol:
    """Nothing is known of the controller but the lines DG1 to DG7: its changes raise the leader epoch and put nobody into the ISR."""
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
