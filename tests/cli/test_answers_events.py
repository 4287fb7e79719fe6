"""`answers --kind events`: requests of a real controller put to the reference from the command line."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FEW = 60


@pytest.fixture
def few(recorded: Path, tmp_path: Path) -> Path:
    """The first requests of a recording."""
    with gzip.open(recorded / "fake-chaos-elr" / "events.ndjson.gz", "rt", encoding="utf-8") as lines:
        kept = [next(lines) for _ in range(FEW)]
    path = tmp_path / "events.ndjson"
    path.write_text("".join(kept), encoding="utf-8")
    return path


def test_recorded_requests_are_put_to_the_reference(
    fencepost_says: Callable[..., Any], recorded: Path, few: Path
) -> None:
    """Answers and records that agree end with 0; the document counts what was asked and what the log had beside."""
    said = fencepost_says("answers", few, "--kind", "events", "--log", recorded / "fake-chaos-elr", "--json")
    document = said.document
    assert (document["verdict"], document["exit_code"], said.code) == ("conforms", 0, 0)
    assert (document["kind"], document["lines"], document["reference"], document["differences"]) == (
        "events", FEW, FEW, [],
    )  # fmt: skip
    assert sum(document["requests"].values()) == FEW
    assert document["records"] > 0
    assert document["injected"]["LeaderChange"] >= 1
    page = fencepost_says("answers", few, "--kind", "events", "--log", recorded / "fake-chaos-elr")
    assert (page.code, f"{FEW} requests put to" in " ".join(page.out.split())) == (0, True)


def test_a_difference_ends_with_six(
    fencepost_says: Callable[..., Any], recorded: Path, few: Path, tmp_path: Path
) -> None:
    """An altered answer is reported with its line and column, Kafka's word and the reference's."""
    lines = few.read_text(encoding="utf-8").splitlines()
    place = next(n for n, line in enumerate(lines) if json.loads(line)["req"] == "BrokerHeartbeat")
    altered = json.loads(lines[place]) | {"isCaughtUp": False}
    few.write_text("\n".join([*lines[:place], json.dumps(altered), *lines[place + 1 :]]), encoding="utf-8")
    document = fencepost_says(
        "answers", few, "--kind", "events", "--log", recorded / "fake-chaos-elr", "--json"
    ).document
    assert (document["verdict"], document["exit_code"]) == ("violates", 6)
    one = document["differences"][0]
    assert (one["line"], one["field"], one["kafka"], one["reference"]) == (place + 1, "isCaughtUp", False, True)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--kind", "events"), "say --log"),
        (("--kind", "events", "--log", "nowhere"), "there is no such log directory"),
        (("--log", "nowhere"), "say --kind events"),
    ],
)
def test_what_is_missing_is_said(
    fencepost_says: Callable[..., Any], few: Path, arguments: tuple[str, ...], told: str
) -> None:
    """A trace needs its log, and only a trace has one."""
    said = fencepost_says("answers", few, *arguments)
    assert said.code == 2
    assert told in said.sentence
