"""`fencepost conform` of several controllers' logs: which are of one quorum, and their judgement as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import Refusal

from .conform_many import not_shown

if TYPE_CHECKING:
    from fencepost.checkers.conformance.quorum import QuorumResult
    from fencepost.checkers.conformance.quorum.replays import Replay
    from fencepost.checkers.conformance.records.static_settings import StaticSettings
    from fencepost.model.language import Protocol

SHOWN = 4
"""Violations, tails and doubts of a quorum that the page lists; the JSON document has all."""

Quorum = Annotated[
    bool | None,
    typer.Option(
        "--quorum/--no-quorum",
        help="The logs are those of one quorum's controllers, or copies of them: check them together, too. Left out, "
        "those are whose meta.properties name one cluster.",
        show_default=False,
    ),
]


def with_logs(paths: Sequence[str], quorum: bool | None) -> tuple[list[str], list[str]]:
    """Return the paths with a log and, with `--quorum`, the directories without any; others end the command later."""
    from fencepost.traces import TraceError, find_logs
    from fencepost.traces.storage import kind_of

    if not quorum:
        return list(paths), []
    empty = []
    for path in paths:
        try:
            find_logs([path], keep=True)
        except TraceError:
            if kind_of(path) == "directory":
                empty.append(path)
    rest = [path for path in paths if path not in empty]
    # Where all are empty there is nothing to check at all, and the command says so of the first.
    return (rest, empty) if rest else (list(paths), [])


def judged_quorums(
    paths: Sequence[str],
    quorum: bool | None,
    empty: Sequence[str],
    protocol: Protocol | None,
    settings: StaticSettings,
    high_watermark: int | None,
) -> list[QuorumResult]:
    """Check together the logs below the paths that are of one quorum; none without two such logs.

    Raises Refusal where `--quorum` is given and there is one log, or where the logs are of several clusters.
    """
    from fencepost.traces import LogSource, TraceError, find_logs

    if quorum is False:
        return []
    sources = find_logs(paths, keep=True)
    if not quorum and len(sources) < 2:
        return []
    from fencepost.checkers.conformance.quorum import judge_quorum
    from fencepost.traces.node_files import read_node_files

    groups: dict[str, list[LogSource]] = {}
    if quorum:
        if len(sources) + len(empty) < 2:
            raise Refusal("--quorum: there is one log; give those of several controllers of the quorum")
        groups[""] = list(sources)
    else:
        for source in sources:
            try:
                cluster = read_node_files(source.path).cluster_id
            except TraceError:
                # The log itself was checked; whether it is of this cluster is unknown.
                continue
            if cluster is not None:
                groups.setdefault(cluster, []).append(source)
    replay = _replay(protocol, settings)
    return [
        judge_quorum(group, replay=replay, high_watermark=high_watermark, missing=empty)
        for group in groups.values()
        if len(group) + len(empty) > 1
    ]


def _replay(protocol: Protocol | None, settings: StaticSettings) -> Replay:
    """Return how a log is checked by itself, with the snapshots that lie beside it."""
    from fencepost.checkers.conformance import PASSED_THROUGH, Options
    from fencepost.checkers.conformance.by_term import TermJudge
    from fencepost.checkers.conformance.reading.monitor import Monitor

    options = Options(PASSED_THROUGH, settings.given)
    if protocol is None:
        return TermJudge(settings, options).log
    return Monitor(settings.on(protocol), options).judge


def quorum_lines(result: QuorumResult) -> list[str]:
    """Return the judgement of a quorum as text: the verdict, how far, violations, uncommitted tails, doubts."""
    from fencepost.checkers.conformance.quorum.results import RULES

    nodes = f" of nodes {', '.join(map(str, result.nodes))}" if result.nodes else ""
    ends = sorted(set(result.ends.values()))
    reach = f"; they end {f'between {ends[0]} and' if ends[1:] else 'at'} {ends[-1]}" if ends else ""
    lines = [
        f"quorum: {counted(len(result.paths), 'log')}{nodes}: {result.verdict.value}: "
        f"{counted(result.epochs, 'epoch')}, committed below offset {result.committed}{reach}"
    ]
    if result.committed_by:
        lines.append(f"  committed, by {result.committed_by}")
    for one in result.violations[:SHOWN]:
        place = f", line {one.line}" if one.line is not None else f" ({one.segment})" if one.segment else ""
        epoch = "" if one.epoch is None else f" of epoch {one.epoch}"
        claims = ", ".join(RULES[one.rule].claims)
        lines.append(f"  {one.rule} ({claims}): {one.log}{place} at offset {one.offset}{epoch}: {one.message}")
        if one.against:
            more = f" and {len(one.against) - 1} more" if len(one.against) > 1 else ""
            lines.append(f"    contradicted by {one.against[0]}{more}")
    lines += not_shown(len(result.violations), SHOWN, "violations")
    for tail in result.tails[:SHOWN]:
        epochs = ", ".join(map(str, tail.epochs))
        what = (
            "no other log has it"
            if tail.replaced_by is None
            else f"replaced by epoch {tail.replaced_by} in {tail.other}"
        )
        offsets = f"offsets {tail.first} to {tail.last}" if tail.last > tail.first else f"offset {tail.first}"
        lines.append(f"  uncommitted tail: {tail.log}: {offsets} of epoch {epochs}: {what}")
    lines += not_shown(len(result.tails), SHOWN, "uncommitted tails")
    lines += [f"  undecided: {doubt}" for doubt in result.doubts[:SHOWN]]
    lines += not_shown(len(result.doubts), SHOWN, "doubts")
    lines.append("  compared: " + ", ".join(f"{rule} {count}" for rule, count in result.asked.items() if count))
    never = [rule for rule, count in result.asked.items() if not count]
    if never:
        lines.append(f"  nothing to compare for: {', '.join(never)}")
    if result.lines:
        understood = ", ".join(f"{form} {count}" for form, count in result.lines.items())
        lines.append(f"  controllers' own logs: {understood}; {result.other_lines} lines of other forms")
    return lines + [f"  {note}" for note in result.notes]
