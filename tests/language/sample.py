"""A small protocol with one of each construct: workers ask whether they may go on, jobs are held by workers."""

import enum

from fencepost.model.language.vocabulary import *


class Worker(Entity):
    """Somebody who works."""


class Job(Entity):
    """Something to be done."""


class Answer(enum.Enum):
    """The answer to a worker."""

    OK = 0
    LATE = 1
    UNKNOWN = 2


WORKER, JOB = sort(Worker), sort(Job)
TERM, SIZE = counter("term"), threshold("size")
w, v = WORKER.var("w"), WORKER.var("v")
j, k = JOB.var("j"), JOB.var("k")
n = TERM.var("n")

alive = per(WORKER, "alive", BOOL)
resting = per(WORKER, "resting", BOOL, what="soft")
term = cell("term", TERM, 0)
order = per(JOB, "order", list_of(WORKER))
team = per(JOB, "team", set_of(WORKER))
holder = per(JOB, "holder", maybe(WORKER), NONE)
quorum = cell("quorum", SIZE, 1)

_worker, _job = required("worker", WORKER, "workerId"), required("job", JOB, "jobId")
_holder, _team = optional("holder", maybe(WORKER), absent=-2, none=-1), optional("team", set_of(WORKER))
JOINED = record("JOINED", _worker, replay=alive[_worker.value].becomes(TRUE))
LEFT = record("LEFT", _worker, replay=alive[_worker.value].becomes(FALSE))
MOVED = record(
    "MOVED",
    _job,
    fields=(_holder, _team),
    replay=(
        holder[_job.value].becomes(_holder.over(holder[_job.value])),
        team[_job.value].becomes(_team.over(team[_job.value])),
    ),
    silent=True,
)


@definition
def fit(who: Term[Worker]) -> Term[bool]:
    """Alive, and not resting."""
    return alive[who] & ~resting[who]


ready = those(v, fit(v))
unknown = let("unknown", ~alive[w])


@procedure(w, lost=(set_of(WORKER).var("lost"), lambda w: just(w)))
def leave(w: Term[Worker], lost: Term[frozenset[Worker]]) -> object:
    """The jobs of a worker go to somebody else, then the worker goes."""
    moved = let("moved", first(order[j], ready - lost))
    left = let("left", team[j] - lost)
    return (
        every(
            j,
            holder[j].is_(w),
            MOVED(j, holder=said(moved, if_=moved.isnt(holder[j])), team=said(left, if_=w.in_(team[j]))),
        ),
        LEFT(w),
    )


SOURCE = "sample 1"
ask = event("Ask", w, n, source=SOURCE)
join = event("Join", w, given=~alive[w], source=SOURCE)
take = event("Take", j, environment=True, source=SOURCE)

ASKING = table(
    "asking",
    ask("AS1", unknown, say=Answer.UNKNOWN),
    ask("AS2", n < term, say=Answer.LATE, why="An old term says nothing of today."),
    ask("AS3", resting[w], leave(w), resting[w].becomes(FALSE), say=Answer.OK),
    ask("AS4", TRUE, resting[w].becomes(TRUE), say=when(n > term, literal(Answer.LATE), literal(Answer.OK))),
    mode="first match",
    about="A worker asks whether it may go on.",
    why={"AS3": "Who rests while asking has to go."},
)
WORK = table(
    "work",
    join("JO1", TRUE, JOINED(w), term.becomes(term + 1)),
    take("TA1", absent(holder[j]) & at_least(team[j], quorum), MOVED(j, holder=said(first(order[j], ready), if_=TRUE))),
    take(
        "TA2",
        absent(holder[j]) & ~at_least(team[j], quorum),
        team[j].becomes(team[j] | ready),
        only_if(term > 1, term.becomes(0)),
    ),
)
HELD = always(
    "held", forall(j, present(holder[j]).implies(holder[j].in_(order[j]))), "Who holds a job is in its order.", SOURCE
)
GROWS = step("grows", next_(term) >= term, "Terms grow.", SOURCE, scope=AT_RESULT_BOUNDARIES, rows=("JO1",))
BUSY = sometimes("busy", ~forall(j, absent(holder[j])), "A job is held.")
ENDS = leads_to("ends", term.is_(0), term.is_(1), ("Join",))


def sample() -> Protocol:
    """Return the protocol, made anew."""
    return protocol(
        "sample",
        ASKING,
        WORK,
        properties=(HELD, GROWS, BUSY, ENDS),
        bounds={"tiny": Bound({"Worker": 2, "Job": 1, "term": 2, "size": 2}, start=quorum.is_(Threshold(1)))},
        about="Workers and jobs.",
    )
