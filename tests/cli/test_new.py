"""`fencepost new`: the files pass every command that they name, and nothing is written over."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.usefixtures("stages_here")

ENDS_WITH_1 = "whatif"
"""The command that asks the variant of the skeleton, which breaks a claim."""


def commands(file: Path) -> list[list[str]]:
    """Return the commands that the docstring of a skeleton names, a line each."""
    return [line.split() for line in re.findall(r"^    ((?:fencepost|pytest) .*)$", file.read_text("utf-8"), re.M)]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def passes(folder: Path) -> None:
    """Run pytest on a folder in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)],
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.nightly("tests/cli/test_pytest_plugin.py::test_what_is_as_declared_passes")
@pytest.mark.slow
def test_the_skeleton_passes_what_it_names(here: Path, fencepost_says: Callable[..., Any]) -> None:
    """Each command in its first lines ends as they say, that of TLC apart; so do its tests."""
    assert fencepost_says("new", "group").code == 0
    named = commands(here / "group.py")
    assert {words[1] for words in named if words[0] == "fencepost"} == {
        "show", "prove", "explore", "check", "tlc", "mutate", "diff", "whatif",
    }  # fmt: skip
    for words in named:
        if words[0] == "fencepost" and words[1] != "tlc":
            said = fencepost_says(*words[1:])
            assert said.code == (1 if words[1] == ENDS_WITH_1 else 0), (words, said)
    assert ["pytest", "test_group.py"] in named
    passes(here)


@pytest.mark.tlc
def test_tlc_counts_the_states_of_the_skeleton(here: Path, fencepost_says: Callable[..., Any]) -> None:
    """TLC agrees, deadlock asked too: a counter at the end of its range disables rows, and is no dead end."""
    fencepost_says("new", "group")
    said = fencepost_says("tlc", "group.py:GROUP", "--bound", "tiny", "--json")
    assert (said.code, said.document["agrees"], said.document["tlc"]["distinct"]) == (0, True, 37)
    assert "deadlock is not asked" not in said.document["tlc"]["scope"]


@pytest.mark.slow
def test_every_claim_of_the_skeleton_can_fail(here: Path, fencepost_says: Callable[..., Any]) -> None:
    """For each claim that is no lemma there is an edit of one row that breaks it."""
    fencepost_says("new", "group")
    text = (here / "group.py").read_text("utf-8")
    for old, new, claim in (
        ("joined[m],                           epoch[m].becomes(last + 1), last.becomes(last + 1)",
         "joined[m],                           epoch[m].becomes(last + 1)", "UNIQUE"),
        ('    leave("L2", e < epoch[m], say=Answer.STALE),\n', "", "CURRENT"),
        ('crash("C1", joined[m], joined[m].becomes(FALSE))',
         'crash("C1", joined[m], joined[m].becomes(FALSE), epoch[m].becomes(0))', "GROWS"),
        ('join("J1", ~joined[m],', 'join("J1", ~joined[m] & forall(x, ~joined[x]),', "TWO"),
    ):  # fmt: skip
        assert text.count(old) == 1
        edited = text.replace(old, new).replace('CARELESS = GROUP.without("L2",', 'CARELESS = GROUP.without("L3",')
        (here / "edited.py").write_text(edited, "utf-8")
        said = fencepost_says("explore", "edited.py:GROUP", "--bound", "tiny", "--json").document
        broken = [one["id"] for one in said["properties"] if one["as_declared"] is False]
        assert [one for one in broken if one != "GIVEN"] == [claim], said["properties"]


@pytest.mark.representative("group.py:GROUP-L3-effects=()")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("base", "row", "edit"),
    [("kip46", None, "when=all_of"), ("group.py:GROUP", "J1", "when=all_of"), ("group.py:GROUP", "L3", "effects=()")],
)
def test_the_skeleton_of_a_change(
    here: Path, fencepost_says: Callable[..., Any], base: str, row: str | None, edit: str
) -> None:
    """The change of one row of any protocol: `show`, `diff` and `whatif` take it, and its test passes."""
    fencepost_says("new", "group")
    assert fencepost_says("new", "mine", "--from", base, *(["--row", row] if row else [])).code == 0
    assert edit in (here / "mine.py").read_text("utf-8")
    named = commands(here / "mine.py")
    assert [words[1] for words in named[:3]] == ["show", "diff", "whatif"]
    assert [fencepost_says(*words[1:]).code for words in named[:2]] == [0, 0]
    found = fencepost_says(*named[2][1:], "--search", "2", "--in-step", "2", "--json").document
    assert found["differences"]["rows"][0]["how"] == "changed"
    assert len(found["differences"]["rows"]) == 1
    passes(here / "test_mine.py")


def test_nothing_is_written_over(here: Path, fencepost_says: Callable[..., Any]) -> None:
    """Where one of the two files is there nothing is written, and the sentence says which."""
    (here / "test_group.py").write_text("mine")
    said = fencepost_says("new", "group")
    assert (said.code, said.sentence) == (
        2, "fencepost: test_group.py: is there already, and nothing was written; take another name, or --to FOLDER"
    )  # fmt: skip
    assert [one.name for one in here.iterdir()] == ["test_group.py"]
    assert (here / "test_group.py").read_text() == "mine"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("Group",), "Group: cannot be the name of a Python file; use small letters"),
        (("class",), "class: cannot be the name of a Python file"),
        (("enum",), "enum: is the name of something that the file itself uses; take another, as in my_enum"),
        (("members",), "members: is the name of something that the file itself uses"),
        (("group", "--to", "nowhere"), "nowhere: there is no such folder"),
        (("group", "--row", "A1"), "--row: is the row of another protocol; name that with --from"),
        (("group", "--from", "krat"), "did you mean kraft?"),
        (("group", "--from", "kip46", "--row", "X"), "--row X: kip46 has no such row; see fencepost show kip46"),
        (("group", "--from", "other.py:P"), "other.py: there is no such file"),
    ],
)
def test_what_cannot_be_begun(
    here: Path, fencepost_says: Callable[..., Any], given: tuple[str, ...], said: str
) -> None:
    """A name, a row, a base or a folder that will not do is reported in one sentence, and nothing is written."""
    answered = fencepost_says("new", *given)
    assert answered.code == 2
    assert said in answered.sentence
    assert list(here.iterdir()) == []


def test_the_base_of_a_change_lies_beside_it(here: Path, fencepost_says: Callable[..., Any]) -> None:
    """A change imports its base by the file's name, so that another folder is refused."""
    fencepost_says("new", "group")
    (here / "below").mkdir()
    assert "is in another folder" in fencepost_says("new", "mine", "--from", "group.py:GROUP", "--to", "below").sentence
