"""The cases of a stage, from its fields in the document: a property, a bound's count, a log, a file of answers each."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fencepost.checkers.cause import Evidence, told_apart
from fencepost.checkers.counting import counted

from .cases import Case, Moment, Problem, Spot

Fields = Mapping[str, Any]

COLUMNS = 100

REFUSED = {"verdict", "exit_code", "seconds", "message"}
"""The fields of a stage that could not be done."""


def stage_cases(protocol: str, stage: str, fields: Fields, places: Fields) -> list[Case]:
    """Return the cases of a stage; none where it checked nothing. `places` are those of the protocol."""
    kind = stage.split(" at ")[0]
    made = {"proof": _proof, "exploration": _exploration, "logs": _logs, "traces": _logs, "spark": _spark,
            "answers": _answers, "mutants": _mutants}[kind]  # fmt: skip
    if fields.keys() == REFUSED:
        return []
    at = _Places(places)
    return [_placed(case, at) for case in made(protocol, stage, fields, at)]


def _placed(case: Case, places: _Places) -> Case:
    """Put what is about a protocol's tables as a whole, and about no row of them, at their first line."""
    if all(one.spot is not None for one in case.problems):
        return case
    whole = places.whole()
    return replace(case, problems=tuple(one if one.spot else replace(one, spot=whole) for one in case.problems))


def _mutants(protocol: str, stage: str, fields: Fields, places: _Places) -> list[Case]:
    """A case a row: its alterations that no checker noticed, save those that were reviewed."""
    judged = {one["id"] for one in (*fields["classified"], *fields["equivalent"])}
    rows: dict[str, list[Problem]] = {}
    for one in fields["mutants"]:
        mine = rows.setdefault(one["row"], [])
        if one["fate"] in ("survives", "not decided") and one["id"] not in judged:
            lines = [f"{a['checker']}: {a['asked']}" for a in one["answers"] if a["fate"] != "not asked" and a["asked"]]
            rule = "survives" if one["fate"] == "survives" else "inconclusive"
            mine.append(
                Problem(
                    rule,
                    f"{one['about']} ({one['id']}): {one['fate']}",
                    tuple(lines),
                    places.row(one["row"]),
                    subject=one["row"],
                )
            )
    return [Case(protocol, stage, row, problems=tuple(problems)) for row, problems in rows.items()]


class _Places:
    """Where the rows and the properties of a protocol are written."""

    def __init__(self, places: Fields) -> None:
        self.rows = places.get("rows", {})
        self.properties = places.get("properties", {})

    def row(self, id: str) -> Spot | None:
        """Return where a row is."""
        return _spot(self.rows.get(id))

    def property(self, id: str) -> Spot | None:
        """Return where a property is."""
        return _spot(self.properties.get(id))

    def whole(self) -> Spot | None:
        """Return the first line of the file in which most rows are, None where none is known."""
        files = Counter(one["file"] for one in self.rows.values() if one is not None)
        return Spot(_short(files.most_common(1)[0][0]), 1) if files else None

    def either(self, id: str) -> Spot | None:
        """Return where a row or a property is."""
        return self.row(id) or self.property(id)


def _spot(place: Fields | None) -> Spot | None:
    return None if place is None else Spot(_short(place["file"]), place["line"])


def _short(file: str) -> str:
    """A file from the current folder, where it lies below."""
    path, here = Path(file), Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file


# -- proofs ------------------------------------------------------------------------------------------------------------
def _proof(protocol: str, stage: str, fields: Fields, places: _Places) -> list[Case]:
    """A case a property, one for what is vacuous, one for the tables' hygiene."""
    failed: dict[str, list[Problem]] = {id: [] for id in fields["lemma_seconds"]}
    refuted = {one["property"] for one in fields["failed"] if one["verdict"] in ("violated", "not inductive")}
    for one in fields["failed"]:
        mine = failed.setdefault(one["property"], [])
        if not (one["declared"] and one["property"] in refuted):
            mine.append(_obligation(one, places))
    for id in fields["declared_violated_but_proved"]:
        why = f"{id} is declared violated, and every row keeps it"
        failed.setdefault(id, []).append(Problem("differs", why, spot=places.property(id), subject=id))
    for id in fields["vacuous"]:
        what = f"{id} is vacuous: no state enables the row" if id in places.rows else f"{id} is vacuous: no state meets"
        why = what if id in places.rows else f"{what} the condition of the property"
        failed.setdefault(id, []).append(Problem("vacuous", why, spot=places.either(id), subject=id))
    seconds = fields["lemma_seconds"]
    cases = [Case(protocol, stage, id, seconds.get(id, 0.0), tuple(found)) for id, found in failed.items()]
    if fields["hygiene"] is None:
        return cases
    untidy = [_untidy(one, places) for one in fields["hygiene"]["findings"]]
    return [*cases, Case(protocol, stage, "gaps, overlaps and dead rows", 0.0, tuple(untidy))]


def _obligation(one: Fields, places: _Places) -> Problem:
    """An obligation that is not proved: at its row, with the run from the first state where one is known."""
    row, id = one["row"], one["property"]
    rule = {"violated": "violated", "not inductive": "not-inductive"}.get(one["verdict"], "inconclusive")
    searched = one["search"] or {}
    trace = searched.get("trace") or one["counterexample"]
    said = {
        "violated": f"{id} is violated: {row} breaks it",
        "not-inductive": f"{id} is not inductive: {row} breaks it from a state that satisfies the invariants",
        "inconclusive": f"{id} is undecided for {row}",
    }[rule]
    lines = [one["message"]] if trace is None and one["message"] else []
    return Problem(
        rule,
        said,
        (*lines, *_failure(trace)),
        places.row(row) or places.property(id),
        places.property(id),
        _run(trace, places),
        row,
        trace,
    )


def _untidy(one: Fields, places: _Places) -> Problem:
    """A gap, an overlap, or a row that never applies."""
    rule = {"violated": "untidy", "closed": "vacuous"}.get(one["verdict"], "inconclusive")
    spots = [spot for spot in map(places.row, one["rows"]) if spot is not None]
    subject = " and ".join(one["rows"]) or one["event"]
    lines = [f"{what}: {place}" for what, place in one["places"].items()]
    about = f"{one['what']} in table {one['table']}: {subject}: {one['message']}"
    return Problem(rule, about, tuple(lines), spots[0] if spots else None, subject=subject)


# -- explorations ------------------------------------------------------------------------------------------------------
def _exploration(protocol: str, stage: str, fields: Fields, places: _Places) -> list[Case]:
    """A case a property, and one for the comparison with TLC where that was asked for."""
    cases = [_property(protocol, stage, fields["bound"], one, places) for one in fields["properties"]]
    if fields.get("tlc"):
        cases.append(Case(protocol, stage, "TLC counts the same", 0.0, _tlc(fields["tlc"])))
    return cases


def _property(protocol: str, stage: str, bound: str, one: Fields, places: _Places) -> Case:
    id, verdict = one["id"], one["verdict"]
    if one["as_declared"] is True and not (verdict == "holds to depth" and one["expected"] == "violated"):
        return Case(protocol, stage, id)
    spot = places.property(id)
    if verdict == "violated":
        problem = _violated(id, bound, one, places)
    elif verdict == "vacuous":
        problem = Problem("vacuous", f"{id} is vacuous at {bound}: {one['message']}", (), spot, subject=id)
    elif one["as_declared"] is None or verdict == "holds to depth":
        problem = Problem("inconclusive", f"{id} is undecided at {bound}: {one['message']}", (), spot, subject=id)
    else:
        problem = Problem("differs", f"{id} is declared violated, and {verdict} at {bound}", (), spot, subject=id)
    return Case(protocol, stage, id, 0.0, (problem,))


def _violated(id: str, bound: str, one: Fields, places: _Places) -> Problem:
    """A violated property at the row that breaks it; where a run goes on for ever, no row does, and its claim it is."""
    claim, trace = places.property(id), one["trace"]
    run = _run(trace, places)
    lines = tuple(_failure(trace))
    if one["loop"] is not None:
        rows = _run(one["loop"], places, len(run), "for ever: ")
        after = f"{len(rows)} are done for ever" if rows else "nothing more need happen"
        said = f"{id} is violated at {bound}: after a run of {counted(len(run), 'row')} {after}"
        return Problem("violated", said, lines, claim, claim, (*run, *rows), id, trace, one["loop"])
    if not run:
        said = f"{id} is violated at {bound} in the first state"
        return Problem("violated", said, lines, claim, claim, run, id, trace)
    last = run[-1]
    said = f"{id} is violated at {bound} by {last.row}, shortest run of {counted(len(run), 'row')}"
    return Problem("violated", said, lines, last.spot or claim, claim, run, last.row, trace)


def _tlc(told: Fields) -> tuple[Problem, ...]:
    """Return the problems of TLC's count; a violated property is a problem of that property, too."""
    if told.get("differences"):
        what = "; ".join(f"{one['what']} {one['tlc']} and not {one['exploration']}" for one in told["differences"])
        return (Problem("engines-disagree", f"TLC disagrees: {what}"),)
    if "verdict" not in told:
        return (Problem("inconclusive", told.get("message", "TLC did not run")),)
    return (Problem("inconclusive", "TLC did not come to an end"),) if told["verdict"] == "inconclusive" else ()


# -- runs --------------------------------------------------------------------------------------------------------------
def _run(trace: Fields | None, places: _Places, before: int = 0, prefix: str = "") -> tuple[Moment, ...]:
    """The steps of a run, each at its row."""
    if trace is None:
        return ()
    found = []
    for number, step in enumerate(trace["steps"], before + 1):
        given = ", ".join(f"{name}={value}" for name, value in step["binding"].items())
        text = f"{prefix}{number}. {step['row']} {step['event']}({given})"
        written = [record for group in step["records"] for record in group]
        text += f", writes {'; '.join(written)}" if written else ""
        text += f", answers {step['answer']}" if step["answer"] is not None else ""
        found.append(Moment(text, step["row"], places.row(step["row"]), step["state"]))
    return tuple(found)


def _failure(trace: Fields | None) -> list[str]:
    """Where a run begins, unless every variable has its initial value, and why the property is false at its end."""
    if trace is None:
        return []
    start = ", ".join(f"{name}={value}" for name, value in trace["start"].items())
    begun = [f"it begins with {start}"] if start else []
    failure = trace["failure"]
    if failure is None:
        return begun
    whom = ", ".join(f"{name}={value}" for name, value in failure["entities"].items())
    lines = [f"{failure['property']} is false{f' for {whom}' if whom else ''}; what fails: {failure['conjunct']}"]
    if failure["conditions"]:
        lines.append(f"although {' and '.join(failure['conditions'])}")
    if failure["values"]:
        lines.append(f"where {', '.join(f'{name} = {value}' for name, value in failure['values'].items())}")
    return [*begun, *lines]


# -- logs and answers --------------------------------------------------------------------------------------------------
def _logs(protocol: str, stage: str, fields: Fields, places: _Places) -> list[Case]:
    """A case a log."""
    return [Case(protocol, stage, log["path"], 0.0, tuple(_log(log))) for log in fields["logs"]]


def _spark(protocol: str, stage: str, fields: Fields, places: _Places) -> list[Case]:
    """A case a log that was also checked on Spark."""
    cases = []
    for log in fields["logs"]:
        path, problems = log["path"], list[Problem]()
        if log["verdict"] != "conforms":
            kind = "does-not-conform" if log["verdict"] == "violates" else "inconclusive"
            problems.append(Problem(kind, f"{path}: {log['verdict']} on Spark", (), Spot(_short(path))))
        if path in fields.get("differ", ()):
            why = f"{path}: on Spark and in one process not the same is said"
            problems.append(Problem("engines-disagree", why, (), Spot(_short(path))))
        cases.append(Case(protocol, stage, path, 0.0, tuple(problems)))
    return cases


def _log(log: Fields) -> Sequence[Problem]:
    """The problems of a log: its violations, or why it is undecided."""
    from fencepost.checkers.conformance.results.topic_names import by_name

    if log["verdict"] == "conforms":
        return []
    topics = dict[str, str](log.get("topics") or {})
    is_trace = log.get("mode") == "design"  # its places are lines
    violations = [
        Problem(
            "does-not-conform",
            by_name(": ".join(filter(None, (_rule(one, is_trace), one["entity"], one["message"]))), topics),
            tuple(by_name(line, topics) for line in (*one["screen"], *_cause(one))),
            Spot(_short(log["path"]), one["offset"])
            if is_trace
            else _in_log(log["path"], one["segment"], one["position"]),
            subject=one["entity"],
        )
        for one in log["violations"]
    ]
    if violations:
        return violations
    why = [by_name(one["message"], topics) for one in log["undecided"]] or [str(one) for one in log["notes"]]
    return [
        Problem("inconclusive", f"{log['path']} is {log['verdict']}: {'; '.join(why)}", (), Spot(_short(log["path"])))
    ]


def _rule(violation: Fields, is_trace: bool) -> str:
    return f"{violation['rule']} at {'line' if is_trace else 'offset'} {violation['offset']}"


def _cause(violation: Fields) -> list[str]:
    """The line with the cause of a violation; recordings of designs have none."""
    evidence = [Evidence.of_json(one) for one in violation["evidence"]]
    return textwrap.wrap(told_apart(evidence), COLUMNS, subsequent_indent="  ")


def _in_log(path: str, segment: str, position: int) -> Spot:
    """Where a batch is: in the segment below the log's directory, or in the log itself where that is a file."""
    inside = Path(path) / segment
    return Spot(_short(str(inside) if segment and inside.is_file() else path), None, position)


def _answers(protocol: str, stage: str, fields: Fields, places: _Places) -> list[Case]:
    """A case a file of recorded answers."""
    cases = []
    for one in fields["files"]:
        count = one["differences"]
        why = f"{count} of {one['lines']} answers differ from Kafka's own classes"
        problems = (Problem("does-not-conform", why, (), Spot(one["file"]), subject=one["kind"]),) if count else ()
        cases.append(Case(protocol, stage, one["kind"], 0.0, problems))
    return cases
