"""One self-contained HTML file: what is at fault, each run by lanes, every answer with its scope, and coverage."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from .asked import Answer, Scope, answers, scope
from .cases import Case, Problem, Report, encodable
from .heat import heats
from .lanes import Lanes, lanes
from .matrix import Matrix, matrix

if TYPE_CHECKING:
    from .stepping import Stepping

SHOWN = (100, 50, 20, 5)
"""How many problems the page shows in full: the first number with which it is no larger than `LARGEST`, or the last."""

LARGEST = 2_000_000
"""The bytes of a page, without a state graph, that opens at once and can be sent by mail."""

FIRST = ("violated", "not-inductive", "does-not-conform")
"""The kinds of problems that come first: each shows what happened."""

LONGEST = 200
"""Steps and lines of a problem that the page shows."""


@dataclass(frozen=True)
class Shown:
    """A problem as the page shows it: its sentence, what it claims, where, the run by lanes, what is false at its end.

    `extra` are lines that are nowhere else; `more` counts those left out.
    """

    anchor: str
    case: Case
    problem: Problem
    title: str
    claim: str
    run: Lanes | None
    failure: Mapping[str, Any] | None
    extra: tuple[str, ...]
    more: int


@dataclass(frozen=True)
class Stage:
    """A stage as the page shows it: what it was about and on which assumptions, and its answers."""

    protocol: str
    name: str
    verdict: str
    seconds: float
    outcome: str
    scope: Scope
    answers: tuple[Answer, ...]
    runs: tuple[tuple[str, Lanes], ...]
    matrix: Matrix | None


def html(report: Report, stepping: Stepping | None = None) -> str:
    """Return a report as one HTML file that loads nothing, with a state graph to step through where one is given."""
    problems = _problems(report)
    page, most_bytes = "", LARGEST + (0 if stepping is None else len(stepping.data))
    for most in SHOWN:
        page = _page(report, problems[:most], len(problems) - most, stepping)
        if len(page.encode()) <= most_bytes:
            break
    return page


def _page(report: Report, shown: list[Shown], more: int, stepping: Stepping | None) -> str:
    """The page with some problems in full; `more` are left out."""
    with_states = ("report", "stepping") if stepping is not None else ("report",)
    script = encodable("".join(template_file(f"{one}.js") for one in with_states)).strip()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = environment().get_template("report.html").render(
        report=report,
        counts={one: report.count(one) for one in ("passed", "failed", "inconclusive")},
        problems=shown,
        more=more,
        faults=_faults(shown),
        stages=tuple(_stages(report, shown)),
        heats=heats(report),
        stepping=stepping,
        style="".join(template_file(f"{one}.css") for one in with_states),
        script=script,
        digest=digest,
        longest=LONGEST,
    )  # fmt: skip
    return encodable(page)


@cache
def environment() -> Environment:
    """Return the environment in which templates of this package are filled in, with all that is put in escaped."""
    return Environment(
        loader=PackageLoader(__package__, "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def template_file(name: str) -> str:
    """The text of a file beside the template. Both are ours and hold no end tag: they stand in the page as they are."""
    text = files(__package__).joinpath("templates", name).read_text(encoding="utf-8")
    assert "</" not in text
    return text


def _problems(report: Report) -> list[Shown]:
    """The problems in the order of the page: what happened first, what is undecided last."""
    both = [(case, one) for case in report.cases for one in case.problems]
    both.sort(key=lambda pair: (pair[1].is_open, pair[1].rule not in FIRST))
    texts = report.texts
    return [_show(f"problem-{n}", case, one, texts.get(case.protocol, {})) for n, (case, one) in enumerate(both, 1)]


def _show(anchor: str, case: Case, problem: Problem, texts: Mapping[str, Any]) -> Shown:
    trace, loop = problem.trace, problem.loop
    failure = None if trace is None else trace["failure"]
    id = failure["property"] if failure is not None else case.name
    claim = texts.get("properties", {}).get(id, {}).get("about", "")
    run = None if trace is None else lanes(trace, loop, texts)
    # The text of a run and its failure is in the table of lanes and beside it.
    extra = problem.lines if run is None else ()
    return Shown(
        anchor,
        case,
        problem,
        _title(problem, id, run, loop is not None),
        claim,
        run,
        failure,
        extra[:LONGEST],
        len(extra) - LONGEST,
    )


def _title(problem: Problem, id: str, run: Lanes | None, for_ever: bool) -> str:
    """The sentence at the top of a problem: the row at fault and what it breaks, where a run shows one."""
    if run is None or for_ever:
        return problem.message
    if not run.steps:
        return f"The first state breaks {id}"
    middle = " in the middle of its records" if run.inside else ""
    return f"Row {run.steps[-1].row} breaks {id}{middle}"


def _faults(shown: list[Shown]) -> list[tuple[str, str, list[Shown]]]:
    """Return the faults, each sentence once with its claim, and the problems that show it."""
    found: dict[tuple[str, str], list[Shown]] = {}
    for one in shown:
        found.setdefault((one.title, one.claim), []).append(one)
    return [(title, claim, ones) for (title, claim), ones in found.items()]


def _stages(report: Report, shown: list[Shown]) -> Iterator[Stage]:
    """The stages in the order of the document."""
    anchors: dict[int, str] = {}
    for one in shown:
        anchors.setdefault(id(one.case), one.anchor)
    for (protocol, name), (verdict, seconds) in report.stages.items():
        cases = report.of_stage(protocol, name)
        fields, texts = report.fields.get((protocol, name), {}), report.texts.get(protocol, {})
        outcomes = {case.outcome for case in cases}
        outcome = next(one for one in ("failed", "inconclusive", "passed") if one in outcomes)
        told = tuple(answers(cases, fields, texts, [anchors.get(id(case), "") for case in cases]))
        runs = tuple((one["title"], lanes(one["trace"], None, texts)) for one in fields.get("runs", ()))
        # A page of every protocol would be too large with theirs.
        found = matrix(fields, texts) if report.command == "prove" else None
        yield Stage(protocol, name, verdict, seconds, outcome, scope(fields), told, runs, found)
