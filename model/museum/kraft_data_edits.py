"""Ways to lose an acknowledged record, as edits of `kraft-data`: of the controller, of leaders, of followers."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kraft_data.controller import decide, eligible, in_flight, none_restarted, read, registers
from fencepost.model.kraft_data.followers import begins, last
from fencepost.model.kraft_data.leaders import all_have
from fencepost.model.kraft_data.state import *
from fencepost.model.language import TRUE, Assign, Protocol, at_least, every, exists, forall, just, present, when

_may_propose = leads(b, e) & ~proposing[e] & ~f.in_(known_isr[e]) & (fetched_broker_epoch[e, f] > 0)


def elects_outsiders(base: Protocol) -> Protocol:
    """Any broker is elected, in the ISR or not."""
    return base.but("DC4", when=present(leader) & leader.isnt(g), why="any replica is elected")


def stays_eligible(base: Protocol) -> Protocol:
    """A broker that lost records stays in the ELR."""
    return base.but("DC8", effects=registers(b, read), why="a broker that stopped uncleanly stays in the ELR")


def keeps_the_last(base: Protocol) -> Protocol:
    """Without ELR the last member of the ISR stays in it, whatever it has lost."""
    lost = registers(b, read), decide(NO_ONE, epoch + 1, just(b), NOBODY)
    last = crashed[b] & leader.is_(b) & isr.is_(just(b))
    return base.but("DC10", when=last, effects=lost, why="the last member stays in the ISR, as without ELR")


def stays_in_the_isr(base: Protocol) -> Protocol:
    """A broker that lost records and is back before it was fenced stays in the ISR."""
    return base.but("DC9", effects=registers(b, read), why="a new registration changes no partition")


def keeps_the_eligible(base: Protocol) -> Protocol:
    """Another min.insync.replicas leaves the ELR as it is."""
    return base.but(
        "DC17", when=(partition_epoch > 0) & c.is_(config + 1), why="nothing is cleared when the minimum changes"
    )


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


def processes_twice(base: Protocol) -> Protocol:
    """A proposal that was refused is processed once more."""
    return base.but("DC13", effects=alter_refused[e].becomes(TRUE), why="a copy of a refused request is still queued")


def joins_at_once(base: Protocol) -> Protocol:
    """A follower joins the ISR with its first fetch."""
    return base.but("DL3", when=_may_propose, why="a follower joins without having caught up")


def joins_at_the_high_watermark(base: Protocol) -> Protocol:
    """A follower joins the ISR at the high watermark, which of a new leader lags behind."""
    caught_up = _may_propose & (fetched[e, f] >= high_watermark[e])
    return base.but("DL3", when=caught_up, why="the start of the leader epoch is not looked at")


def joins_at_the_epoch_start(base: Protocol) -> Protocol:
    """A follower joins the ISR where the leader's epoch began, below what has been acknowledged since."""
    caught_up = _may_propose & (fetched[e, f] >= epoch_start[e])
    return base.but("DL3", when=caught_up, why="the high watermark is not looked at")


def takes_late_refusals(base: Protocol) -> Protocol:
    """A refusal of an earlier proposal ends the present one: the answer is not compared with what is pending."""
    why = "an answer is not compared with the proposal that is pending"
    for id in ("DL3", "DL4", "DM3"):
        kept = tuple(one for one in base.row(id).effects if not _answers(one))
        base = base.but(id, effects=kept, why=why)
    return base


def _answers(effect: object) -> bool:
    return isinstance(effect, Assign) and effect.target.state.name == "alter_refused"


def forgets_proposed_members(base: Protocol) -> Protocol:
    """The high watermark waits for the ISR that is known, not for those proposed."""
    known = forall(x, x.in_(known_isr[e]).implies(x.is_(b) | (fetched[e, x] >= n)))
    when = leads(b, e) & (n > high_watermark[e]) & (n <= log_end[b]) & enough(e) & known
    return base.but("DL6", when=when, why="proposed members do not count")


def acknowledges_below_the_minimum(base: Protocol) -> Protocol:
    """The high watermark rises whatever the size of the ISR."""
    when = leads(b, e) & (n > high_watermark[e]) & (n <= log_end[b]) & all_have
    return base.but("DL6", when=when, why="min.insync.replicas is not looked at")


def has_its_own_minimum(base: Protocol) -> Protocol:
    """The high watermark rises with the minimum of any configuration, as a broker's own setting would have it."""
    any_minimum = exists(c, at_least(known_isr[e], min_isr_in[c]))
    when = leads(b, e) & (n > high_watermark[e]) & (n <= log_end[b]) & any_minimum & all_have
    return base.but("DL6", when=when, why="the leader's minimum is not the controller's")


def counts_fetches_of_any_epoch(base: Protocol) -> Protocol:
    """A leader counts fetches that carry an older leader epoch than its own, or none."""
    sent = exists(d, (fetch_broker_epoch[d, f] > 0) & (n <= fetch_offset[d, f]))
    noted = fetched[e, f].becomes(n), fetched_broker_epoch[e, f].becomes(broker_epoch[f])
    return base.but("DL2", when=leads(b, e) & sent, effects=noted, why="the leader epoch of a fetch is not looked at")


def does_not_truncate(base: Protocol) -> Protocol:
    """A follower of a new leader fetches on from where its log ends."""
    return base.but("DF4", when=begins, why="nothing is truncated")


def truncates_too_much(base: Protocol) -> Protocol:
    """A follower truncates to its own high watermark, which may lag behind what it has acknowledged by fetching."""
    return base.but("DF1", when=begins & (n < log_end[f]), why="a follower truncates to its own high watermark")


def asks_for_one_epoch(base: Protocol) -> Protocol:
    """One round of KIP-101: the leader's end offset for the follower's last epoch, and no second question."""
    older = forall(i, ((i < leader_end[e]) & (i < log_end[f])).implies((i < n).is_(leader_log[e, i] <= asked)))
    cut = begins & (log_end[f] > 0) & asked.is_(last) & (n < log_end[f]) & (n <= leader_end[e]) & older
    effects = (*base.row("DF1").effects, truncated[f].becomes(TRUE))
    return base.but("DF1", when=cut, effects=effects, why="one round of epochs is asked")


def uses_late_answers(base: Protocol) -> Protocol:
    """An answer is used whatever the leader epoch in which it was asked for: what DA4 assumes is not so."""
    kept = tuple(one for one in base.inputs if one.id != "DA4")
    edited = base.but("DF2", when=base.row("DF2").when, why="the leader epoch of an answer is not looked at")
    return replace(edited, inputs=kept)


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
