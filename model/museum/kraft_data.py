"""Ways in which Kafka has lost acknowledged records, or would: each with the theorem that it breaks and the shortest run."""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.kraft_data.any_controller import any_controller
from fencepost.model.kraft_data.controller import decide, read, registers
from fencepost.model.kraft_data.followers import begins
from fencepost.model.kraft_data.late_fetches import arrived, forgets_the_fenced, late_fetches
from fencepost.model.kraft_data.leaders import all_have, joins
from fencepost.model.kraft_data.slices import CLEAN, bound
from fencepost.model.kraft_data.state import *
from fencepost.model.language import FALSE, TRUE, Term, at_least, exists, forall, just, present

from . import kraft_data_edits as edits
from .edits import Edit, but, unassumed
from .entry import Entry, Expected

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
    edit: Edit,
    known_as: str,
    why: str,
    sizes: tuple[int, ...],
    length: int,
    row: str,
    broken: str = _KEPT,
    given: dict[str, Term[bool]] | None = None,
    configurations: int = 1,
    ground: Edit | None = None,
) -> Entry:
    """Return a way to lose a record with the shortest run that loses one, at a bound of these sizes."""
    where = bound(*sizes, configurations=configurations, given={**CLEAN, **(given or {})})
    expected = Expected(broken, length, "tiny", where.sizes, row, given=where.given)
    entry = Entry(name, "kraft-data", known_as, why, edit, (expected,))
    return entry if ground is None else replace(entry, ground=ground)


_ONE_REJOINS: dict[str, Term[bool]] = dict.fromkeys(
    (
        "Fence",
        "FenceLeader",
        "Elect",
        "RegisterUncleanlyAsLeader",
        "RefuseProposal",
        "ProposalRefused",
        "AlterPartition",
    ),
    FALSE,
)
"""The ISR changes by proposals that are accepted, each of which elects the new member."""
_ONE_IS_FENCED: dict[str, Term[bool]] = {**_ONE_REJOINS, "AlterPartition": TRUE, "AlterPartitionElects": FALSE} | {
    "Fence": TRUE,
    "FenceLeader": TRUE,
}
"""A follower comes back, is fenced, and leads."""


_may_propose = leads(b, e) & ~proposing[e] & ~f.in_(known_isr[e]) & (fetched_broker_epoch[e, f] > 0)
_last = crashed[b] & leader.is_(b) & isr.is_(just(b))
_lost = registers(b, read), decide(NO_ONE, epoch + 1, just(b), NOBODY)
_rises = leads(b, e) & (n > high_watermark[e]) & (n <= log_end[b])
_known_have = forall(x, x.in_(known_isr[e]).implies(x.is_(b) | (fetched[e, x] >= n)))
_any_minimum = exists(c, at_least(known_isr[e], min_isr_in[c]))

KRAFT_DATA_MUSEUM: tuple[Entry, ...] = (
    _entry(
        "elects-outsiders", but("DC4", when=present(leader) & leader.isnt(g), why="any replica is elected"), "KIP-966",
        "A replica that is neither in the ISR nor eligible is elected as if nothing were lost.",
        (2, 1, 2, 2, 1, 1), 6, "DM1",
    ),
    _entry(
        "acknowledges-below-the-minimum", but("DL6", when=_rises & all_have, why="min.insync.replicas is not looked at"), "KIP-966",
        "The high watermark rises while the ISR is below min.insync.replicas, and the ELR is elected from.",
        (2, 1, 3, 4, 1, 2), 7, "DM1",
    ),
    _entry(
        "stays-eligible", but("DC8", effects=registers(b, read), why="a broker that stopped uncleanly stays in the ELR"), "KAFKA-18635",
        "Unclean stops were not detected: a broker that had lost records stayed in the ELR.",
        (1, 1, 3, 3, 2, 1), 9, "DM1",
    ),
    _entry(
        "keeps-the-last", but("DC10", when=_last, effects=_lost, why="the last member stays in the ISR, as without ELR"), "KIP-966, last replica standing",
        "Without ELR the last member of the ISR stays in it after an unclean stop, and leads again.",
        (1, 1, 3, 3, 2, 1), 8, "DM1",
    ),
    _entry(
        "joins-at-once", but("DL3", when=_may_propose, why="a follower joins without having caught up"), "KIP-497",
        "A follower joins the ISR before it has caught up.",
        (2, 1, 2, 3, 1, 1), 11, "DM1",
    ),
    _entry(
        "forgets-proposed-members", but("DL6", when=_rises & enough(e) & _known_have, why="proposed members do not count"), "KIP-497",
        "The high watermark passes a member whose proposal the controller has accepted and the leader not yet heard of.",
        (2, 1, 2, 3, 1, 1), 11, "DM1",
    ),
    _entry(
        "does-not-truncate", but("DF4", when=begins, why="nothing is truncated"), "KIP-101",
        "A follower of a new leader keeps records that this one has not.",
        (2, 1, 3, 3, 1, 1), 13, "DM1",
    ),
    _entry(
        "processes-twice", but("DC13", effects=alter_refused[e].becomes(TRUE), why="a copy of a refused request is still queued"), "KIP-497",
        "A copy of an AlterPartition that was refused is processed later, when its member is eligible again.",
        (2, 1, 2, 3, 1, 1), 13, "DM1",
    ),
    _entry(
        "ignores-partition-epochs", edits.ignores_partition_epochs, "KAFKA-12367",
        "A late AlterPartition is accepted over a newer change.",
        (2, 1, 2, 5, 1, 1), 14, "DL6",
    ),
    _entry(
        "ignores-broker-epochs", edits.ignores_broker_epochs, "KAFKA-14139, KAFKA-14617",
        "A proposed member was known by its id only: one that restarted without its records came into the ISR.",
        (2, 1, 2, 3, 2, 1), 14, "DM1",
    ),
    _entry(
        "joins-at-the-high-watermark", but("DL3", when=_may_propose & (fetched[e, f] >= high_watermark[e]), why="the start of the leader epoch is not looked at"), "KAFKA-7128",
        "A follower joined the ISR at the high watermark, which of a new leader lags behind what is acknowledged.",
        (2, 1, 3, 4, 2, 1), 13, "DC12", _CANDIDATES,
    ),
    _entry(
        "truncates-too-much", edits.truncates_too_much, "KIP-101",
        "A follower truncated to its own high watermark, below what it had helped to acknowledge.",
        (2, 1, 3, 4, 1, 1), 13, "DF1", _CANDIDATES,
    ),
    _entry(
        "uses-late-answers", unassumed("DA4", "DF2", "the leader epoch of an answer is not looked at"), "KAFKA-18723",
        "A follower used an answer of the leader of an older epoch if only its offset fitted.",
        (2, 1, 4, 4, 1, 1), 18, "DM1", _KEPT, {**_NO_PROPOSALS, "FenceLeader": FALSE},
    ),
    _entry(
        "counts-fetches-of-any-epoch", edits.counts_fetches_of_any_epoch, "KAFKA-7395",
        "A leader counted the fetches of a follower that had not heard of its epoch, nor truncated its log.",
        (3, 1, 2, 2, 1, 1), 12, "DL6", _CANDIDATES, _NO_PROPOSALS,
    ),
    _entry(
        "asks-for-one-epoch", edits.asks_for_one_epoch, "KAFKA-6361",
        "After two quick failovers one round of leader epochs left a record in which two logs differ.",
        (2, 2, 3, 3, 1, 1), 14, "DL6", _CANDIDATES, {**_NO_PROPOSALS, "FenceLeader": FALSE},
    ),
    _entry(
        "joins-at-the-epoch-start", but("DL3", when=_may_propose & (fetched[e, f] >= epoch_start[e]), why="the high watermark is not looked at"), "KIP-966, a rule that Vanlightly marks CHECK",
        "A follower joined the ISR where the leader's epoch began, below what has been acknowledged since.",
        (2, 1, 2, 3, 1, 1), 11, "DM1",
    ),
    _entry(
        "takes-late-refusals", edits.takes_late_refusals, "KAFKA-12686",
        "The answer to an earlier AlterPartition was taken for one to the proposal that was pending.",
        (2, 1, 2, 3, 1, 1), 16, "DM1",
    ),
    _entry(
        "stays-in-the-isr", but("DC9", effects=registers(b, read), why="a new registration changes no partition"), "KAFKA-18106",
        "A broker that lost records and registered before it was fenced changed no partition: it stayed in the ISR.",
        (2, 1, 2, 2, 2, 1), 13, "DM1",
    ),
    _entry(
        "keeps-the-eligible", but("DC17", when=(partition_epoch > 0) & c.is_(config + 1), why="nothing is cleared when the minimum changes"), "KAFKA-16540",
        "The ELR outlived a change of min.insync.replicas: a smaller minimum lets a leader acknowledge without those in it.",
        (2, 1, 2, 3, 1, 2), 8, "DL6", _KEPT, None, 2,
    ),
    _entry(
        "has-its-own-minimum", but("DL6", when=_rises & _any_minimum & all_have, why="the leader's minimum is not the controller's"), "KAFKA-16540",
        "A broker had a min.insync.replicas of its own, smaller than the one by which the controller keeps the ELR.",
        (2, 1, 2, 3, 1, 2), 7, "DL6", _KEPT, None, 2,
    ),
    _entry(
        "fences-from-an-old-isr", edits.fences_from_an_old_isr, "KAFKA-13173",
        "Two brokers were fenced at once, each in a change from the same ISR: the second put the first back.",
        (3, 1, 2, 4, 1, 1), 13, "DL6", _KEPT, _FENCING,
    ),
    Entry(
        "any-controller", "kraft-data", "KIP-966",
        "Whatever controller keeps to the interface: only a proposal brings a broker into the ISR, and only the ISR one into the ELR.",
        any_controller, (),
    ),
    Entry(
        "late-fetches", "kraft-data", "KIP-903",
        "Each life of a follower has its fetches, and they arrive in any order: by its metadata a leader knows one life from another.",
        late_fetches, (),
    ),
    _entry(
        "late-fetches+notes-any-life", but("DL7", when=arrived, why="the broker epoch of a fetch is not compared with the metadata"), "KIP-903",
        "A leader noted a fetch that a follower had sent before it lost records, behind newer ones.",
        (2, 1, 2, 3, 2, 1), 18, "DM1", _KEPT, _ONE_REJOINS, ground=late_fetches,
    ),
    _entry(
        "late-fetches+proposes-unread-life", but("DL3", when=leads(b, e) & ~proposing[e] & joins, why="a follower is proposed of whose registration the leader has not read"), "KIP-903",
        "A leader proposed a follower before it had read of its registration: until then it noted fetches of the follower's earlier life.",
        (2, 1, 2, 3, 2, 1), 17, "DM1", _KEPT, _ONE_REJOINS, ground=late_fetches,
    ),
    _entry(
        "late-fetches+forgets-the-fenced", forgets_the_fenced, "KIP-903, as in 4.4.0",
        "A leader's metadata is set before its partitions are told: it said that a follower is fenced, and older fetches were noted, while the ISR with it counted.",
        (2, 1, 2, 4, 2, 2), 22, "DM1", _KEPT, _ONE_IS_FENCED, ground=late_fetches,
    ),
)  # fmt: skip
