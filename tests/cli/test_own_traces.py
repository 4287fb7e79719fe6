"""`fencepost conform --protocol`: event traces of a protocol of one's own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.skeletons import of_protocol

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("stages_here")]
HEADER = '{"v":1,"design":"group","settings":{"initial":[["joined",[1],false],["epoch",[1],0],["last",[],0]]}}\n'
JOIN = (
    '{"v":1,"t_ms":1,"node":"anybody","step":"Join","parameters":{"m":1},"answer":"OK",'
    '"changed":[["joined",[1],true],["epoch",[1],1],["last",[],1]]}\n'
)
STALE = '{"v":1,"t_ms":2,"node":"b","step":"Leave","parameters":{"m":1,"e":0},"answer":"STALE"}\n'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder: it has the skeleton of a protocol, and a run of it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "group.py").write_text(of_protocol("group").files["group.py"], "utf-8")
    (tmp_path / "run.ndjson").write_text(HEADER + JOIN + STALE, "utf-8")
    return tmp_path


def test_a_run_of_the_rows_conforms(here: Path, fencepost_says: Callable[..., Any]) -> None:
    """Each step is a row with its answer, whichever process did it; one alone and several by two processes alike."""
    (here / "again.ndjson").write_text(HEADER + JOIN, "utf-8")
    for more in ((), ("again.ndjson", "--jobs", "2")):
        said = fencepost_says("conform", "--protocol", "group.py:GROUP", "run.ndjson", *more, "--json")
        assert said.code == 0
        assert said.document["logs"][0]["rows"] == {"J1": 1, "L2": 1}


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"STALE"', '"OK"', "it answered 'OK', L2 says 'STALE'"),
        ('["epoch",[1],1]', '["epoch",[1],2]', "epoch[1] is 2, the rows make it 1"),
        (',["last",[],1]', "", "the rows make last 1, and the step keeps it"),
    ],
)
def test_a_step_that_is_no_row_is_found(
    here: Path, fencepost_says: Callable[..., Any], old: str, new: str, why: str
) -> None:
    """An answer, a value or a change that the rows do not have is reported with its line, and ends with 6."""
    text = (here / "run.ndjson").read_text("utf-8")
    assert text.count(old) == 1
    (here / "run.ndjson").write_text(text.replace(old, new), "utf-8")
    said = fencepost_says("conform", "--protocol", "group.py:GROUP", "run.ndjson")
    assert said.code == 6
    assert why in " ".join(said.out.split())


def test_a_variant_judges_traces_of_its_base(here: Path, fencepost_says: Callable[..., Any]) -> None:
    """By the variant without L2 the late request takes the member out, so that the run is none of its own."""
    said = fencepost_says("conform", "--protocol", "group.py:GROUP+CARELESS", "run.ndjson")
    assert said.code == 6
    assert "L3 breaks CURRENT" in " ".join(said.out.split())


def test_a_check_judges_traces_of_its_protocols(here: Path, fencepost_says: Callable[..., Any]) -> None:
    """`check` has a stage of traces: a set that takes a row less is worse than its baseline (7), a step that is no row
    ends with 6 and is at its line in the reports, and a trace whose protocol is not named is refused (2)."""
    given = ("--only", "conform", "--jobs", "1", "group.py:GROUP", "run.ndjson")
    assert fencepost_says("check", *given, "--write-baseline", "before.json").code == 0
    (here / "run.ndjson").write_text(HEADER + JOIN, "utf-8")
    less = fencepost_says("check", *given, "--baseline", "before.json")
    assert (less.code, "worse: group.py:GROUP traces: rows without L2" in less.out) == (7, True)
    (here / "run.ndjson").write_text(HEADER + JOIN + STALE.replace('"STALE"', '"OK"'), "utf-8")
    wrong = fencepost_says("check", *given, "--junit", "junit.xml", "--sarif", "found.sarif")
    assert (wrong.code, "first: unexplained at line 3" in wrong.out) == (6, True)
    assert "at run.ndjson:3" in (here / "junit.xml").read_text("utf-8")
    [run] = json.loads((here / "found.sarif").read_text("utf-8"))["runs"]
    [place] = run["results"][0]["locations"]
    assert place["physicalLocation"]["region"]["startLine"] == 3
    other = fencepost_says("check", "--only", "conform", "kip46", "run.ndjson")
    assert (other.code, "is an event trace of group; name its protocol as well" in other.err) == (2, True)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("run.ndjson",), "(for a design of yours add --protocol FILE.py:NAME)"),
        (("run.ndjson", "--protocol", "kip46"), "the trace is one of 'group', and the protocol is 'kip46'"),
        (("group.py", "--protocol", "group.py:GROUP"), "--protocol: group.py is no event trace of a design"),
        (("run.ndjson", "--protocol", "group.py:GROUP", "--spark"), "tables of yours are not on the workers"),
    ],
)
def test_what_is_not_judged(here: Path, fencepost_says: Callable[..., Any], given: tuple[str, ...], said: str) -> None:
    """A trace without its protocol, with another, what is no trace, and Spark are refused with what to do."""
    answered = fencepost_says("conform", *given)
    assert answered.code == 2
    assert said in answered.err


def test_a_step_that_no_row_takes_names_the_nearest_row_and_its_first_false_condition(
    here: Path, fencepost_says: Callable[..., Any]
) -> None:
    """As a log of KRaft does: the row, the condition that does not hold, and the values in it."""
    text = (here / "group.py").read_text("utf-8")
    shut = text.replace('join("J2", joined[m],', 'join("J2", joined[m] & (last > 5),').replace("total=True,", "")
    (here / "group.py").write_text(shut, "utf-8")
    (here / "run.ndjson").write_text(HEADER + JOIN + JOIN.replace('"t_ms":1', '"t_ms":2'), "utf-8")
    said = fencepost_says("conform", "--protocol", "group.py:GROUP", "run.ndjson")
    assert said.code == 6
    page = " ".join(said.out.split())
    assert "no row of Join applies; nearest is J2: last > 5 is false: last=1" in page
