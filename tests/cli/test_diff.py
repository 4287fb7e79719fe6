"""`fencepost diff`: its page, its document, its exit codes, and files at revisions of their repository."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cases import each
from tests.widths import too_wide

Says = Callable[..., Any]


@pytest.mark.nightly("tests/cli/test_releases.py::test_every_difference_is_listed")
def test_a_release_against_the_next(fencepost_says: Says) -> None:
    """4.4 has the unregistration of controllers, and refuses assignments to brokers whose directories are cordoned."""
    said = fencepost_says("diff", "kraft@4.3", "kraft", "--json")
    document = said.document
    assert (said.code, document["verdict"]) == (0, "changed")
    assert [(one["row"], one["how"]) for one in document["rows"]] == [
        *(("RA2", "changed"), ("RA4", "held back otherwise"), ("RA3", "held back otherwise")),
        *(("CT4", "changed"), ("CT3", "changed")),
        *(("CP3", "changed"), ("CP4", "held back otherwise"), ("CP5", "held back otherwise")),
        *((f"CU{n}", "added") for n in range(4)),
    ]
    assert document["unchanged"]["rows"] == 191


@pytest.mark.slow
def test_a_definition_that_rows_share_is_told_once(fencepost_says: Says) -> None:
    """Of E7, which alters one word of many rows, the page has the word as it was and is, and the rows on one line."""
    said = fencepost_says("diff", "kraft", "kraft+E7")
    lines = said.out.splitlines()
    assert sum(line.startswith("    + recalled = ") for line in lines) == 1
    assert any(line.startswith("~ R1, R2, R2u, UR3") for line in lines)
    assert too_wide(said.out) == []
    assert len(lines) < 20


def test_nothing_differs_from_itself(fencepost_says: Says, two_phase: str) -> None:
    """A protocol is the same as itself, loaded twice from its file: no name of Python's matters."""
    said = fencepost_says(
        "diff", two_phase, two_phase, "--forbid", "behaviour-added,behaviour-removed,property-weakened"
    )
    assert said.code == 0
    assert ": the same: rows: " in " ".join(said.out.split())


@each(
    ("old", "new", "forbid", "code"),
    [
        ("kip343", "kip343+unchecked_leader", "behaviour-added", 1),
        ("kip343", "kip343+unchecked_leader", "behaviour-removed", 1),
        ("kip343", "kip343+unchecked_leader", "property-weakened", 0),
        ("kraft", "kraft+J3", "behaviour-added", 3),
        ("lease", "lease+late_answer", "property-weakened", 1),
        ("lease", "lease+late_answer", "behaviour-added", 3),
    ],
)
def test_what_is_forbidden_has_its_code(fencepost_says: Says, old: str, new: str, forbid: str, code: int) -> None:
    """1 where it happens for certain, 3 where it cannot be excluded, 0 where it does not happen."""
    said = fencepost_says("diff", old, new, "--forbid", forbid, "--json")
    assert (said.code, said.document["exit_code"]) == (code, code)
    assert bool(said.document["forbidden"]) is bool(code)


def test_what_cannot_be_forbidden_is_refused(fencepost_says: Says) -> None:
    """A word that `--forbid` does not know is refused with those that it does."""
    said = fencepost_says("diff", "lease", "lease", "--forbid", "everything")
    assert said.code == 2
    assert "use some of behaviour-added, behaviour-removed, property-weakened" in said.sentence


def test_a_file_at_a_revision(fencepost_says: Says, lamp: Callable[..., str], tmp_path: Path) -> None:
    """A file is compared with what it was at a revision, though both are modules of one name; the guard is weaker."""
    name = lamp("TRUE")
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a", "commit", "-qm", "one"]):
        subprocess.run(["git", "-C", str(tmp_path), *command], check=True)
    # A long path has the line folded.
    assert " ".join(fencepost_says("diff", f"{name}@HEAD", name).out.split()).split(": ")[1] == "the same"
    lamp("TRUE", **{'"L1", ~lit': '"L1", TRUE'})
    said = fencepost_says("diff", f"{name}@HEAD", name, "--json")
    (row,) = said.document["rows"]
    assert (row["row"], row["guard"]["relation"]) == ("L1", "weaker")
    assert row["lines"] == ["- when not lit"]
    refused = fencepost_says("diff", f"{name}@nowhere", name)
    assert (refused.code, "git does not know it" in refused.sentence) == (2, True)
