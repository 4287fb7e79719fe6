"""`check --cache`: what was as declared is not asked again while nothing of the question has changed."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.check import Stage, cache, recalled
from fencepost.checkers.check import run as running
from tests.cli.test_schemas import follows

STAGES = ["exploration one", "exploration two", "proof"]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the stages that were run since it was cleared last, all of them in this process."""
    found: list[str] = []

    def together(jobs: Any, progress: Any, most: int) -> list[tuple[str, Stage]]:
        done = []
        for number, (owner, run, given) in enumerate(jobs, 1):
            found.append(" ".join([run.__name__, *(one for one in given[1:] if isinstance(one, str))]))
            stage = run(*given)
            progress(stage, number, len(jobs))
            done.append((owner, stage))
        return done

    monkeypatch.setattr(running, "_together", together)
    return found


@pytest.fixture
def again(fencepost_says: Callable[..., Any], lamps: str, asked: list[str]) -> Callable[..., Any]:
    """Return a function that checks the lamps with a cache, and leaves the stages that were run in `asked`."""

    def run(*arguments: str | Path) -> Any:
        asked.clear()
        return fencepost_says("check", *(arguments or ("lamps.py:P",)), "--no-tlc", "--cache", "kept", "--json")

    return run


def edited(**replacements: str) -> None:
    """Edit the lamps' file."""
    path = Path("lamps.py")
    text = path.read_text("utf-8")
    for old, new in replacements.items():
        assert old in text
        text = text.replace(old, new)
    path.write_text(text, "utf-8")


def stages(document: dict[str, Any]) -> dict[str, Any]:
    """What a check found, without times and what the cache says of itself."""
    [told] = document["protocols"].values()
    return {
        name: {key: value for key, value in one.items() if key not in ("seconds", "cached")}
        for name, one in told.items()
        if isinstance(one, dict) and "verdict" in one
    }


def test_what_was_as_declared_is_not_asked_again(again: Callable[..., Any], asked: list[str]) -> None:
    """The second check runs nothing, finds the same to the field, and says of each stage when it was asked."""
    first = again().document
    assert follows("check", first) == []
    assert sorted(asked) == STAGES
    second = again().document
    assert not asked
    assert stages(second) == stages(first)
    [told] = second["protocols"].values()
    assert all("cached" in one for one in told.values() if isinstance(one, dict) and "verdict" in one)
    assert "3 of 3 stages as kept has them: nothing of what they were asked has changed" in second["notes"]
    assert not any("stages as kept" in note for note in first["notes"])


def test_the_screen_says_when_a_stage_was_asked(
    fencepost_says: Callable[..., Any], again: Callable[..., Any], asked: list[str]
) -> None:
    """A line of a stage that was not run says when it was, and a line of progress that it was not."""
    again()
    said = fencepost_says("check", "lamps.py:P", "--no-tlc", "--cache", "kept", "--verbose")
    assert " ".join(said.out.split()).count("(asked 20") == 3
    assert said.err.count("asked before") == 3


def test_comments_and_names_in_python_are_no_part_of_the_question(again: Callable[..., Any], asked: list[str]) -> None:
    """A comment, a reason and a Python variable may change, and nothing is asked."""
    again()
    edited(
        CLAIM="CLAIMED",
        **{"press = event": "# a switch\npress = event", 'source="the lamp")\nLAMP': 'source="L")\nLAMP'},
    )
    again()
    assert not asked


def test_a_bound_that_changes_is_explored_again_alone(again: Callable[..., Any], asked: list[str]) -> None:
    """Another bound keeps its answer; the proof is asked again, since it looks for runs at the bounds."""
    again()
    edited(**{'"two": Bound({})': '"two": Bound({}, start=lit | ~lit)'})
    again()
    assert sorted(asked) == ["exploration two", "proof"]


def test_what_a_bound_is_not_for_is_part_of_the_question(again: Callable[..., Any], asked: list[str]) -> None:
    """It decides whether a bound that puts nothing to the test is as declared."""
    again()
    edited(**{'"two": Bound({})': '"two": Bound({}, not_for={"A1": "a test"})'})
    again()
    assert "exploration two" in asked
    assert "exploration one" not in asked


def test_a_guard_that_changes_is_asked_of_all(again: Callable[..., Any], asked: list[str]) -> None:
    """A row belongs to every question of its protocol."""
    again()
    edited(**{'press("L1", ~lit': 'press("L1", TRUE'})
    again()
    assert sorted(asked) == STAGES


def test_what_is_not_as_declared_is_never_kept(again: Callable[..., Any], asked: list[str]) -> None:
    """A violated claim is asked each time, with the same exit code; what holds beside it is kept."""
    edited(**{"lit | ~lit": "lit"})
    first = again()
    second = again()
    assert first.code == second.code != 0
    assert sorted(asked) == STAGES


def test_damaged_files_are_asked_again(again: Callable[..., Any], asked: list[str]) -> None:
    """A file that is cut, or another's, is not believed, and is written anew."""
    again()
    damages = ("{", '{"format": 1}', '{"format": 0, "key": "", "stage": {}}')
    for file, damage in zip(Path("kept").glob("*"), damages, strict=True):
        file.write_text(damage, "utf-8")
    assert again().code == 0
    assert sorted(asked) == STAGES
    again()
    assert not asked


def test_a_file_under_another_name_is_not_believed(again: Callable[..., Any], asked: list[str]) -> None:
    """What was kept for one question answers no other, whatever its file is called."""
    again()
    one, other, *_ = sorted(Path("kept").iterdir())
    shutil.copy(one, other)
    again()
    assert len(asked) == 1


def test_other_code_asks_again(again: Callable[..., Any], asked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The code of the engines is part of every question."""
    again()
    monkeypatch.setattr(cache, "code", lambda folders: "other")
    again()
    assert sorted(asked) == STAGES


@pytest.mark.slow
def test_a_log_of_other_bytes_is_judged_again(
    again: Callable[..., Any], asked: list[str], recorded: Path, tmp_path: Path
) -> None:
    """Logs are known by their bytes: a byte more, and the log is checked."""
    log = tmp_path / "first-boot"
    shutil.copytree(recorded / "first-boot", log)
    again("kraft", log, "--only", "conform")
    assert asked == ["logs"]
    again("kraft", log, "--only", "conform")
    assert not asked
    with (log / "beside.txt").open("w") as file:
        file.write("more")
    again("kraft", log, "--only", "conform")
    assert asked == ["logs"]


def test_a_folder_that_cannot_be_made_is_one_sentence(fencepost_says: Callable[..., Any], lamps: str) -> None:
    """Nothing runs where the cache cannot be written."""
    Path("kept").write_text("a file", "utf-8")
    said = fencepost_says("check", "lamps.py:P", "--cache", "kept")
    assert said.code == 2
    assert "--cache: kept: " in said.sentence


def test_a_check_of_ours_is_known_without_its_tables(
    again: Callable[..., Any], asked: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Where no file of the package has changed, the same check loads no table; it says what it said, and when."""
    monkeypatch.chdir(tmp_path)
    first = again("lease", "--only", "explore").document
    assert asked == ["exploration tiny"]

    def unwanted(name: str) -> Any:
        raise AssertionError(f"the tables of {name} are loaded")

    with monkeypatch.context() as patch:
        patch.setattr(running.named, "family", unwanted)
        second = again("lease", "--only", "explore").document
        assert asked == []
        assert "cached" in second["protocols"]["lease"]["exploration"]
        assert stages(second) == stages(first)
        assert (first["notes"], len(second["notes"])) == ([], 1)
        # Another question is not taken for it, nor is one of another package.
        with pytest.raises(AssertionError):
            running.check(protocols=["lease"], only=["prove"], cache=Path("kept"))
        patch.setattr(recalled, "code", lambda folders: "other files")
        with pytest.raises(AssertionError):
            running.check(protocols=["lease"], only=["explore"], cache=Path("kept"))
    next(Path("kept").glob("*.json")).unlink()
    assert again("lease", "--only", "explore").code == first["exit_code"]
