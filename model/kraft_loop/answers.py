"""Properties of the loop's requests: when one runs, how it is answered, and the state that a read shows."""

from __future__ import annotations

from fencepost.model.kraft_data.quantified import for_all, stays
from fencepost.model.language import AT_RESULT_BOUNDARIES, Property, Term, any_of, next_, step

from .commits import COMMITS, LOADS
from .leadership import ACTIVATION, LEADERSHIP
from .raft import RAFT
from .requests import READS, REQUESTS, TASKS, atomic
from .state import *

ALL = (RAFT, LEADERSHIP, ACTIVATION, REQUESTS, TASKS, COMMITS, LOADS, READS)
RESTARTS = ("QK5", "QW11", "QS2")
"""The rows with which a process ends: its state is built again from the log."""
RENOUNCES = ("QK3", "QK4", "QW6", "QW10")
ACTIVATES = ("QA1", "QA2", "QA3", "QA4", "QA5")
_waits = future[r].is_(Future.QUEUED) & asked[r].is_(n)


def _then(*answers: Future) -> Term[bool]:
    """The request has, after the step, one of some answers."""
    return any_of(*(next_(future[r].is_(one)) for one in answers))


def _becomes(answer: Future) -> Term[bool]:
    """The step gives the request this answer."""
    return ~future[r].is_(answer) & next_(future[r].is_(answer))


_does_not_run = _then(Future.QUEUED, Future.TIMED_OUT, Future.NOT_CONTROLLER, Future.LOST)
_done = any_of(*(future[r].is_(one) for one in Future if one not in (Future.NONE, Future.QUEUED, Future.PARKED)))

ACTIVATION_CLAIMS: tuple[Property, ...] = (
    step(
        "QL20",
        for_all(r, n, (_waits & activating[n]).implies(_does_not_run)),
        "No request runs before its controller's activation is complete: it waits, or is answered NOT_CONTROLLER or timed out, or the process ends.",
        "S3:83, S3:173",
        AT_RESULT_BOUNDARIES,
    ),
    step(
        "QL20w",
        for_all(e, n, (claim[n].is_(e) & activating[n]).implies(stays(log_end[e]))),
        "Nothing is written before the activation is complete, by a request, a task or a transaction, but by the activation itself.",
        "S3:83, S3:173",
        AT_RESULT_BOUNDARIES,
        except_rows=dict.fromkeys(ACTIVATES, "it is the activation itself"),
    ),
    step("QL20r", ~activating[n], "No read is answered before it is complete.", "S3:83", rows=("QW15",)),
    step(
        "QL24",
        next_(transaction[n]).is_(0),
        "An activation ends outside of any transaction: one that was left open was aborted.",
        "S3:173",
        AT_RESULT_BOUNDARIES,
        rows=ACTIVATES,
    ),
)  # fmt: skip
ANSWERS: tuple[Property, ...] = (
    step(
        "QL21",
        for_all(r, n, (_waits & claim[n].is_(0)).implies(_does_not_run)),
        "A request to a node that is not active is answered NOT_CONTROLLER, if it is not timed out and the process does not end.",
        "S3:117",
        AT_RESULT_BOUNDARIES,
    ),
    step(
        "QL21n",
        for_all(r, n, (asked[r].is_(n) & _becomes(Future.NOT_CONTROLLER)).implies(next_(claim[n]).is_(0))),
        "NOT_CONTROLLER is answered only by a node that is not active, or renounces.",
        "S3:117, S3:171",
        AT_RESULT_BOUNDARIES,
    ),
    step(
        "QL22",
        for_all(r, _done.implies(next_(future[r]).is_(future[r]))),
        "A future completes once.",
        "S3:91",
        AT_RESULT_BOUNDARIES,
    ),
    step(
        "QL22p",
        for_all(r, future[r].is_(Future.PARKED).implies(
            _then(Future.PARKED, Future.ANSWERED, Future.NOT_CONTROLLER, Future.UNKNOWN, Future.LOST))),
        "An event in the purgatory has run: it is neither run again nor refused nor timed out.",
        "S3:126",
        AT_RESULT_BOUNDARIES,
    ),
    step(
        "QL23",
        for_all(q, waits(q, n).implies(next_(future[q].is_(Future.NOT_CONTROLLER)))),
        "An event in the purgatory of a node that renounces is answered NOT_CONTROLLER.",
        "S3:171, S3:311",
        AT_RESULT_BOUNDARIES,
        rows=RENOUNCES,
    ),
    step(
        "QL25",
        for_all(r, (future[r].is_(Future.QUEUED) & expired[r]).implies(_then(Future.QUEUED, Future.TIMED_OUT, Future.LOST))),
        "A request whose deadline passed in the queue is not run.",
        "S3:83",
        AT_RESULT_BOUNDARIES,
    ),
    step(
        "QL25t",
        for_all(r, _becomes(Future.TIMED_OUT).implies(future[r].is_(Future.QUEUED) & expired[r])),
        "No other is timed out: in the purgatory there is no deadline.",
        "S3:83",
        AT_RESULT_BOUNDARIES,
    ),
    step(
        "QL25q",
        for_all(r, (~expired[r] & next_(expired[r])).implies(future[r].is_(Future.QUEUED))),
        "A deadline passes in the queue alone: a request that is not sent, is in the purgatory or has its answer has none.",
        "S3:83",
        AT_RESULT_BOUNDARIES,
    ),
    step(
        "QL26",
        for_all(r, n, (asked[r].is_(n) & _becomes(Future.UNKNOWN)).implies((claim[n] > 0) & next_(claim[n]).is_(0))),
        "UNKNOWN_SERVER_ERROR is a fault of the active controller, which renounces.",
        "S3:313",
        AT_RESULT_BOUNDARIES,
    ),
    step(
        "QL26r",
        for_all(r, n, (asked[r].is_(n) & _becomes(Future.REFUSED)).implies((claim[n] > 0) & stays(claim[n]) & stays(next_write[n]))),
        "An ApiException is an answer of the active controller, which stays active and writes nothing.",
        "S3:313",
        AT_RESULT_BOUNDARIES,
    ),
    step(
        "QL27",
        for_all(r, ~_becomes(Future.LOST)),
        "A request is left without an answer only by a process that ends.",
        "S3:91, S3:312",
        AT_RESULT_BOUNDARIES,
        except_rows=dict.fromkeys(RESTARTS, "the process ends"),
    ),
    step(
        "QL27r",
        for_all(r, _becomes(Future.LOST).is_(
            asked[r].is_(n) & (future[r].is_(Future.QUEUED) | future[r].is_(Future.PARKED)))),
        "When a process ends, the answers to all its requests are lost, and no others.",
        "S3:312",
        AT_RESULT_BOUNDARIES,
        rows=RESTARTS,
    ),
    step(
        "QL8a",
        for_all(s, ((next_write[n] < s) & (s <= to) & atomic).implies(next_(log_ends[claim[n], s]).is_(s.is_(to)))),
        "An atomic result is one batch: none ends inside it, one ends with it.",
        "S3:130",
        AT_RESULT_BOUNDARIES,
        rows=("QW5",),
    ),
    step(
        "QL7r",
        kept[n, stable[n], o] > 0,
        "A read shows what the in-memory snapshot at the stable offset has, and nothing else: QL7 says what that is.",
        "S3:87",
        rows=("QW15",),
    ),
)  # fmt: skip
CLAIMS: tuple[Property, ...] = (*ACTIVATION_CLAIMS, *ANSWERS)
