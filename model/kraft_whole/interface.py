"""Where the rows of `kraft` and the event loop meet: what the loop assumes of a row, and what a row may assume of the loop.

The loop knows a row as the `generate` of one write: under a guard, records. It assumes

- `replay`: replaying a record reads the record and hard state, and writes hard state. Any node that has the log has the state;
- `records`: nothing but records changes hard state;
- `alone`: records of one stage say the same in any order, so that each is applied by itself;
- `claim`: of soft state that a row reads, a new controller makes all that it needs from hard state.

`tests/kraft_whole/departures.py` checks that of every row by the syntax of the tables. `APART` are the departures, each with its reason.

What a row may assume of the loop are the clauses of `OF_THE_LOOP`, each with the claims of `kraft-loop` that it is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from fencepost.model.kraft.cluster import ACTIVATION
from fencepost.model.kraft.directories import BOTH_PARTS
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.kraft.state import active_controller
from fencepost.model.language import Effect, Protocol
from fencepost.model.language.cuts import with_cuts
from fencepost.model.language.terms import Get
from fencepost.model.language.walk import without

CLAIM = "FO1"
"""The row with which a new controller begins."""


@dataclass(frozen=True)
class Clause:
    """Something that a row may assume of the loop, and the claims of `kraft-loop` that say it."""

    about: str
    claims: tuple[str, ...]


OF_THE_LOOP: Mapping[str, Clause] = {
    "reads its log": Clause(
        "The state in which a row decides is that of its controller's log up to the row's first record.", ("QL1", "QL4")
    ),
    "misses nothing": Clause(
        "Of that log nothing is missing that an earlier controller had committed when this one claimed.", ("QL5c",)
    ),
    "writes alone": Clause(
        "No other node writes before the row's last record: a log has one writer, and what is in it stays there.",
        ("QL6", "QL6a", "QL6n"),
    ),
    "counts whole batches": Clause(
        "What is committed, lost or taken over ends with a batch: of an atomic result all records or none.", ("QL8",)
    ),
    "answers later": Clause(
        "The answer is given when all records are stable, and an answer without records when all before are.",
        ("QL2", "QL2d", "QL14"),
    ),
    "goes back": Clause(
        "A controller that renounces has the state of what is stable, and of nothing else.", ("QL3", "QL3k", "QL4r")
    ),
    "agrees": Clause(
        "Nodes that have applied as much have the same state, and reads of the same offset show the same.",
        ("QL5", "QL5r"),
    ),
    "shows what stays": Clause(
        "Reads show what is committed, in no open transaction and never undone.", ("QL7", "QL16")
    ),
    "undoes transactions whole": Clause(
        "Of a transaction that is aborted nothing is left, and transactions do not nest.", ("QL9", "QL9e", "QL12")
    ),
}

_COPIES = (
    "one record for each entry of an index that lists a partition more than once (D6): they say the same; each raises the partition "
    "epoch in Kafka, all of them once here"
)
_PARTITION_ZERO = "only the partition with the number 0 says how many replicas its topic has"
_ONE_SETTING = "a key of one resource is one setting, and a name that of one topic: no two records are about the same"
_CLEARED = "what one record clears, another finds clear and leaves: the partition epoch rises once"
_COPIED = (
    "adding", "elr", "elr_disordered", "elr_index", "isr", "last_known", "last_nobody", "leader", "leader_epoch", "location",
    "partition_epoch", "recovery", "removing", "replicas",
)  # fmt: skip
_SETTINGS = (
    "cluster_min_insync", "cluster_min_set", "cluster_unclean", "min_insync", "node_unclean", "own_min_insync", "own_unclean",
    "setting", "unclean",
)  # fmt: skip


def _each(rule: str, rows: str, states: tuple[str, ...], reason: str) -> dict[tuple[str, str, str], str]:
    return {(rule, row, state): reason for row in rows.split() for state in states}


APART: Mapping[tuple[str, str, str], str] = {
    **_each("alone", "R1 R2u UR3", _COPIED, _COPIES),
    **_each(
        "alone",
        " ".join(("AD3 AD4 F1 F2 HB1 HB10 HB2 HB4 HB5 HB6 HB7 OD3 OD4 R1 R2 R2u UR3 CP5 CP6 CT3", *BOTH_PARTS)),
        ("replication",),
        _PARTITION_ZERO,
    ),
    **_each("alone", "CM1", _SETTINGS, _ONE_SETTING),
    **_each("alone", "CT3", ("min_insync", "own_min_insync", "own_unclean", "unclean"), _ONE_SETTING),
    **_each("alone", "CM1", ("elr", "last_known", "last_nobody", "partition_epoch"), _CLEARED),
    **_each("alone", "AC1", ("elr_version",), "the level of this feature has a record of its own"),
    **_each("alone", "AL8", ("in_force",), "records that end the same entry say the same of it"),
    **_each(
        "claim",
        CLAIM,
        ("log_end", "registration_offset"),
        "an offset in the log, which every node that has the log knows",
    ),
    **_each("claim", CLAIM, ("kraft_version",), "Raft's own: in its control records"),
}
"""Where a row departs from the interface, by the rule, the row and the state variable, each with the reason why that does no harm."""

NOT_ATOMIC = (
    "registration", "unregistration", "broker lifecycle", "offline directories", "heartbeats that report failed directories", "directories of replicas", "silent brokers",
    "AlterPartition", "elections",
)  # fmt: skip
"""The tables whose results are split into batches; what registers a broker is taken for split, too, which only allows more."""
WHOLE: Mapping[str, str] = {
    **{
        row.id: "the result is atomic, or one record"
        for table in KRAFT.tables
        if table.name not in NOT_ATOMIC
        for row in table.rows
    },
    **{
        row.id: "from 3.6-IV1 on inside a transaction, and one batch before: half of it never counts"
        for row in ACTIVATION.rows
    },
}
"""The rows of which no half is ever in effect, each with the reason."""

_AGAIN = "the broker registers again: it was not answered"
_NEW_SESSION = "the new controller knows of no heartbeat: it takes unfenced brokers for heard of just now"
_TOLD_AGAIN = "the broker was not answered, and reports its directories again"
PROMISED: Mapping[str, str] = {
    "K1": _AGAIN,
    "B1": _AGAIN,
    "B2": _AGAIN,
    "B4": _AGAIN,
    "P31": _AGAIN,
    "B6": "the registration is still there, and the operator asks again",
    "B13": _NEW_SESSION,
    "B20": _NEW_SESSION,
    "B15": "the broker asks for its controlled shutdown again, and what it still leads moves then (HB6)",
    "P28": _TOLD_AGAIN,
    "P36": _TOLD_AGAIN,
    "P34": "after half a fence the next session that ends fences the broker; after half an unfence the partition waits for the "
    "balance of leaders, another unfence, or a request for an election (D13)",
}
"""Claims that hold after a whole result and not after half of one, with the event that restores them after a failover."""

_claim = KRAFT.row(CLAIM).effects
assert isinstance(active_controller, Get)
BEGINS: tuple[Effect, ...] = without(_claim, frozenset((active_controller.state,)))
"""Effects of an activation on soft state; which node it is does not matter here."""


def cut_everywhere(promised: Collection[str], base: Protocol = KRAFT) -> Protocol:
    """Return the tables with their results cut, where some claims are promised of whole results only."""
    return with_cuts(
        base,
        BEGINS,
        name="kraft-cut",
        why="a controller may be replaced when only the first records of a result are committed",
        whole=WHOLE,
        promised=promised,
    )


KRAFT_CUT: Protocol = cut_everywhere(PROMISED)
"""The tables of `kraft` over committed states: what they claim at result boundaries is claimed where a result was cut, too."""
