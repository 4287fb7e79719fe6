"""What becomes of a document's fields in a report: what is open is no success, and nothing that failed is left out."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from fencepost.checkers.check import Check, Stage, stages
from fencepost.checkers.check import run as running
from fencepost.checkers.plain import plain
from fencepost.checkers.reports import Report, gcc_lines, junit, markdown, report, sarif, sarif_text, workflow_commands
from fencepost.checkers.reports.cases import KIND_OF, OPEN, RULES
from fencepost.checkers.verdicts import ExitCode, Refusal
from tests.cases import each


def reported(*found: Stage, places: dict[str, Any] | None = None, notes: tuple[str, ...] = ()) -> Report:
    """Return the report of a check of one protocol with some stages; the document went through JSON."""
    whole = Check(
        {"P": found} if found else {}, {"P": "hash"}, notes, 1.0, {}, {"P": places or {"rows": {}, "properties": {}}}
    )
    common = {"command": "check", "verdict": whole.verdict, "exit_code": int(whole.exit_code), "seconds": 1.0}
    return report(json.loads(json.dumps(common | {"version": "0"} | whole.as_json())))


def told(found: Report) -> list[tuple[str, str, list[str]]]:
    """Return the cases that did not pass: name, outcome, and the kinds of their problems."""
    return [(c.name, c.outcome, [p.rule for p in c.problems]) for c in found.cases if c.outcome != "passed"]


def exploration(*properties: dict[str, Any], code: int = 0, tlc: dict[str, Any] | None = None) -> Stage:
    """Return a stage of exploration with some properties."""
    fields = {"bound": "one", "properties": list(properties), "tlc": tlc or {}}
    return Stage("exploration", "", ExitCode(code), (), fields)


def judged(id: str, verdict: str, as_declared: bool | None, expected: str = "holds") -> dict[str, Any]:
    """Return a property of an exploration as its JSON has it, without a run."""
    return {
        "id": id, "verdict": verdict, "as_declared": as_declared, "expected": expected, "message": "said",
        "trace": None, "loop": None,
    }  # fmt: skip


@each(
    ("one", "code", "outcome", "rule"),
    [
        (judged("A1", "violated", False), 1, "failed", "violated"),
        (judged("A1", "vacuous", False), 4, "failed", "vacuous"),
        (judged("A1", "inconclusive", None), 3, "inconclusive", "inconclusive"),
        (judged("A1", "holds to depth", False, "violated"), 3, "inconclusive", "inconclusive"),
        (judged("A1", "closed", False, "violated"), 7, "failed", "differs"),
    ],
)
def test_what_is_not_as_declared_is_a_problem(one: dict[str, Any], code: int, outcome: str, rule: str) -> None:
    """Each way in which a property of a bound is not as declared has its kind, which is that of the exit code."""
    found = reported(exploration(one, judged("A2", "closed", True), code=code))
    assert told(found) == [("A1", outcome, [rule])]
    assert KIND_OF[found.code] == rule
    assert found.count("passed") == 1


@pytest.mark.parametrize(
    ("verdict", "expected"), [("closed", "holds"), ("witnessed", "holds"), ("violated", "violated")]
)
def test_what_is_as_declared_passes(verdict: str, expected: str) -> None:
    """A declared violation that was found is as declared: no problem."""
    assert told(reported(exploration(judged("A1", verdict, True, expected)))) == []


@pytest.mark.parametrize(
    ("tlc", "code", "cases"),
    [
        ({"verdict": "closed", "differences": [], "agrees": True}, 0, []),
        ({"verdict": "closed", "differences": [{"what": "distinct", "tlc": 1, "exploration": 2}]}, 5,
         [("TLC counts the same", "failed", ["engines-disagree"])]),
        ({"verdict": "inconclusive", "differences": []}, 3,
         [("TLC counts the same", "inconclusive", ["inconclusive"])]),
        ({"message": "TLC needs Java"}, 3, [("TLC counts the same", "inconclusive", ["inconclusive"])]),
    ],
)  # fmt: skip
def test_tlc_is_a_case(tlc: dict[str, Any], code: int, cases: list[Any]) -> None:
    """The comparison with TLC is a case of its own: it fails where counts differ, and is open where TLC did not end."""
    found = reported(exploration(judged("A1", "closed", True), code=code, tlc=tlc))
    assert told(found) == cases
    assert len(found.cases) == 2


def refused() -> Stage:
    """Raise what a stage raises that cannot run."""
    raise Refusal("Java is missing; install it", ExitCode.INCONCLUSIVE)


def test_a_stage_that_could_not_run_is_open() -> None:
    """A stage that was refused is one case, an error, with the sentence."""
    found = reported(stages.timed("logs", refused))
    assert told(found) == [("logs", "inconclusive", ["inconclusive"])]
    assert "Java is missing; install it" in found.cases[0].problems[0].message


@each("code", [one for one in ExitCode if one != ExitCode.AS_DECLARED])
def test_no_exit_code_is_lost(code: ExitCode) -> None:
    """Where a stage ends with a code other than 0 and nothing that it lists says why, the stage itself is a problem."""
    found = reported(exploration(judged("A1", "closed", True), code=int(code)))
    ((name, outcome, rules),) = told(found)
    assert (name, rules) == ("exploration", [KIND_OF[code]])
    assert (outcome == "inconclusive") is (KIND_OF[code] in OPEN)


def test_a_log_on_spark_is_a_case() -> None:
    """Each log that was judged on Spark is a case: one that conforms there as in one process passes, others do not."""
    logs = [
        {"path": one, "verdict": verdict} for one, verdict in (("a", "conforms"), ("b", "violates"), ("c", "conforms"))
    ]
    fields = {"master": "local[2]", "logs": logs, "compared": 3, "differ": ["c"]}
    found = reported(Stage("spark", "", ExitCode.DISAGREEMENT, ("said",), fields))
    assert told(found) == [("b", "failed", ["does-not-conform"]), ("c", "failed", ["engines-disagree"])]
    assert found.count("passed") == 1


def test_nothing_done_is_no_success() -> None:
    """A check without a stage is one open case with its notes, in every report."""
    found = reported(notes=("nothing that was asked for can be done with P",))
    assert told(found) == [("check", "inconclusive", ["inconclusive"])]
    root = ElementTree.fromstring(junit(found))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("1", "0", "1")
    (run,) = sarif(found)["runs"]
    # It is at no place in a file, and GitHub refuses such results.
    (told_of,) = run["invocations"][0]["toolExecutionNotifications"]
    assert run["results"] == []
    assert (told_of["level"], "nothing that was asked" in told_of["message"]["text"]) == ("warning", True)
    assert "no result, since it is at no place in a file" in told_of["message"]["text"]
    assert workflow_commands(found, {})[0].startswith("::warning title=check%3A check::inconclusive")
    assert "| ? | check |" in markdown(found)


def test_a_stage_that_judged_nothing_is_a_case() -> None:
    """Every stage is told: one without any property is a case with its own code."""
    found = reported(exploration())
    assert [(case.name, case.outcome) for case in found.cases] == [("exploration", "passed")]


def test_a_proof_that_is_not_inductive(two_phase: str) -> None:
    """A counterexample to induction is a failure at its row, with the state in which it begins."""
    from fencepost.checkers.named import family

    stage = stages.proof(two_phase)
    found = reported(stage, places=running.places(family(two_phase)))
    assert stage.code == ExitCode.NOT_INDUCTIVE
    problems = [one for case in found.cases for one in case.problems]
    assert {one.rule for one in problems} == {"not-inductive"}
    assert len(problems) == stage.fields["refuted"]
    source = Path(two_phase.split(":")[0]).read_text(encoding="utf-8").split("\n")
    for one in problems:
        assert one.spot is not None
        assert one.spot.line is not None
        assert f'("{one.subject}"' in source[one.spot.line - 1]
        assert any(line.startswith("it begins with ") for line in one.lines)
        assert len(one.run) == 1


def step(row: str) -> dict[str, Any]:
    """Return a step of a run as its JSON has it."""
    return {"row": row, "event": "Press", "binding": {}, "records": [["Lit(1)"]], "answer": "YES", "state": {}}


def run_of(*rows: str) -> dict[str, Any]:
    """Return a run of rows as its JSON has it."""
    return {"initial": True, "start": {"lit": "true"}, "steps": [step(row) for row in rows], "failure": None}


PLACES = {
    "rows": {"L1": {"file": "/lamp.py", "line": 1}, "L2": {"file": "/lamp.py", "line": 2}},
    "properties": {"A1": {"file": "/lamp.py", "line": 9}},
}


@pytest.mark.parametrize(
    ("trace", "loop", "line", "rows", "said"),
    [
        (run_of("L1", "L2"), None, 2, ["L1", "L2"], "A1 is violated at one by L2, shortest run of 2 rows"),
        (run_of("L1"), run_of("L2", "L1"), 9, ["L1", "L2", "L1"],
         "A1 is violated at one: after a run of 1 row 2 are done for ever"),
        (run_of("L1"), run_of(), 9, ["L1"], "A1 is violated at one: after a run of 1 row nothing more need happen"),
        (run_of(), None, 9, [], "A1 is violated at one in the first state"),
    ],
    ids=["by a row", "for ever", "standing still", "at once"],
)  # fmt: skip
def test_where_a_violation_is(
    trace: dict[str, Any], loop: dict[str, Any] | None, line: int, rows: list[str], said: str
) -> None:
    """It is at the last row of the run; at the claim where the run goes on for ever, or the first state breaks it."""
    one = judged("A1", "violated", False) | {"trace": trace, "loop": loop}
    found = reported(exploration(one, code=1), places=PLACES)
    ((problem,),) = [case.problems for case in found.cases]
    assert problem.spot is not None
    assert (problem.spot.line, problem.message, [one.row for one in problem.run]) == (line, said, rows)
    assert [one.text.split(" Press()")[1] for one in problem.run] == [", writes Lit(1), answers YES"] * len(rows)
    assert "it begins with lit=true" in problem.lines
    (result,) = sarif(found)["runs"][0]["results"]
    assert ("codeFlows" in result) is bool(rows)
    assert ("relatedLocations" in result) is (line != 9)


def test_every_result_of_sarif_is_at_a_place() -> None:
    """What is about the tables as a whole is at the first line of their file, and so are steps without a row."""
    found = reported(exploration(judged("A1", "violated", False) | {"id": "none of the tables"}, code=1), places=PLACES)
    (result,) = sarif(found)["runs"][0]["results"]
    places = [one["physicalLocation"] for one in result["locations"]]
    places += [
        step["location"]["physicalLocation"]
        for flow in result.get("codeFlows", ())
        for thread in flow["threadFlows"]
        for step in thread["locations"]
    ]
    assert places
    assert all(one["artifactLocation"]["uri"] for one in places)
    without = reported(exploration(judged("A1", "violated", False), code=1), places={})
    (run,) = sarif(without)["runs"]
    assert all("physicalLocation" in one for result in run["results"] for one in result["locations"])
    assert len(run["results"]) + len(run["invocations"][0].get("toolExecutionNotifications", ())) == 1


def test_an_undecided_log_is_open() -> None:
    """A log of which something is missing is an error with the reason, not a failure and no success."""
    log = {
        "path": "log", "verdict": "undecided", "violations": [], "notes": [],
        "undecided": [{"message": "the beginning is missing"}],
    }  # fmt: skip
    found = reported(Stage("logs", "undecided", ExitCode.INCONCLUSIVE, (), {"logs": [log]}))
    assert told(found) == [("log", "inconclusive", ["inconclusive"])]
    assert "the beginning is missing" in found.cases[0].problems[0].message


def test_answers_that_differ_fail() -> None:
    """A file of recorded answers is a case, which fails where one differs."""
    files = [
        {"file": "a.ndjson", "kind": "a", "lines": 9, "differences": 2},
        {"file": "b.ndjson", "kind": "b", "lines": 9, "differences": 0},
    ]
    found = reported(Stage("answers", "violates", ExitCode.DOES_NOT_CONFORM, (), {"files": files}))
    assert told(found) == [("a", "failed", ["does-not-conform"])]
    assert len(found.cases) == 2


HOSTILE = "50%, a:b\r\n\x00\x1b[31m <&\"'>```| é\ud800"


def test_any_text_is_told_safely() -> None:
    """What logs and tables may contain ends no annotation, no line, no block of Markdown, and no XML document."""
    bad = judged("A1", "inconclusive", None) | {"message": HOSTILE}
    stage = exploration(bad, code=3)
    found = reported(stage)
    (command,) = workflow_commands(found, {})
    assert command.count("\n") == command.count("\r") == 0
    assert "50%25, a:b%0D%0A" in command
    (line,) = gcc_lines(found)
    assert line.startswith("fencepost: warning: P: ")
    assert "50%, a:b\\u000d\\n" in line
    assert plain(line) == line
    assert line.count("\n") == 0
    assert "<&\"'>" in (ElementTree.fromstring(junit(found))[0][0][0].get("message") or "")
    page = markdown(found)
    assert "\n````text\n" in page
    for text in (page, command, line, sarif_text(found)):
        text.encode("utf-8")
    (told_of,) = json.loads(sarif_text(found))["runs"][0]["invocations"][0]["toolExecutionNotifications"]
    assert "50%, a:b" in told_of["message"]["text"]


def test_every_kind_has_a_text() -> None:
    """Each exit code means a kind with a sentence, and there is no kind without one; survivors
    of `mutate` are listed on its page, and end nothing."""
    assert set(KIND_OF) == set(ExitCode) - {ExitCode.AS_DECLARED}
    assert {*KIND_OF.values(), *OPEN, "untidy", "survives"} == set(RULES)
