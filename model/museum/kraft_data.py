"""Ways in which Kafka has lost acknowledged records, or would: each with the theorem that it breaks and the shortest run."""

from __future__ import annotations

from collections.abc import Callable

from fencepost.model.kraft_data.any_controller import any_controller
from fencepost.model.kraft_data.slices import CLEAN, bound
from fencepost.model.language import FALSE, TRUE, Protocol, Term

from .entry import Entry, Expected
from .kraft_data_edits import (
    acknowledges_below_the_minimum,
    asks_for_one_epoch,
    counts_fetches_of_any_epoch,
    does_not_truncate,
    elects_outsiders,
    fences_from_an_old_isr,
    forgets_proposed_members,
    has_its_own_minimum,
    ignores_broker_epochs,
    ignores_partition_epochs,
    joins_at_once,
    joins_at_the_epoch_start,
    joins_at_the_high_watermark,
    keeps_the_eligible,
    keeps_the_last,
    processes_twice,
    stays_eligible,
    stays_in_the_isr,
    takes_late_refusals,
    truncates_too_much,
    uses_late_answers,
)

_KEPT, _CANDIDATES = "AcknowledgedIsKept", "CandidatesHaveAcknowledged"
_NO_PROPOSALS: dict[str, Term[bool]] = dict.fromkeys(
    (
        "RegisterUncleanly",
        "RegisterUncleanlyAsLeader",
        "AlterPartition",
        "AlterPartitionElects",
        "RefuseProposal",
        "Propose",
        "ProposalRefused",
        "Stop",
        "Fence",
    ),
    FALSE,
)
"""Elections among the members of one ISR: what truncation is for shows there, and all else multiplies the states."""
_FENCING: dict[str, Term[bool]] = {**_NO_PROPOSALS, "Fence": TRUE, "FenceLeader": FALSE}
"""Besides elections in one ISR, followers are fenced."""


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
    configurations: int = 1,
) -> Entry:
    """Return a way to lose a record with the shortest run that loses one, at a bound of these sizes."""
    where = bound(*sizes, configurations=configurations, given={**CLEAN, **(given or {})})
    expected = Expected(broken, length, "tiny", where.sizes, row, given=where.given)
    return Entry(name, "kraft-data", known_as, why, edit, (expected,))


KRAFT_DATA_MUSEUM: tuple[Entry, ...] = (
    _entry(
        "elects-outsiders", elects_outsiders, "KIP-966",
        "A replica that is neither in the ISR nor eligible is elected as if nothing were lost.",
        (2, 1, 2, 2, 1, 1), 6, "DM1",
    ),
    _entry(
        "acknowledges-below-the-minimum", acknowledges_below_the_minimum, "KIP-966",
        "The high watermark rises while the ISR is below min.insync.replicas, and the ELR is elected from.",
        (2, 1, 3, 4, 1, 2), 7, "DM1",
    ),
    _entry(
        "stays-eligible", stays_eligible, "KAFKA-18635",
        "Unclean stops were not detected: a broker that had lost records stayed in the ELR.",
        (1, 1, 3, 3, 2, 1), 9, "DM1",
    ),
    _entry(
        "keeps-the-last", keeps_the_last, "KIP-966, last replica standing",
        "Without ELR the last member of the ISR stays in it after an unclean stop, and leads again.",
        (1, 1, 3, 3, 2, 1), 8, "DM1",
    ),
    _entry(
        "joins-at-once", joins_at_once, "KIP-497",
        "A follower joins the ISR before it has caught up.",
        (2, 1, 2, 3, 1, 1), 11, "DM1",
    ),
    _entry(
        "forgets-proposed-members", forgets_proposed_members, "KIP-497",
        "The high watermark passes a member whose proposal the controller has accepted and the leader not yet heard of.",
        (2, 1, 2, 3, 1, 1), 11, "DM1",
    ),
    _entry(
        "does-not-truncate", does_not_truncate, "KIP-101",
        "A follower of a new leader keeps records that this one has not.",
        (2, 1, 3, 3, 1, 1), 13, "DM1",
    ),
    _entry(
        "processes-twice", processes_twice, "KIP-497",
        "A copy of an AlterPartition that was refused is processed later, when its member is eligible again.",
        (2, 1, 2, 3, 1, 1), 13, "DM1",
    ),
    _entry(
        "ignores-partition-epochs", ignores_partition_epochs, "KAFKA-12367",
        "A late AlterPartition is accepted over a newer change.",
        (2, 1, 2, 5, 1, 1), 14, "DL6",
    ),
    _entry(
        "ignores-broker-epochs", ignores_broker_epochs, "KAFKA-14139, KAFKA-14617",
        "A proposed member was known by its id only: one that restarted without its records came into the ISR.",
        (2, 1, 2, 3, 2, 1), 14, "DM1",
    ),
    _entry(
        "joins-at-the-high-watermark", joins_at_the_high_watermark, "KAFKA-7128",
        "A follower joined the ISR at the high watermark, which of a new leader lags behind what is acknowledged.",
        (2, 1, 3, 4, 2, 1), 13, "DC12", _CANDIDATES,
    ),
    _entry(
        "truncates-too-much", truncates_too_much, "KIP-101",
        "A follower truncated to its own high watermark, below what it had helped to acknowledge.",
        (2, 1, 3, 4, 1, 1), 13, "DF1", _CANDIDATES,
    ),
    _entry(
        "uses-late-answers", uses_late_answers, "KAFKA-18723",
        "A follower used an answer of the leader of an older epoch if only its offset fitted.",
        (2, 1, 4, 4, 1, 1), 18, "DM1", _KEPT, {**_NO_PROPOSALS, "FenceLeader": FALSE},
    ),
    _entry(
        "counts-fetches-of-any-epoch", counts_fetches_of_any_epoch, "KAFKA-7395",
        "A leader counted the fetches of a follower that had not heard of its epoch, nor truncated its log.",
        (3, 1, 2, 2, 1, 1), 12, "DL6", _CANDIDATES, _NO_PROPOSALS,
    ),
    _entry(
        "asks-for-one-epoch", asks_for_one_epoch, "KAFKA-6361",
        "After two quick failovers one round of leader epochs left a record in which two logs differ.",
        (2, 2, 3, 3, 1, 1), 14, "DL6", _CANDIDATES, {**_NO_PROPOSALS, "FenceLeader": FALSE},
    ),
    _entry(
        "joins-at-the-epoch-start", joins_at_the_epoch_start, "KIP-966, a rule that Vanlightly marks CHECK",
        "A follower joined the ISR where the leader's epoch began, below what has been acknowledged since.",
        (2, 1, 2, 3, 1, 1), 11, "DM1",
    ),
    _entry(
        "takes-late-refusals", takes_late_refusals, "KAFKA-12686",
        "The answer to an earlier AlterPartition was taken for one to the proposal that was pending.",
        (2, 1, 2, 3, 1, 1), 16, "DM1",
    ),
    _entry(
        "stays-in-the-isr", stays_in_the_isr, "KAFKA-18106",
        "A broker that lost records and registered before it was fenced changed no partition: it stayed in the ISR.",
        (2, 1, 2, 2, 2, 1), 13, "DM1",
    ),
    _entry(
        "keeps-the-eligible", keeps_the_eligible, "KAFKA-16540",
        "The ELR outlived a change of min.insync.replicas: a smaller minimum lets a leader acknowledge without those in it.",
        (2, 1, 2, 3, 1, 2), 8, "DL6", _KEPT, None, 2,
    ),
    _entry(
        "has-its-own-minimum", has_its_own_minimum, "KAFKA-16540",
        "A broker had a min.insync.replicas of its own, smaller than the one by which the controller keeps the ELR.",
        (2, 1, 2, 3, 1, 2), 7, "DL6", _KEPT, None, 2,
    ),
    _entry(
        "fences-from-an-old-isr", fences_from_an_old_isr, "KAFKA-13173",
        "Two brokers were fenced at once, each in a change from the same ISR: the second put the first back.",
        (3, 1, 2, 4, 1, 1), 13, "DL6", _KEPT, _FENCING,
    ),
    Entry(
        "any-controller", "kraft-data", "KIP-966",
        "Whatever controller keeps to the interface: only a proposal brings a broker into the ISR, and only the ISR one into the ELR.",
        any_controller, (),
    ),
)  # fmt: skip
