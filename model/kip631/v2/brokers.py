"""The broker's own side: its states (S2:66-79), what it makes of answers, what it applies, its local logs."""

from __future__ import annotations

from fencepost.model.language.vocabulary import *

from .answers import Error
from .membership import appends
from .records import REMOVE_TOPIC, TOPIC_RECORD
from .state import *

NOT_RUNNING, STARTING, RECOVERY = BrokerState.NOT_RUNNING, BrokerState.STARTING, BrokerState.RECOVERY
RUNNING, PENDING, SHUTTING = (BrokerState.RUNNING, BrokerState.PENDING_CONTROLLED_SHUTDOWN, BrokerState.SHUTTING_DOWN)
NONE_YET, NO_LOGS = Lit(-1, OFFSET), nobody(TOPIC)

new_incarnation = INCARNATION.var("incarnation")
error = one_of(Error).var("error")
epoch, to = OFFSET.var("epoch"), OFFSET.var("to")
caught_up, is_fenced, shutdown = BOOL.var("caught_up"), BOOL.var("fenced"), BOOL.var("shutdown")

start = event("StartBroker", b, new_incarnation, given=new_incarnation > 0, environment=True, source="S2:67-70")
registered_as = event("RegisterReply", b, error, epoch, environment=True, source="S2:52-53")
answered = event("HeartbeatReply", b, error, caught_up, is_fenced, shutdown, environment=True, source="S2:70-79,405")
recover = event("RecoverLogs", b, environment=True, source="S2:71-73")
shut_down = event("BeginShutdown", b, environment=True, source="S2:76-77")
stop = event("StopBroker", b, environment=True, source="S2:78-79")
apply = event("ApplyMetadata", b, to, environment=True, source="S2:18,69-70,280")
snapshot = event("ApplySnapshot", b, to, environment=True, source="S2:281")
create = event("CreateTopic", t, environment=True, source="S2:279-280")
remove = event("RemoveTopic", t, environment=True, source="S2:92,280")
host = event("HostTopic", b, t, environment=True, source="S2:281")

ANSWERS = (
    assume(
        "MA1",
        error.is_(Error.NONE).implies((granted[b] >= 0) & epoch.is_(granted[b])),
        "What a process hears of its registration is what it was answered.",
        "S2:53",
        event="RegisterReply",
    ),
    assume(
        "MA2",
        error.is_(Error.NONE).implies(
            told[b] & caught_up.is_(told_caught_up[b]) & is_fenced.is_(told_fenced[b]) & shutdown.is_(told_shutdown[b])
        ),
        "What a process hears of a heartbeat is what it was answered.",
        "S2:405",
        event="HeartbeatReply",
    ),
)


@procedure(b)
def enters_recovery(b: Term[Broker]) -> object:
    """The log manager starts: logs of topics that the metadata does not have are deleted first (S2:281)."""
    return broker_state[b].becomes(RECOVERY), logs[b].becomes(those(t, t.in_(logs[b]) & is_known(b, t)))


fine = let("no_error", error.is_(Error.NONE))
fresh = let("within_log", (own_offset[b] < to) & (to <= committed) & broker_state[b].isnt(NOT_RUNNING))
gone = let("removed_meanwhile", those(t, (own_offset[b] < removed_at[t]) & (removed_at[t] <= to)))
BROKERS = table(
    "broker states",
    start("BS1", broker_state[b].is_(NOT_RUNNING), broker_state[b].becomes(STARTING), own_incarnation[b].becomes(new_incarnation)),
    registered_as("BS2", fine & broker_state[b].is_(STARTING) & own_epoch[b].is_(-1), own_epoch[b].becomes(epoch)),
    answered("BS3", fine & broker_state[b].is_(STARTING) & caught_up, enters_recovery(b)),
    recover("BS4", broker_state[b].is_(RECOVERY) & ~recovered[b], recovered[b].becomes(TRUE)),
    answered("BS5", fine & broker_state[b].is_(RECOVERY) & recovered[b] & ~is_fenced, broker_state[b].becomes(RUNNING), serving[b].becomes(TRUE)),
    shut_down("BS6", broker_state[b].is_(RUNNING), broker_state[b].becomes(PENDING)),
    answered("BS7", fine & broker_state[b].is_(PENDING) & shutdown, broker_state[b].becomes(SHUTTING), serving[b].becomes(FALSE)),
    stop(
        "BS8", broker_state[b].isnt(NOT_RUNNING),
        broker_state[b].becomes(NOT_RUNNING), own_incarnation[b].becomes(0), own_epoch[b].becomes(NONE_YET), own_offset[b].becomes(NONE_YET),
        recovered[b].becomes(FALSE), serving[b].becomes(FALSE), granted[b].becomes(NONE_YET),
        told[b].becomes(FALSE), told_caught_up[b].becomes(FALSE), told_fenced[b].becomes(FALSE), told_shutdown[b].becomes(FALSE),
    ),
    apply("BA1", fresh, own_offset[b].becomes(to), logs[b].becomes(logs[b] - gone)),
    about="A broker starts, catches up, recovers its logs, runs, and shuts down.",
    why={
        "BS3": "STARTING ends when the controller says that the broker has caught up; RECOVERY is always passed (S2:82).",
        "BS4": "Until then heartbeats say WantFence.",
        "BS5": "Nothing leads back: a running broker that hears that it is fenced serves on.",
        "BS8": "A crash, or the end of a shutdown. The logs stay on the disk.",
        "BA1": "Replaying a RemoveTopic record deletes the topic's log (S2:280).",
    },
)  # fmt: skip

LOGS = table(
    "topics and local logs",
    create("TC", active & created_at[t].is_(-1), TOPIC_RECORD(t), appends()),
    remove("TR", active & (created_at[t] >= 0) & removed_at[t].is_(-1), REMOVE_TOPIC(t), appends()),
    host("LH", serving[b] & is_known(b, t), logs[b].becomes(logs[b] | just(t))),
    snapshot("BA2", fresh & broker_state[b].is_(STARTING), own_offset[b].becomes(to)),
    snapshot("BA3", fresh & broker_state[b].isnt(STARTING), own_offset[b].becomes(to)),
    about="Topics come and go, and brokers have logs of them.",
    why={
        "TR": "A topic whose partitions are being reassigned may be removed as well (S2:92).",
        "BA2": "A snapshot shows a removed topic by leaving it out: no broker sees a RemoveTopic record.",
        "BA3": "S2 compares logs with metadata at the start of RECOVERY only; of a running broker it says nothing.",
    },
)  # fmt: skip
