"""The logs of one quorum's controllers read and checked together."""

from __future__ import annotations

from collections.abc import Sequence

from fencepost.checkers.verdicts import Refusal
from fencepost.traces import LogSource, MetadataLog, TraceError, read_log
from fencepost.traces.loop_lines import LoopLines, Started, read_loop_lines
from fencepost.traces.node_files import NodeFiles, read_node_files
from fencepost.traces.storage import join, kind_of

from .agreement import compare_logs
from .committed import Known, bounds_of, check_committed, known_of_logs
from .epochs import check_beginnings, check_epochs
from .members import Member
from .replays import Replay, check_snapshots
from .reported import Reports, commits_of
from .results import QuorumResult
from .transactions import check_transactions
from .voter_changes import check_voters

CONTROLLER_LOGS = ("controller.log", "controller.log.gz")
"""The names of a controller's own log, in the directory of its metadata log or in the one above."""


def judge_quorum(
    sources: Sequence[LogSource],
    *,
    replay: Replay | None = None,
    high_watermark: int | None = None,
    missing: Sequence[str] = (),
) -> QuorumResult:
    """Read the logs of one quorum and check them together.

    `replay` checks a log, with the snapshots of others beside it: without it these are not compared. `missing` are
    directories that should hold a log and are empty; they are inconclusive, as logs that cannot be read are.
    Raises Refusal where the logs are of several clusters.
    """
    result = QuorumResult((*(source.path for source in sources), *missing))
    result.doubts += [f"{path}: no log is in it" for path in missing]
    members = [member for source in sources if (member := _member(source, result)) is not None]
    clusters = sorted({one.files.cluster_id for one in members if one.files.cluster_id is not None})
    if len(clusters) > 1:
        raise Refusal(f"--quorum: meta.properties name {len(clusters)} clusters: {', '.join(clusters)}")
    check(members, _lines(members, result), result, replay, high_watermark)
    return result


def check(
    members: Sequence[Member],
    lines: Sequence[LoopLines],
    result: QuorumResult,
    replay: Replay | None = None,
    high_watermark: int | None = None,
) -> None:
    """Check logs, and the lines of controllers' own logs, together; what is found is added to the result."""
    result.nodes = tuple(sorted({one.files.node for one in members if one.files.node is not None}))
    result.ends = {one.name: one.end for one in members}
    if len(members) < 2:
        result.doubts.append("of fewer than two logs that can be read nothing can be said of a quorum")
        return
    check_epochs(members, result)
    known = [*known_of_logs(members), *(fact for one in lines for fact in commits_of(one, members))]
    bounds = bounds_of(members, known, high_watermark)
    compare_logs(members, bounds, result)
    check_beginnings(members, result)
    check_committed(members, known, result)
    check_transactions(members, result)
    check_voters(members, result)
    for one in lines:
        Reports(one, members, bounds, result)
    check_snapshots(members, bounds, replay, result)
    result.snapshots = result.asked["snapshot"]
    _scope(members, bounds, known, high_watermark, result)


def _member(source: LogSource, result: QuorumResult) -> Member | None:
    """Return a log that can be compared, None for one that cannot: a doubt says why."""
    try:
        log = read_log(source)
    except TraceError as error:
        result.doubts.append(str(error))
        return None
    if not log.batches:
        result.doubts.append(f"{log.path}: it holds no batch")
        return None
    if any(batch.epoch < 0 for batch in log.batches):
        result.doubts.append(f"{log.path}: it is a text without batch lines, which has no epochs")
        return None
    try:
        files = read_node_files(log.path)
    except TraceError as error:
        result.doubts.append(str(error))
        files = NodeFiles()
    return Member(log, files, _is_damaged(log, result))


def _is_damaged(log: MetadataLog, result: QuorumResult) -> bool:
    """Whether damage may hide batches; a torn end is what a kill may leave."""
    segments = {segment.name for segment in log.segments}
    is_damaged = False
    for one in (each for each in log.quarantined if each.segment in segments):
        if one.kind == "torn" and (one.segment, one.start) > (log.batches[-1].segment, log.batches[-1].position):
            result.notes.append(f"{log.path}: the last batch of {one.segment} was not written whole")
            continue
        is_damaged = True
        result.doubts.append(
            f"{log.path}: bytes {one.start} to {one.end} of {one.segment} cannot be read ({one.reason}): what they "
            "held was not compared"
        )
    return is_damaged


def _lines(members: Sequence[Member], result: QuorumResult) -> list[LoopLines]:
    found: dict[str, LoopLines] = {}
    for member in members:
        for place in (member.name, join(member.name, "..")) if kind_of(member.name) == "directory" else ():
            path = next((one for name in CONTROLLER_LOGS if kind_of(one := join(place, name)) == "file"), None)
            if path is None or path in found:
                continue
            try:
                found[path] = read_loop_lines(path)
            except TraceError as error:
                result.doubts.append(str(error))
    clusters = {member.files.cluster_id for member in members} - {None}
    for path, lines in list(found.items()):
        said = {line.cluster for line in lines.lines if isinstance(line, Started)}
        if clusters and said and not said & clusters:
            result.notes.append(f"{path} is of another cluster ({', '.join(sorted(said))}): it was not read")
            del found[path]
    for lines in found.values():
        result.other_lines += lines.others
        for form, count in lines.forms.items():
            result.lines[form] = result.lines.get(form, 0) + count
    return list(found.values())


def _scope(
    members: Sequence[Member],
    bounds: dict[Member, int],
    known: Sequence[Known],
    high_watermark: int | None,
    result: QuorumResult,
) -> None:
    """Note the end of the committed part, and what was not compared."""
    best = max(members, key=lambda member: bounds[member])
    result.committed = bounds[best]
    if not result.committed:
        result.doubts.append(
            "nothing shows what is committed: no leader wrote in a later epoch, and there is neither a snapshot nor a "
            "line that says so; give --high-watermark"
        )
    elif high_watermark == result.committed:
        result.committed_by = "--high-watermark"
    else:
        result.committed_by = next(one.said for one in known if one.end == result.committed)
    for member in members:
        others = [one for one in members if one is not member]
        if not any(max(member.start, one.start) < min(member.end, one.end) for one in others):
            result.doubts.append(f"{member.name}: it has no offset that another log has")
    unnamed = sum(member.files.node is None for member in members)
    if unnamed:
        result.notes.append(
            f"whose {unnamed} of the {len(members)} logs are is unknown, for want of a meta.properties: no majority is "
            "counted with them"
        )
