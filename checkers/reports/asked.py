"""Queries of a stage of a document: subject, assumptions and engine, and each answer in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fencepost.checkers.counting import counted

from .cases import Case

Fields = Mapping[str, Any]


@dataclass(frozen=True)
class Scope:
    """The scope of a stage's answers: the engine, the subject, and the assumptions."""

    engine: str
    about: str
    assumptions: tuple[tuple[str, str, str], ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """A case with its answer: the claim, when it is claimed, what decides it, and where the page has its problem."""

    case: Case
    verdict: str
    claim: str
    when: str
    rests_on: str
    detail: str
    anchor: str


def scope(fields: Fields) -> Scope:
    """Return what the answers of a stage are about."""
    if "obligations" in fields:
        return _of_proof(fields)
    if "distinct" in fields:
        return _of_exploration(fields)
    if "logs" in fields:
        return _of_logs(fields)
    if "mutants" in fields:
        return _of_mutants(fields)
    if "files" in fields:
        return Scope("recorded answers of Kafka's own classes, asked again", counted(len(fields["files"]), "file"))
    return Scope("", fields.get("message", "nothing was checked"))


def _of_proof(fields: Fields) -> Scope:
    asked = fields["obligations"] + fields["frame_obligations"]
    tidy = fields.get("hygiene")
    notes = [
        f"{fields['refuted']} refuted ({fields['not_inductive']} not inductive), {fields['unknown']} unknown, "
        f"{fields['expected']} violated as declared"
    ]
    notes += [f"abstracted in the encoding: {', '.join(fields['abstractions'])}"] if fields["abstractions"] else []
    notes += [f"{tidy['asked']} questions about gaps, overlaps and rows that never apply"] if tidy else []
    return Scope(
        f"Z3, {counted(len(fields['seeds']), 'seed')}; the interpreter has replayed every counterexample",
        f"{fields['scope']}: {fields['proved']:,} of {asked:,} obligations proved "
        f"({counted(fields['row_count'], 'row')}, {counted(fields['property_count'], 'property', 'properties')})",
        _assumed(fields),
        tuple(notes),
    )


def _of_exploration(fields: Fields) -> Scope:
    sizes = ", ".join(f"{name} {size}" for name, size in sorted(fields["sizes"].items())) or "no sizes"
    tlc = fields.get("tlc") or {}
    notes = ["TLC counts the same" if tlc.get("agrees") else "TLC did not confirm the counts"] if tlc else []
    held = ", ".join(f"{row} {count:,}" for row, count in fields["out_of_range"].items())
    notes += [f"disabled where a counter would leave its range: {held}"] if held else []
    never = fields["rows_never_fired"]
    notes += [f"rows that never fired at this bound: {', '.join(never)}"] if never else []
    return Scope(
        f"exploration on {fields['engine']}; the interpreter has replayed every run",
        f"bound {fields['bound']} ({sizes}): {fields['distinct']:,} states, {fields['generated']:,} generated, "
        f"depth {fields['depth']}; {fields['message'] or fields['verdict']}",
        _assumed(fields),
        tuple(notes),
    )


def _of_logs(fields: Fields) -> Scope:
    records = sum(log.get("records", 0) for log in fields["logs"])
    notes = [f"{log['path']}: {note}" for log in fields["logs"] for note in log.get("notes", ())]
    logs = f"{counted(len(fields['logs']), 'log')} of {counted(records, 'record')}"
    about = f"{logs}, as recorded: nothing is said of other runs"
    how = f", on Spark ({fields['master']})" if "master" in fields else ""
    return Scope(f"the monitor of recorded logs{how}", about, (), tuple(map(str, notes)))


def _of_mutants(fields: Fields) -> Scope:
    notes = [f"{count} left out ({reason})" for reason, count in fields["left_out"].items()]
    notes += [f"{fields['unfinished']} were not asked"] if fields["unfinished"] else []
    return Scope(
        f"single alterations of rows, each given to {', '.join(fields['checkers'])}",
        f"{fields['asked']:,} of {fields['total']:,} alterations: {fields['score']['union']:.1%} noticed, without the "
        f"{len(fields['equivalent'])} that mean the same",
        (),
        tuple(notes),
    )


def _assumed(fields: Fields) -> tuple[tuple[str, str, str], ...]:
    """The assumptions of a stage: the id, what it says, and which properties it decides."""
    return tuple((one["id"], one["about"], ", ".join(one["needed_by"] or ())) for one in fields["assumptions"])


def answers(cases: Sequence[Case], fields: Fields, texts: Fields, anchors: Sequence[str]) -> Iterator[Answer]:
    """Yield the answer of each case; `anchors` are where the page has their problems."""
    claims = texts.get("properties", {})
    judged = {one["id"]: one for one in fields.get("properties", ())} if "distinct" in fields else {}
    logs = {one["path"]: one for one in fields.get("logs", ())}
    declared = {one["property"] for one in fields.get("failed", ()) if one["declared"]}
    needed: dict[str, list[str]] = {}
    for one in fields.get("assumptions", ()):
        for id in one["needed_by"] or ():
            needed.setdefault(id, []).append(one["id"])
    for case, anchor in zip(cases, anchors, strict=True):
        told = claims.get(case.name, {})
        verdict, detail = _verdict(case), ""
        if case.name in judged:
            verdict, detail = _explored(judged[case.name])
        elif "obligations" in fields and not case.problems and case.name in claims:
            verdict = "violated as declared" if case.name in declared else "proved"
        elif case.name in logs:
            log = logs[case.name]
            tables = f", tables of {', '.join(log['releases'])}" if log.get("releases") else ""
            verdict = log["verdict"]
            detail = "; ".join([f"{log.get('records', 0):,} records{tables}", *_findings(log)])
        yield Answer(
            case,
            verdict,
            told.get("about", ""),
            told.get("scope") or "",
            ", ".join(needed.get(case.name, ())),
            detail,
            anchor,
        )


def _verdict(case: Case) -> str:
    """The word for a case of which the document has no verdict of its own."""
    return ", ".join(dict.fromkeys(one.rule.replace("-", " ") for one in case.problems)) or "passed"


def _explored(one: Fields) -> tuple[str, str]:
    """The verdict of a property of an exploration, and what is said of it."""
    verdict = one["verdict"]
    if one["not_for"] and verdict != "violated":
        return f"{verdict}, which the bound is not for", one["not_for"]
    if verdict == "violated" and one["expected"] == "violated":
        verdict = "violated as declared"
    return verdict, "" if verdict == "closed" else one["message"]


def _findings(log: Fields) -> Iterator[str]:
    """Yield each known defect that a log shows, with the first time, and partitions by their topics."""
    from fencepost.checkers.conformance.results.topic_names import by_name, spelled

    found: dict[str, list[Fields]] = {}
    for one in log.get("findings", ()):
        found.setdefault(one["finding"], []).append(one)
    for name, mine in found.items():
        about = spelled(by_name(mine[0]["entity"], log.get("topics") or {}))
        times = "once" if len(mine) == 1 else f"{len(mine):,} times, first"
        yield f"finding {name} {times} at offset {mine[0]['offset']}{', ' if about else ''}{about}"


__all__ = ["Answer", "Scope", "answers", "scope"]
