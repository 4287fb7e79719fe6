"""Properties that KIP-46 claims (SI1 to SI7), guarantees of the matrix (M5, M6, M8), and lemmas for induction."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .mitigation import number, partitions
from .state import *

FIRES = ("SH3", "SH9")
ENDS = ("SH3c",)
_forgotten = missed(b) & (next_(failed[b]) < 0) & ~next_(live[b])

SAFETY: tuple[Always | Step, ...] = (
    step(
        "SI1",
        ~live[b] & (now >= gone_since[b] + interval),
        "Healing begins when the interval is over since a controller first heard that the broker is gone, and for one that is "
        "not back for all that the controller knows: not so where it came back while there was none, its entry is still there.",
        "S1:31",
        rows=FIRES,
        expected="violated",
        finding="SH11",
    ),
    step(
        "M6",
        ~back[b],
        "A broker that was up again since is not healed: a return of which the controller has not heard yet is not noticed.",
        "S1:23",
        rows=FIRES,
        expected="violated",
        finding="M6",
    ),
    step(
        "SI2",
        forall(
            b,
            next_(failed[b]).is_(failed[b])
            & (missed(b) & next_(controller)).implies(next_(timer[b]).is_(failed[b] + interval)),
        ),
        "The time of the first failure survives the controller, and the timer is set by it.",
        "S1:33",
        named_for="it is about a controller that goes and one that comes; others note a failure, or end its healing",
        rows=("CP1", "SH8"),
        scope=AT_RESULT_BOUNDARIES,
    ),
    always(
        "SI3", forall(k, forall(j, (running[k] & running[j]).implies(k.is_(j)))), "At most one task runs.", "S1:42,68"
    ),
    always(
        "SI3s",
        forall(k, queued[k].implies(~at_least(chunk[k], chunk_limit))),
        "No task has more partitions than kafka.heal.chunk.size.",
        "S1:105",
    ),
    step(
        "SI4",
        automatic[number] & ~started[number] & ~running[number],
        "Only tasks are dropped that were generated automatically, and not started.",
        "S1:76",
        rows=("SH5",),
    ),
    step(
        "SI5",
        forall(
            b,
            _forgotten.implies(
                forall(
                    p,
                    (p.in_(wanted[b]) & b.in_(replicas[p])).implies(
                        p.in_(persisted[b]) | exists(k, queued[k] & p.in_(chunk[k]) & ~b.in_(target[k, p]))
                    ),
                )
            ),
        ),
        "The entry of a broker that is away is deleted only once a task was written for each of its partitions.",
        "S1:83",
        scope=AT_RESULT_BOUNDARIES,
    ),
    always(
        "SI5h",
        forall(b, healing[b].implies(missed(b) & controller)),
        "While the tasks of a broker are being written its entry is there.",
        "S1:83,89",
    ),
    step("SI1t", now < next_(now), "The clock goes on.", "S1:31", rows=("TM1",)),
    step(
        "SI1p",
        next_(alive[b]).is_(~alive[b]),
        "A broker that fails was alive, and is not any more; one that returns was not, and is.",
        "S1:63,66",
        rows=("BP1", "SH11", "BP2"),
    ),
    step(
        "SI1b",
        next_(back[b]).is_(back[b] | missed(b)),
        "It is noted of a broker with an entry, and of no other, that it was back.",
        "S1:66",
        rows=("BP2",),
    ),
    step(
        "SI2c",
        next_(controller).is_(~controller)
        & next_(controller_epoch).is_(when(controller, controller_epoch, controller_epoch + 1)),
        "A controller fails that there is, and one comes where there is none, under the next epoch.",
        "S1:87",
        rows=("CP1", "SH8"),
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "SI6b",
        next_(listed[b]).is_(on(b)) & next_(wanted[b]).is_(on(b)) & next_(empty(persisted[b])),
        "Healing begins with every partition that the broker has then, and with no task written for any of them.",
        "S1:67,89-94",
        rows=FIRES,
    ),
    step(
        "SI6c",
        next_(queued[number] & heals[number].is_(some(b)) & chunk[number].is_(partitions))
        & forall(p, p.in_(partitions).implies(next_(target[number, p]).is_(plan[b, p]))),
        "A task has the partitions that are written with it, each with the brokers that were found for it.",
        "S1:41,67",
        rows=("SH3b",),
    ),
    step(
        "SI6",
        exists(p, p.in_(chunk[number]) & ~settled[p]) | ~automatic[number],
        "A task that was written again after a failover moves nothing that was healed, and has kept its brokers.",
        "S1:92",
        rows=("SH4",),
    ),
)

MATRIX: tuple[Step, ...] = (
    step(
        "M5",
        forall(p, p.in_(chunk[number]).implies(~empty(isr[p] & target[number, p]))),
        "A task that ends leaves a member in the ISR: violated if 'in ISR once' is meant, and that member has left.",
        "S1:72",
        rows=("SH6",),
        expected="violated",
        finding="M5",
    ),
    step(
        "M8",
        forall(b, next_(failed[b]).is_(failed[b]))
        & forall(k, next_(queued[k]).is_(queued[k]) & next_(running[k]).is_(running[k]))
        & forall(k, next_(chunk[k]).is_(chunk[k])),
        "A controller that goes and one that comes lose no entry and no task.",
        "S1:33,87",
        named_for="it is about a controller that goes and one that comes; others note failures, and begin and end tasks",
        rows=("CP1", "SH8"),
        scope=AT_RESULT_BOUNDARIES,
    ),
)

HEALERS = (
    "TimePasses", "OnBrokerFailure", "OnBrokerStartup", "TimerFires", "PlaceReplicas", "PersistChunk", "DeleteFailedBroker",
    "StartTask", "DropTask", "CatchUp", "CompleteTask", "ControllerFailover",
)  # fmt: skip
"""Events that nothing holds up: the clock, callbacks, the controller at its work, fetching, the election of a controller."""

away = exists(p, exists(b, b.in_(replicas[p]) & ~alive[b])) & interval.isnt(-1)
LIVENESS: tuple[LeadsTo, ...] = (
    leads_to(
        "SI7",
        away,
        ~away,
        HEALERS,
        "A broker that stays away has all its replicas moved: violated if it left while there was no controller.",
        "S1:67-68",
        expected="violated",
        finding="SH11",
    ),
)

WITNESSES: tuple[Sometimes, ...] = (
    sometimes("SIw1", exists(b, healing[b]), "Some broker is healed.", "S1:67"),
    sometimes("SIw2", exists(k, running[k]), "Some task runs.", "S1:68"),
    sometimes("SIw3", exists(p, settled[p] & ~empty(replicas[p])), "Some partition was healed.", "S1:68"),
)

LEMMAS: tuple[Always, ...] = (
    lemma("SL1", forall(k, running[k].implies(queued[k])), "For SI3: what runs is in the queue."),
    lemma("SL2", forall(k, (k >= next_chunk).implies(~queued[k] & ~automatic[k] & absent(heals[k]))), "For SI3: numbers still to come are free."),
    lemma("SL3", forall(k, (queued[k] & started[k]).implies(running[k])), "For SI4: what was started runs."),
    lemma(
        "SL4",
        forall(
            b,
            healing[b].implies(forall(p, p.in_(wanted[b]).implies(p.in_(listed[b]) | p.in_(placed[b]) | p.in_(persisted[b])))),
        ),
        "For SI5: what is to be covered is listed, placed, or written.",
    ),
    lemma(
        "SL5",
        forall(b, ((missed(b) & ~healing[b]) | (timer[b] < 0)) & (missed(b) | failed[b].is_(-1))),
        "For SI5h: no timer without an entry, or when it has fired.",
    ),
    lemma("SL6", controller | forall(b, timer[b] < 0), "For SI5h: timers are of a controller that lives."),
    lemma(
        "SL7",
        forall(
            k,
            forall(p, (queued[k] & automatic[k] & p.in_(chunk[k])).implies(at_least(target[k, p], desired[p]))),
        ),
        "For SI6: every task leads to as many replicas as there are to be.",
    ),
    lemma(
        "SL8",
        forall(b, forall(p, p.in_(placed[b]).implies(at_least(plan[b, p], desired[p])))),
        "For SL7: so does every plan.",
    ),
    lemma(
        "SL9",
        forall(p, settled[p].implies(at_least(replicas[p], desired[p]) & (~controller | (replicas[p] <= known_live())))),
        "For SI6: what was healed has its replicas.",
    ),
    lemma("SL10", forall(b, (live[b]).implies(controller)), "Memory is of a controller that lives."),
    lemma("SL11", now >= 0, "For SI5h: the clock does not go back."),
    lemma("SL12", forall(b, missed(b).implies(failed[b].is_(gone_since[b]))), "For SI1: the entry has the time of the death."),
    lemma("SL13", forall(b, (timer[b] >= 0).implies(timer[b].is_(failed[b] + interval))), "For SI1: timers are of entries."),
    lemma(
        "SL14",
        forall(k, forall(p, (queued[k] & p.in_(chunk[k])).implies(~empty(target[k, p])))),
        "For M5 where it is repaired: every task has a target.",
    ),
)  # fmt: skip

PROPERTIES: tuple[Property, ...] = (*SAFETY, *MATRIX, *LIVENESS, *WITNESSES, *LEMMAS)
