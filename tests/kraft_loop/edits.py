"""Edits of rows of the loop, each with the claim on answers, reads and batches that alone refutes it."""

from fencepost.model.kraft_loop import KRAFT_LOOP
from fencepost.model.kraft_loop.leadership import bootstrapped, in_transaction
from fencepost.model.kraft_loop.requests import answered, atomic, queued
from fencepost.model.kraft_loop.state import *
from fencepost.model.kraft_loop.steps import writes, x
from fencepost.model.language import FALSE, Protocol, Term, every, exists, literal
from fencepost.model.language.effects import Effects
from fencepost.model.language.walk import without
from tests.kraft_claims.edits import Mutant

_next = queued & asked[r].is_(n) & ~expired[r]


def _when(id: str, term: Term[bool]) -> Protocol:
    return KRAFT_LOOP.but(id, when=term, why="a mutant")


def _but(id: str, *effects: Effects) -> Protocol:
    return KRAFT_LOOP.but(id, effects=effects, why="a mutant")


def _tells_the_purgatory(answer: Future) -> Protocol:
    rest = without(KRAFT_LOOP.row("QK4").effects, frozenset({future.state}))
    return _but("QK4", rest, every(x, waits(x, n), future[x].becomes(literal(answer))))


def _loses(left: Term[bool]) -> Protocol:
    rest = without(KRAFT_LOOP.row("QK5").effects, frozenset({future.state}))
    return _but("QK5", rest, every(x, left, future[x].becomes(literal(Future.LOST))))


MUTANTS = (
    Mutant(
        "QL20", "QW8", "a write without records runs before the activation",
        lambda: _when("QW8", _next & is_active & stable[n].isnt(next_write[n])),
    ),
    Mutant(
        "QL20w", "QW13", "a transaction begins before the activation",
        lambda: _when("QW13", leads_yet & transactions & ~in_transaction),
    ),
    Mutant("QL20r", "QW15", "a read is answered before it", lambda: _when("QW15", kept[n, stable[n], o] > 0)),
    Mutant(
        "QL24", "QA5", "a transaction that was left open stays open",
        lambda: _when("QA5", leads_yet & activating[n] & bootstrapped),
    ),
    Mutant("QL21", "QW4", "a standby answers a write", lambda: _but("QW4", answered(Future.ANSWERED))),
    Mutant("QL21n", "QW4", "an active controller answers NOT_CONTROLLER", lambda: _when("QW4", _next)),
    Mutant(
        "QL22", "QW9", "what was answered is answered again",
        lambda: _when("QW9", future[r].is_(Future.ANSWERED) & asked[r].is_(n) & is_active & ~activating[n]),
    ),
    Mutant(
        "QL22p", "QW9", "who has run is refused",
        lambda: _when("QW9", future[r].is_(Future.PARKED) & asked[r].is_(n) & is_active & ~activating[n]),
    ),
    Mutant("QL23", "QK4", "a fault is the purgatory's answer", lambda: _tells_the_purgatory(Future.UNKNOWN)),
    Mutant(
        "QL25", "QW9", "a request is run after its deadline",
        lambda: _when("QW9", queued & asked[r].is_(n) & is_active & ~activating[n]),
    ),
    Mutant(
        "QL25q", "QW2", "a deadline passes before the request is sent, or after it has run",
        lambda: _when("QW2", ~expired[r]),
    ),
    Mutant("QL25t", "QW3", "a request is timed out before its deadline", lambda: _when("QW3", queued)),
    Mutant("QL26", "QW9", "an ApiException is answered as a fault is", lambda: _but("QW9", answered(Future.UNKNOWN))),
    Mutant(
        "QL26r", "QW5", "what has written is answered as an ApiException is",
        lambda: _but("QW5", writes(n, to, atomic), answered(Future.REFUSED)),
    ),
    Mutant("QL27", "QW4", "a standby answers nothing", lambda: _but("QW4", answered(Future.LOST))),
    Mutant(
        "QL27r", "QK5", "a process that ends keeps its queue",
        lambda: _loses(future[x].is_(Future.PARKED) & asked[x].is_(n)),
    ),
    Mutant(
        "QL8a", "QW5", "an atomic result is split",
        lambda: _but("QW5", writes(n, to, FALSE), KRAFT_LOOP.row("QW5").effects[1:]),
    ),
    Mutant(
        "QL7r", "QW15", "a read shows what was applied",
        lambda: _when("QW15", ~activating[n] & (effect[n, o] > 0)),
    ),
)  # fmt: skip
"""Each is refuted by proof, in its row."""

LASTING = (
    (
        "lasting",
        Mutant(
            "QV1", "QW3", "only an active controller looks at deadlines",
            lambda: _when("QW3", queued & expired[r] & exists(n, asked[r].is_(n) & (claim[n] > 0))),
        ),
    ),
    (
        "lasting",
        Mutant(
            "QV2", "QK3", "no node renounces once it is active",
            lambda: _when("QK3", is_active & (known_epoch[n] > claim[n]) & activating[n]),
        ),
    ),
    (
        "failover",
        Mutant(
            "QV3", "QK3", "no node renounces during the activation",
            lambda: _when("QK3", is_active & (known_epoch[n] > claim[n]) & ~activating[n]),
        ),
    ),
    (
        "failover",
        Mutant(
            "QV4", "QK1", "a claim waits until all is stable, what is in a transaction, too",
            lambda: _when("QK1", KRAFT_LOOP.row("QK1").when & stable[n].is_(epoch_start[known_epoch[n]])),
        ),
    ),
)  # fmt: skip
"""Each is refuted at a bound: what its row may do it may do in the tables as well, but not whenever it must."""
