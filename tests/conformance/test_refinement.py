"""The theorem of `kraft-data` asked of logs: each step is a row of it, a named exception, or an unclean election."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fencepost.checkers.cli.main import main
from fencepost.checkers.conformance import PASSED_THROUGH, Options
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.conformance.refinement import RefinedLog, Refining
from fencepost.checkers.verdicts import ExitCode, Verdict
from fencepost.model import registry
from fencepost.model.language.refinement import Refinement
from fencepost.traces import MetadataLog, read_log

from . import RECORDED, alter

ASKED = registry.refinement("kraft-data")
COLUMNS = 100


def asked(log: MetadataLog, refinement: Refinement = ASKED) -> RefinedLog:
    """Return the steps of a log as rows of the slice."""
    static = StaticSettings()
    return Refining(refinement, None, static, Options(PASSED_THROUGH, static.given)).log(log)


SEEN = {
    # One unclean election: brokers' logs of the recording lack 84 acknowledged records, all of this partition.
    "kill-nine-data-4.4.0": {"RU1": (1, 201, ("p=alone-0",))},
    # A topic is deleted, and the index keeps a deleted partition (D6).
    "elr-index-fault-4.4.0": {"RO1": (1, 55, ("p=gone-0",)), "RO5": (1, 55, ("p=gone-0",))},
    # A reassignment leaves a broker eligible that it removes (D15).
    "suspects-4.4.0": {
        "RO1": (1, 218, ("p=d5-0",)),
        "RO4": (6, 69, None),
        "RO8": (1, 69, ("p=d15-0",)),
        "RU1": (3, 133, None),
    },
    # Three partitions of the copy have the epochs of ZooKeeper; the other limits are of all 46.
    "zk-migration-3.9.2": {
        "RO7": (11, 53, None),
        "RO2": (245, 85, None),
        "RO4": (8, 119, None),
        "RO1": (20, 133, None),
    },
    "first-boot": {},
}


@pytest.mark.representative("kill-nine-data-4.4.0", "suspects-4.4.0", "zk-migration-3.9.2")
@pytest.mark.parametrize("name", SEEN)
def test_every_step_of_a_recording_is_a_row_or_a_named_exception(name: str) -> None:
    """No step of a real cluster is anything else; exceptions are named with the first offset and their partitions."""
    found = asked(read_log(RECORDED / name))
    assert found.verdict is Verdict.CONFORMS
    assert found.exit_code is ExitCode.AS_DECLARED
    assert found.steps["RF1"] > 0
    ends = {one.id: (one.steps, one.offset, one.entities) for one in found.ends}
    expected = {
        id: (steps, offset, ends[id][2] if entities is None else entities)
        for id, (steps, offset, entities) in SEEN[name].items()
    }
    assert ends == expected


@pytest.fixture(scope="module")
def kill_nine_data() -> MetadataLog:
    """A log with one unclean election."""
    return read_log(RECORDED / "kill-nine-data-4.4.0")


def test_a_step_that_is_no_row_is_broken(kill_nine_data: MetadataLog) -> None:
    """Where no election may be unclean, the one of the recording is no row, with the exit code of a violation."""
    never = tuple(
        replace(next(one for one in ASKED.ends if one.id == "RU1"), id="RF28", expected="holds")
        if claim.id == "RF28"
        else claim
        for claim in ASKED.in_logs
    )
    found = asked(kill_nine_data, replace(ASKED, in_logs=never))
    assert [(one.rule, one.offset, one.entity) for one in found.broken] == [("RF28", 201, "p=alone-0")]
    assert found.exit_code is ExitCode.DOES_NOT_CONFORM
    assert "RF28 at offset 201, partition alone-0: this step is no row of" in "\n".join(found.text())


def test_behind_a_record_that_no_row_explains_nothing_is_claimed(kill_nine_data: MetadataLog, tmp_path: Path) -> None:
    """Where a batch is left out, the verdict is undecided from the record behind it on."""
    found = asked(read_log(alter.without_batch(kill_nine_data, 100, tmp_path)))
    assert found.until == 101
    assert found.exit_code is ExitCode.INCONCLUSIVE
    assert "nothing is claimed from offset 101 on" in found.text()[-1]


def test_the_command_prints_what_is_claimed(capsys: pytest.CaptureFixture[str]) -> None:
    """`--refines` adds a part to the page and a field to the document, with the theorem and what limits it."""
    path = str(RECORDED / "kill-nine-data-4.4.0")
    assert main(["conform", path, "--refines", "kraft-data"]) == 0
    page = capsys.readouterr().out
    assert f"{path}, as rows of kraft-data" in page.replace("\n  ", " ")
    assert "27 results of A14 are rows of it by proof: no log shows the request" in page
    assert "once at offset 201, partition alone-0" in page
    assert max(map(len, page.splitlines())) <= COLUMNS
    assert main(["conform", path, "--refines", "kraft-data", "--json"]) == 0
    (log,) = json.loads(capsys.readouterr().out)["logs"]
    found = log["refinement"]
    assert found["verdict"] == "conforms"
    assert found["hidden"] == {"A14": 27}
    assert found["ends"][0]["id"] == "RU1"
    assert found["until"] is None


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["first-boot", "--refines", "zk-data"], "use one of kraft-data"),
        (["zk", "--refines", "kraft-data"], "is no metadata log; leave the option out"),
        (["first-boot", "--refines", "kraft-data", "--spark"], "leave out --spark"),
    ],
)
def test_what_cannot_be_asked_is_refused(more: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Another protocol, a recording of the ZooKeeper era and Spark are refused in one sentence."""
    path, *options = more
    assert main(["conform", str(RECORDED / path), *options]) == 2
    assert said in capsys.readouterr().err
