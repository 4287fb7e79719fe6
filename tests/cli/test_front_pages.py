"""README and the pages that an evaluator reads first: each command that they show prints what is shown."""

import re
import shlex
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fencepost.checkers.verdicts import MEANINGS
from tests.examples.worked import LEFT_OUT, blocks, commands, shows

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = [
    *blocks(README, "console"),
    # Blocks of other logs are of files that no checkout has.
    *(
        block
        for page in ("prove", "simulate", "conform", "records", "redact", "story", "forks")
        for block in blocks((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8"), "console")
        if "traces/recorded" in block or page in ("prove", "simulate", "forks")
    ),
]
"""The blocks with commands and what they print."""


def first(block: str) -> str:
    """Return the first command of a block, which names it."""
    return block.partition("\n")[0].removeprefix("$ fencepost ")


@pytest.mark.slow
@pytest.mark.representative(
    "conform traces/recorded/rolling-restart",
    "new my_lock",
    "explore kraft+J3 --bound tiny",
    "conform traces/recorded/zk/reassignment",
    "show traces/recorded/reassignment --broker 1 --type PartitionChange --from 07:13:02 --to 07:13:08.13",
    "redact traces/recorded/scram-bootstrap-4.4.0 --to redacted",
    "story traces/recorded/reassignment --from 07:13:02 --to 07:13:08.1",
    "story traces/recorded/reassignment --intervals --from 170 --broker 1",
)
@pytest.mark.parametrize("block", SHOWN, ids=first)
def test_a_command_prints_what_the_page_shows(
    block: str, fencepost_says: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside the recordings of the checkout each command prints the lines of the block, some of them left out."""
    (tmp_path / "traces").symlink_to(ROOT / "traces")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for command, shown in commands(block):
        assert shown.replace(LEFT_OUT, "").strip(), command
        printed = fencepost_says(*shlex.split(command)).out
        assert shows(printed, shown), f"{command}\n{printed}"


def test_the_readme_has_rows_as_the_source_has_them() -> None:
    """Each row that README shows is a line of `model/kraft/brokers.py`, whatever a formatter makes of such a block."""
    source = {line.strip() for line in (ROOT / "model" / "kraft" / "brokers.py").read_text("utf-8").splitlines()}
    rows = [line for line in README.splitlines() if "heartbeat(" in line]
    assert len(rows) >= 3
    assert [line for line in rows if line not in source] == []


def test_the_readme_names_every_exit_code() -> None:
    """README has each exit code with its meaning, as `--help` has."""
    said = " ".join(README.split())
    assert [code for code, meaning in MEANINGS.items() if f"{int(code)} {meaning}" not in said] == []


def test_the_front_pages_are_short() -> None:
    """README has at most 900 words, and ARCHITECTURE at most 8,000 bytes."""
    assert len(README.split()) <= 900
    assert len((ROOT / "ARCHITECTURE.md").read_bytes()) <= 8000


def linked(index: Path) -> set[str]:
    """Return the files that an index links to, relative to its folder."""
    return set(re.findall(r"\]\(([^)#]+)\)", index.read_text(encoding="utf-8")))


def test_every_page_of_docs_is_in_an_index() -> None:
    """`docs/README.md` links to each page of docs, and `docs/adr/README.md` to each decision."""
    docs, decisions = ROOT / "docs", ROOT / "docs" / "adr"
    pages = {path.relative_to(docs).as_posix() for path in docs.rglob("*.md")}
    in_adr = {path.name for path in decisions.glob("*.md")} - {"README.md"}
    assert pages - {f"adr/{name}" for name in in_adr} - {"README.md"} - linked(docs / "README.md") == set()
    assert in_adr - linked(decisions / "README.md") == set()
