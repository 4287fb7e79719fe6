"""Reports of a check: of a protocol with a violation, a log that does not conform, and what is as declared."""

import contextlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from fencepost.checkers.cli.main import main
from fencepost.traces import read_log
from tests.conformance.alter import without_batch

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("stages_here")]

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded"
HEATER = """
from fencepost.model.language import BOOL, FALSE, TRUE, Bound, always, cell, event, protocol, table

lit = cell("lit", BOOL)
hot = cell("hot", BOOL)
press = event("Press", source="the heater")
HEATER = table(
    "heater",
    press("L1", ~lit, lit.becomes(TRUE)),
    press("L2", lit & ~hot, hot.becomes(TRUE)),
    press("L3", lit & hot, lit.becomes(FALSE)),
)
CLAIMS = [
    always("A1", ~hot | lit, source="the heater"),
    always("A2", lit | ~lit, source="the heater"),
]
P = protocol("heater", HEATER, properties=CLAIMS, bounds={"one": Bound({})})
Q = protocol("heater-2", HEATER, properties=CLAIMS[1:], bounds={"one": Bound({})})
"""


def line_of(id: str) -> int:
    """Return the line of the heater's file on which a row or a claim is."""
    return next(n for n, line in enumerate(HEATER.split("\n"), 1) if f'("{id}", ' in line)


@dataclass(frozen=True)
class Reported:
    """What a run of the command line ended with, and what it wrote."""

    folder: Path
    code: int

    def text(self, name: str) -> str:
        """Return a file that it wrote."""
        return (self.folder / name).read_text(encoding="utf-8")

    @property
    def junit(self) -> ElementTree.Element:
        """The root of the JUnit document."""
        return ElementTree.fromstring(self.text("junit.xml"))

    @property
    def sarif(self) -> dict[str, Any]:
        """The only run of the SARIF document."""
        found = json.loads(self.text("found.sarif"))
        assert found["version"] == "2.1.0"
        (run,) = found["runs"]
        assert isinstance(run, dict)
        return run

    def counts(self) -> tuple[int, int, int]:
        """Return how many cases there are, how many failed, and how many are errors; all three ways to count agree."""
        names = ("tests", "failures", "errors")
        told = [int(self.junit.get(name) or -1) for name in names]
        summed = [sum(int(suite.get(name) or -1) for suite in self.junit) for name in names]
        real = [len(list(self.junit.iter(tag))) for tag in ("testcase", "failure", "error")]
        assert told == summed == real
        return (told[0], told[1], told[2])


def run(folder: Path, *arguments: str) -> Reported:
    """Run a check in a folder, with every report."""
    reports = ("--junit", "junit.xml", "--sarif", "found.sarif", "--markdown", "page.md", "--quiet")
    return Reported(folder, main(["check", "--no-tlc", *reports, *arguments]))


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reported]:
    """Return a check of two protocols, of which one is violated, and of two logs, of which one lacks a batch."""
    folder = tmp_path_factory.mktemp("checked")
    (folder / "tables").mkdir()
    (folder / "tables" / "heater.py").write_text(HEATER, encoding="utf-8")
    without_batch(read_log(RECORDED / "first-boot"), 40, folder / "cut")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("GITHUB_WORKSPACE", str(folder.parent))
        patch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
        (folder / "summary.md").write_text("before\n", encoding="utf-8")
        with contextlib.ExitStack() as stack, pytest.MonkeyPatch.context() as streams:
            for name in ("stdout", "stderr"):
                out = stack.enter_context((folder / name).open("w+", encoding="utf-8"))
                streams.setattr(f"sys.{name}", out)
            protocols = ("tables/heater.py:P", "tables/heater.py:Q")
            yield run(folder, "--format", "github", *protocols, "cut", str(RECORDED / "first-boot"))


def test_the_exit_code_is_that_of_the_check(checked: Reported) -> None:
    """A violation and a log that does not conform end with 1, as without reports."""
    assert checked.code == 1


def test_junit_counts_what_was_asked(checked: Reported) -> None:
    """Each property of a proof and of a bound, the tables' hygiene and each log is a case; three of them failed."""
    assert checked.counts() == (6 + 4 + 2, 3, 0)
    failed = [
        (suite.get("name"), case.get("name"), case[0].get("type"))
        for suite in checked.junit
        for case in suite
        if len(case)
    ]
    assert failed == [
        ("tables/heater.py:P: proof", "A1", "violated"),
        ("tables/heater.py:P: exploration", "A1", "violated"),
        ("kraft: logs", "cut", "does-not-conform"),
    ]


def test_a_failure_of_junit_tells_the_run(checked: Reported) -> None:
    """The text of a failure has the row's line, the run that was replayed, and why the property is false at its end."""
    text = next(case[0].text or "" for case in checked.junit.iter("testcase") if len(case))
    assert text.split("\n") == [
        "A1 is violated: L3 breaks it",
        f"at tables/heater.py:{line_of('L3')}",
        f"claimed at tables/heater.py:{line_of('A1')}",
        "1. L1 Press()",
        "2. L2 Press()",
        "3. L3 Press()",
        "A1 is false; what fails: not hot or lit",
        "where hot = true, lit = false",
    ]


def test_a_result_of_sarif_is_at_the_row(checked: Reported) -> None:
    """A violated property is an error at the file and line of the row that breaks it; its claim is related."""
    for result in checked.sarif["results"][:2]:
        assert (result["ruleId"], result["level"]) == ("violated", "error")
        (location,) = result["locations"]
        assert location["physicalLocation"] == {
            "artifactLocation": {"uri": "tables/heater.py", "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": line_of("L3")},
        }
        (related,) = result["relatedLocations"]
        assert related["physicalLocation"]["region"]["startLine"] == line_of("A1")


def test_the_run_is_the_code_flow_of_a_result(checked: Reported) -> None:
    """A code flow has a location for each step of the run, at its row and with the state after it."""
    ((flow,),) = [result["codeFlows"] for result in checked.sarif["results"][:1]]
    (thread,) = flow["threadFlows"]
    steps = [
        (
            one["location"]["physicalLocation"]["region"]["startLine"],
            one["location"]["message"]["text"],
            {name: value["text"] for name, value in one.get("state", {}).items()},
        )
        for one in thread["locations"]
    ]
    assert steps == [
        (line_of("L1"), "1. L1 Press()", {"lit": "true"}),
        (line_of("L2"), "2. L2 Press()", {"lit": "true", "hot": "true"}),
        (line_of("L3"), "3. L3 Press()", {"hot": "true"}),
    ]
    assert [one["executionOrder"] for one in thread["locations"]] == [0, 1, 2]


def test_a_log_that_does_not_conform_is_a_result_at_its_bytes(checked: Reported) -> None:
    """A violation of a log is a result in its segment, at the byte where the batch begins, which can be read there."""
    result = checked.sarif["results"][2]
    (location,) = result["locations"]
    place = location["physicalLocation"]
    assert result["ruleId"] == "does-not-conform"
    assert place["artifactLocation"]["uri"] == "cut/00000000000000000000.log"
    position = place["region"]["byteOffset"]
    data = (checked.folder / place["artifactLocation"]["uri"]).read_bytes()
    offset = int.from_bytes(data[position : position + 8], "big")
    log = read_log(checked.folder / "cut")
    assert offset in {batch.base_offset for batch in log.batches}
    assert f"at offset {offset}: " in result["message"]["text"]


def test_sarif_is_well_formed(checked: Reported) -> None:
    """Rules are found by their index, texts are not empty, lines begin at 1, and fingerprints tell results apart."""
    whole = checked.sarif
    rules = whole["tool"]["driver"]["rules"]
    assert whole["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    for result in whole["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning")
        assert result["message"]["text"]
    prints = [result["partialFingerprints"]["fencepost/v1"] for result in whole["results"]]
    assert len(set(prints)) == len(prints)


def test_annotations_are_workflow_commands(checked: Reported) -> None:
    """Standard output has a line for each problem, its file as the workspace has it, and standard error the page."""
    commands = checked.text("stdout").splitlines()
    folder = checked.folder.name
    assert len(commands) == len(checked.sarif["results"])
    assert commands[0].startswith(
        f"::error file={folder}/tables/heater.py,title=tables/heater.py%3AP%3A A1,line={line_of('L3')}"
        "::A1 is violated: L3 breaks it%0A"
    )
    assert commands[2].startswith(f"::error file={folder}/cut/00000000000000000000.log,title=kraft%3A cut::")
    assert checked.text("stderr").splitlines()[-1].startswith("violated, exit code 1, ")


def test_the_summary_of_a_step_is_the_page(checked: Reported) -> None:
    """The page is added to what the step has said before; it has the stages, the counts, and each run."""
    page = checked.text("page.md")
    assert checked.text("summary.md") == f"before\n{page}"
    assert page.startswith("## fencepost check: violated\n\nExit code 1; 12 cases: 9 passed, 3 failed, 0 inconclusive")
    assert "| ✗ | tables/heater.py:P | proof | violated | 3 |" in page
    assert "| ✓ | tables/heater.py:Q | proof | proved | 2 |" in page
    assert "3. L3 Press()" in page


def test_what_is_as_declared_has_no_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a check that ends with 0 no case failed, and SARIF has no result."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heater.py").write_text(HEATER, encoding="utf-8")
    found = run(tmp_path, "heater.py:Q", str(RECORDED / "first-boot"))
    assert (found.code, found.counts(), found.sarif["results"]) == (0, (5, 0, 0), [])


def test_a_log_alone(checked: Reported, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check of a log that does not conform ends with 6, one case, and as many results as it has violations."""
    monkeypatch.chdir(tmp_path)
    found = run(tmp_path, "--only", "conform", str(checked.folder / "cut"))
    assert (found.code, found.counts()) == (6, (1, 1, 0))
    assert {result["ruleId"] for result in found.sarif["results"]} == {"does-not-conform"}


def test_the_document_is_the_same_with_reports(
    fencepost_says: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With --json standard output is the one document also with --format: its lines are on standard error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / "heater.py").write_text(HEATER, encoding="utf-8")
    said = fencepost_says("check", "heater.py:P", "--only", "explore", "--json", "--format", "gcc", "--quiet")
    places = said.document["protocols"]["heater.py:P"]["places"]
    assert places["rows"]["L3"] == {"file": str(tmp_path / "heater.py"), "line": line_of("L3")}
    assert places["properties"]["A1"]["line"] == line_of("A1")
    column = HEATER.split("\n")[line_of("L3") - 1].index("press") + 1
    assert said.err.startswith(
        f"heater.py:{line_of('L3')}:{column}: error: heater.py:P: A1 is violated at one by L3, shortest run of 3 rows; "
        "run: L1, L2, L3; A1 is false; what fails: not hot or lit; "
    )
    assert said.err.splitlines()[0].endswith(" [violated]")


@pytest.mark.parametrize("option", ["--junit", "--sarif", "--markdown", "--html"])
@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("nowhere/report", "nowhere is no directory; make it, or name a file in another"),
        (".", ". is a directory; name a file in it"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_at_once(
    fencepost_says: Callable[..., Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    option: str,
    file: str,
    said: str,
) -> None:
    """Where a report cannot be written one sentence says so before anything is asked, with code 2."""
    monkeypatch.chdir(tmp_path)
    answered = fencepost_says("check", option, file)
    assert (answered.code, answered.sentence) == (2, f"fencepost: {option}: {said}")


@pytest.mark.parametrize(("option", "library"), [("--junit", "junitparser"), ("--html", "jinja2")])
def test_what_is_not_installed_is_told_at_once(
    fencepost_says: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str, library: str
) -> None:
    """Where the library that writes a report is missing one sentence says so before anything is asked."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    answered = fencepost_says("check", option, tmp_path / "a")
    assert answered.code == 2
    assert f"{option}: {library} is missing" in answered.sentence


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("emacs",), "--format emacs: there is no such format; use one of gcc, github, sarif"),
        (
            ("sarif", "--json"),
            "--format sarif: prints a document, as --json does; leave out either, or use --sarif FILE",
        ),
    ],
)
def test_a_format_that_cannot_be_printed_is_refused(
    fencepost_says: Callable[..., Any], words: tuple[str, ...], sentence: str
) -> None:
    """A format that there is not, and two documents on standard output, end with 2 and one sentence."""
    answered = fencepost_says("check", "--format", *words)
    assert answered.code == 2
    assert sentence in answered.out + answered.err


def test_sarif_on_standard_output_is_the_file(
    fencepost_says: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--format sarif` prints what `--sarif` writes, and the page on standard error."""
    monkeypatch.chdir(tmp_path)
    said = fencepost_says("check", "--only", "conform", RECORDED / "first-boot", "--format", "sarif", "--sarif", "file")
    assert (said.code, said.out) == (0, (tmp_path / "file").read_text("utf-8"))
    assert said.document["runs"][0]["results"] == []
    assert "as declared, exit code 0" in said.err


def test_two_reports_in_one_file_are_refused(fencepost_says: Callable[..., Any], tmp_path: Path) -> None:
    """A file can be one report only."""
    answered = fencepost_says("check", "--junit", tmp_path / "a", "--sarif", tmp_path / "a")
    assert answered.code == 2
    assert "--junit, --sarif: name one file twice" in answered.sentence
    assert os.listdir(tmp_path) == []
