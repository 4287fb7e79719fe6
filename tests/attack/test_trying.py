"""Commands in adversity: no code that says what was not found, no traceback, no half file, and nothing left behind."""

import sys

import pytest

from tests.attack.trying import COMMANDS, TROUBLES, altered_cache, failing

if sys.platform == "win32":
    pytest.skip("signals and limits are those of Linux and macOS", allow_module_level=True)

CHEAP = [one for one in COMMANDS if one.split()[0] in ("diff", "redact", "doctor")]
CHEAP += ["show kip46", "explore kip46 --bound tiny"]
FIRST = {trouble: seed for seed, trouble in reversed(list(enumerate(TROUBLES)))}
"""The first seed of each trouble."""


def test_a_command_bears_signals_disks_caches_homes_and_outputs() -> None:
    """Of eight runs, one of each trouble, each has its own or its trouble's code, and leaves nothing.

    Only where a cache is altered is it a command that has one.
    """
    without = [one for one in CHEAP if not one.startswith("explore")]
    found = {
        trouble: failing([seed], CHEAP if trouble is altered_cache else without) for trouble, seed in FIRST.items()
    }
    assert [said for each in found.values() for said in each] == []


@pytest.mark.nightly("test_a_command_bears_signals_disks_caches_homes_and_outputs")
def test_a_command_bears_each_trouble_again() -> None:
    """So it is for thirty-two other runs, three or more of each trouble."""
    assert list(failing([seed for seed in range(40) if seed not in FIRST.values()], CHEAP)) == []
