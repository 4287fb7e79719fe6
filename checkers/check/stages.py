"""The stages of a check: each runs one engine in a process of its own and hands back values that cross its border."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fencepost.checkers.asked import scope_lines
from fencepost.checkers.codes import (
    compare,
    exploration_code,
    exploration_findings,
    hygiene_code,
    proof_code,
    proof_findings,
)
from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict, headline, worst
from fencepost.model.language import Always, Step

if TYPE_CHECKING:
    from fencepost.checkers.conformance import LogResult
    from fencepost.checkers.conformance.records.static_settings import StaticSettings
    from fencepost.checkers.exploration import Exploration


@dataclass(frozen=True)
class Stage:
    """The result of a stage: its verdict, its exit code, its lines on the one screen, and its fields for JSON.

    `name` is proof, exploration, logs, traces or answers; `seconds` is the time it took; `findings` are known
    violations.
    `protocol` is whose stage it is, as the command line names it, once the stages of a check are gathered.
    """

    name: str
    verdict: str
    code: ExitCode
    lines: tuple[str, ...]
    fields: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[Mapping[str, Any], ...] = ()
    seconds: float = 0.0
    protocol: str = ""


def timed(name: str, run: Callable[[], Stage]) -> Stage:
    """Run a stage; what it refuses is its outcome, with the code of the refusal."""
    started = time.monotonic()
    try:
        found = run()
    except Refusal as refusal:
        found = Stage(name, Verdict.INCONCLUSIVE.value, refusal.code, (str(refusal),), {"message": str(refusal)})
    return replace(found, seconds=time.monotonic() - started)


def proof(protocol: str, assumptions: bool = True) -> Stage:
    """Prove a protocol and check its tables' hygiene; with `assumptions` say what falls without each of them."""
    return timed("proof", lambda: _proof(protocol, assumptions))


def _proof(name: str, assumptions: bool) -> Stage:
    from fencepost.checkers.named import family
    from fencepost.checkers.proof import hygiene, prove, search

    of_name = family(name)
    protocol = of_name.whole
    found = search(protocol, of_name.slices, prove(protocol, assumptions=assumptions))
    # Claims of runs without end that have no ranking, and witnesses, are checked at bounds alone.
    is_asked = (
        bool(found.rankings)
        or any(isinstance(one, (Always, Step)) for one in protocol.properties)
        or not protocol.properties
    )
    failed = [o for o in found.failed if not (o.declared and o.refuted)]
    lines = [
        f"{found.verdict.value} {found.scope}: {found.proved} of "
        f"{found.obligations + found.frame_obligations} obligations ({counted(found.row_count, 'row')}, "
        f"{counted(found.property_count, 'property', 'properties')}), {found.seconds:.0f} s"
    ]
    if found.expected:
        lines.append("violated as declared: " + ", ".join(f["by"] for f in proof_findings(protocol, found)))
    lines += [one.words() for one in found.rankings]
    lines += scope_lines(found.scopes)
    if failed:
        shown = ", ".join(f"{o.row} × {o.property}" for o in failed[:4]) + (" …" if len(failed) > 4 else "")
        lines.append(f"{found.refuted} refuted ({found.not_inductive} not inductive), {found.unknown} unknown: {shown}")
    if found.vacuous:
        lines.append(f"vacuous: {_few(found.vacuous)}")
    if found.undeclared:
        lines.append(f"declared violated, and kept by every row: {_few(found.undeclared)}")
    tidy = hygiene(protocol, applying=found.applying)
    untidy = [f"{one.what} {' / '.join(one.rows) or one.event}" for one in tidy.findings]
    lines.append(
        f"{counted(tidy.asked, 'question')} about gaps, overlaps and dead rows"
        + (f": {_few(untidy, 4)}" if untidy else ": none found")
    )
    findings = tuple(proof_findings(protocol, found))
    code = worst([proof_code(found) if is_asked else ExitCode.AS_DECLARED, hygiene_code(tidy)])
    verdict = headline(code, found.verdict) if is_asked else "not asked"
    lines[0] = (
        f"{verdict}{lines[0].removeprefix(found.verdict.value)}"
        if is_asked
        else "nothing for a proof to ask: every property is about what comes to pass, which exploration decides"
    )
    fields = {**found.as_json(), "hygiene": tidy.as_json()}
    return Stage("proof", verdict, code, tuple(lines), fields, findings)


def exploration(protocol: str, bound: str, with_tlc: bool) -> Stage:
    """Explore a protocol at a bound, and have TLC count the same instance."""
    return timed("exploration", lambda: _exploration(protocol, bound, with_tlc))


def _exploration(name: str, bound: str, with_tlc: bool) -> Stage:
    from fencepost.checkers.exploration import explore
    from fencepost.checkers.named import family

    protocol = family(name).bounds[bound]
    found = explore(protocol, bound)
    fields, codes = found.as_json(), [exploration_code(found)]
    said, more = _tlc(protocol, bound, found) if with_tlc else (["not compared with TLC"], {})
    if "code" in more:
        codes.append(ExitCode(more.pop("code")))
    broken = [p for p in found.properties if p.verdict is Verdict.VIOLATED]
    lines = [
        f"{found.verdict.value} at {found.bound}: {found.distinct:,} states, {found.generated:,} generated, "
        f"depth {found.depth}, {found.seconds:.0f} s; {said[0]}",
        *said[1:],
    ]
    for one in broken:
        declared = "violated as declared" if one.expected == "violated" else "violated"
        length = f", shortest trace of {counted(len(one.trace.steps), 'row')}" if one.trace is not None else ""
        lines.append(f"{one.id} {declared}{length}")
    lines += scope_lines(found.scopes)
    open_ = [p.id for p in found.properties if p.verdict in (Verdict.VACUOUS, Verdict.INCONCLUSIVE)]
    if open_:
        lines.append(f"without witness or undecided: {_few(open_)}")
    unmet = [p.id for p in found.properties if p.expected == "violated" and p.verdict is Verdict.CLOSED]
    if unmet:
        lines.append(f"declared violated, and not violated at this bound: {_few(unmet)}")
    findings = tuple(exploration_findings(protocol, found))
    verdict = headline(worst(codes), found.verdict)
    lines[0] = f"{verdict}{lines[0].removeprefix(found.verdict.value)}"
    return Stage("exploration", verdict, worst(codes), tuple(lines), {**fields, "tlc": more}, findings)


def _tlc(protocol: Any, bound: str, found: Exploration) -> tuple[list[str], dict[str, Any]]:
    from fencepost.checkers.tlc import run_tlc

    try:
        answered = run_tlc(protocol, bound, steps=found.generated)
    except Refusal as refusal:
        return ["TLC did not run", f"inconclusive: {refusal}"], {"message": str(refusal), "code": int(refusal.code)}
    both = compare(answered, found)
    fields: dict[str, Any] = {
        "distinct": answered.distinct,
        "generated": answered.generated,
        "depth": answered.depth,
        "verdict": answered.verdict.value,
        "agrees": both.agrees,
        "differences": [{"what": w, "tlc": t, "exploration": e} for w, t, e in both.differences],
        "code": int(both.code),
    }
    if both.agrees:
        return ["= TLC"], fields
    if both.differences:
        what = "; ".join(f"{name} {theirs} and not {ours}" for name, theirs, ours in both.differences)
        return ["TLC disagrees", f"TLC disagrees: {what}"], fields
    if answered.violated is not None and answered.verdict is Verdict.VIOLATED:
        return [f"TLC finds {answered.violated} violated{'' if both.by_tlc_alone else ' too'}"], fields
    return [f"TLC is {answered.verdict.value}"], fields


def logs(protocol: str, paths: Sequence[str], spark: bool = False, static: StaticSettings | None = None) -> Stage:
    """Hold every log below the paths against a protocol, under static settings of the controllers that wrote them."""
    return timed("logs", lambda: _logs(protocol, paths, spark, static))


def _logs(name: str, paths: Sequence[str], spark: bool, static: StaticSettings | None) -> Stage:
    from fencepost.checkers.conformance import conform
    from fencepost.checkers.conformance.records.static_settings import StaticSettings
    from fencepost.checkers.named import family

    result = conform(paths, family(name).whole, spark=spark, static=static)
    findings = tuple({"path": log.path, **one.as_json()} for log in result.logs for one in log.findings)
    lines = _log_lines(result.logs)
    if result.scope.get("static"):
        lines.append((static or StaticSettings()).text())
    return Stage("logs", result.verdict.value, result.exit_code, tuple(lines), result.as_json(), findings)


def traces(protocol: str, paths: Sequence[str]) -> Stage:
    """Hold event traces against the protocol that they are of."""
    return timed("traces", lambda: _traces(protocol, paths))


def _traces(name: str, paths: Sequence[str]) -> Stage:
    from fencepost.checkers.conformance.designs import conform_traces
    from fencepost.checkers.named import family

    result = conform_traces(paths, own=family(name).whole)
    findings = tuple({"path": log.path, **one.as_json()} for log in result.logs for one in log.findings)
    lines = _log_lines(result.logs, "line")
    return Stage("traces", result.verdict.value, result.exit_code, tuple(lines), result.as_json(), findings)


def _log_lines(logs: Sequence[LogResult], place: str = "offset") -> list[str]:
    rows: dict[str, int] = {}
    for log in logs:
        for id, count in log.rows.items():
            rows[id] = rows.get(id, 0) + count
    by_verdict: dict[Verdict, list[LogResult]] = {}
    for log in logs:
        by_verdict.setdefault(log.verdict, []).append(log)
    lines = []
    for verdict in (Verdict.CONFORMS, Verdict.UNDECIDED, Verdict.VIOLATES):
        mine = by_verdict.get(verdict, [])
        if mine:
            word = (
                verdict.value
                if len(mine) == 1
                else {"conforms": "conform", "violates": "violate"}.get(verdict.value, verdict.value)
            )
            names = _few([_short(log.path) for log in mine], 5)
            lines.append(f"{len(mine)} {word}, {sum(log.records for log in mine):,} records: {names}")
    for name, value in dict.fromkeys(one for log in logs for one in log.conforms_if.items()):
        told = [_short(log.path) for log in logs if log.conforms_if.get(name) == value]
        lines.append(f"conforms if {name} was {value} in server.properties: {_few(told, 5)}")
    first = next((v for log in by_verdict.get(Verdict.VIOLATES, []) for v in log.violations), None)
    if first is not None:
        from fencepost.checkers.conformance.results.topic_names import by_name

        topics = {id: name for log in logs for id, name in log.topics.items()}
        lines.append(by_name(f"first: {first.rule} at {place} {first.offset}: {first.message}", topics)[:180])
    often = sorted(rows, key=lambda id: -rows[id])
    lines.append(f"{counted(len(rows), 'row')} seen in {counted(sum(rows.values()), 'result')}: {_few(often, 8)}")
    found = dict.fromkeys(one.finding for log in logs for one in log.findings)
    if found:
        lines.append(f"findings that the logs show: {_few(list(found), 8)}")
    return lines


def answers(folder: str) -> Stage:
    """Replay every file of recorded answers in a folder for which there is an adapter."""
    return timed("answers", lambda: _answers(Path(folder)))


def _answers(folder: Path) -> Stage:
    from fencepost.checkers.conformance.answers.adapters import KINDS
    from fencepost.checkers.conformance.answers.judge import judge, read_lines

    told, fields, differences = [], [], 0
    for file in sorted(folder.glob("*.ndjson*")):
        kind = file.name.split(".")[0].removesuffix("-sample")
        if kind not in KINDS:
            continue
        found = judge(KINDS[kind], read_lines(file))
        differences += len(found.differences)
        told.append(f"{kind} {found.lines}" + (f" ({len(found.differences)} differ)" if found.differences else ""))
        fields.append({"file": str(file), "kind": kind, "lines": found.lines, "differences": len(found.differences)})
    if not told:
        raise Refusal(f"{folder}: no recorded answers for which there is an adapter", ExitCode.INCONCLUSIVE)
    verdict = Verdict.VIOLATES if differences else Verdict.CONFORMS
    code = ExitCode.DOES_NOT_CONFORM if differences else ExitCode.AS_DECLARED
    line = f"{differences or 'no'} differences from Kafka's own classes: {', '.join(told)}"
    return Stage("answers", verdict.value, code, (line,), {"files": fields})


def _short(path: str) -> str:
    """The last part of a path, with the part before it where that says which run it was."""
    parts = Path(path).parts
    return parts[-1] if "others" not in parts else "/".join((parts[parts.index("others") - 1], parts[-1]))


def _few(names: Sequence[str], most: int = 6) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
