"""Safety properties of the loop: S3's guarantees (323, 325, 331) and its invariants (126, 160), as far as they are safety."""

from __future__ import annotations

from fencepost.model.kraft_data.quantified import for_all, stays
from fencepost.model.language.vocabulary import *

from .answers import RENOUNCES, RESTARTS
from .state import *

_active = claim[n] > 0
_answered = ~future[r].is_(Future.ANSWERED) & next_(future[r].is_(Future.ANSWERED))
_version = RecordKind.VERSION


def _is_version(o: Term[int]) -> Term[bool]:
    """A metadata.version that a record at an offset set is in effect."""
    return (effect[n, o] > 0) & log_kind[follows(n), o].is_(_version)


def of_state(id: str, term: Term[bool], about: str, source: str) -> Step:
    """Claim a condition of the state before every step, where all lemmas hold: it follows from these and needs no induction."""
    return step(id, term, about, source)


OFFSETS_CLAIMS: tuple[Property, ...] = (
    always(
        "QL1",
        for_all(n, (stable[n] <= committed[n]) & (committed[n] <= applied[n]) & (_active.implies(applied[n].is_(next_write[n])))),
        "What is stable is committed, what is committed was applied; an active controller has applied all that it wrote.",
        "S3:77, S3:164",
    ),
    step(
        "QL1s",
        for_all(n, stable[n] <= next_(stable[n])),
        "The stable offset never goes back, also over claims and renunciations; only a process that ends begins again.",
        "S3:164",
        AT_RESULT_BOUNDARIES,
        except_rows=dict.fromkeys(RESTARTS, "the process ends, and begins again"),
    ),
    always(
        "QL3",
        for_all(n, _active.implies(snapshot[n, stable[n]])),
        "An active controller has an in-memory snapshot at its stable offset.",
        "S3:160",
    ),
    always(
        "QL3s",
        for_all(n, (stable[n] > 0).implies(snapshot[n, stable[n]])),
        "So has every node that may be read: where something is stable, a snapshot shows it.",
        "S3:87, S3:160",
    ),
    always(
        "QL3k",
        for_all(n, s, o, snapshot[n, s].implies((s <= applied[n]) & kept[n, s, o].is_(holds(follows(n), o, s)))),
        "An in-memory snapshot is the state that one gets by applying the node's log up to its offset, also after reverts and aborts.",
        "S3:160, S3:152",
    ),
)  # fmt: skip
DETERMINISM: tuple[Property, ...] = (
    always(
        "QL4",
        for_all(n, o, effect[n, o].is_(holds(follows(n), o, applied[n]))),
        "The state of a node is what one gets by applying its log from the start: in effect are the data records that no Abort has undone, "
        "while it is active, when it has renounced, and as a standby.",
        "S3:171, S3:311, S3:323",
    ),
    step(
        "QL4r",
        for_all(o, next_(effect[n, o]).is_(holds(claim[n], o, stable[n]))) & next_(transaction[n]).is_(0),
        "Who renounces has the state of what is stable, outside of any transaction: exactly what is not stable is thrown away.",
        "S3:160, S3:171",
        AT_RESULT_BOUNDARIES,
        rows=RENOUNCES,
    ),
    of_state(
        "QL5",
        for_all(
            n, m, o,
            (claim[n].is_(0) & claim[m].is_(0) & applied[n].is_(applied[m])).implies(effect[n, o].is_(effect[m, o])),
        ),
        "Two standbys that have applied as much have the same state.",
        "S3:323",
    ),
    of_state(
        "QL5r",
        for_all(
            n, m, o,
            (snapshot[n, stable[n]] & snapshot[m, stable[m]] & stable[n].is_(stable[m])).implies(
                kept[n, stable[n], o].is_(kept[m, stable[m], o])
            ),
        ),
        "Two nodes, active or not, with the same stable offset show the same to reads.",
        "S3:323, S3:327",
    ),
    step(
        "QL5c",
        for_all(d, o, ((d < known_epoch[n]) & (d <= raft_epoch) & (o < high_watermark[d])).implies(
            (o < applied[n]) & log[known_epoch[n], o].is_(log[d, o]))),
        "Who claims an epoch has applied every record that was committed before it, at its offset.",
        "S3:177, S3:323",
        rows=("QK1",),
    ),
    step(
        "QL12",
        for_all(o, next_(effect[n, o]).is_(when(o < transaction[n] - 1, effect[n, o], NONE_YET))),
        "Abort restores the state from before Begin.",
        "S3:164",
        AT_RESULT_BOUNDARIES,
        rows=("QC5", "QA4"),
    ),
)  # fmt: skip
DURABILITY: tuple[Property, ...] = (
    step(
        "QL2",
        for_all(r, n, (_answered & asked[r].is_(n) & next_(wrote_in[r] > 0)).implies(next_(parked_at[r] <= stable[n]))),
        "A write is answered when the stable offset has reached its last record, and not before.",
        "S3:126, S3:325",
        AT_RESULT_BOUNDARIES,
    ),
    always(
        "QL2d",
        for_all(
            r, o,
            (future[r].is_(Future.ANSWERED) & (wrote_from[r] <= o) & (o < parked_at[r]) & (wrote_in[r] > 0)).implies(
                (o < high_watermark[raft_epoch]) & log[raft_epoch, o].is_(wrote_in[r])
            ),
        ),
        "The records of a write that was answered are committed, and in the log of every later leader.",
        "S3:325",
    ),
    step(
        "QL14",
        for_all(
            r, n,
            (_answered & asked[r].is_(n) & next_(wrote_in[r].is_(0))).implies(
                next_((next_write[n] <= stable[n]) | (future[r].is_(Future.ANSWERED) & (parked_at[r] > 0) & (parked_at[r] <= stable[n])))
            ),
        ),
        "A write without records is answered only after all that was written before it is stable.",
        "S3:119",
        AT_RESULT_BOUNDARIES,
    ),
    of_state(
        "QL7",
        for_all(
            n, o,
            (kept[n, stable[n], o] > 0).implies(
                (o < stable[n])
                & (stable[n] <= high_watermark[raft_epoch])
                & kept[n, stable[n], o].is_(log[raft_epoch, o])
                & log_open[raft_epoch, stable[n]].is_(0)
                & undone_by[raft_epoch, o].is_(0)
            ),
        ),
        "What reads show is committed, in no open transaction, and never undone.",
        "S3:164, S3:327",
    ),
    always(
        "QL15",
        for_all(r, future[r].is_(Future.TIMED_OUT).implies(wrote_in[r].is_(0))),
        "A request that the queue timed out has written nothing.",
        "S3:83",
    ),
)  # fmt: skip
WRITERS: tuple[Property, ...] = (
    always(
        "QL6",
        for_all(n, _active.implies(leader_of[claim[n]].is_(n))),
        "Only the node that Raft elected in an epoch claims it: no two nodes claim one epoch.",
        "S3:331",
    ),
    step(
        "QL6e",
        next_(claim[n]).is_(known_epoch[n]),
        "The epoch that a node claims is that in which Raft elected it.",
        "S3:71",
        rows=("QK1", "QK2"),
    ),
    step(
        "QL6a",
        for_all(e, n, ((e <= raft_epoch) & leader_of[e].is_(n) & next_(log_end[e]).isnt(log_end[e])).implies(
            claim[n].is_(e) & known_epoch[n].is_(e))),
        "Only its claimer appends to the log of an epoch, and not once its Raft client knows of a newer one.",
        "S3:331",
        AT_RESULT_BOUNDARIES,
    ),
    step(
        "QL6c",
        for_all(e, (e < raft_epoch).implies(stays(high_watermark[e])))
        & for_all(o, (o < high_watermark[raft_epoch]).implies(
            next_(o < high_watermark[raft_epoch]) & next_(log[raft_epoch, o]).is_(log[raft_epoch, o]))),
        "A controller that was replaced changes nothing that is committed: of an epoch that is over no more is committed, and what is "
        "committed stays, in the log of the newest epoch too.",
        "S3:331",
        AT_RESULT_BOUNDARIES,
    ),
    step(
        "QL6n",
        for_all(e, o, (o < log_end[e]).implies(
            (o < next_(log_end[e])) & next_(log[e, o]).is_(log[e, o]))),
        "What is in the log of an epoch stays there.",
        "S3:331",
        AT_RESULT_BOUNDARIES,
    ),
    always(
        "QL8",
        for_all(e, ((high_watermark[e] > 0).implies(log_ends[e, high_watermark[e]])) & ((log_end[e] > 0).implies(log_ends[e, log_end[e]]))),
        "Logs and what is committed of them end with a batch: an atomic result is one batch, so it is there whole or not at all.",
        "S3:130",
    ),
    step(
        "QL9",
        transaction[n].is_(0),
        "A Begin is applied outside of transactions only: they do not nest.",
        "S3:164",
        rows=("QC3",),
    ),
    step("QL9e", transaction[n] > 0, "An End and an Abort are applied inside of a transaction only.", "S3:164", rows=("QC4", "QC5")),
    of_state(
        "QL11",
        for_all(n, o, p, (_is_version(o) & _is_version(p)).implies(o.is_(p))),
        "The bootstrap is in effect at most once.",
        "S3:173",
    ),
    always(
        "QL11r",
        for_all(n, (_active & ~activating[n]).implies(exists(o, _is_version(o)))),
        "It is in effect on every active controller whose activation is complete.",
        "S3:173",
    ),
    always(
        "QL16",
        for_all(n, claim[n].is_(0).implies((applied[n] <= high_watermark[known_epoch[n]]) & ~activating[n])),
        "Only an active controller applies records that are not committed.",
        "S3:17, S3:122",
    ),
    always(
        "QL17",
        for_all(n, armed[n].is_(_active & ~activating[n])),
        "Periodic tasks are scheduled while the node is active and its activation complete, and at no other time.",
        "S3:173, Kafka 4.4",
    ),
    step(
        "QL18",
        for_all(e, stays(log_end[e])),
        "A record that cannot be applied comes into no log.",
        "S3:122",
        named_for="it is about the record that cannot be applied; other rows append, replicate and cut logs",
        rows=("QW11",),
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "QL19",
        stays(applied[n]) & stays(committed[n]) & stays(stable[n]),
        "A callback of a replaced listener changes nothing.",
        "S3:307",
        rows=("QC6",),
        scope=AT_RESULT_BOUNDARIES,
    ),
)  # fmt: skip
_lost = (future[r].is_(Future.NOT_CONTROLLER)) & (wrote_in[r] > 0)
WITNESSES: tuple[Sometimes, ...] = (
    sometimes("QX1", exists(r, future[r].is_(Future.ANSWERED) & (wrote_in[r] > 0)), "A write is answered.", "S3:120"),
    sometimes(
        "QX2",
        exists(r, _lost & (wrote_from[r] < high_watermark[raft_epoch]) & log[raft_epoch, wrote_from[r]].is_(wrote_in[r])),
        "A write is answered NOT_CONTROLLER, and its records are committed all the same.",
        "S3:311",
    ),
    sometimes(
        "QX3",
        exists(r, _lost & (wrote_from[r] < high_watermark[raft_epoch]) & log[raft_epoch, wrote_from[r]].isnt(wrote_in[r])),
        "A write is answered NOT_CONTROLLER, and another record is committed in its place.",
        "S3:311",
    ),
    sometimes(
        "QX4",
        exists(n, exists(m, (claim[n] > 0) & (claim[m] > 0) & ~n.is_(m) & (next_write[n] > 0) & (next_write[m] > 0))),
        "Two controllers are active, in two epochs, and the one that was replaced goes on writing.",
        "S3:331",
    ),
    sometimes("QX8", exists(r, future[r].is_(Future.REFUSED) & exists(n, asked[r].is_(n) & _active)),
              "A request is refused, and its controller stays active.", "S3:313"),
    sometimes("QX5", exists(n, (stable[n] < committed[n])), "A part of a transaction is committed, and no read shows it.", "S3:164"),
    sometimes(
        "QX6",
        exists(e, exists(o, (undone_by[e, o] > 0) & (undone_by[e, o] < high_watermark[e]))),
        "A transaction that a failed controller left open is aborted.",
        "S3:173",
    ),
    sometimes("QX7", exists(k, exists(n, (claim[n].is_(k)) & (committed[n] < applied[n]) & (stable[n] < committed[n]))),
              "An active controller has applied more than is committed, of which not all is stable.", "S3:77"),
)  # fmt: skip
PROPERTIES: tuple[Property, ...] = (*OFFSETS_CLAIMS, *DETERMINISM, *DURABILITY, *WRITERS, *WITNESSES)
