"""SPIN and Rust on models restated by hand: the counts that exploration finds on the tables."""

from __future__ import annotations

import json
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.exploration import Exploration, explore
from fencepost.model.language import Protocol
from fencepost.model.leases import LEASE
from tests.examples.two_phase import TWO_PHASE

MEASURE = Path(__file__).with_name("measure.py")
CASES = [(TWO_PHASE, "three", {"ResourceManager": 5}), (LEASE, "tiny", {}), (LEASE, "drift", {})]
IDS = ["two-phase commit with 5", "lease at tiny", "lease at drift"]


def measured(checker: str, protocol: str, bound: str, *sizes: str) -> dict[str, Any]:
    """Return what the command prints."""
    command = [sys.executable, str(MEASURE), checker, protocol, bound, *sizes]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, Any] = json.loads(told)
    return found


def both(checker: str, protocol: Protocol, bound: str, sizes: dict[str, int]) -> tuple[dict[str, Any], Exploration]:
    """Return what another checker counts, and what exploration does."""
    told = measured(checker, protocol.name, bound, *(f"{kind}={size}" for kind, size in sizes.items()))
    return told, explore(protocol, bound, sizes=sizes or None, engine="numpy")


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Have cargo keep what it compiles for the cases that follow."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARGO_TARGET_DIR", str(tmp_path_factory.mktemp("target")))
        yield


@pytest.mark.spin
@pytest.mark.representative(*IDS[:2])
@pytest.mark.parametrize(("protocol", "bound", "sizes"), CASES, ids=IDS)
def test_spin_counts_what_exploration_counts(protocol: Protocol, bound: str, sizes: dict[str, int]) -> None:
    """SPIN stores as many states of the model in Promela as exploration of the tables does, by as many transitions."""
    told, ours = both("spin", protocol, bound, sizes)
    assert (told.get("distinct"), told.get("transitions")) == (ours.distinct, ours.transitions), told


@pytest.mark.representative("lease at tiny")
@pytest.mark.cargo
@pytest.mark.usefixtures("compiled_once")
@pytest.mark.parametrize(("protocol", "bound", "sizes"), CASES, ids=IDS)
def test_rust_counts_what_exploration_counts(protocol: Protocol, bound: str, sizes: dict[str, int]) -> None:
    """The search in Rust finds as many states, transitions and levels as exploration of the tables."""
    told, ours = both("rust", protocol, bound, sizes)
    counts = tuple(told.get(key) for key in ("distinct", "transitions", "depth"))
    assert counts == (ours.distinct, ours.transitions, ours.depth), told


def test_what_cannot_be_measured_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A protocol or a size that is not restated, and a program that is not there, are reported in a sentence."""
    main = runpy.run_path(str(MEASURE))["main"]

    def missing(*arguments: str) -> str:
        main(arguments)
        return str(json.loads(capsys.readouterr().out)["missing"])

    assert "restatement of kraft at tiny" in missing("spin", "kraft", "tiny")
    assert "1 to 3 of Broker, not 4" in missing("rust", "lease", "tiny", "Broker=4")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("cargo") is None
    assert missing("spin", "lease", "tiny").startswith("spin is not on the PATH")
    assert missing("stateright", "lease", "tiny").startswith("cargo is not on the PATH")
