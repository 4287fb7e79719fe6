"""To claim the leadership, to complete the activation, to renounce."""

from __future__ import annotations

from fencepost.model.language import FALSE, TRUE, event, exists, let, table, when

from .state import *
from .steps import aborts, aborts_and_bootstraps, bootstraps, bootstraps_at_once, renounces, restarts, snapshots

LOOP, OFFSETS = "QuorumController", "OffsetControlManager"
ACTIVATION_RECORDS = "ActivationRecordsGenerator"

lead = event("HandleLeaderChangeToMe", n, environment=True, source="S3:170", code=f"{LOOP}, {OFFSETS}")
replaced_by = event("HandleLeaderChange", n, environment=True, source="S3:171", code=f"{LOOP}, {OFFSETS}")
complete = event("CompleteActivation", n, environment=True, source="S3:173, S3:203", code=ACTIVATION_RECORDS)
fault = event("FaultInEvent", n, environment=True, source="S3:313", code="EventHandlerExceptionInfo")
end = event("ProcessEnds", n, environment=True, source="S3:312", code="ControllerServer")

_epoch = known_epoch[n]
elected = leader_of[_epoch].is_(n) & (left_epoch[n] < _epoch)
caught_up = let("caught_up", applied[n].is_(epoch_start[_epoch]), n)
"""The listener has everything up to where the epoch began."""
same_log = let(
    "same_log",
    epoch_start[_epoch].is_(next_write[n])
    & (next_write[n].is_(0) | log[_epoch, next_write[n] - 1].is_(log[claim[n], next_write[n] - 1])),
    n,
)
"""The newest epoch began with all that the node has written."""
in_transaction = transaction[n] > 0
bootstrapped = let(
    "bootstrapped",
    exists(
        o,
        (effect[n, o] > 0)
        & log_kind[claim[n], o].is_(RecordKind.VERSION)
        & (transaction[n].is_(0) | (o < transaction[n])),
    ),
    n,
)
"""The state has a metadata.version, that of an open transaction left out."""
_activates = leads_yet & activating[n]
is_ready = (activating[n].becomes(FALSE), armed[n].becomes(TRUE))
_again = elected & same_log & applied[n].is_(epoch_start[_epoch])

LEADERSHIP = table(
    "leadership",
    lead(
        "QK1",
        ~is_active & elected & caught_up,
        claim[n].becomes(_epoch),
        left_epoch[n].becomes(_epoch),
        next_write[n].becomes(log_end[_epoch]),
        activating[n].becomes(TRUE),
        snapshots(n, snapshot[n, s] | s.is_(stable[n]), when(snapshot[n, s], kept[n, s, o], effect[n, o])),
    ),
    lead(
        "QK2", is_active & elected & _again, claim[n].becomes(_epoch), left_epoch[n].becomes(_epoch), source="Kafka 4.4"
    ),
    replaced_by("QK3", is_active & (_epoch > claim[n]), renounces(n)),
    fault("QK4", is_active, renounces(n)),
    end("QK5", TRUE, restarts(n)),
    about="Raft notifies a node that it leads when its listener has caught up to where the epoch began. QK3 represents every other leader.",
    why={
        "QK1": "Periodic tasks stay off, and no request is taken from the queue, until the activation is complete: it is prepended.",
        "QK2": "A leader that is elected again without another between goes on: only the claim is newer. Here everything it wrote is applied.",
        "QK3": "Also where the node itself is elected again in a log that is not its own: another leader was between.",
        "QK4": "Any exception that is no answer to a request makes the node resign.",
        "QK5": "A crash, or a record that cannot be applied: the state is built again from the log. Raft does not let it lead the old epoch.",
    },
)
ACTIVATION = table(
    "activation",
    complete("QA1", _activates & ~bootstrapped & ~in_transaction & transactions, bootstraps(n), is_ready),
    complete("QA2", _activates & ~bootstrapped & ~in_transaction & ~transactions, bootstraps_at_once(n), is_ready),
    complete("QA3", _activates & ~bootstrapped & in_transaction, aborts_and_bootstraps(n), is_ready),
    complete("QA4", _activates & bootstrapped & in_transaction, aborts(n), is_ready),
    complete("QA5", _activates & bootstrapped & ~in_transaction, is_ready),
    about="The activation runs once for each claim, before anything else of the queue. Its records are split into batches anywhere.",
    why={
        "QA1": "The bootstrap is a transaction where metadata.version has them: a failover in the middle leaves nothing of it.",
        "QA3": "What is open is the bootstrap itself, or was begun without one: it is aborted and written again (Kafka: D20).",
        "QA4": "A transaction that a failed controller left open is aborted; nothing ever finishes it (S3:173 and S3:315 say otherwise).",
    },
)
