"""The reference against the logs of real Kafka: what it would have written, record by record."""

from pathlib import Path

import pytest

from .rebuilding import rebuilt

RECORDED = Path(__file__).resolve().parents[3] / "traces" / "recorded"
LOGS = sorted(RECORDED.glob("*/00000000000000000000.log"))

CHANGES = {
    "controller-failover": 496,
    "delete-recreate": 265,
    "elr-directory-fault-4.4.0": 36,
    "elr-index-fault-4.4.0": 8,
    "fake-chaos-elr": 3580,
    "first-boot": 29,
    "kill-nine-data-4.4.0": 67,
    "kill-nine-elr": 424,
    "levels-down-and-up-4.4.0": 145,
    "metadata-upgrade": 61,
    "min-isr-while-isr-empty-4.4.0": 20,
    "node-config-moved-4.4.0": 206,
    "reassignment": 66,
    "rolling-restart": 131,
    "scram-bootstrap-4.4.0": 82,
    "snapshots": 63,
    "static-settings-elr-4.4.0": 275,
    "suspects-4.4.0": 91,
}
"""How many partition changes are in each recording."""


@pytest.mark.representative(
    "first-boot", "rolling-restart", "reassignment", "delete-recreate", "suspects-4.4.0", "elr-index-fault-4.4.0",
    "scram-bootstrap-4.4.0",
)  # fmt: skip
@pytest.mark.parametrize("log", LOGS, ids=lambda path: path.parent.name)
def test_every_recorded_change_is_one_that_the_reference_writes(log: Path) -> None:
    """Every partition change is built again to the letter, every fan-out whole, every partition printed the same."""
    found = rebuilt(log)
    assert found.unexplained == []
    assert found.misprinted == []
    assert found.explained.total() == CHANGES[log.parent.name]


def test_the_recordings_hold_every_cause() -> None:
    """Each way to change a partition occurs in the busiest recording, and one broker that could not register (D6c)."""
    found = rebuilt(RECORDED / "fake-chaos-elr" / "00000000000000000000.log")
    causes = {
        "proposal", "fence", "unfence", "shutdown", "restart", "unregistration", "offline", "directories",
        "reassignment", "cancel", "preferred election", "unclean election",
    }  # fmt: skip
    assert {name for name, count in found.explained.items() if count} == causes
    assert found.faults["restart"] > 0
