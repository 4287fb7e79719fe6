"""Rules that the ZooKeeper era learnt one by one, each taken away: the theorem that falls, and the shortest run to it."""

from __future__ import annotations

from fencepost.model.kraft_data.state import *
from fencepost.model.language import FALSE, Term, just
from fencepost.model.zk_data.brokers import joins, writes
from fencepost.model.zk_data.controller import elects, members_
from fencepost.model.zk_data.slices import SIZES

from . import zk_data_edits as edits
from .edits import Edit, but, unassumed
from .entry import Entry, Expected

_KEPT, _CANDIDATES = "AcknowledgedIsKept", "CandidatesHaveAcknowledged"
_ELECTIONS: dict[str, Term[bool]] = dict.fromkeys(
    ("ExpandIsr", "ShrinkIsr", "Stop", "Restart", "ReplicaOffline"), FALSE
)
"""Elections among the members of one ISR: what truncation is for shows there, and all else multiplies the states."""


def _entry(
    name: str,
    edit: Edit,
    known_as: str,
    why: str,
    sizes: tuple[int, ...],
    length: int,
    row: str,
    broken: str = _KEPT,
    given: dict[str, Term[bool]] | None = None,
) -> Entry:
    """Return a rule that is missing with the shortest run that loses a record, at a bound of these sizes."""
    bound = dict(zip(SIZES, sizes, strict=True))
    return Entry(name, "zk-data", known_as, why, edit, (Expected(broken, length, "tiny", bound, row, given=given),))


_at_high_watermark = ~f.in_(known_isr[e]) & (fetched_broker_epoch[e, f] > 0) & (fetched[e, f] >= high_watermark[e])
_has_read = leads(b, e) & (known_partition_epoch[e] <= partition_epoch)

ZK_DATA_MUSEUM: tuple[Entry, ...] = (
    _entry(
        "elects-outsiders", but("ZDC3", when=members_.is_(just(g)), effects=elects(g, members_), why="any broker is elected"), "KIP-106",
        "A broker that is not in the ISR is elected as if nothing were lost.",
        (2, 1, 2, 2, 1), 6, "ZDM1",
    ),
    _entry(
        "loses-the-last", unassumed("ZDA1", "ZDC4", "the last member of the ISR may have lost records"), "KIP-966, last replica standing",
        "The last member of the ISR stays in it (KAFKA-5083), and leads again without the records that it lost.",
        (1, 1, 3, 3, 2), 9, "ZDM1",
    ),
    _entry(
        "returns-unnoticed", unassumed("ZDA2", "ZDC4", "the controller does not notice that a broker stopped"), "KAFKA-7235, KIP-380",
        "A broker that stopped, lost records and came back within one watch was taken for the process that it had been.",
        (2, 1, 2, 2, 2), 11, "ZDC4",
    ),
    _entry(
        "takes-old-requests", unassumed("ZDA3", "ZDC4", "LeaderAndIsr carries no broker epoch"), "KAFKA-7235, KIP-380",
        "A new process took LeaderAndIsr that was meant for the one before, and led without the records that this had had.",
        (2, 1, 2, 2, 2), 12, "ZDC4",
    ),
    _entry(
        "writes-unanswered", unassumed("ZDA5", "ZDL1", "the answer to a write is lost"), "KIP-497",
        "A leader whose write of a larger ISR was made, but not answered, acknowledged without the new member.",
        (2, 1, 3, 4, 1), 11, "ZDM1",
    ),
    _entry(
        "writes-over", but("ZDL1", when=_has_read & joins, why="the version is not asked for"), "KIP-497",
        "A leader writes the ISR over a newer change, which the znode's version forbids.",
        (2, 1, 2, 4, 1), 13, "ZDM1",
    ),
    _entry(
        "joins-by-earlier-fetches", unassumed("ZDA4", "ZDL1", "the broker epoch of a fetch is not looked at"), "KAFKA-14139, KIP-903",
        "A follower that had restarted without its records came into the ISR by what it had fetched before: never repaired with ZooKeeper.",
        (2, 1, 2, 3, 2), 14, "ZDM1",
    ),
    _entry(
        "joins-at-the-high-watermark", but("ZDL1", when=writes & _at_high_watermark, why="the start of the leader epoch is not looked at"), "KAFKA-7128",
        "A follower joined the ISR at the high watermark, which of a new leader lags behind what is acknowledged.",
        (2, 1, 3, 4, 2), 11, "ZDL1", _CANDIDATES,
    ),
    _entry(
        "truncates-to-the-high-watermark", edits.truncates_to_the_high_watermark, "KIP-101",
        "A follower cut its log to the high watermark that it had heard of, and led before it had fetched again.",
        (2, 1, 3, 3, 1), 15, "ZDM1",
    ),
    _entry(
        "asks-for-one-epoch", edits.asks_for_one_epoch, "KAFKA-6361, KIP-279",
        "After two quick failovers one round of leader epochs left a record in which two logs differ.",
        (2, 2, 3, 3, 1), 13, "ZDL3", _CANDIDATES, _ELECTIONS,
    ),
    _entry(
        "counts-fetches-of-any-epoch", edits.counts_fetches_of_any_epoch, "KAFKA-7395, KIP-320",
        "A leader counted the fetches of a follower that had not heard of its epoch, nor truncated its log.",
        (3, 1, 2, 2, 1), 12, "ZDL3", _CANDIDATES, _ELECTIONS,
    ),
    _entry(
        "uses-late-answers", unassumed("DA4", "DF2", "the leader epoch of an answer is not looked at"), "KAFKA-18723",
        "A follower used an answer of the leader of an older epoch if only its offset fitted.",
        (2, 1, 4, 4, 1), 18, "ZDL3", _KEPT, _ELECTIONS,
    ),
    Entry(
        "any-controller", "zk-data", "S0:34-36",
        "Any controller that keeps to the interface: its changes raise the leader epoch and add no broker to the ISR.",
        edits.has_any_controller, (),
    ),
)  # fmt: skip
