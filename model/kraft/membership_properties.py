"""Further properties of brokers: registrations in the log, sessions, and the end of controlled shutdowns."""

from __future__ import annotations

from fencepost.model.language import AT_RESULT_BOUNDARIES, always, forall, next_, nobody, some, step

from .brokers import be, clean, haunted, migrates, off, same_cluster, want_down, want_fence
from .directories import BOTH_PARTS
from .state import *

_unfenced = registered[x] & ~fenced[x]
HEARTBEATS = ("HB1", "HB2", "HB3", "HB4", "HB5", "HB6", "HB7", "HB8", "HB9", "HB10", "HB11", *BOTH_PARTS)
"""The rows that accept a heartbeat."""
REGISTRATIONS = (
    step(
        "B1",
        next_(registration_offset[b]).is_(next_(log_end)) & (log_end < next_(registration_offset[b])),
        "The offset that a broker has to read is that of its registration record, which is new and the last of its result.",
        "ClusterControlManager.replay, S3:244",
        scope=AT_RESULT_BOUNDARIES,
        rows=("R1", "R2", "R2u", "R3"),
    ),
    step(
        "B2",
        next_(registered[b] & fenced[b] & ~ics[b] & incarnation[b].is_(some(i))),
        "A new registration is that of the incarnation that asked for it, fenced and not in a controlled shutdown.",
        "S2:31, S2:52",
        scope=AT_RESULT_BOUNDARIES,
        rows=("R1", "R2", "R2u"),
    ),
    always(
        "B3",
        forall(x, registered[x].implies(epoch[x] <= registration_offset[x])),
        "A broker's newest registration is at its epoch or after it.",
        "S2:52, S2:60",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "B4",
        same_cluster & ~migrates & ((mv >= 17).implies(next_(directories[b]).isnt(nobody(DIRECTORY)))),
        "Only a broker of this cluster registers, none that migrates from ZooKeeper, and it reports its directories.",
        "S2:34, KIP-858",
        scope=AT_RESULT_BOUNDARIES,
        rows=("R1", "R2", "R2u", "R3"),
    ),
    always(
        "B5",
        forall(
            x, ~unassigned.in_(directories[x]) & ~migrating.in_(directories[x]) & ~lost_directory.in_(directories[x])
        ),
        "No broker has a directory under a reserved id.",
        "KIP-858",
    ),
    step(
        "B6",
        ~next_(registered[b])
        & forall(x, x.isnt(b).implies(next_(registered[x]).is_(registered[x]) & next_(epoch[x]).is_(epoch[x]))),
        "An operator takes away the registration that he names, and no other.",
        "S2:418",
        scope=AT_RESULT_BOUNDARIES,
        rows=("UR3",),
    ),
    step(
        "B6s",
        ~(elr_on & haunted),
        "A broker whose return was not clean registers only if no index of eligible leader replicas lists a deleted topic for it.",
        "ReplicationControlManager.handleUncleanBrokerShutdown",
        scope=AT_RESULT_BOUNDARIES,
        rows=("R1", "R2u"),
    ),
    step(
        "B6f",
        elr_on & haunted & (~registered[b] | (incarnation[b].isnt(some(i)) & ~clean)),
        "A registration fails on a deleted topic only with eligible leader replicas, and only if the return was not clean.",
        "ReplicationControlManager.handleUncleanBrokerShutdown",
        scope=AT_RESULT_BOUNDARIES,
        rows=("RG8",),
    ),
)
SESSIONS = (
    step(
        "B7",
        forall(
            x,
            (next_(_unfenced) & ~_unfenced).implies(
                registered[x] & next_(epoch[x]).is_(epoch[x]) & next_(contact[x]).is_(Contact.RECENT)
            ),
        ),
        "A broker that is unfenced was registered before, under the same epoch, and sends a heartbeat in this step.",
        "S2:59, S3:244",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "B8",
        ~want_fence & ~want_down,
        "A heartbeat unfences no broker that wants to be fenced or to shut down.",
        "S2:59",
        scope=AT_RESULT_BOUNDARIES,
        rows=("HB2", "HD2", "HD2n"),
    ),
    step(
        "B9",
        want_fence | want_down,
        "A heartbeat fences only a broker that wants to be fenced or to shut down.",
        "S2:59-65",
        scope=AT_RESULT_BOUNDARIES,
        rows=("HB1", "HB4", "HB5", "HB7", "HD1", "HD1n"),
    ),
    step(
        "B10",
        contact[b].is_(Contact.EXPIRED),
        "A session that ends fences a broker only once it is over.",
        "S3:246-248",
        scope=AT_RESULT_BOUNDARIES,
        rows=("F1", "F2"),
    ),
    always(
        "B11",
        forall(x, _unfenced.implies(contact[x].isnt(Contact.NOTHING))),
        "Every unfenced broker has a session that may end, after a failover too: its silence will be noticed.",
        "S3:248, KAFKA-18138",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "B12",
        registered[b] & be.is_(epoch[b]),
        "A heartbeat counts, and directories are assigned, only under the current epoch of a registered broker.",
        "S2:34, S3:236",
        scope=AT_RESULT_BOUNDARIES,
        rows=(*HEARTBEATS, "AD3", "AD4"),
    ),
    step(
        "B13",
        next_(reported[b] <= off)
        & forall(x, x.isnt(b).implies(next_(reported[x]).is_(reported[x]) & next_(contact[x]).is_(contact[x]))),
        "A heartbeat speaks for its sender only, who is not taken to have read more than it says.",
        "S3:236-244",
        scope=AT_RESULT_BOUNDARIES,
        rows=HEARTBEATS,
    ),
)
SHUTDOWNS = (
    always(
        "B14",
        forall(
            x,
            registered[x].implies(
                soft_fenced[x].is_(fenced[x]) & ((shutdown_offset[x] >= 0).implies(ics[x] & ~fenced[x]))
            ),
        ),
        "What the controller remembers of heartbeats agrees with the registrations: who is fenced, and who may be shutting down.",
        "S3:236",
        scope=AT_RESULT_BOUNDARIES,
    ),
    step(
        "B15",
        next_(shutdown_offset[b]).is_(next_(log_end))
        & forall(p, (exists_[p] & b.in_(isr[p])).implies(~next_(b.in_(isr[p]) & leader[p].is_(b)))),
        "A controlled shutdown takes the broker's leaderships away, and is over only when all has been read that says so.",
        "S3:244",
        scope=AT_RESULT_BOUNDARIES,
        rows=("HB6", "HD6", "HD6n"),
    ),
    step(
        "B16",
        forall(p, exists_[p].implies(~next_(leader[p].is_(b))))
        & forall(x, (active_broker(x) & x.isnt(b)).implies(shutdown_offset[b] <= reported[x])),
        "Who goes from a controlled shutdown leads nothing, and no active broker believes that it does.",
        "S3:244",
        scope=AT_RESULT_BOUNDARIES,
        rows=("HB10", "HD10", "HD10n"),
    ),
    step(
        "B17",
        next_(contact[b].is_(Contact.RECENT) & reported[b].is_(off) & soft_fenced[b].is_(fenced[b])),
        "A heartbeat that came too late is a contact all the same, and says how far the broker has read; it fences and unfences none.",
        "S3:234",
        scope=AT_RESULT_BOUNDARIES,
        rows=("HX1", "HX2"),
    ),
)
PROPERTIES = (*REGISTRATIONS, *SESSIONS, *SHUTDOWNS)
