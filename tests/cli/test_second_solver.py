"""`prove --second-solver` and `--write-smt2`: page, document, exit codes and files."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import z3

from fencepost.checkers.proof import questions
from fencepost.checkers.verdicts import ExitCode


def test_the_page_says_what_the_second_solver_says(
    page_and_document: Callable[..., Any],
    fencepost_says: Callable[..., Any],
    lamp: Callable[..., str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Page and document count what is confirmed; a disagreement names the obligation, its file, and ends with 5."""
    good = lamp("lit | ~lit")
    said, documented = page_and_document("prove", good, "--second-solver")
    assert said.code == ExitCode.AS_DECLARED
    assert "questions that Z3 answers with unsat; 0 not decided in 10 s each, 0 answered otherwise" in " ".join(
        said.out.split()
    )
    document = documented.document["second_solver"]
    assert document["confirmed"] == document["asked"] == document["questions"] > 0
    assert fencepost_says("prove", good, "--json").document["second_solver"] is None
    # A solver that forgot what a row is told: what is left can be met.
    monkeypatch.setattr(questions, "solver_of", lambda session, *_: z3.SimpleSolver())
    out = tmp_path / "texts"
    said = fencepost_says("prove", good, "--second-solver", "--write-smt2", str(out), "--json")
    assert (said.code, said.document["verdict"]) == (ExitCode.DISAGREEMENT, "engines disagree")
    against = said.document["second_solver"]["against"]
    assert {"L1 × A1"} <= {one["about"] for one in against}
    assert all((out / one["file"]).exists() for one in against)
    again = fencepost_says("prove", good, "--write-smt2", str(out))
    assert again.code == ExitCode.USAGE
    assert "something is there already" in again.err


def test_without_cvc5_one_sentence_says_how_to_get_it(
    fencepost_says: Callable[..., Any], lamp: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where cvc5 is missing nothing is proved first: one sentence, exit 3; without the option it is not needed."""
    there = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *more: None if name == "cvc5" else there(name, *more))
    said = fencepost_says("prove", lamp(), "--second-solver")
    assert said.code == ExitCode.INCONCLUSIVE
    assert "cvc5 is not installed: run `pip install 'fencepost[second-solver]'`" in said.err
    assert fencepost_says("prove", lamp()).code == ExitCode.AS_DECLARED
