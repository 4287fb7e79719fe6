"""`--static` and `--server-properties`: what they say on the page and in the document, and what they refuse."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.check import Stage, stages
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.reports.stages import stage_cases
from fencepost.checkers.verdicts import ExitCode

from .conftest import REPOSITORY

Says = Callable[..., Any]
RECORDING = REPOSITORY / "traces" / "recorded" / "static-settings-elr-4.4.0"
SHORT = REPOSITORY / "traces" / "recorded" / "first-boot"
UNCLEAN = "unclean.leader.election.enable"


def test_conform_takes_static_settings_and_says_them(fencepost_says: Says) -> None:
    """What was assumed, and from where, is said, also of a recording that conforms whatever the setting."""
    said = fencepost_says("conform", str(SHORT), "--static", f"{UNCLEAN}=true")
    assert said.code == ExitCode.AS_DECLARED
    assert f"{UNCLEAN}=true (--static), min.insync.replicas=any (what the log writes)" in said.out


def test_conform_takes_a_server_properties(fencepost_says: Says, tmp_path: Path) -> None:
    """A controller's own file is read as Java does: comments, escapes, either separator."""
    file = tmp_path / "server.properties"
    file.write_text(f"# the controller\nnode.id: 3000\n{UNCLEAN} : TRUE\nmin.insync.\\\n  replicas=1\n")
    said = fencepost_says("conform", str(SHORT), "--server-properties", str(file), "--json")
    assert said.code == ExitCode.AS_DECLARED
    source = f"--server-properties {file}"
    assert said.document["scope"]["static"] == {
        UNCLEAN: {"value": "true", "from": source},
        "min.insync.replicas": {"value": "1", "from": source},
    }


@pytest.fixture(scope="module")
def violating() -> Stage:
    """The logs' stage of `check` on the recording, whatever the settings."""
    return stages.logs("kraft", [str(RECORDING)])


def test_conform_says_under_which_value_a_log_would_conform(page_and_document: Says, violating: Stage) -> None:
    """A field of the document says what would explain a log that violates without it; the page says it first.

    The page, the lines of `check` and the problems of reports name topics, not their ids; a record is as it lies there.
    """
    shown, said = page_and_document("conform", str(RECORDING))
    assert said.code == ExitCode.DOES_NOT_CONFORM
    document = said.document
    assert document["logs"][0]["conforms_if"] == {UNCLEAN: "true"}
    page = shown.out
    folded = " ".join(page.split())
    assert folded.index(f"conforms if {UNCLEAN} was true") < folded.index("covered:") < folded.index("at offset")
    topics = document["logs"][0]["topics"]
    assert topics
    assert not [id for id in topics if id in page.replace(f'"topicId": "{id}', "")]
    assert not [id for id in topics if any(id in line for line in violating.lines)]
    problems = [p for case in stage_cases("kraft", "logs", violating.fields, {}) for p in case.problems]
    assert problems
    assert not [id for id in topics if any(id in text for p in problems for text in (p.message, p.lines[0]))]


def test_check_judges_logs_under_static_settings(violating: Stage) -> None:
    """The logs' stage of `check` conforms under the settings alone, and its lines say what was assumed."""
    under = stages.logs("kraft", [str(RECORDING)], static=StaticSettings(unclean=True))
    assert under.code == ExitCode.AS_DECLARED
    assert f"{UNCLEAN}=true" in under.lines[-1]
    assert violating.code == ExitCode.DOES_NOT_CONFORM
    assert any(line.startswith(f"conforms if {UNCLEAN} was true") for line in violating.lines)


def test_what_static_settings_do_not_decide_refuses_them(fencepost_says: Says) -> None:
    """Recordings of the ZooKeeper era, and a check without a log, take no static setting."""
    zookeeper = REPOSITORY / "traces" / "recorded" / "zk" / "first-boot"
    assert "--static is about metadata logs" in fencepost_says("conform", str(zookeeper), "--static", "a=b").sentence
    assert "no log is named" in fencepost_says("check", "kip46", "--static", f"{UNCLEAN}=true").sentence


def test_a_file_that_is_not_there_is_one_sentence(fencepost_says: Says, tmp_path: Path) -> None:
    """The option, the path and the reason are named, with the code of a usage error."""
    said = fencepost_says("conform", str(RECORDING), "--server-properties", str(tmp_path / "none"))
    assert said.code == ExitCode.USAGE
    assert "it cannot be read (No such file or directory)" in said.sentence


@pytest.mark.nightly(
    "tests/conformance/test_static_settings.py::test_a_cluster_with_settings_of_its_own_conforms_under_them"
)
def test_a_simulated_cluster_conforms_under_its_own_settings(fencepost_says: Says, tmp_path: Path) -> None:
    """Unclean elections by a static setting are rows in lock step, and in the log that the run leaves."""
    out = tmp_path / "run"
    setting = ("--set", f"{UNCLEAN}=true")
    said = fencepost_says("simulate", "--seed", "2", "--time", "2m", "--faults", "all", *setting, "--out", str(out))
    assert said.code == ExitCode.AS_DECLARED
    command = f"fencepost conform {out} --static {UNCLEAN}=true"
    assert command in said.out
    assert fencepost_says(*command.split()[1:]).code == ExitCode.AS_DECLARED
    assert f"conforms if {UNCLEAN} was true" in fencepost_says("conform", str(out / "controller-3000")).out


def test_show_takes_static_settings(fencepost_says: Says) -> None:
    """Under its own settings every record of the recording is explained, and without them not all are."""
    told = (f"{UNCLEAN}=true",)
    under = fencepost_says("show", str(RECORDING), "--coverage", "--json", "--static", *told)
    without = fencepost_says("show", str(RECORDING), "--coverage", "--json")
    assert [under.document["records"]["unexplained"], without.document["records"]["unexplained"] > 0] == [0, True]
    for at, *option in (("540", "--tree", "/"), ("100", "--broker", "1"), ("100",)):
        said = fencepost_says("show", str(RECORDING), "--at", at, *option, "--static", *told)
        assert said.code == ExitCode.AS_DECLARED


def test_show_refuses_static_settings_that_decide_nothing(fencepost_says: Says) -> None:
    """A summary of a log, and the tables, have nothing that static settings decide."""
    for arguments in ((str(RECORDING),), ("kraft",)):
        said = fencepost_says("show", *arguments, "--static", f"{UNCLEAN}=true")
        assert said.code == ExitCode.USAGE
        assert "static settings" in said.err
