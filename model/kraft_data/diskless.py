"""The switch of a classic partition to diskless storage below the controller: a classic prefix, its seal, what the store has.

The controller marks the partition under the next leader epoch, so that its leader seals its log. Once all of the sealed log is
acknowledged the leader proposes its end as the seal, which the controller commits. Records from the seal on are in the object
store, whose log has to be begun there; below it the replicas alone have them.

Read in aiven/inkless, main b1fcb5f6f7 (docs/inkless/CLASSIC_TO_DISKLESS_SWITCH.md, ReplicaManager, InitDisklessLogState), and in
its pull requests 603, 626 (merged), 756 and 760 (open). The records that replicas copy back from the store are left out.
"""

from __future__ import annotations

from dataclasses import replace

from fencepost.model.language.vocabulary import *

from .controller import decide, elects
from .followers import follows
from .quantified import for_all
from .state import *

# -- state -------------------------------------------------------------------------------------------------------------
marked = cell("marked", VERSION, 0, about="the partition epoch with which the switch began; 0 before")
committed = cell("committed", VERSION, 0, about="the partition epoch with which the seal was committed; 0 before")
seal = cell("seal", OFFSET, 0, about="the first offset that is not in the classic log, once it is committed")
sealed = per(EPOCH, "sealed", BOOL, about="the leader has sealed its log: it appends nothing in the epoch")
seal_sent = per(EPOCH, "seal_sent", BOOL, what="message", about="InitDisklessLog of a leader, to the controller")
seal_proposed = per(
    EPOCH, "seal_proposed", OFFSET, 0, what="message", about="InitDisklessLog: where the sealed log ends"
)
must_begin = per(EPOCH, "must_begin", BOOL, about="the leader has to begin the log in the object store")
begun = cell("begun", BOOL, about="the log in the object store has begun, at the seal")
stored_end = cell("stored_end", OFFSET, 0, about="the end of the log in the object store")
apart = per(BROKER, "apart", BOOL, about="the follower reads the object store, and fetches from no leader")

sealed_in = let("sealed_in", epoch_at[committed])
"""The leader epoch in which the seal was proposed and committed."""
_is_committed = committed > 0
_unsealed = marked.is_(0)

# -- rows --------------------------------------------------------------------------------------------------------------
CONTROL, LEADING = "ReplicationControlManager", "ReplicaManager.scala, InitDisklessLogManager.scala"
SOURCE = "aiven/inkless"
begin = event("BeginSwitch", g, environment=True, source=SOURCE, code=f"{CONTROL}.markClassicToDisklessSwitchStarted")
propose_seal = event("ProposeSeal", b, e, environment=True, source=SOURCE, code="InitDisklessLogState.scala")
commit_seal = event("CommitSeal", e, environment=True, source=SOURCE, code=f"{CONTROL}.initDisklessLog")
begin_log = event("BeginDisklessLog", b, e, environment=True, source=SOURCE, code=LEADING)
store = event("Store", environment=True, source=SOURCE, code="ReplicaManager.scala, AppendHandler")
hand_off = event("HandOff", f, environment=True, source=SOURCE, code="ReplicaFetcherThread.scala")
fetch_again = event("FetchAgain", f, environment=True, source=SOURCE, code=f"{LEADING}.applyLocalFollowersDelta")
cut = event("CutToSeal", f, environment=True, source=SOURCE, code="ReplicaManager.maybeReconcileSwitchedLeader")
_whole = sealed[e] & high_watermark[e].is_(log_end[b])
_past_the_seal = follows & _is_committed & (known_epoch[f] >= sealed_in) & (log_end[f] >= seal)

SWITCH = table(
    "switch",
    begin("DW1", _unsealed & leader.is_(g), elects(g, isr, elr), marked.becomes(partition_epoch + 1)),
    propose_seal("DW2", leads(b, e) & _whole, seal_sent[e].becomes(TRUE), seal_proposed[e].becomes(log_end[b])),
    commit_seal(
        "DW3",
        seal_sent[e] & e.is_(epoch) & ~_unsealed & committed.is_(0),
        seal.becomes(seal_proposed[e]),
        committed.becomes(partition_epoch + 1),
        decide(leader, epoch, isr, elr),
    ),
    begin_log("DW4", leads(b, e) & must_begin[e] & ~begun, begun.becomes(TRUE), stored_end.becomes(seal)),
    store("DW5", begun, stored_end.becomes(stored_end + 1)),
    hand_off("DW6", _past_the_seal & ~apart[f] & f.in_(isr) & leader.isnt(f), apart[f].becomes(TRUE)),
    fetch_again("DW7", apart[f] & ~f.in_(isr), apart[f].becomes(FALSE)),
    cut(
        "DW8",
        _is_committed & ~crashed[f] & (known_epoch[f] >= sealed_in) & (log_end[f] > seal),
        log_end[f].becomes(seal),
        every(o, o >= seal, log[f, o].becomes(0)),
        known_high_watermark[f].becomes(when(seal < known_high_watermark[f], seal, known_high_watermark[f])),
    ),
    about="A classic partition becomes a diskless one; its preconditions are checked by the controller (DS6 of kraft+diskless).",
    why={
        "DW1": "The leader stays, and its leader epoch rises, so that it begins anew, and seals its log.",
        "DW2": "All of the sealed log is acknowledged. The request may be delayed, and may be repeated.",
        "DW3": "Of the newest leader alone. The leader epoch stays.",
        "DW4": "A leader has to that reads of the seal, or that begins to lead when there is one.",
        "DW5": "Any broker stores records, each acknowledged as soon as the store has it.",
        "DW6": "It has shown the leader that it has the classic records: it is in the ISR. Which ISR that is it reads at once here.",
        "DW7": "Outside the ISR it has to fetch, though it misses nothing: the leader knows by its fetches alone.",
        "DW8": "An end of the log that was never acknowledged, from the time before the seal.",
    },
)

# -- the rows of kraft-data that know of it ------------------------------------------------------------------------------
_reads_mark, _reads_seal = (marked > 0) & (v >= marked), _is_committed & (v >= committed)
_sees_the_seal = _reads_seal & (known_partition_epoch[under_v := epoch_at[v]] < committed)


def switching(base: Protocol) -> Protocol:
    """Return the tables of replication, or a slice of them, with the switch to diskless storage."""
    why = "a classic partition is switched to diskless storage"
    begins, hears = base.row("DM1"), base.row("DM3")
    ready = ~_reads_seal | (log_end[b] <= seal)
    edited = (
        base.but(
            "DM1",
            when=begins.when & ready,
            effects=(begins.effects, sealed[under_v].becomes(_reads_mark), must_begin[under_v].becomes(_reads_seal)),
            why=why,
        )
        .but("DM3", effects=(hears.effects, must_begin[under_v].becomes(must_begin[under_v] | _sees_the_seal)), why=why)
        .but("DL1", when=base.row("DL1").when & ~sealed[e], why=why)
        .but("DF3", when=base.row("DF3").when & ~apart[f], why=why)
    )
    claims = (*(_but_for_the_mark(one) for one in edited.properties), *CLAIMS)
    made = replace(edited, tables=(*edited.tables, SWITCH), properties=claims, base=base, why=why)
    return made if known_high_watermark.state in base.states else made.forgetting(known_high_watermark)


def _but_for_the_mark(claim: Property) -> Property:
    if claim.id != "DP2" or not isinstance(claim, Step):
        return claim
    return replace(claim, left_out=(*claim.left_out, ("DW1", "the leader that stays has to seal its log")))


# -- claims ------------------------------------------------------------------------------------------------------------
_SOURCE = "aiven/inkless, CLASSIC_TO_DISKLESS_SWITCH.md"
CLAIMS: tuple[Always | Step, ...] = (
    step(
        "ClassicEndsAtSeal",
        for_all(e, (_is_committed & (unclean_at[sealed_in] <= e)).implies(high_watermark[e] <= seal)),
        "No record that was acknowledged in the classic log lies at the seal or beyond, however late it was acknowledged: no offset is "
        "given twice, unless an election was unclean before the seal.",
        _SOURCE,
    ),
    step(
        "PrefixIsKept",
        for_all(
            b,
            d,
            o,
            (
                _is_committed & leads(b, d) & (sealed_in <= d) & (unclean_at[d] <= sealed_in) & (o < seal)
            ).implies(has(b, sealed_in, o)),
        ),
        "A broker that leads since the seal has every record below it, as the leader had it that proposed the seal, unless an election "
        "since then was unclean.",
        _SOURCE,
    ),
    always(
        "StoreBeginsAtSeal",
        begun.implies(_is_committed & (seal <= stored_end)),
        "The log in the object store begins where the classic one ends.",
        _SOURCE,
    ),
    step(
        "SealStays",
        _is_committed.implies(next_(seal).is_(seal) & next_(committed).is_(committed) & (stored_end <= next_(stored_end))),
        "A seal is final, and no stored record is lost.",
        _SOURCE,
    ),
    always(
        "SealedSinceMark",
        for_all(e, present(leader_of[e]).implies(sealed[e].is_((marked > 0) & (epoch_at[marked] <= e)))),
        "A leader appends to its log until the leader epoch in which the switch begins; in that and in each later one its log is sealed.",
        _SOURCE,
    ),
    always(
        "BeginsWhoReadSeal",
        for_all(e, present(leader_of[e]).implies(must_begin[e].is_(_is_committed & (committed <= known_partition_epoch[e])))),
        "A leader has to begin the log in the object store if it has read of the seal, before it led or while it leads, and only then.",
        f"{_SOURCE}, pull request 603",
    ),
    step(
        "MarkIsRead",
        next_(marked).is_(next_(partition_epoch)) & (partition_epoch < next_(partition_epoch)),
        "The mark is in a record of its own, by which each broker knows whether it has read it.",
        _SOURCE,
        rows=("DW1",),
    ),
    step(
        "LeaderBeginsStore",
        leader_of[e].is_(b) & next_(stored_end).is_(seal),
        "The log in the object store is begun by a leader, at the seal.",
        _SOURCE,
        rows=("DW4",),
    ),
    step(
        "StoredHasNext",
        next_(stored_end).is_(stored_end + 1),
        "A record in the store has the next offset.",
        _SOURCE,
        rows=("DW5",),
    ),
    step(
        "HandsOffWhole",
        f.in_(isr) & (sealed_in <= known_epoch[f]) & (seal <= log_end[f]) & (committed > 0) & next_(apart[f]),
        "A follower stops fetching from the leader with all records below a committed seal, in the ISR.",
        _SOURCE,
        rows=("DW6",),
    ),
    step(
        "ApartFetchesNothing",
        ~apart[f],
        "A follower that has stopped fetching sends no fetch.",
        _SOURCE,
        rows=("DF3",),
    ),
    step(
        "FetchesOutside",
        apart[f] & ~next_(apart[f]) & ~f.in_(isr),
        "A follower that had stopped fetches again outside the ISR.",
        f"{_SOURCE}, pull request 760",
        rows=("DW7",),
    ),
    lemma(
        "LW1",
        (marked >= 0)
        & (committed >= 0)
        & (marked <= partition_epoch)
        & (committed <= partition_epoch)
        & _is_committed.implies((marked > 0) & (marked <= committed)),
        "For LW2: the seal is committed behind the mark.",
    ),
    lemma(
        "LW2",
        for_all(e, (present(leader_of[e]) & sealed[e]).implies(leader_end[e].is_(epoch_start[e]))),
        "For LW3: a sealed log stays as it was when the epoch began.",
    ),
    lemma(
        "LW3",
        for_all(
            e,
            seal_sent[e].implies(
                present(leader_of[e])
                & sealed[e]
                & seal_proposed[e].is_(leader_end[e])
                & seal_proposed[e].is_(high_watermark[e])
            ),
        ),
        "For LW4: the seal that is proposed is the end of a sealed log that is acknowledged.",
    ),
    lemma(
        "LW4",
        _is_committed.implies(
            present(leader_of[sealed_in])
            & sealed[sealed_in]
            & seal.is_(leader_end[sealed_in])
            & seal.is_(high_watermark[sealed_in])
        ),
        "For ClassicEndsAtSeal, PrefixIsKept: the seal is that.",
    ),
    lemma(
        "LW5",
        for_all(
            e,
            (_is_committed & (sealed_in < e) & present(leader_of[e])).implies(sealed[e] & (epoch_start[e] <= seal)),
        ),
        "For ClassicEndsAtSeal: any later leader begins at the seal at most, and appends nothing.",
    ),
    lemma("LW6", (seal >= 0) & (stored_end >= 0), "For LW5: the seal is an offset."),
    lemma(
        "LW7",
        for_all(e, must_begin[e].implies(_is_committed)) & (begun | stored_end.is_(0)),
        "For StoreBeginsAtSeal: the log in the store does not begin before there is a seal.",
    ),
    lemma(
        "LW8",
        for_all(v, ((marked > 0) & (v < marked)).implies(epoch_at[v] < epoch_at[marked])),
        "For SealedSinceMark: the mark is the first change of its leader epoch.",
    ),
)  # fmt: skip

# -- what comes to pass ------------------------------------------------------------------------------------------------
_stays_out = exists(f, _is_committed & ~crashed[f] & ~f.in_(isr) & (log_end[f] >= seal))
SWITCH_ENDS: LeadsTo = leads_to(
    "SwitchEnds",
    (marked > 0) & committed.is_(0),
    _is_committed,
    ("TakeMetadata", "Propose", "AlterPartition", "RaiseHighWatermark", "ProposeSeal", "CommitSeal"),
    "A switch that has begun is sealed, though a follower has stopped fetching: until then no client can produce.",
    _SOURCE,
)
LOG_BEGINS: LeadsTo = leads_to(
    "LogBegins",
    _is_committed & ~begun,
    begun,
    ("TakeMetadata", "BeginDisklessLog"),
    "The log in the object store begins once there is a seal, whichever broker leads by then.",
    _SOURCE,
)
COMES_BACK: LeadsTo = leads_to(
    "ComesBack",
    _stays_out,
    ~_stays_out,
    ("TakeMetadata", "FindNoDivergence", "FetchAgain", "Fetch", "FetchArrives", "Propose", "AlterPartition"),
    "A broker that runs and has the classic records comes back into the ISR.",
    _SOURCE,
)
LIVENESS = (SWITCH_ENDS, LOG_BEGINS, COMES_BACK)
"""Liveness properties, for runs in which failures end and counters have room for the fair events."""
