"""`check --baseline`: what is worse than in an earlier check is named; what is better or not asked is not."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.check.baseline import compared_score, score_of
from tests.cases import each
from tests.widths import too_wide

pytestmark = pytest.mark.usefixtures("stages_here")

Says = Callable[..., Any]
STEPS = ("--only", "prove,explore", "--jobs", "1")


@pytest.fixture
def checked(fencepost_says: Says, lamp: Callable[..., str], tmp_path: Path) -> Callable[..., Any]:
    """Return what checks the lamp: with a baseline that it first wrote, altered by a function."""
    name, file = lamp("lit | ~lit"), tmp_path / "baseline.json"

    def check(alter: Callable[[dict[str, Any]], None], *more: str) -> Any:
        if not file.exists():
            assert fencepost_says("check", name, *STEPS, "--write-baseline", str(file)).code == 0
        told = json.loads(file.read_text("utf-8"))
        alter(told)
        other = tmp_path / "other.json"
        other.write_text(json.dumps(told), "utf-8")
        return fencepost_says("check", name, *(more or STEPS), "--baseline", str(other))

    return check


@pytest.mark.slow
def test_a_regression_is_named_and_a_gain_is_none(checked: Callable[..., Any]) -> None:
    """Fewer states, a row or a property less, a bound that is gone: each by its name, with exit code 7."""
    same = checked(lambda told: None)
    assert (same.code, "0 worse, 0 better or new" in same.out) == (0, True)

    def bound(told: dict[str, Any]) -> dict[str, Any]:
        [figures] = [one for name, one in told["figures"].items() if " exploration at " in name]
        assert isinstance(figures, dict)
        return figures

    fewer = checked(lambda told: bound(told).update(states=1))
    assert (fewer.code, "0 worse, 1 better or new" in fewer.out) == (0, True)

    def more(told: dict[str, Any]) -> None:
        bound(told).update(states=99)
        bound(told)["rows"].append("L9")
        bound(told)["as declared"].append("A9")

    found = checked(more)
    assert found.code == 7
    assert [one for one in ("states 99 → 2", "rows without L9", "as declared without A9") if one not in found.out] == []
    assert too_wide(found.out) == []

    def gone(told: dict[str, Any]) -> None:
        [name] = [name for name in told["figures"] if " exploration at " in name]
        told["figures"][f"{name}er"] = told["figures"][name]

    found = checked(gone)
    assert (found.code, "was asked, and is not any more" in found.out) == (7, True)
    # What is not asked is not compared.
    assert checked(gone, "--only", "prove", "--jobs", "1").code == 0


@pytest.mark.slow
def test_no_baseline_is_written_of_a_check_that_fails(
    fencepost_says: Says, lamp: Callable[..., str], tmp_path: Path
) -> None:
    """A check with a violation leaves no file, says so, and ends as it does without the option."""
    file = tmp_path / "baseline.json"
    said = fencepost_says("check", lamp("~lit"), *STEPS, "--write-baseline", str(file))
    assert (said.code, file.exists()) == (1, False)
    assert "is not written: a baseline is a check as declared" in " ".join(said.out.split())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "No such file"),
        ("{", "is no JSON"),
        ("[]", "is no baseline"),
        ('{"format": 1, "figures": {"a": 1}}', "is no baseline"),
        ('{"format": 9, "figures": {}}', "has format 9"),
    ],
)
def test_a_file_that_is_no_baseline_is_refused(
    fencepost_says: Says, lamp: Callable[..., str], tmp_path: Path, text: str | None, said: str
) -> None:
    """Before anything is asked, with one sentence: where, what, what to do."""
    file = tmp_path / "baseline.json"
    if text is not None:
        file.write_text(text, "utf-8")
    refused = fencepost_says("check", lamp("lit | ~lit"), *STEPS, "--baseline", str(file))
    assert (refused.code, said in refused.sentence) == (2, True)


SHELVES = "tests.examples.shelves"
ROW = ("--rows", "BO3", "--by", "prove", "--jobs", "1")


@pytest.mark.slow
def test_a_fall_of_the_mutation_score_is_a_difference(
    fencepost_says: Says, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The score of a run is kept; claims that see less of the same mutants end with 7, and what lives now is named."""
    monkeypatch.chdir(tmp_path)
    table = tmp_path / "library.py"
    table.write_text(f"from {SHELVES} import LIBRARY as P\n", "utf-8")
    written = fencepost_says("mutate", "library.py:P", *ROW, "--write-baseline", "baseline.json")
    assert (written.code, "baseline baseline.json: is written" in written.out) == (0, True)
    same = fencepost_says("mutate", "library.py:P", *ROW, "--baseline", "baseline.json")
    assert (same.code, "baseline baseline.json: the same score" in same.out) == (0, True)
    table.write_text(f"from {SHELVES} import WEAK as P\n", "utf-8")
    weak = fencepost_says("mutate", "library.py:P", *ROW, "--baseline", "baseline.json", "--json")
    told = weak.document
    assert (weak.code, told["verdict"]) == (7, "differs")
    [fall] = told["baseline"]["regressions"]
    assert fall.startswith("library.py:P mutants of BO3 by prove: score ")
    assert "alive now: BO3:" in fall
    other = fencepost_says("mutate", "library.py:P", "--by", "explore", "--baseline", "baseline.json")
    assert other.code == 2
    assert "has no score of library.py:P mutants by explore; write it with --write-baseline" in other.sentence


@pytest.mark.slow
def test_a_check_leaves_scores_as_they_are(fencepost_says: Says, lamp: Callable[..., str], tmp_path: Path) -> None:
    """The figures of a check and the scores of mutation are in one file; neither loses or compares the other's."""
    name, file = lamp("lit | ~lit"), tmp_path / "baseline.json"
    score = f"{name} mutants by prove"
    file.write_text(json.dumps({"format": 1, "figures": {score: {"score": 0.5, "noticed": 1, "alive": ["L1:x"]}}}))
    assert fencepost_says("check", name, *STEPS, "--write-baseline", str(file)).code == 0
    kept = json.loads(file.read_text("utf-8"))["figures"]
    assert kept[score]["score"] == 0.5
    assert len(kept) > 1
    found = fencepost_says("check", name, *STEPS, "--baseline", str(file))
    assert (found.code, "0 worse, 0 better or new" in found.out) == (0, True)


@each(
    ("noticed", "undecided", "regressions", "certain"),
    [(9, 0, 0, True), (8, 0, 1, True), (8, 1, 1, False), (7, 1, 1, True), (10, 0, 0, True)],
)
def test_a_score_that_might_be_the_same_is_no_certain_fall(
    noticed: int, undecided: int, regressions: int, certain: bool
) -> None:
    """Nine of ten were noticed: mutants that were not decided count as alive, and make a fall uncertain."""
    old = score_of(9, 10, ["a"])
    new = score_of(noticed, 10, [str(n) for n in range(10 - noticed)])
    found, sure = compared_score(Path("baseline.json"), "P mutants by prove", old, new, undecided)
    assert (len(found.regressions), sure) == (regressions, certain)
    assert bool(found.gains) == (noticed == 10)
