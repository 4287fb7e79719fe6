"""`fencepost conform` of a recording with brokers' log directories."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import fencepost.traces

RECORDED = Path(fencepost.traces.__file__).parent / "recorded" / "kill-nine-data-4.4.0"


def conform(*arguments: str) -> tuple[int, str]:
    """Run the command and return its exit code and output."""
    said = subprocess.run(
        [sys.executable, "-m", "fencepost", "conform", *arguments], capture_output=True, text=True, check=False
    )
    return said.returncode, said.stdout


def document(path: Path) -> dict[str, Any]:
    """Return the JSON document of a recording."""
    found: dict[str, Any] = json.loads(conform(str(path), "--json")[1])
    return found


def test_the_page_says_what_was_compared() -> None:
    """Log and data are judged, each with its verdict, and the exit code is 0."""
    code, page = conform(str(RECORDED))
    assert code == 0
    words = " ".join(page.split())
    assert "data of brokers 1, 2, 3: conforms: 4 partitions" in words
    assert "1418 acknowledged records" in words


def test_a_violation_ends_with_6_and_a_missing_ledger_with_3(tmp_path: Path) -> None:
    """The document has the data's verdict under `brokers`, and its exit code counts beside that of the log."""
    copied = tmp_path / "recording"
    shutil.copytree(RECORDED, copied)
    (copied / "ledger.ndjson.gz").unlink()
    found = document(copied)
    assert (found["verdict"], found["exit_code"]) == ("inconclusive", 3)
    assert found["logs"][0]["verdict"] == "conforms"
    assert found["brokers"][0]["undecided"]
    checkpoint = copied / "brokers" / "1" / "replication-offset-checkpoint"
    checkpoint.write_text(checkpoint.read_text().replace("ledger 0 347", "ledger 0 999"))
    found = document(copied)
    assert (found["verdict"], found["exit_code"]) == ("violates", 6)
    (one,) = found["brokers"][0]["violations"]
    assert (one["rule"], one["broker"], one["partition"]) == ("high-watermark", 1, "ledger-0")
    checkpoint.write_text("0\n9\n")
    assert conform(str(copied))[0] == 2
