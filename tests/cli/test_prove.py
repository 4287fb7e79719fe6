"""`prove`: recorded cores on its page, and a quick look with a line for each row."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.proof import cores
from fencepost.checkers.verdicts import ExitCode


def test_the_page_says_how_many_cores_did(
    fencepost_says: Callable[..., Any], two_phase: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page counts what recorded cores proved, or says why there are none; the verdict is the same."""
    monkeypatch.setattr(cores, "ROOT", tmp_path)
    path = tmp_path / "spec" / "proofs" / "two_phase.json"
    path.parent.mkdir(parents=True)
    told = []
    for content in ("{}", json.dumps({"R1 TC": ["TC"]}), "{"):
        path.write_text(content, encoding="utf-8")
        cores._read.cache_clear()
        told.append(fencepost_says("prove", two_phase, "--no-search", "--row", "R1", "--row", "R2"))
    none, one, wrong = told
    assert "recorded cores" not in none.out
    assert "1 proved by recorded cores" in one.out
    assert "without recorded cores: spec/proofs/two_phase.json cannot be read" in wrong.out
    assert none.code == one.code == wrong.code == ExitCode.NOT_INDUCTIVE


def test_what_the_protocol_is_about_stands_only_where_all_of_it_is_proved(
    fencepost_says: Callable[..., Any], lamp: Callable[..., str]
) -> None:
    """The sentence is below the headline of a whole proof, not of one row or property, nor where one is refuted."""
    about = "The lamp can be switched."
    promised = {'P = protocol("lamp", LAMP, ': f'P = protocol("lamp", LAMP, about="{about}", '}
    proved = lamp(**promised)
    assert fencepost_says("prove", proved).out.splitlines()[1] == f"  {about}"
    for part in (("--row", "L1"), ("--property", "A1", "--row", "L2")):
        said = fencepost_says("prove", proved, *part)
        assert said.code == ExitCode.AS_DECLARED
        assert about not in said.out
    refuted = lamp("~lit", **promised)
    for more in ((), ("--no-search", "--row", "L1")):
        said = fencepost_says("prove", refuted, *more)
        assert said.code in (ExitCode.VIOLATED, ExitCode.NOT_INDUCTIVE)
        assert about not in said.out


def test_the_pages_say_of_which_rows_a_property_is_asked(
    page_and_document: Callable[..., Any], fencepost_says: Callable[..., Any]
) -> None:
    """prove, explore, show and a quick look have the scope on their pages and in their documents, with the reason."""
    reason = "left out by name: RP1: the replica that joins has caught up (SI32)"
    for command in (
        ("prove", "kip46", "--property", "SI31"),
        ("prove", "kip46", "--property", "SI31", "--quick"),
        ("explore", "kip46", "--bound", "tiny", "--property", "SI31"),
        ("show", "kip46", "--row", "SI31"),
    ):
        page, documented = page_and_document(*command)
        assert reason in " ".join(page.out.split()), command
        document = documented.document
        scope = document["property"]["asked_of"] if command[0] == "show" else document["asked_of"][0]
        assert scope["reasons"] == {"RP1": "the replica that joins has caught up (SI32)"}, command
        assert scope["left_out"] == ["RP1"]
        assert set(scope["asked"]) == set(scope["writing"]) - {"RP1"}
    whole = fencepost_says("prove", "lease", "--no-search")
    assert "properties are checked for every row that writes what they read" in " ".join(whole.out.split())


def test_a_quick_look_has_a_line_for_each_row(fencepost_says: Callable[..., Any]) -> None:
    """`--quick` proves the leases by short attempts, row by row, and says what it has not asked."""
    said = fencepost_says("prove", "lease", "--quick")
    assert said.code == ExitCode.AS_DECLARED
    assert any(line.startswith("initial: ") for line in said.out.splitlines())
    assert any(line.startswith("LX1: ") and " proved" in line for line in said.out.splitlines())
    assert "not asked: whether rows apply" in said.out


def test_a_quick_look_names_what_is_not_kept(fencepost_says: Callable[..., Any], two_phase: str) -> None:
    """What a state of two of each breaks is named with its row, and the code is that of what is not inductive."""
    said = fencepost_says("prove", two_phase, "--quick", "--json")
    assert said.code == ExitCode.NOT_INDUCTIVE
    broken = {one["row"]: one["not_kept"] for one in said.document["rows"] if one["not_kept"]}
    assert broken == {"R2": ["TC"], "R3": ["TC"], "R4": ["TC"]}
    assert fencepost_says("prove", two_phase, "--quick", "--row", "R1").code == ExitCode.AS_DECLARED


def test_what_is_not_decided_quickly_is_inconclusive(
    fencepost_says: Callable[..., Any], two_phase: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where short attempts neither prove nor refute, the row says so, and the code is that of an open question."""
    from fencepost.checkers.proof.prover import Prover

    monkeypatch.setattr(Prover, "quickly", lambda self, row, claim, seed: "unknown")
    said = fencepost_says("prove", two_phase, "--quick")
    assert said.code == ExitCode.INCONCLUSIVE
    assert "not decided quickly: TC" in said.out


@pytest.mark.parametrize(
    "more", [("--why", "LLs"), ("--without", "LA1"), ("--seeds", "3"), ("--refines", "kraft-data")]
)
def test_a_quick_look_asks_once(more: tuple[str, ...], fencepost_says: Callable[..., Any]) -> None:
    """`--quick` together with what asks more than once is refused in one sentence; so is an id that is not there."""
    assert "--quick asks once" in fencepost_says("prove", "lease", "--quick", *more).sentence
    for option, id in (("--row", "R99"), ("--property", "R99"), ("--row", "LLs"), ("--property", "LX1")):
        said = [fencepost_says("prove", "lease", *quick, option, id).sentence for quick in (("--quick",), ())]
        assert f"no row or property ['{id}']" in said[0]
        assert said[0] == said[1]
