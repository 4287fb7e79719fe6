"""Rules that the ZooKeeper era learnt one by one, each taken away: the theorem that falls, and the shortest run to it."""

from __future__ import annotations

from collections.abc import Callable

from fencepost.model.language import FALSE, Protocol, Term
from fencepost.model.zk_data.slices import SIZES

from .entry import Entry, Expected
from .zk_data_edits import (
    asks_for_one_epoch,
    counts_fetches_of_any_epoch,
    elects_outsiders,
    has_any_controller,
    joins_at_the_high_watermark,
    joins_by_earlier_fetches,
    loses_the_last,
    returns_unnoticed,
    takes_old_requests,
    truncates_to_the_high_watermark,
    uses_late_answers,
    writes_over,
    writes_unanswered,
)

_KEPT, _CANDIDATES = "AcknowledgedIsKept", "CandidatesHaveAcknowledged"
_ELECTIONS: dict[str, Term[bool]] = dict.fromkeys(
    ("ExpandIsr", "ShrinkIsr", "Stop", "Restart", "ReplicaOffline"), FALSE
)
"""Elections among the members of one ISR: what truncation is for shows there, and all else multiplies the states."""


def _entry(
    name: str,
    edit: Callable[[Protocol], Protocol],
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


ZK_DATA_MUSEUM: tuple[Entry, ...] = (
    _entry(
        "elects-outsiders", elects_outsiders, "KIP-106",
        "A broker that is not in the ISR is elected as if nothing were lost.",
        (2, 1, 2, 2, 1), 6, "ZDM1",
    ),
    _entry(
        "loses-the-last", loses_the_last, "KIP-966, last replica standing",
        "The last member of the ISR stays in it (KAFKA-5083), and leads again without the records that it lost.",
        (1, 1, 3, 3, 2), 9, "ZDM1",
    ),
    _entry(
        "returns-unnoticed", returns_unnoticed, "KAFKA-7235, KIP-380",
        "A broker that stopped, lost records and came back within one watch was taken for the process that it had been.",
        (2, 1, 2, 2, 2), 11, "ZDC4",
    ),
    _entry(
        "takes-old-requests", takes_old_requests, "KAFKA-7235, KIP-380",
        "A new process took LeaderAndIsr that was meant for the one before, and led without the records that this had had.",
        (2, 1, 2, 2, 2), 12, "ZDC4",
    ),
    _entry(
        "writes-unanswered", writes_unanswered, "KIP-497",
        "A leader whose write of a larger ISR was made, but not answered, acknowledged without the new member.",
        (2, 1, 3, 4, 1), 11, "ZDM1",
    ),
    _entry(
        "writes-over", writes_over, "KIP-497",
        "A leader writes the ISR over a newer change, which the znode's version forbids.",
        (2, 1, 2, 4, 1), 13, "ZDM1",
    ),
    _entry(
        "joins-by-earlier-fetches", joins_by_earlier_fetches, "KAFKA-14139, KIP-903",
        "A follower that had restarted without its records came into the ISR by what it had fetched before: never repaired with ZooKeeper.",
        (2, 1, 2, 3, 2), 14, "ZDM1",
    ),
    _entry(
        "joins-at-the-high-watermark", joins_at_the_high_watermark, "KAFKA-7128",
        "A follower joined the ISR at the high watermark, which of a new leader lags behind what is acknowledged.",
        (2, 1, 3, 4, 2), 11, "ZDL1", _CANDIDATES,
    ),
    _entry(
        "truncates-to-the-high-watermark", truncates_to_the_high_watermark, "KIP-101",
        "A follower cut its log to the high watermark that it had heard of, and led before it had fetched again.",
        (2, 1, 3, 3, 1), 15, "ZDM1",
    ),
    _entry(
        "asks-for-one-epoch", asks_for_one_epoch, "KAFKA-6361, KIP-279",
        "After two quick failovers one round of leader epochs left a record in which two logs differ.",
        (2, 2, 3, 3, 1), 13, "ZDL3", _CANDIDATES, _ELECTIONS,
    ),
    _entry(
        "counts-fetches-of-any-epoch", counts_fetches_of_any_epoch, "KAFKA-7395, KIP-320",
        "A leader counted the fetches of a follower that had not heard of its epoch, nor truncated its log.",
        (3, 1, 2, 2, 1), 12, "ZDL3", _CANDIDATES, _ELECTIONS,
    ),
    _entry(
        "uses-late-answers", uses_late_answers, "KAFKA-18723",
        "A follower used an answer of the leader of an older epoch if only its offset fitted.",
        (2, 1, 4, 4, 1), 18, "ZDL3", _KEPT, _ELECTIONS,
    ),
    Entry(
        "any-controller", "zk-data", "S0:34-36",
        "Whatever controller keeps to the interface: its changes raise the leader epoch and put nobody into the ISR.",
        has_any_controller, (),
    ),
)  # fmt: skip
