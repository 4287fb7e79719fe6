"""`fencepost conform` of a recording with brokers' log directories."""

import shutil
from collections.abc import Callable
from pathlib import Path

from .conftest import Said

RECORDED = Path(__file__).resolve().parents[2] / "traces" / "recorded" / "kill-nine-data-4.4.0"


def test_the_page_says_what_was_compared(fencepost_says: Callable[..., Said]) -> None:
    """Log and data are checked, each with its verdict, and the exit code is 0."""
    said = fencepost_says("conform", RECORDED)
    assert said.code == 0
    words = " ".join(said.out.split())
    assert "data of brokers 1, 2, 3: conforms: 4 partitions" in words
    assert "1418 acknowledged records" in words


def test_a_violation_ends_with_6_and_a_missing_ledger_with_3(
    fencepost_says: Callable[..., Said], tmp_path: Path
) -> None:
    """The document has the data's verdict under `brokers`, and its exit code counts beside that of the log."""
    copied = tmp_path / "recording"
    shutil.copytree(RECORDED, copied)
    (copied / "ledger.ndjson.gz").unlink()
    found = fencepost_says("conform", copied, "--json").document
    assert (found["verdict"], found["exit_code"]) == ("inconclusive", 3)
    assert found["logs"][0]["verdict"] == "conforms"
    assert found["brokers"][0]["undecided"]
    checkpoint = copied / "brokers" / "1" / "replication-offset-checkpoint"
    checkpoint.write_text(checkpoint.read_text().replace("ledger 0 347", "ledger 0 999"))
    found = fencepost_says("conform", copied, "--json").document
    assert (found["verdict"], found["exit_code"]) == ("violates", 6)
    (one,) = found["brokers"][0]["violations"]
    assert (one["rule"], one["broker"], one["partition"]) == ("high-watermark", 1, "ledger-0")
    checkpoint.write_text("0\n9\n")
    assert fencepost_says("conform", copied).code == 2
