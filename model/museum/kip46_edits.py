"""The edits of KIP-46: what it leaves open read one way or another, what it rejects, and its holes mended."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kip46.discovery import OFF, clock, forget_healing, takes_offline, without
from fencepost.model.kip46.mitigation import deletes_task, head_, number, partitions
from fencepost.model.kip46.properties import FIRES
from fencepost.model.kip46.state import *
from fencepost.model.language.vocabulary import *
from fencepost.model.language.walk import substitute

from .edits import replaced

LATER = failed[b] + interval
"""When the timer of a broker with an entry is to fire."""


def _more(base: Protocol, row: str, *effects: Effect, why: str) -> Protocol:
    """Return the protocol with further effects of a row."""
    return base.but(row, effects=(*base.row(row).effects, *effects), why=why)


def _holding(made: Protocol, *ids: str) -> Protocol:
    """Return the protocol in which what was declared violated is claimed to hold, where it speaks of it."""
    mended = [
        replace(one, expected="holds", finding="")
        for one in made.properties
        if one.id in ids and not isinstance(one, Sometimes)
    ]
    return made.claiming(*mended) if mended else made


def _fair(made: Protocol, event: str) -> Protocol:
    """Return the protocol whose claims of what comes to pass rely on one more event."""
    claims = [replace(one, fair=(*one.fair, event)) for one in made.properties if isinstance(one, LeadsTo)]
    return made.claiming(*claims) if claims else made


# -- failover ----------------------------------------------------------------------------------------------------------
def restarts_timers(base: Protocol) -> Protocol:
    """Return the variant in which a new controller lets every interval begin anew."""
    why = "a new controller lets every interval begin anew"
    return replaced(base, "SH8", LATER, now + interval, why=why)


@definition
def written(b: Term[Broker], q: Term[Partition]) -> Term[bool]:
    """Some task that was made for the broker moves the partition."""
    return exists(k, queued[k] & heals[k].is_(some(b)) & q.in_(chunk[k]))


@definition
def all_written(b: Term[Broker]) -> Term[bool]:
    """The tasks have all partitions of the broker."""
    return forall(q, b.in_(replicas[q]).implies(written(b, q)))


@definition
def some_written(b: Term[Broker]) -> Term[bool]:
    """Some task was made for the broker."""
    return exists(k, queued[k] & heals[k].is_(some(b)))


def _compares(base: Protocol, enough: Term[bool], why: str) -> Protocol:
    timed = when(missed(b), LATER, timer[b])
    made = replaced(base, "SH8", timed, when(missed(b) & ~enough, LATER, timer[b]), why=why)
    return _more(made, "SH8", every(b, missed(b) & enough, failed[b].becomes(-1)), why=why)


def compares_tasks(base: Protocol) -> Protocol:
    """Return option 1 of SH9: a new controller deletes the entry of a broker whose tasks are all there."""
    why = "a new controller deletes the entry of a broker whose tasks are all there"
    return _compares(base, all_written(b), why)


def compares_hastily(base: Protocol) -> Protocol:
    """Return option 1 of SH9 taken lightly: one task that names the broker is enough to delete its entry."""
    why = "a new controller deletes the entry of a broker that some task names"
    return _compares(base, some_written(b), why)


def compares_brokers(base: Protocol) -> Protocol:
    """Return the repair of SH11: a new controller compares the live brokers with its entries and the assignments."""
    mended = (
        controller.becomes(TRUE),
        controller_epoch.becomes(controller_epoch + 1),
        every(b, TRUE, live[b].becomes(alive[b])),
        every(b, alive[b], failed[b].becomes(-1), timer[b].becomes(-1)),
        every(b, ~alive[b] & missed(b), timer[b].becomes(LATER)),
        every(
            b,
            ~alive[b] & ~missed(b) & ~OFF & ~empty(on(b)),
            failed[b].becomes(now),
            timer[b].becomes(now + interval),
            gone_since[b].becomes(now),
            back[b].becomes(FALSE),
        ),
        every(
            q,
            TRUE,
            isr[q].becomes(without(q, those(x, ~alive[x]))),
            only_if(being_moved(q), caught[q].becomes(without(q, those(x, ~alive[x])))),
            only_if(~(replicas[q] <= those(x, alive[x])), settled[q].becomes(FALSE)),
        ),
    )
    why = (
        "a new controller writes an entry for every broker that is missing, and deletes those of brokers that are back"
    )
    # No broker dies with an entry any more: it was deleted when the broker was back.
    made = base.but("SH8", effects=mended, why=why).without("SH1k", why=why)
    return _holding(made, "SI1", "SI7")


# -- tasks -------------------------------------------------------------------------------------------------------------
def in_sync(base: Protocol) -> Protocol:
    """Return reading b of SH5: the desired number of replicas, all of them in sync."""
    enough = forall(q, q.in_(chunk[k]).implies(at_least(isr[q] & known_live(), desired[q])))
    return _satisfied(base, enough, "replicas count once they are in sync")


def as_assigned(base: Protocol) -> Protocol:
    """Return S1:92 to the letter: a task is satisfied where its assignments are those that there are."""
    same = forall(q, q.in_(chunk[k]).implies(replicas[q].is_(target[k, q])))
    return _satisfied(base, same, "a task is satisfied where the replicas are those that it lists")


def _satisfied(base: Protocol, term: Term[bool], why: str) -> Protocol:
    return base.redefine("satisfied", lambda old: substitute(term, {k: number}), why=why)


def complete_in_sync(base: Protocol) -> Protocol:
    """Return the repair of M5: a task is complete when all of its target are in sync at that moment."""
    now_in = forall(q, q.in_(chunk[number]).implies(target[number, q] <= isr[q]))
    why = "a task ends when all replicas that it leads to are in sync"
    return _holding(base.redefine("complete", lambda old: now_in, why=why), "M5")


retarget = event("Retarget", number, p, b, r, environment=True, source="spec/kip46.md")


def retargets(base: Protocol) -> Protocol:
    """Return the repair of S-d: where a broker of the target is gone before it has caught up, another takes its place."""
    row = retarget(
        "SH6d",
        controller & running[number] & p.in_(chunk[number]) & b.in_(target[number, p]) & ~live[b] & ~b.in_(caught[p])
        & live[r] & ~r.in_(target[number, p]) & ~r.in_(replicas[p]),
        target[number, p].becomes((target[number, p] - just(b)) | just(r)),
        replicas[p].becomes(replicas[p] | just(r)),
    )  # fmt: skip
    why = "another broker takes the place of one that is gone before it has caught up"
    return _holding(_fair(base.plus(row, why=why, table="tasks"), "Retarget"), "SI7")


# -- a task that cannot be read ----------------------------------------------------------------------------------------
garbled = per(SEQUENCE, "garbled", BOOL, about="the controller cannot parse the znode")
submit_old = event("SubmitOldFormat", number, partitions, environment=True, source="S1:117")
skip_garbled = event("SkipGarbled", number, environment=True, source="S1:117")


def blocks_on_garbled(base: Protocol) -> Protocol:
    """Return SH12 read as: a head of the queue that cannot be parsed stays."""
    row = submit_old(
        "MT2",
        number.is_(next_chunk) & ~empty(partitions),
        queued[number].becomes(TRUE), garbled[number].becomes(TRUE), chunk[number].becomes(partitions),
        next_chunk.becomes(next_chunk + 1),
    )  # fmt: skip
    why = "a task that an older tool wrote cannot be parsed, and stays at the head of the queue"
    made = base.plus(row, why=why, table="tasks")
    for id in ("SH4", "SH5"):
        made = made.but(id, when=base.row(id).when & ~garbled[number], why=why)
    return made


def skips_garbled(base: Protocol) -> Protocol:
    """Return SH12 read as: a head of the queue that cannot be parsed is deleted."""
    row = skip_garbled(
        "SH12", controller & head_(number) & garbled[number], deletes_task(number), garbled[number].becomes(FALSE)
    )
    why = "a task that an older tool wrote cannot be parsed, and is deleted"
    made = blocks_on_garbled(base).plus(row, why=why, table="tasks")
    return _fair(made, "SkipGarbled")


# -- clocks and rejected alternatives ----------------------------------------------------------------------------------


scan = event("PeriodicScan", environment=True, source="S1:123-126")


def scans(base: Protocol) -> Protocol:
    """Return the rejected scan: entries are written and deleted by what a scan sees, and callbacks tell nothing."""
    why = "failed brokers are found by a scan"
    made = base.but("SH1", effects=(takes_offline(b),), why=why)
    made = made.but("SH2", effects=(live[b].becomes(TRUE),), why=why)
    missing = ~alive[b] & ~missed(b) & ~empty(on(b))
    row = scan(
        "PS1",
        controller & ~OFF & exists(b, (missing | (alive[b] & missed(b)))),
        every(
            b,
            missing,
            failed[b].becomes(now),
            timer[b].becomes(now + interval),
            gone_since[b].becomes(now),
            back[b].becomes(FALSE),
        ),
        every(b, alive[b] & missed(b), failed[b].becomes(-1), timer[b].becomes(-1), forget_healing(b)),
    )
    return _fair(made.plus(row, why=why, table="discovery of failed brokers"), "PeriodicScan")


reported = per(BROKER, "reported", BOOL, about="the broker reported a failure of its own")
broke = per(BROKER, "broke", BOOL, what="ghost", about="it last stopped because of a failure that it reported")
report = event("ReportFailure", b, environment=True, source="S1:136")


def reports_itself(base: Protocol) -> Protocol:
    """Return the rejected report: a broker whose disk fails writes so before it exits, and is healed at once."""
    why = "a broker that reported its own failure is healed at once"
    made = base.plus(
        report(
            "SF1", alive[b] & controller, alive[b].becomes(FALSE), reported[b].becomes(TRUE), broke[b].becomes(TRUE)
        ),
        why=why,
        table="brokers and the clock",
    )
    for id in ("BP1", "SH11"):
        made = _more(made, id, broke[b].becomes(FALSE), why=why)
    made = replaced(made, "SH1", clock + interval, when(reported[b], clock, clock + interval), why=why)
    return _more(made, "SH3c", reported[b].becomes(FALSE), why=why)


announced = per(BROKER, "announced", BOOL, about="/admin/rolling_bounce/b exists")
crashed = per(BROKER, "crashed", BOOL, what="ghost", about="it last stopped without a clean shutdown")
this_life = per(BROKER, "this_life", BOOL, what="ghost", about="the process that announced a bounce was the last one")
announce = event("AnnounceBounce", b, environment=True, source="S1:139")
shut_down = event("ShutDownCleanly", b, environment=True, source="S1:139")


def announces_bounces(base: Protocol) -> Protocol:
    """Return the rejected fast detection: clean shutdowns are announced, a broker that stops without one is healed at once."""
    why = "a broker that announced no bounce is healed at once"
    made = base.plus(
        announce("RB1", alive[b] & ~announced[b], announced[b].becomes(TRUE), this_life[b].becomes(TRUE)),
        why=why,
        table="brokers and the clock",
    )
    made = made.plus(
        shut_down("RB2", alive[b] & announced[b], alive[b].becomes(FALSE), crashed[b].becomes(FALSE)),
        why=why,
        table="brokers and the clock",
    )
    for id in ("BP1", "SH11"):
        made = _more(made, id, crashed[b].becomes(TRUE), why=why)
    made = _more(made, "BP2", this_life[b].becomes(FALSE), why=why)
    made = replaced(made, "SH1", clock + interval, when(announced[b], clock + interval, clock), why=why)
    return _more(made, "SH3c", announced[b].becomes(FALSE), why=why)


def announcements_end(base: Protocol) -> Protocol:
    """Return the same, where a broker that is back deletes what it announced."""
    made = announces_bounces(base)
    return _more(made, "BP2", announced[b].becomes(FALSE), why="a broker that is back deletes its entry")


# -- claims ------------------------------------------------------------------------------------------------------------
ONLY_NEEDED = step(
    "SI36a",
    exists(p, p.in_(chunk[number]) & ~at_least(replicas[p] & known_live(), desired[p])),
    "A task that was generated moves only what has too few live replicas: nothing for a broker that is back.",
    "S1:76",
    rows=("SH4",),
)
ONLY_IN_SYNC = step(
    "SI36b",
    forall(p, p.in_(chunk[number]).implies(at_least(isr[p], desired[p]))),
    "A task is dropped only where the desired number of replicas is in sync.",
    "S1:72",
    rows=("SH5",),
)
OPERATORS_KEPT = step(
    "SI4m", automatic[number], "No task of an operator is deleted before it is done.", "S1:76", rows=("SH5", "SH12")
)
REPORTED_ONLY = step(
    "SIf",
    (~OFF & reported[b]).implies(broke[b]),
    "A report counts for the exit before which it was made.",
    "S1:136",
    rows=("SH1",),
)
ANNOUNCED_ONCE = step(
    "SIa",
    announced[b].implies(this_life[b]),
    "An announced bounce counts for the process that announced it.",
    "S1:139",
    rows=("SH1",),
)
CRASHES_AT_ONCE = step(
    "SIc",
    crashed[b].implies(next_(timer[b]).is_(now)),
    "A broker that crashed is healed at once.",
    "S1:139-141",
    rows=("SH1",),
)
_gone = missed(b) & (next_(failed[b]) < 0)
OR_COVERED = (
    step(
        "SI2",
        forall(
            b,
            (next_(failed[b]).is_(failed[b]) | _gone)
            & (next_(missed(b)) & next_(controller)).implies(next_(timer[b]).is_(failed[b] + interval)),
        ),
        "The time of the first failure survives the controller, or its entry is deleted.",
        "S1:33,91",
        rows=("CP1", "SH8"),
    ),
    step(
        "M8",
        forall(b, next_(failed[b]).is_(failed[b]) | _gone) & forall(k, next_(queued[k]).is_(queued[k])),
        "A controller that comes deletes no task, and no entry but those whose tasks are there.",
        "S1:91",
        rows=("CP1", "SH8"),
    ),
    lemma(
        "SLp",
        forall(b, forall(p, p.in_(placed[b]).implies(~b.in_(plan[b, p])))),
        "For SI5: no plan has the failed broker.",
    ),
    lemma(
        "SLt",
        forall(
            k, forall(b, forall(p, (queued[k] & heals[k].is_(some(b)) & p.in_(chunk[k])).implies(~b.in_(target[k, p]))))
        ),
        "For SI5: no task that was made for a broker leads to it.",
    ),
)
"""SI2 and M8 where a new controller may delete entries."""

_stays = missed(b) & ~alive[b]
MENDED = (
    step("SI1", ~live[b] & (now >= gone_since[b] + interval), "SI1, with nothing declared.", "S1:31", rows=FIRES),
    lemma("SLh", forall(b, (missed(b) & controller).implies(~live[b])), "For SI1: who has an entry is not live."),
    step(
        "SI2",
        forall(
            b,
            _stays.implies(
                next_(failed[b]).is_(failed[b]) & next_(controller).implies(next_(timer[b]).is_(failed[b] + interval))
            ),
        ),
        "The time of the first failure of a broker that stays away survives the controller, and the timer is set by it.",
        "S1:33",
        rows=("CP1", "SH8"),
    ),
    step(
        "M8",
        forall(b, _stays.implies(next_(failed[b]).is_(failed[b])))
        & forall(k, next_(queued[k]).is_(queued[k]) & next_(running[k]).is_(running[k])),
        "A controller that goes and one that comes lose no task, and no entry of a broker that stays away.",
        "S1:33,87",
        rows=("CP1", "SH8"),
    ),
)
"""Properties that the repair of SH11 keeps: SI1 as a claim that holds, with what its proof needs."""
