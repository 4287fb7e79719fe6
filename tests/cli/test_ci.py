"""What docs/ci.md hands to users: the workflow and the hook, run on a repository of one's own."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fencepost.checkers.cli.main import main
from fencepost.checkers.reports.cases import KIND_OF, RULES

DOCS = Path(__file__).resolve().parents[2] / "docs"
RECORDED = DOCS.parent / "traces" / "recorded"
LOCK = """
from fencepost.model.language import BOOL, FALSE, TRUE, Bound, always, cell, event, protocol, table

taken = cell("taken", BOOL)
inside = cell("inside", BOOL)
step = event("Step", source="the lock")
TABLE = table(
    "lock",
    step("K1", ~taken, taken.becomes(TRUE)),
    step("K2", taken & ~inside, inside.becomes(TRUE)),
    step("K3", taken & inside, inside.becomes(FALSE), taken.becomes(FALSE)),
)
CLAIM = always("M1", ~inside | taken, source="the lock")
LOCK = protocol("lock", TABLE, properties=[CLAIM], bounds={"one": Bound({})})
"""
BROKEN = LOCK.replace("inside.becomes(FALSE), taken.becomes(FALSE)", "taken.becomes(FALSE)")


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a repository of git with the table of a lock and a recorded log, in which a command runs."""
    monkeypatch.chdir(tmp_path)
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "lock.py").write_text(LOCK, encoding="utf-8")
    shutil.copytree(RECORDED / "first-boot", tmp_path / "recordings")
    git("init", "-q")
    git("config", "user.name", "somebody")
    git("config", "user.email", "somebody@localhost")
    return tmp_path


def git(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run git in the current folder."""
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)


def workflow(tier: str = "everything") -> list[str]:
    """Return the arguments of the command that the workflow runs in a tier; TLC, which needs Java, is left out."""
    text = (DOCS / "ci" / "fencepost.yml").read_text(encoding="utf-8")
    (line,) = re.findall(r"run: fencepost (check .*)$", text, re.MULTILINE)
    return [*shlex.split(line.replace("$TIER", tier)), "--no-tlc"]


@pytest.mark.representative("violated")
@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "tier", "code"),
    [(LOCK, "pull-request", 0), (BROKEN, "everything", 1)],
    ids=["as declared", "violated"],
)
def test_the_workflow_checks_a_repository(
    repository: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    table: str,
    tier: str,
    code: int,
) -> None:
    """The workflow's command ends with the verdict's code, and leaves the files that its later steps upload."""
    (repository / "tables" / "lock.py").write_text(table, encoding="utf-8")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(repository))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(repository / "summary.md"))
    assert main(workflow(tier)) == code
    text = (DOCS / "ci" / "fencepost.yml").read_text(encoding="utf-8")
    for name in ("fencepost.xml", "fencepost.sarif"):
        assert name in text.split("upload-artifact")[1]
        assert (repository / name).stat().st_size > 0
    assert (repository / "summary.md").read_text(encoding="utf-8").startswith("## fencepost check: ")
    line = next(n for n, one in enumerate(table.split("\n"), 1) if '"K3"' in one)
    annotated = f"::error file=tables/lock.py,title=tables/lock.py%3ALOCK%3A M1,line={line}::" in capfd.readouterr().out
    assert annotated is (code == 1)


@pytest.mark.slow
def test_the_hook_refuses_a_commit_that_breaks_a_property(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit of a table that breaks its property is refused and tells the row; one of a table that holds is made."""
    tools = repository.parent / f"{repository.name}-tools"
    tools.mkdir()
    command = f'#!/bin/sh\nexec "{sys.executable}" -m fencepost.checkers.cli.main "$@"\n'
    (tools / "fencepost").write_text(command, encoding="utf-8")
    (tools / "fencepost").chmod(0o755)
    monkeypatch.setenv("PATH", str(tools), prepend=":")
    monkeypatch.setenv("PYTHONPATH", str(DOCS.parent.parent), prepend=":")
    hook = repository / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    shutil.copy(DOCS / "ci" / "pre-commit", hook)
    git("add", "tables")
    unnamed = git("commit", "-m", "a lock")
    assert (unnamed.returncode != 0, "no protocol is named" in unnamed.stderr) == (True, True)
    git("config", "--add", "fencepost.protocol", "tables/lock.py:LOCK")
    made = git("commit", "-m", "a lock")
    assert made.returncode == 0, made.stdout + made.stderr
    (repository / "tables" / "lock.py").write_text(BROKEN, encoding="utf-8")
    git("add", "tables")
    refused = git("commit", "-m", "it stays inside")
    assert refused.returncode != 0
    assert "K3 × M1" in refused.stdout + refused.stderr
    assert git("log", "--format=%s").stdout.splitlines() == ["a lock"]


def test_the_hook_asks_nothing_of_a_commit_without_python(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A commit that changes no Python file is made without a check: none could run here."""
    shutil.copy(DOCS / "ci" / "pre-commit", repository / ".git" / "hooks" / "pre-commit")
    git("config", "--add", "fencepost.protocol", "nowhere.py:P")
    (repository / "notes.md").write_text("notes\n", encoding="utf-8")
    git("add", "notes.md")
    made = git("commit", "-m", "notes")
    assert made.returncode == 0, made.stdout + made.stderr


def test_the_page_has_every_kind_of_problem() -> None:
    """The page's table names each kind of problem, with the exit codes that stand for it."""
    text = (DOCS / "ci.md").read_text(encoding="utf-8").split("| kind | exit code | says |")[1].split("\n\n")[0]
    rows = [line.split("|")[1:3] for line in text.split("\n")[2:]]
    told = {}
    for kinds, codes in rows:
        names, numbers = re.findall(r"`([\w-]+)`", kinds), re.findall(r"\d+", codes)
        told |= dict(zip(names, map(int, numbers), strict=True))
    assert told.keys() == RULES.keys()
    for code, kind in KIND_OF.items():
        assert told[kind] == int(code) or (kind, int(code)) == ("inconclusive", 130)
