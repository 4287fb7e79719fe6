"""Ways to lose an acknowledged record, as edits of `kraft-data`: of the controller, of leaders, of followers."""

from __future__ import annotations

from fencepost.model.kraft_data.controller import decide, eligible, in_flight, none_restarted
from fencepost.model.kraft_data.followers import begins, last
from fencepost.model.kraft_data.state import *
from fencepost.model.language import TRUE, Assign, Protocol, every, exists, forall, just, when


def fences_from_an_old_isr(base: Protocol) -> Protocol:
    """A broker is taken out of the ISR as it was one change before: who had left it then is back."""
    old = when(partition_epoch > 1, isr_at[partition_epoch - 1], isr) - just(b)
    fenced = decide(leader, epoch, old, eligible(old))
    return base.but("DC2", effects=fenced, why="the change is computed from an older ISR")


def ignores_partition_epochs(base: Protocol) -> Protocol:
    """A proposal is accepted under any partition epoch."""
    anyhow = alter_sent[e] & e.is_(epoch) & none_restarted
    why = "the partition epoch of a proposal is not looked at"
    elected = anyhow & g.in_(proposed_isr[e]) & leader.isnt(g)
    return base.but("DC12", when=anyhow, why=why).but("DC16", when=elected, why=why)


def ignores_broker_epochs(base: Protocol) -> Protocol:
    """A proposed member is known by its id only."""
    why = "the broker epochs of proposed members are not looked at"
    elected = in_flight & g.in_(proposed_isr[e]) & leader.isnt(g)
    return base.but("DC12", when=in_flight, why=why).but("DC16", when=elected, why=why)


def takes_late_refusals(base: Protocol) -> Protocol:
    """A refusal of an earlier proposal ends the present one: the answer is not compared with what is pending."""
    why = "an answer is not compared with the proposal that is pending"
    for id in ("DL3", "DL4", "DM3"):
        kept = tuple(one for one in base.row(id).effects if not _answers(one))
        base = base.but(id, effects=kept, why=why)
    return base


def _answers(effect: object) -> bool:
    return isinstance(effect, Assign) and effect.target.state.name == "alter_refused"


def counts_fetches_of_any_epoch(base: Protocol) -> Protocol:
    """A leader counts fetches that carry an older leader epoch than its own, or none."""
    sent = exists(d, (fetch_broker_epoch[d, f] > 0) & (n <= fetch_offset[d, f]))
    noted = fetched[e, f].becomes(n), fetched_broker_epoch[e, f].becomes(broker_epoch[f])
    return base.but("DL2", when=leads(b, e) & sent, effects=noted, why="the leader epoch of a fetch is not looked at")


def truncates_too_much(base: Protocol) -> Protocol:
    """A follower truncates to its own high watermark, which may lag behind what it has acknowledged by fetching."""
    return base.but("DF1", when=begins & (n < log_end[f]), why="a follower truncates to its own high watermark")


def asks_for_one_epoch(base: Protocol) -> Protocol:
    """One round of KIP-101: the leader's end offset for the follower's last epoch, and no second question."""
    older = forall(i, ((i < leader_end[e]) & (i < log_end[f])).implies((i < n).is_(leader_log[e, i] <= asked)))
    cut = begins & (log_end[f] > 0) & asked.is_(last) & (n < log_end[f]) & (n <= leader_end[e]) & older
    effects = (*base.row("DF1").effects, truncated[f].becomes(TRUE))
    return base.but("DF1", when=cut, effects=effects, why="one round of epochs is asked")


def keeps_what_was_fetched(base: Protocol) -> Protocol:
    """A leader that led before keeps what it knew of its followers (finding D29)."""
    old = known_epoch[b]
    kept = every(
        x,
        leader_of[old].is_(b),
        fetched[epoch_at[v], x].becomes(fetched[old, x]),
        fetched_broker_epoch[epoch_at[v], x].becomes(fetched_broker_epoch[old, x]),
    )
    return base.but("DM1", effects=(*base.row("DM1").effects, kept), why="what is known of followers outlives an epoch")
