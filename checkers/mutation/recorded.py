"""Recordings and a mutant: recorded answers of Kafka's own classes, and recorded logs, where its row is exercised."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fencepost.checkers import keeping
from fencepost.checkers.conformance import PASSED_THROUGH, Judge, Options
from fencepost.checkers.conformance.answers.adapters import KINDS
from fencepost.checkers.conformance.answers.judge import Kind, judge, read_lines
from fencepost.checkers.conformance.records.static_settings import StaticSettings, applies
from fencepost.checkers.conformance.results.results import LogResult
from fencepost.checkers.conformance.zk.judge import ZkJudge
from fencepost.checkers.verdicts import Refusal, Verdict
from fencepost.model.language import EvaluationError, Protocol, TableError
from fencepost.model.registry import Family
from fencepost.traces import MetadataLog, find_logs, read_log
from fencepost.traces.zk import ZkRecording, read_recording
from fencepost.traces.zk_recordings import is_zk_recording

from .exploring import CODE
from .mutants import Mutant, changed
from .results import Answer

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"
"""The recordings that come with fencepost."""

SECONDS = 20.0
"""CPU seconds after which no further recording of a mutant is begun."""

MOST_RECORDS = 2000
"""Records that a metadata log may have for it to be asked of mutants: longer ones take a minute each."""

Line = Mapping[str, Any]


# -- answers -----------------------------------------------------------------------------------------------------------
class Answers:
    """The recorded answers that the base's rows give, by the row that answers; `judge` asks them of a mutant."""

    def __init__(self, base: Protocol, folder: Path = RECORDED / "oracle") -> None:
        self.base = base
        self.lines: dict[tuple[str, str], list[Line]] = {}
        for kind in KINDS.values():
            if kind.protocol is not base:
                continue
            for file in sorted(folder.glob(f"{kind.name}*.ndjson*")):
                for line in read_lines(file):
                    found = judge(kind, [line])
                    if not found.differences:
                        for row in found.rows:
                            self.lines.setdefault((kind.name, row), []).append(line)

    def judge(self, mutant: Mutant, earlier: Sequence[Answer] = ()) -> Answer:
        """Ask every line that a row of the mutant's event answered, those of its own row first."""
        made = mutant.of(self.base)
        rows = {row.id for row in changed(self.base, made)} | {mutant.row}
        asked: list[str] = []
        for kind in KINDS.values():
            mine = [row for name, row in self.lines if name == kind.name and row in rows]
            if not mine:
                continue
            count = 0
            for row in sorted(mine, key=lambda id: id != mutant.row):
                lines = self.lines[kind.name, row]
                found = _differs(replace(kind, protocol=made), lines)
                if found:
                    return Answer("answers", "killed", f"{kind.name}, of {row}: {found}", ", ".join(asked))
                count += len(lines)
            asked.append(f"{count} of {kind.name}")
        if not asked:
            return Answer("answers", "not asked", "", "no recorded answer is of the row")
        return Answer("answers", "passed", "", ", ".join(asked))


def _differs(kind: Kind, lines: Sequence[Line]) -> str:
    """Return the first difference between Kafka and the mutant's rows, nothing where there is none."""
    for start in range(0, len(lines), 20):
        try:
            found = judge(kind, lines[start : start + 20], limit=1)
        except (Refusal, EvaluationError, TableError) as error:
            return " ".join(str(error).split())[:160]
        if found.differences:
            one = found.differences[0]
            return f"field {one.field}: Kafka {one.kafka}, tables {one.tables}"[:160]
    return ""


# -- logs --------------------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class _Shown:
    """A recording that the base explains: its path, the rows that it shows, and the cost of checking it."""

    name: str
    rows: frozenset[str]
    seconds: float


STATIC = {"static-settings-elr-4.4.0": StaticSettings(unclean=True)}
"""Recordings of kraft that conform under static settings of their controllers, which meta.json has: they are checked
with these. The minimum of the ISR may be what the log writes."""


class Logs:
    """The recordings of a family that its tables explain, with the rows that each shows."""

    def __init__(self, family: Family, cache: Path | None = None) -> None:
        self.base = family.whole
        self.recordings: dict[str, MetadataLog | ZkRecording] = {}
        self.shown: list[_Shown] = []
        for name in (*family.recorded, *(STATIC if applies(self.base) else ())):
            path = RECORDED / name
            recording = _read(path)
            if isinstance(recording, MetadataLog) and sum(len(b.records) for b in recording.batches) > MOST_RECORDS:
                continue
            key = keeping.key(
                "log", keeping.code(CODE), keeping.surroundings(), self.base.hash, name, keeping.content(str(path))
            )
            kept = None if cache is None else cache / f"{key[:32]}.json"
            known = None if kept is None else keeping.document(kept, key)
            if known is None:
                known = _known(self.base, name, recording)
                if kept is not None:
                    keeping.seal(kept, key, json.dumps(known).encode())
            if known["conforms"]:
                self.recordings[name] = recording
                self.shown.append(_Shown(name, frozenset(known["rows"]), known["seconds"]))
        self.shown.sort(key=lambda one: one.seconds)

    def judge(self, mutant: Mutant, earlier: Sequence[Answer] = ()) -> Answer:
        """Hold the recordings that show a row of the mutant's against it."""
        made = mutant.of(self.base)
        rows = {row.id for row in changed(self.base, made)} | {mutant.row}
        shown = [one for one in self.shown if mutant.row in one.rows]
        shown += [one for one in self.shown if one not in shown and not rows.isdisjoint(one.rows)]
        if not shown:
            return Answer("conform", "not asked", "", "no recorded log shows the row")
        began, asked = time.process_time(), list[str]()
        try:
            ready = _Ready(made)
            ready.made_for(self.recordings[shown[0].name], shown[0].name)
        except TableError as error:
            return Answer("conform", "killed", f"the records do not fit the wire: {error}"[:200], "")
        for one in shown:
            if time.process_time() - began > SECONDS:
                return Answer("conform", "not decided", "", f"{', '.join(asked)}; out of time for {one.name}")
            try:
                found = ready.judge(one.name, self.recordings[one.name])
            except EvaluationError as error:
                return Answer("conform", "killed", f"{one.name}: the rows cannot run: {error}"[:200], "")
            except KeyError as error:
                gone = {event.name for event in self.base.events} - {event.name for event in made.events}
                if error.args[0] not in gone:
                    raise
                return Answer("conform", "killed", f"{one.name}: no row is about {error.args[0]} any more", "")
            if found.verdict is not Verdict.CONFORMS:
                return Answer("conform", "killed", _first(one.name, found), ", ".join(asked))
            asked.append(f"{one.name} ({found.records:,} records)")
        return Answer("conform", "passed", "", ", ".join(asked))


def _known(base: Protocol, name: str, recording: MetadataLog | ZkRecording) -> dict[str, Any]:
    ready = _Ready(base)
    ready.made_for(recording, name)
    began = time.process_time()
    found = ready.judge(name, recording)
    rows = {*found.rows, *(id for ids in found.classes for id in ids)}
    taken = time.process_time() - began
    return {"conforms": found.verdict is Verdict.CONFORMS, "rows": sorted(rows), "seconds": taken}


def _read(path: Path) -> MetadataLog | ZkRecording:
    if is_zk_recording(str(path)):
        return read_recording(str(path))
    return read_log(next(iter(find_logs([str(path)]))))


class _Ready:
    """Checkers of recordings under a protocol: one for each set of static settings."""

    def __init__(self, protocol: Protocol) -> None:
        self.protocol = protocol
        self._logs: dict[str, Judge] = {}
        self._zk: ZkJudge | None = None

    def made_for(self, recording: MetadataLog | ZkRecording, name: str) -> None:
        """Make ready for a metadata log; raises `TableError` where the protocol's records do not fit the wire."""
        if not isinstance(recording, ZkRecording):
            self._judge(name)

    def _judge(self, name: str) -> Judge:
        static = STATIC.get(name)
        key = "" if static is None else name
        if key not in self._logs:
            given = {} if static is None else static.given
            self._logs[key] = Judge([self.protocol], Options(PASSED_THROUGH, given, None))
        return self._logs[key]

    def judge(self, name: str, recording: MetadataLog | ZkRecording) -> LogResult:
        """Check a recording."""
        if isinstance(recording, ZkRecording):
            self._zk = self._zk or ZkJudge(self.protocol)
            return self._zk.recording(recording)
        return self._judge(name).log(recording)


def _first(name: str, found: LogResult) -> str:
    if found.violations:
        one = found.violations[0]
        return f"{name}: {one.rule} at offset {one.offset}: {one.message}"[:200]
    said = found.doubts[0].message if found.doubts else found.verdict.value
    return f"{name}: {said}"[:200]


__all__ = ["RECORDED", "Answers", "Logs"]
