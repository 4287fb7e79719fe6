"""Commands in adversity: no code that says what was not found, no traceback, no half file, and nothing left behind."""

from __future__ import annotations

import sys

import pytest

from tests.attack.trying import COMMANDS, failing

if sys.platform == "win32":
    pytest.skip("signals and limits are those of Linux and macOS", allow_module_level=True)

CHEAP = [one for one in COMMANDS if one.split()[0] in ("story", "show", "redact", "doctor")]
CHEAP.append("explore kip46 --bound tiny")


def test_a_command_bears_signals_disks_caches_homes_and_outputs() -> None:
    """Of fifteen runs, three of each trouble, each ends with its own or its trouble's code, and leaves nothing."""
    assert list(failing(range(15), CHEAP)) == []
