"""The shapes of what commands print of logs, of the clusters that wrote them, and of simulations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

if TYPE_CHECKING:
    from fencepost.checkers.conformance.brokers.results import DataResult
    from fencepost.checkers.conformance.data_lockstep.results import DataDivergence
    from fencepost.checkers.conformance.data_lockstep.results import DataResult as DataSteps
    from fencepost.checkers.conformance.designs.conform import DesignResult
    from fencepost.checkers.conformance.explain.sensitivity import Removal, Sensitivity
    from fencepost.checkers.conformance.lockstep.results import Divergence
    from fencepost.checkers.conformance.loop_lockstep.results import LoopDivergence, LoopResult
    from fencepost.checkers.conformance.quorum.results import QuorumResult
    from fencepost.checkers.conformance.refinement import RefinedLog
    from fencepost.checkers.conformance.requests.results import EventResult
    from fencepost.checkers.conformance.results.results import LogResult
    from fencepost.checkers.conformance.zk.results import ZkResult
    from fencepost.checkers.conformance.zk.sensitivity import ZkSensitivity
    from fencepost.checkers.operations.about import About


class Also(NamedTuple):
    """Fields that a command adds to the document of a result: `Annotated[Judged, Also({"diff": list[str]})]`."""

    fields: dict[str, Any]
    needed: bool = True


# A line holds several fields, as a line of a table does.
# fmt: off

# -- logs --------------------------------------------------------------------------------------------------------------
LogSensitivity = TypedDict("LogSensitivity", {"alterations": "Sensitivity", "without_rows": "list[Removal]"})
Given = TypedDict("Given", {"static_unclean": str, "cluster_unclean": str})
Scope = TypedDict("Scope", {
    "protocols": list[str], "given": "Given", "static": "dict[str, Setting]", "high_watermark": "int | None",
    "passed_through": list[str]
})
Conformed = TypedDict("Conformed", {
    "logs": "list[Annotated[LogResult, Also({'sensitivity': LogSensitivity, 'refinement': RefinedLog}, needed=False)]]",
    "scope": "Scope",
    "brokers": "NotRequired[list[DataResult]]", "quorums": "NotRequired[list[QuorumResult]]",
    "events": "NotRequired[EventResult]",
    "event_traces": "NotRequired[list[Annotated[EventResult, Also({'cannot': str}, needed=False)]]]",
    "written": "NotRequired[dict[str, str]]"
})
ZkConformed = TypedDict("ZkConformed", {
    "logs": "list[Annotated[ZkResult, Also({'sensitivity': ZkSensitivity}, needed=False)]]", "scope": "OtherScope",
    "written": "NotRequired[dict[str, str]]"
})
OtherScope = TypedDict("OtherScope", {"protocols": list[str]})
DesignsConformed = TypedDict("DesignsConformed", {
    "logs": "list[DesignResult]", "scope": "OtherScope", "written": "NotRequired[dict[str, str]]"
})
AnsweredOtherwise = TypedDict("AnsweredOtherwise", {
    "line": int, "field": str, "kafka": "Any", "tables": "Any", "rows": list[str], "reference": "Any"
})
Answered = TypedDict("Answered", {
    "file": str, "kind": str, "lines": int, "skipped": "dict[str, int]", "rows": "dict[str, int]", "reference": int,
    "differences": "list[AnsweredOtherwise]"
})
Redacted = TypedDict("Redacted", {
    "path": str, "to": str, "files": list[str], "records": int, "fork": "str | None",
    "replaced": "dict[str, int]", "kept": list[str]
})

# -- what happened to a cluster ----------------------------------------------------------------------------------------
Setting = TypedDict("Setting", {"value": str, "from": str})
Moment = TypedDict("Moment", {
    "offset": int, "time": "str | None", "timestamp": "int | None", "seconds": "float | None", "exact": bool
})
Asked = TypedDict("Asked", {"asked": str, "offset": "int | None", "timestamp": "int | None", "time": "str | None"})
Now = TypedDict("Now", {
    "asked": str, "offset": "int | None", "timestamp": "int | None", "time": "str | None", "now": "str | int | None"
})
Leader = TypedDict("Leader", {
    "id": int, "epoch": "NotRequired[int]", "since": "Moment", "changes_in_window": "NotRequired[int]"
})
NeedsUnclean = TypedDict("NeedsUnclean", {
    "since": "Moment | None", "by": str, "elr_before": list[int], "last_known_before": list[int]
})
PartitionNow = TypedDict("PartitionNow", {
    "partition": str, "topic": str, "topic_id": str, "number": int, "since": "Moment | None", "replicas": list[int],
    "isr": list[int], "elr": list[int], "leader": "int | None", "min_isr": "int | None", "last_known_elr": list[int],
    "adding": list[int], "removing": list[int], "active_replicas": list[int], "progress": "Moment | None",
    "waits_for": list[int], "needs_unclean": "NeedsUnclean | None",
    "failed_directory": "str | None"
})
PartitionsNow = TypedDict("PartitionsNow", {
    "offline": "list[PartitionNow]", "under_min_isr": "list[PartitionNow]", "at_min_isr": "list[PartitionNow]",
    "under_replicated": "list[PartitionNow]", "leader_recovering": "list[PartitionNow]",
    "elr_in_use": "list[PartitionNow]", "reassigning": "list[PartitionNow]", "not_preferred": "list[PartitionNow]",
    "led_in_failed_directory": "list[PartitionNow]"
})
Leads = TypedDict("Leads", {"broker": int, "leads": int, "preferred": int, "replicas": int})
Upgrade = TypedDict("Upgrade", {
    "may_be_raised_to": "str | None", "held_back_by": list[str], "others_support": "str | None"
})
Gone = TypedDict("Gone", {"broker": int, "unregistered": "Moment | None", "partitions": int})
Cordoned = TypedDict("Cordoned", {"broker": int, "since": "Moment", "directories": list[str], "all": bool})
LostDirectory = TypedDict("LostDirectory", {"broker": int, "directory": str, "since": "Moment"})
UncleanElection = TypedDict("UncleanElection", {
    "partition": str, "topic_id": str, "at": "Moment", "leader": "int | None", "isr_before": list[int],
    "elr_before": list[int], "recovering": bool
})
Fenced = TypedDict("Fenced", {"broker": int, "since": "Moment", "epoch": "int | None"})
ShuttingDown = TypedDict("ShuttingDown", {"broker": int, "since": "Moment"})
NeverUnfenced = TypedDict("NeverUnfenced", {
    "broker": int, "registered": "Moment", "epoch": "int | None", "ended": "Moment | None"
})
Flapping = TypedDict("Flapping", {"broker": int, "registrations": int, "fences": int, "unfences": int})
BrokersNow = TypedDict("BrokersNow", {
    "fenced": "list[Fenced]", "in_controlled_shutdown": "list[ShuttingDown]", "never_unfenced": "list[NeverUnfenced]",
    "gone": "list[Gone]", "cordoned": "list[Cordoned]", "lost_directories": "list[LostDirectory]",
    "flapping": "list[Flapping]"
})
Judgement = TypedDict("Judgement", {"verdict": str, "end_offset": "int | None", "undecided": list[str]})
Migration = TypedDict("Migration", {
    "state": str, "since": "Moment | None", "registered": list[int], "in_zookeeper_mode": list[int],
    "fenced": list[int]
})
Quorum = TypedDict("Quorum", {
    "kraft_version": "int | None", "voters": "list[int] | None", "since": "int | None",
    "counted_by_the_leader": list[int], "majority": "int | None", "may_be_lost": "int | None", "observers": list[int],
    "never_registered": list[int], "joined": "dict[str, int]", "removed": "dict[str, int]"
})
ConditionNow = TypedDict("ConditionNow", {
    "path": str, "field": str, "value": "Any", "partition": "str | None", "words": str, "since": "Moment | None"
})
ForkNow = TypedDict("ForkNow", {"name": str, "conditions": "list[ConditionNow]"})
Health = TypedDict("Health", {
    "path": str, "status": str, "at": "Now", "known_from": "Moment | None", "controller": "Leader | None",
    "quorum": "Quorum", "metadata_version": "str | None", "migration": "Migration | None", "window_seconds": float,
    "counts": "dict[str, int]", "partitions": "PartitionsNow", "unclean_elections": "list[UncleanElection]",
    "brokers": "BrokersNow", "leaders": "list[Leads]", "upgrade": "Upgrade", "fork": "ForkNow | None",
    "notes": list[str], "judged": "Judgement | None", "assumed": "dict[str, Setting]"
})
ZkPartitionNow = TypedDict("ZkPartitionNow", {
    "partition": str, "leader": "int | None", "isr": list[int], "replicas": "list[int] | None",
    "since": "NotRequired[Moment]", "adding": "NotRequired[list[int]]", "removing": "NotRequired[list[int]]"
})
ZkPartitionsNow = TypedDict("ZkPartitionsNow", {
    "offline": "list[ZkPartitionNow]", "under_replicated": "list[ZkPartitionNow]",
    "reassigning": "list[ZkPartitionNow]"
})
ZkBrokersNow = TypedDict("ZkBrokersNow", {"live": list[int], "gone": "list[ShuttingDown]"})
ZkHealth = TypedDict("ZkHealth", {
    "path": str, "mode": Literal["zookeeper"], "status": str, "at": "Now", "controller": "Leader | None",
    "counts": "dict[str, int]", "partitions": "ZkPartitionsNow", "brokers": "ZkBrokersNow", "notes": list[str]
})
TopicsChanged = TypedDict("TopicsChanged", {"created": list[str], "deleted": list[str]})
BrokerChanged = TypedDict("BrokerChanged", {"broker": int, "changed": "dict[str, list[Any]]"})
FeatureChanged = TypedDict("FeatureChanged", {"feature": str, "level": "list[Any]"})
PartitionChanged = TypedDict("PartitionChanged", {
    "partition": str, "kinds": list[str], "changed": "dict[str, list[Any]]", "words": str
})
TwoMoments = TypedDict("TwoMoments", {
    "path": str, "at": "Asked", "and": "Asked", "topics": "TopicsChanged", "brokers": "list[BrokerChanged]",
    "features": "list[FeatureChanged]", "counts": "dict[str, int]", "partitions": "list[PartitionChanged]",
    "notes": list[str]
})
Explains = TypedDict("Explains", {"id": str, "event": str, "finding": "str | None"})
Likely = TypedDict("Likely", {"rows": list[str], "because": str})
StoryPartition = TypedDict("StoryPartition", {
    "partition": str, "topic": "str", "number": int, "offset": int, "created": bool, "changed": "dict[str, list[Any]]",
    "directories": "dict[str, list[Any]]", "words": str
})
StoryEvent = TypedDict("StoryEvent", {
    "offset": int, "last_offset": int, "timestamp": "int | None", "time": "str | None", "last_timestamp": "int | None",
    "records": int, "types": "dict[str, int]", "results": int, "words": str, "brokers": list[int],
    "counts": "dict[str, int]", "partitions": "list[StoryPartition]", "more": int,
    "rows": "list[Explains]", "partly": list[str], "certain": bool,
    "may_come_from": list[str], "likely": "Likely | None", "explained": "bool | None"
})
Term = TypedDict("Term", {
    "id": "int | None", "epoch": int, "offset": int, "timestamp": "int | None", "to": "int | None",
    "to_timestamp": "int | None", "times": int
})
BrokerState = TypedDict("BrokerState", {
    "state": Literal["active", "fenced", "in_controlled_shutdown", "unregistered"], "offset": int,
    "timestamp": "int | None", "to": "int | None", "to_timestamp": "int | None", "times": int
})
BrokerLane = TypedDict("BrokerLane", {"broker": int, "states": "list[BrokerState]"})
PartitionState = TypedDict("PartitionState", {
    "leader": "int | str | None", "isr": "list[int] | str", "elr": "list[int] | str", "replicas": "list[int] | str",
    "adding": "list[int] | str", "removing": "list[int] | str", "min_isr": "int | None", "offset": int,
    "timestamp": "int | None", "to": "int | None", "to_timestamp": "int | None", "times": int
})
Alike = TypedDict("Alike", {"count": int, "partitions": list[str]})
PartitionLane = TypedDict("PartitionLane", {
    "partition": str, "topic": str, "number": int, "offline_seconds": float, "under_min_isr_seconds": float,
    "unclean": int, "alike": "Alike", "states": "list[PartitionState]"
})
CountsOfAll = TypedDict("CountsOfAll", {
    "offset": int, "timestamp": "int | None", "partitions": int, "offline": int, "under_min_isr": int,
    "under_replicated": int, "reassigning": int
})
LeftOut = TypedDict("LeftOut", {"brokers": int, "partitions": int, "counts": int})
LanesOfALog = TypedDict("LanesOfALog", {
    "begin": "Moment", "end": "Moment", "terms": "list[Term]", "brokers": "list[BrokerLane]",
    "partitions": "list[PartitionLane]", "counts": "list[CountsOfAll]", "left_out": "LeftOut"
})
Story = TypedDict("Story", {
    "path": str, "from": str, "to": "Asked", "about": "About", "known_from": "Moment | None",
    "counts": "dict[str, int]", "untold": "dict[str, int]", "events": "list[StoryEvent]", "rows": "dict[str, str]",
    "rows_asked_up_to": "int | None", "ends": "str | None", "notes": list[str], "lanes": "LanesOfALog | None"
})
ZkStoryPartition = TypedDict("ZkStoryPartition", {"partition": str, "words": str})
ZkStoryEvent = TypedDict("ZkStoryEvent", {
    "offset": int, "last_offset": int, "timestamp": "int | None", "time": "str | None", "last_timestamp": "int | None",
    "writer": "int | None", "words": str, "partitions": "list[ZkStoryPartition]", "brokers": list[int]
})
ZkStory = TypedDict("ZkStory", {
    "path": str, "mode": Literal["zookeeper"], "from": str, "to": "Asked", "about": "ZkAbout",
    "counts": "dict[str, int]", "events": "list[ZkStoryEvent]", "notes": list[str]
})
ZkAbout = TypedDict("ZkAbout", {
    "partition": "str | None", "broker": "int | None", "topic": "str | None", "types": "NotRequired[list[str] | None]"
})
Total = TypedDict("Total", {
    "intervals": int, "entities": int, "under_way": int, "seconds": float, "longest_seconds": "float | None"
})
Interval = TypedDict("Interval", {
    "sort": str, "name": str, "condition": str, "from": "Moment", "to": "Moment | None", "seconds": "float | None"
})
Intervals = TypedDict("Intervals", {
    "path": str, "from": str, "to": "Asked", "about": "About", "known_from": "Moment | None", "totals": "Totals",
    "intervals": "list[Interval]", "notes": list[str]
})
Totals = TypedDict("Totals", {
    "leaderless": "Total", "under_min_isr": "Total", "fenced": "Total", "in_controlled_shutdown": "Total"
})
WhyEntity = TypedDict("WhyEntity", {"sort": str, "name": str})
SameResult = TypedDict("SameResult", {"offset": int, "sort": str, "name": str, "words": str})
Link = TypedDict("Link", {
    "offset": int, "sort": str, "name": str, "words": str, "timestamp": "int | None", "time": "str | None",
    "rows": "list[Explains]", "likely": "NotRequired[Likely | None]", "findings": list[str],
    "same_result": "list[SameResult]"
})
Began = TypedDict("Began", {"offset": int, "name": str, "certain": bool, "may_come_from": list[str]})
Why = TypedDict("Why", {
    "path": str, "at": "Asked", "entity": "WhyEntity", "state": "dict[str, Any]", "chain": "list[Link]",
    "began": "list[Began]", "rows": "dict[str, str]", "notes": list[str]
})

# -- simulations -------------------------------------------------------------------------------------------------------
ClusterViolation = TypedDict("ClusterViolation", {"rule": str, "time_ns": int, "message": str})
Simulated = TypedDict("Simulated", {
    "seed": int, "simulated_seconds": float, "repeat": str, "events": int, "records": int, "steps": int,
    "steps_judged": int, "rows": "dict[str, int]", "changed_nothing": "dict[str, int]", "not_judged": "dict[str, int]",
    "data": "DataSteps", "loop": "LoopResult", "came_to_pass": "dict[str, int]",
    "divergences": "list[Divergence | DataDivergence | LoopDivergence]", "violations": "list[ClusterViolation]",
    "faults": "dict[str, int]", "requests": "dict[str, int]", "acknowledged": int, "losses": "list[Any]",
    "log": "NotRequired[str]", "trace": "NotRequired[str]", "story": "NotRequired[str]",
    "metrics": "NotRequired[dict[str, dict[str, Any]]]"
})
ForkSimulated = TypedDict("ForkSimulated", {
    "seed": int, "simulated_seconds": float, "repeat": str, "events": int, "records": int,
    "violations": "list[ClusterViolation]", "faults": "dict[str, int]", "requests": "dict[str, int]",
    "acknowledged": int, "losses": "list[Any]", "log": str
})
Seeds = TypedDict("Seeds", {
    "seeds": int, "first_seed": int, "events": int, "steps": int, "steps_judged": int, "records": int,
    "acknowledged": int, "losses": int, "rows": "dict[str, int]", "changed_nothing": "dict[str, int]",
    "not_judged": "dict[str, int]", "data": "DataSteps", "loop": "LoopResult", "came_to_pass": "dict[str, int]",
    "divergences": int, "failed": "list[Simulated]"
})
ZkSimulated = TypedDict("ZkSimulated", {
    "protocol": str, "seed": int, "simulated_seconds": float, "repeat": str, "events": int, "records": int,
    "epochs": int, "steps": int, "rows": "dict[str, int]", "not_judged": "dict[str, int]", "adopted": "dict[str, int]",
    "divergences": list[str], "violations": list[str], "stuck": list[str], "faults": "dict[str, int]",
    "requests": "dict[str, int]", "log": "NotRequired[str]", "trace": "NotRequired[str]"
})
ZkSeeds = TypedDict("ZkSeeds", {
    "protocol": str, "seeds": int, "first_seed": int, "steps": int, "rows": "dict[str, int]",
    "not_judged": "dict[str, int]", "adopted": "dict[str, int]", "divergences": int, "failed": "list[ZkSimulated]"
})
DesignSimulated = TypedDict("DesignSimulated", {
    "protocol": str, "seed": int, "simulated_seconds": float, "repeat": str, "steps": int, "changes": int,
    "rows": "dict[str, int]", "not_judged": "dict[str, int]", "untold": "dict[str, int]", "idle": "dict[str, int]",
    "divergences": list[str], "trace": "NotRequired[str]"
})
DesignSeeds = TypedDict("DesignSeeds", {
    "protocol": str, "seeds": int, "first_seed": int, "steps": int, "changes": int, "rows": "dict[str, int]",
    "not_judged": "dict[str, int]", "untold": "dict[str, int]", "idle": "dict[str, int]", "divergences": int,
    "failed": "list[DesignSimulated]"
})
MadeLog = TypedDict("MadeLog", {
    "name": str, "path": str, "number": int, "records": int, "bytes": int, "segments": int, "kinds": "dict[str, int]"
})
Planted = TypedDict("Planted", {"log": str, "offset": int, "kind": str, "change": str, "expected": list[str]})
MadeLogs = TypedDict("MadeLogs", {
    "brokers": int, "partitions": int, "seed": int, "kinds": list[str], "to": str, "logs": "list[MadeLog]",
    "records": int, "bytes": int, "episodes": "dict[str, int]", "cpu_seconds": float, "planted": "list[Planted]",
    "list": str
})
# fmt: on
