"""The edits that the entries of KIP-343 make; `kip343.py` has their stories and verdicts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fencepost.model.kip343.brokers import (
    HEARTBEATS_OF_BROKERS,
    PROCESSES,
    clears_messages,
    fences_itself,
    handles_traffic,
    in_cluster,
    no_error,
    reply,
    target,
    to,
)
from fencepost.model.kip343.controller import HEARTBEATS, accepts, answers, heartbeat, iid
from fencepost.model.kip343.partitions import elected, must_move, new_isr, served
from fencepost.model.kip343.state import *
from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import map_effect, rewrite


def _assuming(base: Protocol, id: str, term: Term[bool] | None, why: str) -> Protocol:
    """Return the variant that assumes something else under an id, or nothing."""

    def other(told: tuple[Assumption, ...]) -> tuple[Assumption, ...]:
        return tuple(
            one if one.id != id or term is None else assume(id, term, why, one.source, one.event)
            for one in told
            if one.id != id or term is not None
        )

    name = f"{base.name}+{id}"
    return replace(
        base, name=name, why=why, assumptions=other(base.assumptions), inputs=other(base.inputs), base=base.base or base
    )


def _timeouts(base: Protocol, term: Term[bool] | None, why: str) -> Protocol:
    """Return the variant that asks something else of the two timeouts, or nothing."""
    start = rewrite(base.start, lambda node: (TRUE if term is None else term) if node is LONGER else None)
    return replace(_assuming(base, "HA0", term, why), start=start)


# -- timeouts ----------------------------------------------------------------------------------------------------------
def any_timeouts(base: Protocol) -> Protocol:
    """Return the variant without the demand that the broker's timeout be the longer one."""
    return _timeouts(base, None, "the two timeouts are what operators make them")


def never_fences(base: Protocol) -> Protocol:
    """Return the variant in which no broker fences itself, whatever it does not hear."""
    why = "a broker never fences itself: the controller alone decides"
    punctual = forall(
        x,
        (controller & ~known_legacy[x] & (state[x].is_(ACTIVE) | state[x].is_(STOPPING))).implies(
            to <= last_contact[x] + controller_timeout + 1
        ),
    )
    return _assuming(base.without("H7", why=why), "HA4", punctual, why)


sent_at = per(BROKER, "sent_at", TIME, initial=0, what="soft", about="when the heartbeat was sent that is under way")


def lease(base: Protocol) -> Protocol:
    """Return the variant with a lease: the broker's timeout is the shorter one, and counts from when it sent the heartbeat."""
    why = "the broker's timeout is the shorter one, and counts from the send"
    shorter = _timeouts(base, broker_timeout < controller_timeout, why)
    timed = shorter.but(
        "HS1",
        effects=(
            asked[b].becomes(TRUE),
            asked_incarnation[b].becomes(own_incarnation[b]),
            asked_target[b].becomes(target),
            sent_at[b].becomes(now),
        ),
        why=why,
    )
    kept = [one for one in timed.row("H8").effects if getattr(one, "target", None) not in (last_reply[b], fenced[b])]
    return timed.but(
        "H8",
        effects=(last_reply[b].becomes(sent_at[b]), fenced[b].becomes(now > sent_at[b] + broker_timeout), *kept),
        why=why,
    )


LEASE_LEMMAS = (
    lemma(
        "HLa", forall(b, fences_itself(b).implies(last_reply[b] <= last_contact[b])), "Who serves counts from no later."
    ),
    lemma(
        "HLb",
        forall(b, (answered[b] & answer_error[b].is_(Error.NONE)).implies(sent_at[b] <= last_contact[b])),
        "Contact was after the send that is answered.",
    ),
    lemma(
        "HLc",
        forall(b, (sent_at[b] <= now) & (last_contact[b] <= now) & (last_reply[b] <= now)),
        "All were in the past.",
    ),
    lemma(
        "HLd",
        forall(b, timed_out[b].implies(now > last_contact[b] + controller_timeout)),
        "Who timed out has not been heard of since.",
    ),
    lemma(
        "HLe", forall(b, timed_out[b].implies(~fences_itself(b))), "M3t, of whatever incarnation the controller has."
    ),
)
"""Lemmas for the proof of the lease."""


# -- incarnations ------------------------------------------------------------------------------------------------------
forge = event("ForgedHeartbeat", b, iid, given=controller, environment=True, source="S0:56")


def made_up(base: Protocol) -> Protocol:
    """Return the variant in which a heartbeat may name any incarnation: a forged one, or that of a faulty broker."""
    row = forge(
        "H3f",
        iid > incarnation[b],
        incarnation[b].becomes(iid),
        state[b].becomes(ACTIVE),
        last_contact[b].becomes(now),
        known_legacy[b].becomes(FALSE),
    )
    return base.plus(
        row, why="a heartbeat names what its sender likes, and a higher id is taken over", table=HEARTBEATS.name
    )


def names_incarnation(base: Protocol) -> Protocol:
    """Return the variant in which an answer names the incarnation that it is for, and counts for no other one."""
    mine = asked_incarnation[b].is_(own_incarnation[b])
    why = "an answer carries the incarnation id, as S0:92 says"
    return base.but("H8e", when=~no_error | ~mine, why=why)


def errors_count(base: Protocol) -> Protocol:
    """Return the variant in which an error answer is contact too."""
    return base.but(
        "H8e",
        effects=(last_reply[b].becomes(now), fenced[b].becomes(FALSE), clears_messages(b)),
        why="any answer is contact",
    )


# -- heartbeats --------------------------------------------------------------------------------------------------------
def keeps_stopping(base: Protocol) -> Protocol:
    """Return the variant in which a shutdown that has begun cannot be taken back."""
    refuses = heartbeat(
        "H5s", target.is_(ACTIVE) & state[b].is_(STOPPING), accepts(b, iid, literal(STOPPING)), say=Answer.STOPPING
    )
    return base.plus(refuses, why="who is Stopping stays so", table=HEARTBEATS.name, before="H5")


heard_before = per(BROKER, "heard_before", BOOL, what="soft", about="its last heartbeat arrived, while Inactive")
told_before = per(BROKER, "told_before", BOOL, what="soft", about="its last answer arrived, while fenced")


def _counts_in_a_row(base: Protocol, row: Row, counted: Term[bool], before: str, why: str) -> Protocol:
    """Return the variant with a row for the first of two messages in a row, which a loss has counted anew."""
    second = base.row(before)
    made = base.plus(row, why=why, table=base.table_of(second).name, before=before)
    made = made.but(before, effects=(*second.effects, counted.becomes(FALSE)), why=why)
    return made.but("HS3", effects=(*base.row("HS3").effects, counted.becomes(FALSE)), why=why)


def two_heartbeats(base: Protocol) -> Protocol:
    """Return the variant in which an Inactive broker becomes Active at its second heartbeat in a row."""
    why = "an Inactive broker is let in at its second heartbeat in a row"
    first = heartbeat(
        "H5f",
        target.is_(ACTIVE) & state[b].is_(INACTIVE) & ~heard_before[b],
        accepts(b, iid, literal(INACTIVE)),
        heard_before[b].becomes(TRUE),
        say=Answer.INACTIVE,
    )
    made = _counts_in_a_row(base, first, heard_before[b], "H5", why)
    forgotten = every(x, TRUE, heard_before[x].becomes(FALSE))
    return made.but("H12", effects=(*base.row("H12").effects, forgotten), why=why)


def two_answers(base: Protocol) -> Protocol:
    """Return the variant in which a fenced broker takes requests at its second answer in a row."""
    why = "a fenced broker takes requests at its second answer in a row"
    first = reply(
        "H8f",
        no_error & in_cluster & fenced[b] & ~told_before[b],
        last_reply[b].becomes(now),
        heard[b].becomes(now),
        unanswered[b].becomes(FALSE),
        told_before[b].becomes(TRUE),
        clears_messages(b),
    )
    made = _counts_in_a_row(base, first, told_before[b], "H8", why)
    return made.but("HZ1", effects=(*base.row("HZ1").effects, told_before[b].becomes(FALSE)), why=why)


def starts_initial(base: Protocol) -> Protocol:
    """Return the variant in which a broker is Initial, and not Inactive, until its first heartbeat."""
    why = "a broker that has not contacted the controller is Initial (S0:70)"
    made = base
    for row in ("H-reg", "H12"):
        effects = tuple(_initially(one) for one in made.row(row).effects)
        made = made.but(row, effects=effects, why=why)
    return made


def _initially(effect: Any) -> Any:
    old, new = literal(INACTIVE), literal(INITIAL)
    return map_effect(
        effect, lambda term: rewrite(term, lambda node: new if isinstance(node, Lit) and node is old else None)
    )


def reads_znodes(base: Protocol) -> Protocol:
    """Return the variant in which a new controller takes every registered broker for Active, as of now (H12 b)."""
    there = registered[x] > 0
    return base.but(
        "H12",
        effects=(
            controller.becomes(TRUE),
            every(
                x,
                TRUE,
                incarnation[x].becomes(registered[x]),
                known_legacy[x].becomes(legacy[x] & there),
                state[x].becomes(when(there, literal(ACTIVE), literal(INACTIVE))),
                last_contact[x].becomes(now),
                timed_out[x].becomes(FALSE),
            ),
        ),
        why="a new controller reads the znodes and begins with whom it finds",
    )


ask_otherwise = event("AskOtherwise", b, target, environment=True, source="S0:76-79")


def _asks_otherwise(base: Protocol, why: str) -> Protocol:
    row = ask_otherwise(
        "HS4",
        fences_itself(b) & handles_traffic(b) & ~asked[b] & ~answered[b] & (target.is_(INACTIVE) | target.is_(INITIAL)),
        asked[b].becomes(TRUE),
        asked_incarnation[b].becomes(own_incarnation[b]),
        asked_target[b].becomes(target),
    )
    asking = _assuming(base, "HA6", None, why)
    return asking.plus(row, why=why, table=HEARTBEATS_OF_BROKERS.name)


def takes_other_targets(base: Protocol) -> Protocol:
    """Return the variant in which a broker may ask to be Inactive or Initial, and becomes so."""
    why = "whatever state a broker asks for it gets"
    made = _asks_otherwise(base, why)
    for id, to_state, said in (("H5i", INACTIVE, Answer.INACTIVE), ("H5n", INITIAL, Answer.INITIAL)):
        row = heartbeat(id, target.is_(to_state), accepts(b, iid, literal(to_state)), say=said)
        made = made.plus(row, why=why, table=HEARTBEATS.name)
    return made


def refuses_other_targets(base: Protocol) -> Protocol:
    """Return the variant in which asking to be Inactive or Initial is an invalid request."""
    why = "only Active and Stopping can be asked for"
    row = heartbeat("H5x", TRUE, answers(b, iid, error=literal(Error.INVALID_REQUEST)), say=Answer.INVALID_REQUEST)
    return _asks_otherwise(base, why).plus(row, why=why, table=HEARTBEATS.name)


def ignores_other_targets(base: Protocol) -> Protocol:
    """Return the variant in which asking to be Inactive or Initial is contact that leaves the state as it is."""
    why = "another target is contact, and no more"
    said = when(
        state[b].is_(ACTIVE),
        literal(Answer.ACTIVE),
        when(
            state[b].is_(STOPPING),
            literal(Answer.STOPPING),
            when(state[b].is_(INACTIVE), literal(Answer.INACTIVE), literal(Answer.INITIAL)),
        ),
    )
    row = heartbeat("H5y", TRUE, accepts(b, iid, state[b]), say=said)
    return _asks_otherwise(base, why).plus(row, why=why, table=HEARTBEATS.name)


elsewhere = event("HeartbeatElsewhere", b, environment=True, source="S0:54,116")


def not_controller(base: Protocol) -> Protocol:
    """Return the variant in which a broker that is not the controller answers a heartbeat NOT_CONTROLLER, as S0:116 has it of IsrChange."""
    row = elsewhere(
        "HN1",
        asked[b] & ~controller,
        answers(b, asked_incarnation[b], error=literal(Error.NOT_CONTROLLER)),
        say=Answer.NOT_CONTROLLER,
    )
    return base.plus(row, why="who is not the controller says so", table=HEARTBEATS.name)


def not_controller_counts(base: Protocol) -> Protocol:
    """Return the variant in which that answer is contact: brokers outlive any outage of the controller."""
    return errors_count(not_controller(base))


# -- shutdown ----------------------------------------------------------------------------------------------------------
exits = event("ExitBroker", b, environment=True, source="S0:36,73")
told_stopping = running[b] & shutting_down[b] & answered[b] & answer_state[b].is_(STOPPING)


def _exits(base: Protocol, guard: Term[bool], why: str) -> Protocol:
    row = exits("HZ8", guard, running[b].becomes(FALSE), clears_messages(b))
    return base.plus(row, why=why, table=PROCESSES.name)


def exits_when_told(base: Protocol) -> Protocol:
    """Return the variant in which a broker exits once it is answered that it is Stopping."""
    return _exits(base, told_stopping, "Stopping is leave to exit")


def exits_when_leaderless(base: Protocol) -> Protocol:
    """Return the variant in which a broker exits once it is answered so and does not believe that it leads."""
    return _exits(base, told_stopping & forall(p, believes[b, p] < 0), "a broker exits when it leads nothing")


# -- ISR changes -------------------------------------------------------------------------------------------------------


def takes_over(base: Protocol) -> Protocol:
    """Return the variant in which an IsrChange with a higher incarnation is taken over, as a heartbeat's is."""
    why = "a higher incarnation id is valid, as in a heartbeat"
    lower = base.but("H10", when=iid < incarnation[b], why=why)
    return lower.but("H11", effects=(incarnation[b].becomes(iid), isr[p].becomes(new_isr)), why=why)


def members_active(base: Protocol) -> Protocol:
    """Return the variant that refuses an ISR with a new member who is Inactive."""
    row = base.row("H11b")
    return base.but("H11b", when=row.when | ~((new_isr - isr[p]) <= served()), why="who joins an ISR is not Inactive")


cached_isr = per(PARTITION, "cached_isr", set_of(BROKER), what="soft", about="the ISR that the controller wrote last")


def elects_from_cache(base: Protocol) -> Protocol:
    """Return the variant in which the controller elects from the ISR that it knows, and writes without asking the version."""
    why = "the controller takes itself for the only writer of the state znode"
    known = when(empty(cached_isr[p]), replicas[p], cached_isr[p])
    in_sync = those(x, x.in_(known) & state[x].is_(ACTIVE))
    made = base.but(
        "HE1",
        when=must_move(p) & elected.in_(in_sync),
        effects=(
            leader[p].becomes(elected),
            leader_epoch[p].becomes(leader_epoch[p] + 1),
            isr[p].becomes(known & served()),
            cached_isr[p].becomes(known & served()),
            leader_in[p, leader_epoch[p] + 1].becomes(elected),
        ),
        why=why,
    )
    return made.but("H11", effects=(isr[p].becomes(new_isr), cached_isr[p].becomes(new_isr)), why=why)
