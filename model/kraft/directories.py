"""Log directories in KRaft: which ones fail, which take no new replicas, and in which one a replica is."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .answers import Control, Error
from .brokers import (
    caught_up,
    down,
    drained,
    falls,
    fence,
    heartbeat,
    leaving,
    off,
    rises,
    shut_down,
    stranded,
    unfence,
    up,
    want_down,
    want_fence,
)
from .brokers import known as in_force
from .builder import NOBODY, change, relocate, seat
from .records import DIRECTORIES, DIRS
from .state import *

NO_DIRECTORY = nobody(DIRECTORY)
dirs, be = set_of(DIRECTORY).var("dirs"), OFFSET.var("broker_epoch")

# -- parts of a heartbeat ------------------------------------------------------------------------------------
reports_offline = event(
    "OfflineDirectories", b, dirs,
    given=(mv >= 17) & registered[b],
    clues={dirs: (directories[b] - DIRECTORIES.field("directories"),)},
    source="KIP-858", code="ReplicationControlManager.handleDirectoriesOffline",
)  # fmt: skip
failed = let("failed", directories[b] & dirs)
left = let("left", directories[b] - dirs)
stale = let("stale_directory", exists(p, exists(d, ~exists_[p] & d.in_(failed) & location[p, b].is_(some(d)))))


@procedure(b, dirs)
def abandon(b: Term[Broker], dirs: Term[frozenset[Directory]]) -> object:
    """The broker leaves the ISR of every partition that it has in one of the directories."""
    return every(p, exists_[p] & location[p, b].in_(dirs), change(p, drop(isr[p], just(b)), electable(p) - just(b)))


@procedure(b)
def forgets(b: Term[Broker]) -> object:
    """Replaying a change of the registration that leaves an unfenced broker unfenced forgets the offset that it reported."""
    return only_if(~soft_fenced[b], reported[b].becomes(-1))


OFFLINE = table(
    "offline directories",
    reports_offline("OD1", failed.is_(NO_DIRECTORY), say=Error.NONE),
    reports_offline("OD2", failed.isnt(NO_DIRECTORY) & stale, throws="RuntimeException", finding="D5"),
    reports_offline(
        "OD3",
        failed.isnt(NO_DIRECTORY) & ~stale & left.isnt(NO_DIRECTORY),
        abandon(b, failed),
        DIRECTORIES(b, epoch=epoch[b], directories=left),
        forgets(b),
        say=Error.NONE,
    ),
    reports_offline(
        "OD4",
        failed.isnt(NO_DIRECTORY) & ~stale & left.is_(NO_DIRECTORY),
        abandon(b, failed),
        DIRECTORIES(b, epoch=epoch[b]),
        forgets(b),
        say=Error.NONE,
        finding="D12",
    ),
    total=True,
    about="Part of a heartbeat: which of the broker's directories have failed.",
    why={
        "OD2": "The index still names a partition whose topic was deleted while its ISR was empty; the controller resigns.",
        "OD4": "That no directory is left cannot be written, so nothing is remembered and every heartbeat writes it again.",
    },
)  # fmt: skip

fences = let("fences", in_force & (down & want_down | up & (want_fence | want_down & ~leads(b))))
unfences = let("unfences", in_force & down & ~want_down & ~want_fence & caught_up & ~stranded)
begins = let("begins_shutdown", in_force & up & ~want_fence & want_down & leads(b))
finishes = let("finishes_shutdown", in_force & leaving & ~leads(b) & drained)
# A heartbeat that changes what its broker is, and reports failed directories: both are computed from the state before.
reports_both = event(
    "HeartbeatWithOfflineDirectories", *heartbeat.params, dirs,
    given=(mv >= 17) & registered[b] & failed.isnt(NO_DIRECTORY) & (fences | unfences | begins | finishes),
    clues={dirs: (directories[b] - DIRECTORIES.field("directories"),)},
    reply=heartbeat.reply,
    source="KIP-858", code="ReplicationControlManager.processBrokerHeartbeat",
)  # fmt: skip
some_left, none_left = ~stale & left.isnt(NO_DIRECTORY), ~stale & left.is_(NO_DIRECTORY)
fewer, as_before = DIRECTORIES(b, epoch=epoch[b], directories=left), DIRECTORIES(b, epoch=epoch[b])
overtake = every(p, exists_[p] & absent(leader[p]) & location[p, b].in_(failed), overtaken[p].becomes(TRUE))
stops = (
    contact[b].becomes(Contact.RECENT),
    reported[b].becomes(-1),
    shutdown_offset[b].becomes(log_end + 1),
    log_end.becomes(log_end + 1),
)
falls_to = when(want_down, literal(Control.SHUTDOWN_NOW), literal(Control.FENCED))
BOTH = table(
    "heartbeats that report failed directories",
    reports_both("HD0",   stale, throws="RuntimeException", finding="D5"),
    reports_both("HD1",   fences & some_left,             fence(b),     abandon(b, failed), fewer,     falls(b, off), say=falls_to),
    reports_both("HD1n",  fences & none_left,             fence(b),     abandon(b, failed), as_before, falls(b, off), say=falls_to, finding="D12"),
    reports_both("HD2",   unfences & some_left, overtake, unfence(b),   abandon(b, failed), fewer,     rises(b), say=Control.UNFENCED, finding="D34"),
    reports_both("HD2n",  unfences & none_left, overtake, unfence(b),   abandon(b, failed), as_before, rises(b), say=Control.UNFENCED, finding="D34"),
    reports_both("HD6",   begins & some_left,             shut_down(b), abandon(b, failed), fewer,     stops, say=Control.CONTROLLED_SHUTDOWN),
    reports_both("HD6n",  begins & none_left,             shut_down(b), abandon(b, failed), as_before, stops, say=Control.CONTROLLED_SHUTDOWN, finding="D12"),
    reports_both("HD10",  finishes & some_left,           fence(b),     abandon(b, failed), fewer,     falls(b, off), say=Control.SHUTDOWN_NOW),
    reports_both("HD10n", finishes & none_left,           fence(b),     abandon(b, failed), as_before, falls(b, off), say=Control.SHUTDOWN_NOW, finding="D12"),
    total=True,
    about="One heartbeat changes what its broker is, and reports failed directories: what each writes is computed from the state before.",
    why={
        "HD0": "Nothing of the heartbeat is written, whatever else it asks for.",
        "HD1": "A partition that the broker leaves for both reasons has the same record twice.",
        "HD2": "A partition without a leader gets the broker as its leader, in the directory that has failed.",
        "HD2n": "As HD2; and that no directory is left cannot be written (D12).",
    },
)  # fmt: skip
BOTH_PARTS = tuple(row.id for row in BOTH.rows if not row.throws)
"""The rows of `BOTH` that write."""
reports_cordoned = event(
    "CordonedDirectories", b, dirs, source="Kafka 4.4", code="ReplicationControlManager.handleDirectoriesCordoned"
)
is_news = (mv >= 30) & registered[b] & (~cordon_known[b] | dirs.isnt(cordoned[b]))
CORDONING = table(
    "cordoned directories",
    reports_cordoned("HC1", is_news, DIRECTORIES(b, epoch=epoch[b], cordoned=dirs), forgets(b), say=Error.NONE),
    reports_cordoned("HC2", ~is_news, say=Error.NONE),
    total=True,
    about="Part of a heartbeat: which of the broker's directories take no new replicas.",
    why={"HC1": "A registration forgets what was cordoned, so that the next heartbeat repeats it (D22)."},
)

# -- where a replica is ------------------------------------------------------------------------------------
assigns = per(PARTITION, "assigns", BOOL, ANY, what="fixed", about="the request names the partition")
assigned = per(PARTITION, "assigned", DIRECTORY, ANY, what="fixed", about="the directory that it gives the replica")
assign = event(
    "AssignReplicasToDirs", b, be,
    clues={assigned[p]: (DIRS.at(replicas[p], b),)},
    source="KIP-858", code="ReplicationControlManager.handleAssignReplicasToDirs",
)  # fmt: skip
known = registered[b] & be.is_(epoch[b])
ours = let("ours", assigns[p] & exists_[p] & live[topic[p]] & b.in_(replicas[p]))
undecided = let("undecided", assigned[p].is_(unassigned) | assigned[p].is_(migrating))
had = let(
    "had", assigned[p].isnt(lost_directory) & (directories[b].is_(NO_DIRECTORY) | assigned[p].in_(directories[b]))
)
in_failed = let("in_failed", ~undecided & ~had)
move = every(p, ours, relocate(p, b, assigned[p]))
leave_failed = every(p, ours & in_failed, change(p, drop(isr[p], just(b)), electable(p) - just(b)))
settled = let(
    "settled",
    leader[p].in_(electable(p))
    & removing[p].is_(NOBODY)
    & adding[p].is_(NOBODY)
    & elr[p].is_(NOBODY)
    & ~elr_disordered[p],
)
# Where the builder finds nothing else to change, the first record says the directory and no more.
move_apart = together(
    every(p, ours & ~in_failed, relocate(p, b, assigned[p])), every(p, ours & in_failed, seat(p, b, assigned[p]))
)
overlapping = let("overlapping", exists(p, ~settled & ours & in_failed))
outdate = every(p, ours & in_failed & ~settled, outdated[p].becomes(TRUE))
ASSIGNMENT = table(
    "directories of replicas",
    assign("AD1", mv < 17, say=Error.UNSUPPORTED_VERSION),
    assign("AD2", ~known, say=Error.STALE_BROKER_EPOCH),
    assign("AD3", overlapping, outdate, move, leave_failed, say=Error.NONE, finding="D26"),
    assign("AD4", TRUE,                 move_apart, leave_failed, say=Error.NONE),
    mode="first match",
    total=True,
    about="A broker reports in which of its directories replicas are; a partition that it does not have gets an answer of its own.",
    why={
        "AD3": "Where the first record elects, the second, computed from the state before it, does not know: a leader outside the ISR.",
        "AD4": "A replica in a directory that has failed leaves the ISR in a second record, computed from the same state.",
    },
)  # fmt: skip
