"""`fencepost show LOG`: a summary of a metadata log, or what its options ask for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fencepost.checkers.counting import counted, noun
from fencepost.checkers.verdicts import ExitCode, Refusal

from .outcome import Outcome

if TYPE_CHECKING:
    from fencepost.checkers.conformance.records.static_settings import StaticSettings
    from fencepost.traces import MetadataLog
    from fencepost.traces.forks import Fork


@dataclass(frozen=True, slots=True)
class LogQuestion:
    """The options of `show` that ask something of a log; none of them asks for the summary.

    `static` are the controllers' static settings, None where no option says them. `begin` and `end` are moments from
    and up to which records are listed.
    """

    at: str | None
    partition: str | None
    broker: int | None
    tree: str | None
    coverage: bool
    svg: Path | None
    static: StaticSettings | None = None
    topic: str | None = None
    types: tuple[str, ...] = ()
    begin: str | None = None
    end: str | None = None
    fork: Fork | None = None

    @property
    def given(self) -> list[str]:
        """The options that were given, by their names."""
        options = {
            "--at": self.at is not None,
            "--partition": self.partition is not None,
            "--broker": self.broker is not None,
            "--tree": self.tree is not None,
            "--coverage": self.coverage,
            "--svg": self.svg is not None,
            **self._of_list,
        }
        return [name for name, is_given in options.items() if is_given]

    @property
    def _of_list(self) -> dict[str, bool]:
        """Whether options are given that ask for a list of records only."""
        return {
            "--topic": self.topic is not None,
            "--type": bool(self.types),
            "--from": self.begin is not None,
            "--to": self.end is not None,
        }

    def refuse_for_tables(self, what: str) -> None:
        """Raise `Refusal` where an option was given that is about logs, and `what` is a protocol."""
        if self.given:
            raise Refusal(f"{what}: {self.given[0]} asks something of a recorded log; name a log, not a protocol")
        if self.fork is not None:
            raise Refusal(f"{what}: --fork reads a recorded log; name a log, not a protocol")
        if self.static is not None:
            raise Refusal(f"{what}: static settings are of controllers that wrote a log; name a log, not a protocol")

    def answer(self, path: str) -> Outcome:
        """Return the query for the log at a path; raises `Refusal` for options that do not go together."""
        if self.svg is not None and not self.coverage:
            raise Refusal("--svg draws the coverage; give --coverage, too")
        if self.coverage and self.given[0] != "--coverage":
            raise Refusal(f"--coverage is about the whole log; leave out {self.given[0]}")
        if self.coverage:
            from .show_coverage import show_coverage

            return show_coverage(path, self.svg, self.static, self.fork)
        of_list = [name for name, is_given in self._of_list.items() if is_given]
        if self.at is not None and of_list:
            raise Refusal(f"{of_list[0]} lists records, and --at shows the state after one; leave one of them out")
        views = [name for name in self.given if name != "--at"]
        if self.at is None:
            if self.tree is not None:
                raise Refusal("--tree needs a moment; give --at OFFSET, too")
            if self.static is not None:
                raise Refusal("static settings decide the state and the rows, not the summary; give --at or --coverage")
            if views:
                return self._listed(path)
            return show_log(path, self.fork)
        if len(views) > 1:
            raise Refusal(f"{' and '.join(views)} ask for different things; give one of them")
        at = self._offset(path)
        if self.tree is not None:
            from .show_tree import show_tree

            return show_tree(path, at, self.tree, self.static, self.fork)
        from .show_state import show_entity, show_state

        if views:
            return show_entity(path, at, self.partition, self.broker, self.static, self.fork)
        return show_state(path, at, self.static, self.fork)

    def _offset(self, path: str) -> int:
        """The offset of the record that `--at` asks for."""
        from fencepost.checkers.operations.moments import last_record, when
        from fencepost.traces import find_log, iterate_log

        assert self.at is not None
        source = find_log(path)
        asked = when(self.at, source)
        return last_record(iterate_log(source), source.path, asked)[0] if asked.offset is None else asked.offset

    def _listed(self, path: str) -> Outcome:
        from .show_records import show_records

        return show_records(path, self.begin, self.end, self.partition, self.broker, self.topic, self.types, self.fork)


def show_log(path: str, fork: Fork | None = None) -> Outcome:
    """Return a short summary of every log at a path; raises TraceError where there is none."""
    from fencepost.traces import find_logs, read_log

    logs = [read_log(source) for source in find_logs([path])]
    summaries = [_summary(log, fork) for log in logs]
    page = [line for log, said in zip(logs, summaries, strict=True) for line in _lines(log, said)]
    return Outcome("show", "shown", ExitCode.AS_DECLARED, {"logs": summaries}, page)


def _summary(log: MetadataLog, fork: Fork | None) -> dict[str, Any]:
    from fencepost.checkers.conformance.records.foreign import kind_of, tags_of
    from fencepost.checkers.conformance.records.forks import reader_of_log
    from fencepost.checkers.conformance.records.passed import is_unknown

    kinds, controls, times, tags = Counter[str](), Counter[str](), set[int](), Counter[int]()
    borne = Counter[str]()
    reader = reader_of_log(log, fork)
    for batch in log.batches:
        for name, count in batch.types.items():
            if name:
                kinds[name] += count
        for one in batch.undecodable if "" in batch.types else ():
            own = None if reader.fork is None else reader.fork.read(one)
            if own is not None:
                kinds[own.type] += 1
                continue
            kinds[f"{kind_of(one)} (not read)" if is_unknown(one) else "undecodable"] += 1
        for record in batch.kept_raw:
            if not tags_of(record):
                continue
            tags.update({tag.tag for tag in tags_of(record, reader.fork)})
            borne.update({tag.name for tag, _ in reader.fork.tags_of(record)} if reader.fork else ())
        controls.update(record.type for record in batch.control_records)
        times.update(time for time in batch.times if time >= 0)
    return {
        "path": log.path,
        "source": log.source,
        "segments": len(log.segments),
        "batches": len(log.batches),
        "records": sum(kinds.values()),
        "first_offset": min((b.base_offset for b in log.batches), default=None),
        "last_offset": max((b.last_offset for b in log.batches), default=None),
        "first_timestamp": min(times, default=None),
        "last_timestamp": max(times, default=None),
        "records_by_type": dict(kinds.most_common()),
        "control_records_by_type": dict(controls.most_common()),
        "fork": reader.note or None,
        "tags": dict(sorted(borne.items())),
        "unread_tags": {str(tag): count for tag, count in sorted(tags.items())},
        "epochs": sorted({b.epoch for b in log.batches}),
        "snapshots": [{"end_offset": s.end_offset, "epoch": s.epoch, "complete": s.is_complete} for s in log.snapshots],
        "committed_end_offset": log.committed_end_offset,
        "quarantined": [
            {"segment": q.segment, "start": q.start, "end": q.end, "kind": q.kind, "reason": q.reason}
            for q in log.quarantined
        ],
        "notes": list(log.notes),
    }


def _lines(log: MetadataLog, said: dict[str, Any]) -> list[str]:
    span = f"offsets {said['first_offset']} to {said['last_offset']}" if log.batches else "no batch"
    lines = [
        f"{log.path} ({log.source})",
        f"  {said['records']} {noun(said['records'], 'record')} in {said['batches']} "
        f"{noun(said['batches'], 'batch', 'batches')}, {counted(said['segments'], 'segment')}; {span}; "
        f"leader epochs {_numbers(said['epochs'])}",
    ]
    if said["fork"]:
        lines.append(f"  {said['fork']}")
    if log.snapshots:
        ends = [s.end_offset for s in log.snapshots]
        lines.append(
            f"  {len(ends)} snapshots, end offsets {_numbers(ends)}; committed below {log.committed_end_offset}"
        )
    for name, count in said["records_by_type"].items():
        lines.append(f"  {count:>7}  {name}")
    lines += [f"  {count:>7}  {name} (of Raft)" for name, count in said["control_records_by_type"].items()]
    lines += [f"  {count:>7}  with tag {name}" for name, count in said["tags"].items()]
    for tag, count in said["unread_tags"].items():
        lines.append(f"  {count:>7}  with tag {tag}, which no release of Kafka known here has (not read)")
    lines += [f"  unreadable: {q.segment} bytes {q.start} to {q.end} ({q.kind}): {q.reason}" for q in log.quarantined]
    lines += [f"  {note}" for note in log.notes]
    return lines


def _numbers(values: list[int]) -> str:
    """A few numbers in full, many by the first and the last."""
    if len(values) > 12:
        return f"{values[0]}, {values[1]}, … {values[-1]}"
    return ", ".join(str(v) for v in values) or "none"
