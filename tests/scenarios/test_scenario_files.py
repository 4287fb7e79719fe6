"""Every scenario of `traces/scenarios` is as the classes of Kafka 4.4.0 answered it, on reference and tables."""

from pathlib import Path

from fencepost.checkers.scenarios.parsing import checked, steps_of
from fencepost.checkers.scenarios.running import run
from fencepost.checkers.verdicts import ExitCode
from tests.cases import each

FOLDER = Path(__file__).resolve().parents[2] / "traces" / "scenarios"
FILES = sorted(FOLDER.glob("*.txt"))
DIFFER = {"epochs-at-their-end.txt": "the tables count without end, Kafka's epochs have 32 bits"}
"""Scenarios in which reference and tables are known to differ, with the reason."""


@each("file", FILES, ids=lambda one: one.stem)
def test_a_scenario_is_as_kafka_answered_it(file: Path) -> None:
    """Each expectation holds on the reference; the tables explain each step, but in the scenarios of `DIFFER`."""
    report = run(checked(steps_of(file.read_text(encoding="utf-8"), file.name)), file.name)
    assert [(step.place, step.message) for step in report.steps if step.kept is False] == []
    assert report.counts["expectations"] > 0
    expected = ExitCode.DISAGREEMENT if file.name in DIFFER else ExitCode.AS_DECLARED
    assert report.code is expected, [one.differs or one.unexplained for _, one in report.operations]


def test_every_question_has_its_file_and_source() -> None:
    """There are 34 scenarios for the 24 questions, each begins with its question and names its source."""
    assert len(FILES) == 34
    for file in FILES:
        lines = file.read_text(encoding="utf-8").splitlines()
        comments = [line for line in lines if line.startswith("#")]
        assert comments, file.name
        assert lines[: len(comments)] == comments, file.name
        assert "Source: " in " ".join(comments), file.name
    assert set(DIFFER) <= {file.name for file in FILES}


def test_another_value_in_an_expectation_is_noticed() -> None:
    """With the leader of an expectation altered, the scenario ends with 1 and says how it is instead."""
    text = (FOLDER / "min-isr-changed-while-offline.txt").read_text(encoding="utf-8")
    altered = text.replace("expect t-0 leader none isr none", "expect t-0 leader 1 isr none")
    assert altered != text
    report = run(checked(steps_of(altered, "altered")), "altered")
    assert report.code is ExitCode.VIOLATED
    assert [step.message for step in report.steps if step.kept is False] == ["t-0 has leader none"]
