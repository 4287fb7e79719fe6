"""Ways in which the event loop would break S3's guarantees, those of Kafka itself among them: each with its shortest run."""

from __future__ import annotations

from fencepost.model.kraft_loop.leadership import is_ready
from fencepost.model.kraft_loop.requests import answered
from fencepost.model.kraft_loop.slices import bound
from fencepost.model.kraft_loop.state import *
from fencepost.model.kraft_loop.steps import ends, extends, record, restarts
from fencepost.model.language import FALSE, TRUE

from . import kraft_loop_edits as edits
from .edits import Edit, but, redefine
from .entry import Entry, Expected

_NO_WRITES = ("Send", "RunPeriodicTask", "BeginTransaction")


def _entry(
    name: str,
    edit: Edit,
    known_as: str,
    why: str,
    sizes: tuple[int, int, int, int],
    length: int,
    row: str,
    broken: str,
    with_transactions: bool = False,
    also: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
) -> Entry:
    """Return what the loop must not do, with the shortest run that shows it at a bound of these sizes without some events."""
    where = bound(*sizes, transactions if with_transactions else ~transactions, dict.fromkeys(without, FALSE))
    expected = Expected(broken, length, "tiny", where.sizes, row, where.start, where.given)
    return Entry(name, "kraft-loop", known_as, why, edit, (expected,), also)


_appended = (*record(n, next_write[n], RecordKind.DATA, transaction[n]), extends(n, next_write[n] + 1)[0])
_late = (to > 0) & (to <= high_watermark[known_epoch[n]]) & next_write[n].is_(0)
_run = (effect[n, to - 1].becomes(log[known_epoch[n], to - 1]), committed[n].becomes(to), applied[n].becomes(to))

KRAFT_LOOP_MUSEUM: tuple[Entry, ...] = (
    _entry(
        "completes-at-once", but("QW8", effects=answered(Future.ANSWERED), why="the purgatory is not looked at"), "S3:119",
        "A write without records is answered before those that wait: the caller reads back less than it was answered.",
        (1, 1, 1, 2), 6, "QW8", "QL14",
    ),
    _entry(
        "schedules-before-replay", but("QW11", effects=(_appended, restarts(n)), why="the append is scheduled before the records are applied"), "S3:122",
        "Raft has the records before they are applied: one that cannot be applied ends every controller that reads it.",
        (1, 1, 1, 2), 6, "QW11", "QL18",
    ),
    _entry(
        "keeps-a-replaced-listener", but("QC6", when=_late, effects=_run, why="callbacks of a replaced listener are run"), "S3:307",
        "A callback of a listener that was replaced is run: a record is applied that does not follow what was applied.",
        (1, 1, 1, 2), 8, "QC6", "QL4",
    ),
    _entry(
        "arms-tasks-at-claim", but("QK1", more=armed[n].becomes(TRUE), why="the claim schedules the periodic tasks"), "S3:173",
        "Periodic tasks are scheduled by the claim: they may write before the bootstrap.",
        (1, 1, 1, 2), 3, "QK1", "QL17",
    ),
    _entry(
        "reverts-too-little", edits.reverts_too_little, "S3:160",
        "Who renounces keeps the first record that is not stable; its epoch's log may lose it.",
        (1, 1, 2, 2), 5, "QK4", "QL4r",
    ),
    _entry(
        "reverts-too-much", edits.reverts_too_much, "the caption at S3:155",
        "A revert removes what begins at the snapshot's own offset, as the caption says: a committed record is lost.",
        (1, 1, 2, 2), 7, "QK4", "QL4r",
    ),
    _entry(
        "claims-before-caught-up", redefine("caught_up", TRUE, why="a claim does not wait for the listener"), "S3:177",
        "A node claims before its listener has caught up: it writes on a state that lacks committed records.",
        (1, 1, 2, 2), 9, "QK1", "QL5c",
    ),
    _entry(
        "abort-forgets-a-map", edits.abort_forgets_a_map, "S3:164",
        "A collection that is not registered with the snapshots is not reverted by Abort.",
        (1, 1, 2, 6), 12, "QA3", "QL4", True, (), _NO_WRITES,
    ),
    _entry(
        "keeps-the-transaction", edits.keeps_the_transaction, "Kafka 4.4, D1",
        "The transaction start is a plain field: who renounces believes in a transaction whose Begin may be lost, and its stable "
        "offset does not move any more.",
        (1, 1, 2, 5), 6, "QK4", "QL4r", True, ("D1",),
    ),
    _entry(
        "ends-when-appended", edits.ends_when_appended, "Kafka 4.4, D2",
        "End takes effect when it is appended: the commit of an earlier batch shows a part of the transaction to reads.",
        (1, 1, 2, 5), 8, "QR1", "QL7", True, ("D2",),
    ),
    _entry(
        "remembers-what-was-cut", edits.remembers_what_was_cut, "Kafka up to 4.0, D3",
        "That the log was not empty is a plain field: a node that is elected again after its bootstrap was lost writes none.",
        (1, 1, 2, 2), 9, "QA5", "QL11r", False, ("D3",),
    ),
    _entry(
        "loads-one-too-many", edits.loads_one_too_many, "Kafka 4.4, D4",
        "The exclusive end of a snapshot is taken for its last offset: what is stable was not applied.",
        (2, 1, 1, 2), 8, "QS1", "QL1", False, ("D4",),
    ),
    _entry(
        "counts-what-it-aborts", edits.counts_what_it_aborts, "Kafka 4.1 to 4.4, D20",
        "The activation aborts a bootstrap that was cut and does not write it again: there is no metadata.version.",
        (1, 1, 2, 3), 12, "QA4", "QL11r", True, ("D20",), _NO_WRITES,
    ),
    _entry(
        "finishes-transactions", but("QA4", effects=(ends(n), is_ready), why="a dangling transaction is finished, not aborted"), "the text at S3:173 and S3:315",
        "A transaction that was left open is ended as if it were whole: a part of it takes effect.",
        (1, 1, 2, 6), 17, "QA4", "QL12", True, (), ("Send", "FaultInEvent", "ProcessEnds"),
    ),
)  # fmt: skip
