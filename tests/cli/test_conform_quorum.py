"""`fencepost conform` of several controllers' logs of one quorum."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from fencepost.reference.kraft.simulation.output import write_run
from fencepost.reference.kraft.simulation.plan import Plan
from fencepost.reference.kraft.simulation.run import Run

from .conftest import Said

FAILOVER = Path(__file__).resolve().parents[2] / "traces" / "recorded" / "controller-failover"
FIRST = FAILOVER / "others" / "saved-round0-3001"
SECOND = FAILOVER / "others" / "saved-round1-3000"


@pytest.mark.slow
def test_the_page_says_what_was_compared(fencepost_says: Callable[..., Said]) -> None:
    """With --quorum each log has its result, and then the quorum has one: how far, tails, what was compared."""
    said = fencepost_says("conform", "--quorum", FAILOVER, FIRST, SECOND)
    assert said.code == 0
    words = " ".join(said.out.split())
    assert "3 logs: 3 conforms" in words
    assert "quorum: 3 logs: conforms: 10 epochs, committed below offset 815; they end between 40 and 816" in words
    assert "offset 815 of epoch 12: no other log has it" in words
    assert "claim 10" in words


def test_without_the_option_logs_of_no_known_cluster_are_not_compared(fencepost_says: Callable[..., Said]) -> None:
    """The recorded logs have no meta.properties: nothing is guessed of their cluster."""
    found = fencepost_says("conform", FIRST, SECOND, "--json").document
    assert found["exit_code"] == 0
    assert "quorums" not in found


@pytest.mark.slow
def test_a_contradiction_ends_with_6_and_an_empty_directory_with_3(
    fencepost_says: Callable[..., Said], tmp_path: Path
) -> None:
    """The document has the quorum under `quorums`, and its exit code counts beside those of the logs."""
    for one in (FIRST, SECOND):
        shutil.copytree(one, tmp_path / one.name)
    empty = tmp_path / "empty"
    empty.mkdir()
    paths = [tmp_path / FIRST.name, tmp_path / SECOND.name]
    found = fencepost_says("conform", "--quorum", *paths, empty, "--json").document
    assert (found["verdict"], found["exit_code"]) == ("inconclusive", 3)
    (quorum,) = found["quorums"]
    assert quorum["undecided"] == [f"{empty}: no log is in it"]
    assert [one["verdict"] for one in found["logs"]] == ["conforms", "conforms"]
    # The epoch of a batch is in no checksum: the log itself is sound, and is not the other one's beginning.
    file = paths[0] / "00000000000000000000.log"
    data = bytearray(file.read_bytes())
    assert data[12:16] == (1).to_bytes(4, "big")
    data[12:16] = (0).to_bytes(4, "big")
    file.write_bytes(bytes(data))
    found = fencepost_says("conform", "--quorum", *paths, "--json").document
    assert (found["verdict"], found["exit_code"]) == ("violates", 6)
    violations = found["quorums"][0]["violations"]
    # Of two that differ neither is known to be the wrong one.
    one = next(one for one in violations if one["rule"] == "committed-prefix")
    assert {one["log"], *one["against"]} == set(map(str, paths))
    assert (one["offset"], one["claims"]) == (0, ["QL2d", "QL5c"])


def test_one_log_is_no_quorum(fencepost_says: Callable[..., Said], tmp_path: Path) -> None:
    """--quorum of one log is a usage error; where all paths are empty, nothing is checked either."""
    assert "--quorum: there is one log" in fencepost_says("conform", "--quorum", FIRST).sentence
    assert fencepost_says("conform", "--quorum", FIRST).code == 2
    assert fencepost_says("conform", "--quorum", tmp_path).code == 2


@pytest.mark.slow
def test_controllers_of_one_cluster_are_compared_unasked(fencepost_says: Callable[..., Said], tmp_path: Path) -> None:
    """Where meta.properties name one cluster its controllers' logs are a quorum, but with --no-quorum."""
    run = Run(Plan(seed=4, seconds=60, faults="none"), lambda step: None, None)
    run.execute()
    write_run(run, tmp_path, [])
    found = fencepost_says("conform", tmp_path, "--json").document
    assert found["exit_code"] == 0
    assert [one["nodes"] for one in found["quorums"]] == [[3000, 3001, 3002]]
    assert "quorums" not in fencepost_says("conform", tmp_path, "--no-quorum", "--json").document
