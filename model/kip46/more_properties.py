"""Further properties of KIP-46: entries and timers, the content of tasks, their order, and when one ends."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .discovery import DISCOVERY, FAILOVER, OFF, PROCESSES
from .mitigation import HEALING, TASKS, goal, number, partitions, satisfied
from .properties import ENDS, FIRES
from .state import *

TABLES = (PROCESSES, DISCOVERY, HEALING, TASKS, FAILOVER)
GONE, BACK = ("SH1", "SH1k", "SH10"), ("SH2", "SH7")
"""The callbacks for a broker that is gone, and for one that is there again."""
FAILING = ("CP1", "SH8")
"""One controller takes the place of another: SI2 and M8 say what becomes of entries and tasks."""

OF_ENTRIES: tuple[Property, ...] = (
    always(
        "SI8",
        OFF.implies(forall(b, ~missed(b))),
        "With an interval of -1 no broker is ever considered failed.",
        "S1:112",
    ),
    always(
        "SI9",
        forall(b, (controller & missed(b) & ~healing[b]).implies(timer[b].is_(failed[b] + interval))),
        "While there is a controller a timer runs for every entry, to the time of the first failure and the interval.",
        "S1:31,33,65",
    ),
    result_step(
        "SI10",
        forall(
            b,
            missed(b).implies(next_(failed[b]).is_(failed[b]) | next_(failed[b]).is_(-1))
            & (~missed(b) & next_(missed(b))).implies(
                controller & live[b] & ~alive[b] & next_(failed[b]).is_(now) & ~next_(live[b])
            ),
        ),
        "An entry is made when a controller first hears that a broker is dead, with that time, which stays.",
        "S1:29-33",
        except_rows=dict.fromkeys(FAILING, "one controller takes the place of another (SI2, M8)"),
    ),
    result_step(
        "SI11",
        ~next_(live[b])
        & forall(q, next_(isr[q]).is_(when(empty(isr[q] - just(b)), isr[q], isr[q] - just(b))))
        & next_(missed(b)).is_(~OFF),
        "A broker that is found dead has an entry, is live no more, and leaves every ISR that has another member.",
        "S1:29,63-64",
        rows=GONE,
    ),
    result_step(
        "SI12",
        next_(live[b]) & ~next_(missed(b)) & (next_(timer[b]) < 0) & ~next_(healing[b]),
        "A broker that is found to be back is live, and has no entry and no timer: nothing of it is healed any more.",
        "S1:31,66,82",
        rows=BACK,
    ),
    result_step(
        "SI13",
        forall(b, next_(live[b]).is_(alive[b])),
        "A new controller knows who is there.",
        "S1:87",
        named_for="what a new controller knows is set when it takes over; between that and the next one it learns of each change",
        rows=("SH8",),
    ),
    result_step(
        "SI14",
        (~controller).implies(
            forall(b, next_(failed[b]).is_(failed[b]))
            & forall(k, next_(running[k]).is_(running[k]) & queued[k].implies(next_(queued[k])))
            & forall(q, next_(replicas[q]).is_(replicas[q]))
        ),
        "Without a controller no entry comes or goes, no task is begun or ended, and no partition is moved.",
        "S1:33,87",
        except_rows=dict.fromkeys(FAILING, "one controller takes the place of another (SI2, M8)"),
    ),
    result_step("SI15", next_(now) >= now, "The clock does not go back.", "S1:31"),
)

OF_PLANS: tuple[Property, ...] = (
    result_step(
        "SI16",
        next_(healing[b]) & next_(listed[b]).is_(on(b)) & (next_(timer[b]) < 0),
        "When the timer fires all partitions of the broker are listed, once.",
        "S1:37,67",
        rows=FIRES,
    ),
    always(
        "SI17",
        forall(
            b,
            (healing[b] | (empty(listed[b]) & empty(placed[b])))
            & forall(p, (p.in_(placed[b]) & ~p.in_(listed[b])) | empty(plan[b, p])),
        ),
        "What is planned is for a broker that is being healed, and for partitions that are no longer to be placed.",
        "S1:67",
    ),
    result_step(
        "SI18",
        (goal <= known_live()) & ((replicas[p] & known_live()) - just(b) <= goal) & next_(plan[b, p]).is_(goal),
        "New replicas are on live brokers, and those that are live stay.",
        "S1:13,67",
        rows=("SH3a",),
    ),
    always(
        "SI19",
        forall(
            b,
            forall(p, (p.in_(placed[b]) | p.in_(listed[b])).implies(~b.in_(plan[b, p])))
            & forall(k, heals[k].is_(some(b)).implies(forall(p, ~b.in_(target[k, p])))),
        ),
        "No plan and no task for a failed broker leaves anything on it.",
        "S1:13,37",
    ),
    result_step(
        "SI20",
        next_(queued[number])
        & forall(k, queued[k].implies(k < number))
        & next_(next_chunk).is_(number + 1)
        & next_(chunk[number]).is_(partitions)
        & ~empty(partitions)
        & ~next_(running[number]),
        "A chunk that is written is a task of its own at the end of the queue, and has the next number.",
        "S1:52,67",
        rows=("SH3b", "MT1"),
    ),
    result_step(
        "SI21",
        next_(heals[number]).is_(some(b))
        & empty(listed[b])
        & forall(q, q.in_(partitions).implies(next_(target[number, q]).is_(plan[b, q]) & ~next_(q.in_(placed[b])))),
        "Once new replicas are found for all partitions they are written, chunk by chunk, with the broker that they are for.",
        "S1:67",
        rows=("SH3b",),
    ),
    always(
        "SI22",
        forall(
            k,
            automatic[k].is_(present(heals[k]))
            & (queued[k] | (~automatic[k] & empty(chunk[k])))
            & (empty(chunk[k]).is_(~queued[k]))
            & forall(p, p.in_(chunk[k]) | empty(target[k, p])),
        ),
        "A task is marked as generated where it is for a failed broker, has some partition, and leaves nothing when it is over.",
        "S1:58,76",
    ),
    result_step(
        "SI23",
        ~next_(missed(b)) & ~next_(healing[b]),
        "Once the tasks are written the entry is deleted.",
        "S1:83",
        rows=ENDS,
    ),
)

OF_TASKS: tuple[Property, ...] = (
    result_step(
        "SI24",
        forall(
            k,
            ((queued[k] & ~next_(queued[k])) | (~running[k] & next_(running[k]))).implies(
                queued[k] & forall(j, queued[j].implies(k <= j))
            ),
        ),
        "Tasks are begun, ended and dropped in their order.",
        "S1:52,58,68",
    ),
    always(
        "SI34",
        forall(k, running[k].implies(forall(j, queued[j].implies(k <= j)))),
        "The task that runs is the first of the queue.",
        "S1:58,68",
    ),
    result_step(
        "SI25",
        next_(running[number]).is_(~(automatic[number] & satisfied(number)))
        & next_(queued[number]).is_(next_(running[number])),
        "A generated task is dropped where all its partitions have the desired number of replicas, and begun elsewhere.",
        "S1:76,92",
        rows=("SH4", "SH5"),
    ),
    result_step(
        "SI26",
        forall(
            q,
            next_(replicas[q]).is_(when(q.in_(chunk[number]), replicas[q] | target[number, q], replicas[q]))
            & next_(isr[q]).is_(isr[q]),
        ),
        "A task that is begun adds its targets to the replicas of its partitions.",
        "S1:48-50",
        rows=("SH4",),
    ),
    result_step(
        "SI27",
        forall(
            q,
            when(
                q.in_(chunk[number]),
                (target[number, q] <= caught[q])
                & next_(replicas[q]).is_(target[number, q])
                & next_(isr[q]).is_(isr[q] & target[number, q]),
                next_(replicas[q]).is_(replicas[q]) & next_(isr[q]).is_(isr[q]),
            ),
        )
        & ~next_(queued[number])
        & controller,
        "A task ends when all its targets have been in the ISR once, and leaves its partitions on them alone.",
        "S1:58,72",
        rows=("SH6",),
    ),
    result_step(
        "SI28",
        forall(q, next_(replicas[q]).is_(replicas[q])),
        "Nothing but a task moves a partition.",
        "S1:48-50",
        except_rows=dict.fromkeys(("SH4", "SH6"), "a task moves its partitions there"),
    ),
    always(
        "SI29",
        forall(p, when(being_moved(p), ~controller | (isr[p] <= caught[p]), empty(caught[p]))),
        "In a partition that a task moves every ISR member counts as caught up, in others no broker does.",
        "S1:72",
    ),
    result_step(
        "SI30",
        forall(q, next_(caught[q]) <= (caught[q] | next_(isr[q]))),
        "Only current and former ISR members count as caught up.",
        "S1:72",
    ),
)

OF_REPLICAS: tuple[Property, ...] = (
    result_step(
        "SI31",
        forall(q, next_(isr[q]) <= isr[q]),
        "Only a replica that has caught up joins an ISR: no task adds a broker that is not in sync.",
        "S1:72",
        except_rows={"RP1": "the replica that joins has caught up (SI32)"},
    ),
    result_step(
        "SI32",
        b.in_(replicas[p]) & alive[b] & ~empty(isr[p]) & next_(b.in_(isr[p])) & forall(x, x.in_(isr[p]).implies(next_(x.in_(isr[p])))),
        "A broker that joins an ISR is a replica that is live, and no member leaves for it.",
        "S1:72",
        rows=("RP1",),
    ),
    result_step(
        "SI33",
        forall(q, (~empty(isr[q])).implies(~next_(empty(isr[q])))),
        "No failure empties an ISR: its last member stays.",
        "S1:29",
        except_rows={"SH6": "a task that ends leaves its partitions on its targets alone (SI27)"},
    ),
)  # fmt: skip

MORE: tuple[Property, ...] = (*OF_ENTRIES, *OF_PLANS, *OF_TASKS, *OF_REPLICAS)
