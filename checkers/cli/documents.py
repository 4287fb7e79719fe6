"""Documents that commands print with --json: classes of results, and the shapes of those made by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired, TypedDict

import msgspec

from fencepost.checkers.verdicts import ExitCode

from .documents_of_logs import Also, Explains, Quorum

if TYPE_CHECKING:
    from fencepost.checkers.asked import AskedOf
    from fencepost.checkers.check.baseline import Compared as Baseline
    from fencepost.checkers.comparing.accepted import LogOfBoth
    from fencepost.checkers.comparing.behaviour import Behaviour
    from fencepost.checkers.comparing.differences import Differences
    from fencepost.checkers.comparing.forbidden import Forbidden
    from fencepost.checkers.counterexample import Trace
    from fencepost.checkers.exploration.assumed import Assumed
    from fencepost.checkers.exploration.result import Exploration
    from fencepost.checkers.exploration.sweep import Growth
    from fencepost.checkers.mutation.results import Judged
    from fencepost.checkers.operations.about import About
    from fencepost.checkers.proof.hygiene import Hygiene
    from fencepost.checkers.proof.second import SecondOpinion
    from fencepost.checkers.tlc.run import TlcResult


class Common(TypedDict):
    """The fields that every document has, in front of those of its command."""

    command: Annotated[str, "the command, as it is called"]
    verdict: Annotated[str, "the verdict in words; it follows the exit code"]
    exit_code: Annotated[ExitCode, "the exit code of the command"]
    seconds: Annotated[float, msgspec.Meta(ge=0, description="seconds from beginning to end")]
    version: Annotated[str, "the version of the package"]
    table_hash: Annotated[str | None, "twelve hexadecimal digits of the protocol that was checked"]
    findings: Annotated[list[dict[str, Any]], "known violations of stated properties"]


class Failure(TypedDict):
    """The document of any command that could not do what it was asked."""

    command: Annotated[str, "the first word of the command line that is no option"]
    verdict: Literal["inconclusive"]
    exit_code: Annotated[Literal[2, 3, 70], "the exit code of the command"]
    seconds: Annotated[float, msgspec.Meta(ge=0)]
    version: Annotated[str, "the version of the package"]
    table_hash: None
    findings: Annotated[list[Any], msgspec.Meta(max_length=0)]
    message: Annotated[str, "what is wrong, where, and what to do"]


# A line holds several fields, as a line of a table does.
# fmt: off

# -- tables, proofs and explorations -----------------------------------------------------------------------------------
Assuming = TypedDict("Assuming", {"assumptions": "list[Assumed]"})
Swept = TypedDict("Swept", {
    "protocol": str, "bound": str, "kind": str, "budget": int,
    "sizes": "list[Annotated[Exploration, Also({'size': int})]]", "growth": "Growth | None", "largest": "int | None",
    "estimate": "int | None"
})
StateGraph = TypedDict("StateGraph", {
    "protocol": str, "bound": str, "graph": str, "form": str, "variables": list[str], "distinct": int, "nodes": int,
    "edges": int, "complete": bool, "message": str
})
SavedRun = TypedDict("SavedRun", {
    "format": int, "protocol": str, "bound": "str | None", "table_hash": str, "shows": "str | None", "trace": "Trace"
})
Walked = TypedDict("Walked", {
    "protocol": str, "bound": str, "sizes": "dict[str, int]", "steps": int, "refused": list[str], "run": "SavedRun"
})
Certified = TypedDict("Certified", {
    "protocol": str, "bound": str, "path": str, "message": str, "states": "NotRequired[int]",
    "steps": "NotRequired[int]", "depth": "NotRequired[int]",
    "claims": "NotRequired[dict[str, str]]", "not_checked": "NotRequired[list[str]]",
})
Replayed = TypedDict("Replayed", {"protocol": str, "bound": str, "path": str, "steps": int})
WithHygiene = TypedDict("WithHygiene", {"hygiene": "Hygiene | None", "second_solver": "SecondOpinion | None"})
Without = TypedDict("Without", {"without": list[str], "fallen": list[str]})
Edited = TypedDict("Edited", {
    "differences": "Annotated[Differences, Also({'unchanged': Unchanged})]", "hygiene": "Hygiene",
    "bounds": "dict[str, bool]", "comes_to_pass": "dict[str, list[str]]", "logs": "list[LogOfBoth]"
})
Unchanged = TypedDict("Unchanged", {"rows": int, "properties": int})
Compared = TypedDict("Compared", {
    "unchanged": "Unchanged", "forbidden": "list[Forbidden]", "old_table_hash": str, "behaviour": "Behaviour | None"
})
Killed = TypedDict("Killed", {
    "prove": "NotRequired[int]", "explore": "NotRequired[int]", "answers": "NotRequired[int]",
    "simulate": "NotRequired[int]", "conform": "NotRequired[int]", "inside": int, "union": int
})
Scores = TypedDict("Scores", {
    "prove": "NotRequired[float]", "explore": "NotRequired[float]", "answers": "NotRequired[float]",
    "simulate": "NotRequired[float]", "conform": "NotRequired[float]", "inside": float, "union": float
})
Declared = TypedDict("Declared", {"inside": "NotRequired[float]", "union": "NotRequired[float]"})
Mutated = TypedDict("Mutated", {
    "killed": "Killed", "score": "Scores", "declared": "Declared",
    "mutants": "list[Annotated[Judged, Also({'diff': list[str]})]]", "seed": int,
    "baseline": "NotRequired[Baseline | None]"
})
Defect = TypedDict("Defect", {"id": str, "known_as": str, "variants": list[str], "about": str, "missing": "str | None"})
Museum = TypedDict("Museum", {"defects": "list[Defect]", "further_variants": list[str]})
Told = TypedDict("Told", {
    "variant": str, "why": str, "property": "str | None", "length": "int | None", "sentences": list[str],
    "trace": "Trace | None", "edit": "Annotated[Differences, Also({'unchanged': Unchanged})]"
})
MuseumPage = TypedDict("MuseumPage", {"id": str, "known_as": str, "missing": "str | None", "told": "list[Told]"})
CountsDiffer = TypedDict("CountsDiffer", {"what": str, "tlc": "Any", "exploration": "Any"})
Agreed = TypedDict("Agreed", {
    "bound": str, "distinct": int, "generated": int, "depth": int, "tlc": "TlcResult", "exploration": "Exploration",
    "agrees": bool, "beyond": "dict[str, str]", "differences": "list[CountsDiffer]"
})
Confirmed = TypedDict("Confirmed", {
    "path": str, "steps": int, "property": "str | None", "inside_last_row": bool, "without_effect": list[int],
    "seconds": float, "java": str, "version": str
})
TlcReplayed = TypedDict("TlcReplayed", {
    "bound": str, "replayed": Annotated["Confirmed", "with --replay, the run that TLC took in place of every state"]
})
Checked = TypedDict("Checked", {
    "protocols": "dict[str, dict[str, Any]]", "notes": list[str],
    "tier": Annotated[Literal["everything", "pull-request"], "everything, or what a pull request waits for"],
    "left_out": Annotated[list[str], "what the tier leaves out, in words"], "baseline": "Baseline | None"
})
ModulesWritten = TypedDict("ModulesWritten", {"bound": "NotRequired[str]", "paths": list[str]})
RunAsTest = TypedDict("RunAsTest", {"path": str, "property": "str | None", "steps": int})
RunAsTla = TypedDict("RunAsTla", {
    "paths": Annotated[list[str], "the protocol's module, the run's, and its configuration"], "property": "str | None",
    "steps": int
})
RunAsItf = TypedDict("RunAsItf", {
    "path": str, "property": "str | None", "states": int,
    "loop": Annotated["int | None", "the state to which the last one returns"],
})

# -- show --------------------------------------------------------------------------------------------------------------
LeaseStep = TypedDict("LeaseStep", {"without": str, "left": list[str]})
LeaseForm = TypedDict("LeaseForm", {
    "safe": bool, "condition": "str | None", "overlap": "float | None", "longest_lease": "float | None",
    "margin": "float | None", "proofs": "dict[str, Any]", "derivation": "list[LeaseStep]"
})
LeaseForms = TypedDict("LeaseForms", {"send": "LeaseForm", "answer": "LeaseForm"})
Kip343 = TypedDict("Kip343", {"kept": bool, "condition": str, "early": "float | None"})
LeaseRun = TypedDict("LeaseRun", {
    "from": str, "received": "float | None", "answered": "float | None", "acts": "float | None",
    "stops": "float | None"
})
LeaseTheorem = TypedDict("LeaseTheorem", {"id": str, "claim": str, "verdict": str})
Lease = TypedDict("Lease", {
    "unit": Literal["ms"], "settings": "dict[str, Any]", "forms": "LeaseForms", "kip343": "Kip343",
    "outage": "float | None", "served": "float | None", "lost_at_controller": "int | None",
    "lost_at_broker": "int | None", "run": "LeaseRun", "theorems": "list[LeaseTheorem]"
})
Row = TypedDict("Row", {
    "id": str, "event": str, "when": str, "then": str, "answer": str, "source": str, "code": str, "why": str,
    "finding": str, "place": str, "sentence": str
})
RowPage = TypedDict("RowPage", {
    "protocol": str, "row": "Annotated[Row, Also({'table': str, 'definitions': list[str], 'sections': list[str]})]"
})
Property = TypedDict("Property", {
    "id": str, "about": str, "source": str, "sections": list[str], "asked_of": "AskedOf | None"
})
PropertyPage = TypedDict("PropertyPage", {"protocol": str, "property": "Property"})
Table = TypedDict("Table", {"name": str, "about": str, "mode": str, "rows": "list[Row]", "definitions": list[str]})
Variable = TypedDict("Variable", {"variable": str, "kind": str, "class": str, "about": str})
Edge = TypedDict("Edge", {"from": str, "to": str, "rows": list[str]})
MachineRow = TypedDict("MachineRow", {
    "id": str, "from": list[str], "to": list[str], "when": str, "written": list[str], "told": list[str]
})
Machine = TypedDict("Machine", {
    "table": str, "states": list[str], "changes": "list[Edge]", "starts": "dict[str, list[str]]",
    "rows": "list[MachineRow]", "kept": list[str]
})
LifeEdge = TypedDict("LifeEdge", {"from": str, "to": str, "rows": "dict[str, Any]"})
Life = TypedDict("Life", {"name": str, "states": list[str], "first": str, "changes": "list[LifeEdge]"})
Level = TypedDict("Level", {"level": int, "name": str})
ReleaseDiffers = TypedDict("ReleaseDiffers", {
    "name": str, "rule": str, "newer": str, "source": str, "shows": str, "rows_gone": list[str],
    "rows_changed": list[str], "rows_beyond": list[str], "breaks": "dict[str, str]", "before": list[str],
    "after": list[str]
})
Release = TypedDict("Release", {
    "release": str, "newer": "str | None", "newest_metadata_version": "Level", "differences": "list[ReleaseDiffers]",
    "not_expressed": list[str]
})
Releases = TypedDict("Releases", {"protocol": str, "releases": "list[Release]"})
Tables = TypedDict("Tables", {
    "protocol": str, "about": str, "tables": "list[Table]", "state": "list[Variable]", "machines": "list[Machine]",
    "lives": "list[Life]", "release": "NotRequired[Release]"
})
Diagram = TypedDict("Diagram", {
    "protocol": str, "diagram": str, "text": str, "machines": "list[Machine]", "lives": "list[Life]"
})
MatrixCell = TypedDict("MatrixCell", {
    "design": str, "finding": str, "says": str, "scope": str, "command": str, "length": "int | None",
    "defects": Annotated[list[str], "the findings that break it"],
    "repaired": Annotated[list[str], "the commands that prove it of the rows without these defects"]
})
Guarantee = TypedDict("Guarantee", {"id": str, "name": str, "meaning": str, "cells": "list[MatrixCell]"})
Matrix = TypedDict("Matrix", {"designs": "dict[str, str]", "guarantees": "list[Guarantee]"})
Source = TypedDict("Source", {
    "source": str, "title": str, "protocol": "str | dict[str, str]", "demands": int, "carried": int, "missing": int,
    "out_of_scope": int, "beside": "NotRequired[list[str]]"
})
Sources = TypedDict("Sources", {"sources": "list[Source]"})
Fall = TypedDict("Fall", {"edit": str, "falls": str})
Requirement = TypedDict("Requirement", {
    "id": str, "lines": list[int], "section": str, "says": str, "rows": list[str], "properties": list[str],
    "tests": list[str], "mutants": "list[Fall]", "contradictions": list[int], "note": str, "recordings": list[str],
    "unclaimed": str, "untabled": str, "missing": str, "out_of_scope": str
})
Requirements = TypedDict("Requirements", {"requirements": "list[Requirement]"})
Contradiction = TypedDict("Contradiction", {"number": int, "title": str, "variants": "dict[str, list[str]]"})
SourceRest = TypedDict("SourceRest", {"requirements": "list[Requirement]", "contradictions": "list[Contradiction]"})
PartOfText = TypedDict("PartOfText", {"lines": list[int], "sha256": str})
Text = TypedDict("Text", {
    "source": str, "title": str, "address": str, "also": list[str], "revision": str, "lines": int,
    "parts": "list[PartOfText]"
})
CitedLines = TypedDict("CitedLines", {
    "citation": str, "section": str, "begins": str, "offset": int, "length": int, "sha256": str,
    "requirements": list[str]
})
ComparedPart = TypedDict("ComparedPart", {"lines": list[int], "sha256": str, "same": "bool | None"})
ComparedCitation = TypedDict("ComparedCitation", {
    "citation": str, "begins": str, "state": str, "line": "int | None", "moved": "int | None"
})
ComparedText = TypedDict("ComparedText", {
    "characters": int, "parts": "list[ComparedPart]", "citations": "list[ComparedCitation]"
})
Texts = TypedDict("Texts", {
    "texts": Annotated["list[Text]", "the sources that rows cite, each with its address and the hashes of its parts"],
    "lines": "NotRequired[list[CitedLines]]", "path": "NotRequired[str]", "compared": "NotRequired[ComparedText]"
})
OwnSign = TypedDict("OwnSign", {"features": list[str], "configs": list[str], "tags": list[int]})
OwnRecord = TypedDict("OwnRecord", {
    "key": int, "name": str, "versions": str, "fields": list[str], "state": "str | None", "removes": "str | None",
    "changes": Annotated[list[str], "the cells of Kafka's that it may change"], "story": list[str], "about": str
})
OwnTag = TypedDict("OwnTag", {
    "tag": int, "name": str, "on": "dict[str, str]", "type": str, "state": "str | None", "changes": list[str],
    "story": list[str], "about": str
})
OwnCondition = TypedDict("OwnCondition", {"of": str, "field": str, "say": str})
Fork = TypedDict("Fork", {
    "name": str, "file": str, "releases": str, "about": str, "rows": "str | None", "sign": "OwnSign",
    "rules": list[str], "records": "list[OwnRecord]", "tags": "list[OwnTag]", "conditions": "list[OwnCondition]"
})
Forks = TypedDict("Forks", {"forks": "list[Fork]"})
FindingPage = TypedDict("FindingPage", {"finding": str, "action": str, "text": str})
Snapshot = TypedDict("Snapshot", {"end_offset": int, "epoch": int, "complete": bool})
Log = TypedDict("Log", {
    "path": str, "source": str, "segments": int, "batches": int, "records": int, "first_offset": "int | None",
    "last_offset": "int | None", "first_timestamp": "int | None", "last_timestamp": "int | None",
    "records_by_type": "dict[str, int]", "control_records_by_type": "dict[str, int]", "epochs": list[int],
    "fork": Annotated["str | None", "by which declaration of a fork its records are read, as a sentence"],
    "tags": Annotated["dict[str, int]", "how many records bear each tag that this declaration has"],
    "unread_tags": Annotated["dict[str, int]", "how many records bear each tag that no release known here has"],
    "snapshots": "list[Snapshot]", "committed_end_offset": "int | None", "quarantined": "list[dict[str, Any]]",
    "notes": list[str]
})
Logs = TypedDict("Logs", {"logs": "list[Log]"})
Record = TypedDict("Record", {
    "offset": int, "timestamp": "int | None", "time": "str | None", "epoch": int, "type": str, "version": "int | None",
    "topic": "str | None", "partition": "str | None", "data": "dict[str, Any]",
    "tags": "NotRequired[dict[str, Any]]", "unread": "NotRequired[Unread]",
    "unread_tags": "NotRequired[list[UnreadTag]]"
})
Unread = TypedDict("Unread", {"reason": str, "bytes": "int | None"})
UnreadTag = TypedDict("UnreadTag", {"tag": int, "bytes": int})
RecordCounts = TypedDict("RecordCounts", {
    "records": int, "shown": int, "unreadable_ranges": int,
    "unread": Annotated["dict[str, int]", "the records that are not read, by api key"]
})
Records = TypedDict("Records", {
    "path": str, "fork": "str | None", "from": str, "to": str, "about": "About",
    "counts": "RecordCounts", "records": "list[Record]"
})
Place = TypedDict("Place", {
    "path": str, "offset": int, "timestamp": "int | None", "epoch": "int | None", "first_offset": "int | None",
    "notes": list[str]
})
OwnState = TypedDict("OwnState", {
    "name": str, "state": Annotated["dict[str, dict[str, Any]]", "what the fork's own records keep, by path"]
})
HardState = TypedDict("HardState", {
    "quorum": "Quorum", "state": "dict[str, Any]", "fork": "NotRequired[OwnState]"
})
EntityName = TypedDict("EntityName", {"sort": str, "id": "Any", "name": str})
Cell = TypedDict("Cell", {"state": str, "keys": "list[Any]", "value": "Any"})
CellChange = TypedDict("CellChange", {"state": str, "keys": "list[Any]", "old": "Any", "new": "Any"})
StepOfHistory = TypedDict("StepOfHistory", {
    "offset": int, "record": str, "about": "list[EntityName]", "changes": "list[CellChange]", "rows": "list[Explains]",
    "ambiguous": bool
})
Entity = TypedDict("Entity", {
    "entity": "EntityName", "there": "bool | None", "state": "dict[str, Any]", "cells": "list[Cell]",
    "history": "list[StepOfHistory]"
})
Node = TypedDict("Node", {"path": str, "children": "NotRequired[list[str]]", "text": "NotRequired[str]"})
Tree = TypedDict("Tree", {
    "path": str, "offset": int, "tree": str, "notes": list[str], "paths": "NotRequired[list[str]]",
    "nodes": "NotRequired[list[Node]]"
})
CoveredRecords = TypedDict("CoveredRecords", {
    "certain": int, "ambiguous": int, "unexplained": int, "passed_through": int, "total": int
})
CoveredResults = TypedDict("CoveredResults", {"explained": int, "ambiguous": int})
CoveredRows = TypedDict("CoveredRows", {
    "total": int, "certain": int, "only_ambiguous": int, "never": int, "write_nothing": int
})
Drawn = TypedDict("Drawn", {
    "records": "CoveredRecords", "results": "CoveredResults", "rows": "CoveredRows", "svg": "str | None"
})

# -- the rest ----------------------------------------------------------------------------------------------------------
Bug = TypedDict("Bug", {
    "id": str, "issue": str, "found": bool, "seeds": int, "seed": "NotRequired[int | None]",
    "by": "NotRequired[str | None]", "wall_seconds": float
})
MeasuredProof = TypedDict("MeasuredProof", {
    "obligations": int, "proved": int, "expected": int, "unknown": int, "wall_s": float, "cpu_s": float, "cores": float,
    "asked_per_cpu_s": "float | None", "share_of_cpu": float
})
Cost = TypedDict("Cost", {"wall_s": "float | None", "cpu_s": "float | None", "peak_bytes": "NotRequired[int]"})
CostRatios = TypedDict("CostRatios", {"cold": "Cost", "warm": "Cost"})
MeasuredBound = TypedDict("MeasuredBound", {
    "distinct": int, "generated": int, "depth": int, "cold": "Cost", "one_thread": "NotRequired[Cost]", "warm": "Cost",
    "agrees": bool, "tlc": "NotRequired[Cost]", "ratios": "NotRequired[CostRatios]",
    "peers": "NotRequired[dict[str, Any]]", "refused": str, "missing": "NotRequired[dict[str, str]]"
})
MeasuredConform = TypedDict("MeasuredConform", {"cpu_s": float, "wall_s": float, "peak_mib": int, "code": int})
Benchmark = TypedDict("Benchmark", {
    "name": str, "seconds": float, "seeds": "NotRequired[int]", "solver": "NotRequired[str]",
    "events": "NotRequired[int]", "records": "NotRequired[int]", "simulated_seconds": "NotRequired[float]",
    "wall_seconds": "NotRequired[float]",
    "events_per_second": "NotRequired[int]", "simulated_hours_per_hour": "NotRequired[float]",
    "steps": "NotRequired[int]", "unclean": "NotRequired[list[Any]]", "clean": "NotRequired[int]",
    "bugs": "NotRequired[list[Bug]]", "protocols": "NotRequired[dict[str, MeasuredProof | dict[str, MeasuredBound]]]",
    "path": "NotRequired[str]", "verdict": "NotRequired[str]", "conform": "NotRequired[MeasuredConform]",
    "dump_missing": "NotRequired[str]", "resident_mib": "NotRequired[list[float]]", "growth": "NotRequired[float]",
    "flat": "NotRequired[bool]", "logs": "NotRequired[int]", "cores": "NotRequired[int]",
    "verdicts": "NotRequired[dict[str, int]]", "lane_a": "NotRequired[dict[str, Any]]",
    "lane_b": "NotRequired[dict[str, Any]]", "lane_c": "NotRequired[dict[str, Any]]",
    "lengths": "NotRequired[list[dict[str, Any]]]", "cold": "NotRequired[dict[str, float]]",
    "tlc": "NotRequired[dict[str, Any]]"
})
Benchmarks = TypedDict("Benchmarks", {"benchmarks": "list[Benchmark]"})
Script = TypedDict("Script", {"shell": str, "script": str})
Part = TypedDict("Part", {"name": str, "there": bool, "required": bool, "version": str, "where": str, "get": str})
Parts = TypedDict("Parts", {"parts": "list[Part]"})
Files = TypedDict("Files", {"files": list[str], "protocol": str})
SchemaPage = TypedDict("SchemaPage", {"schema": "dict[str, Any]"})
SchemaId = TypedDict("SchemaId", {"command": str, "id": str})
SchemaIds = TypedDict("SchemaIds", {"schemas": "list[SchemaId]", "sarif": str})
Uuid = TypedDict("Uuid", {"uuid": str})
FormattedFolder = TypedDict("FormattedFolder", {"path": str, "kind": str, "directory_id": str})
Voter = TypedDict("Voter", {"node_id": int, "host": str, "port": int, "directory_id": str})
StoredRecord = TypedDict("StoredRecord", {"type": str, "version": int, "data": "dict[str, Any]"})
Formatted = TypedDict("Formatted", {
    "cluster_id": str, "node_id": int, "release": str, "features": "dict[str, int]",
    "formatted": "list[FormattedFolder]", "skipped": list[str], "failed": "dict[str, str]", "voters": "list[Voter]",
    "records": "list[StoredRecord]"
})
Folders = TypedDict("Folders", {
    "found": list[str], "metadata": "dict[str, Any] | None", "problems": list[str], "start": "str | None"
})
# fmt: on

DOCUMENTS: dict[str, tuple[str, ...]] = {
    "failure": (),
    "answers": ("logs:Answered", "conformance.requests.results:EventResult"),
    "ask": ("scenarios.results:Report",),
    "bench": ("Benchmarks",),
    "check": ("Checked",),
    "completion": ("Script",),
    "conform": ("logs:Conformed", "logs:ZkConformed", "logs:DesignsConformed"),
    "diff": ("comparing.differences:Differences + Compared",),
    "doctor": ("Parts",),
    "explore": (
        "exploration.result:Exploration", "exploration.swarm:Swarm", "proof.unrolled:Unrolled + Assuming",
        "Swept", "StateGraph", "Walked", "Replayed",
        "Certified",
    ),
    "health": ("logs:Health", "logs:ZkHealth", "logs:TwoMoments"),
    "museum": ("Museum", "MuseumPage"),
    "mutate": ("mutation.results:Survey + Mutated",),
    "new": ("Files",),
    "prove": (
        "proof.results:Proof + WithHygiene", "proof.results:Proof + Without", "proof.quick:Quick",
        "proof.refinement:Refined", "proof.needs:Needs", "proof.used:Used",
    ),
    "redact": ("logs:Redacted",),
    "schema": ("SchemaPage", "SchemaIds"),
    "show": (
        "Tables", "RowPage", "PropertyPage", "Diagram", "Releases", "Matrix", "Lease",
        "Sources", "Requirements", "Source + SourceRest", "FindingPage", "Texts", "Forks",
        "Logs", "Records", "Place + HardState", "Place + Entity", "Tree",
        "conformance.explain.coverage:Coverage + Drawn",
    ),
    "simulate": (
        "logs:Simulated", "logs:Seeds", "logs:ForkSimulated", "logs:ZkSimulated", "logs:ZkSeeds",
        "logs:DesignSimulated", "logs:DesignSeeds", "logs:MadeLogs",
    ),
    "serve": (),
    "storage format": ("Formatted",),
    "storage info": ("Folders",),
    "storage random-uuid": ("Uuid",),
    "story": ("logs:Story", "logs:ZkStory", "logs:Intervals"),
    "tlc": ("Agreed", "TlcReplayed", "ModulesWritten"),
    "trace to-test": ("RunAsTest",),
    "trace to-tla": ("RunAsTla",),
    "trace to-itf": ("RunAsItf",),
    "whatif": ("comparing.whatif:WhatIf + Edited",),
    "why": ("logs:Why",),
}  # fmt: skip
"""The documents of each command: names of this module, behind `logs:` of `documents_of_logs`, else of modules below
`fencepost.checkers`. Of a document made of several, the fields of a later part replace those of the same name. Every
command also prints `Failure`."""
