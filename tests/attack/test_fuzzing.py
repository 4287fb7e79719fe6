"""Changed inputs: no reader ends with anything but its own error, no command with a defect, and none takes long."""

import resource
import sys

import pytest

from tests.attack.fuzzing import failing

GROWTH = 400
"""MiB that a thousand cases may add to what this process has had at most."""


def _at_most() -> float:
    """The MiB that this process has had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def test_changed_inputs_are_read_or_refused() -> None:
    """Of 600 changed inputs of fifteen kinds each is read or refused by its reader, within 5 CPU s and 400 MiB."""
    before = _at_most()
    assert list(failing(range(600), False)) == []
    assert _at_most() - before < GROWTH


def test_changed_inputs_end_no_command_with_a_defect() -> None:
    """Of 30 changed inputs, two of each kind, none ends a command with a code that it does not have for a log."""
    assert list(failing(range(50_000, 50_030), True)) == []


@pytest.mark.nightly("test_changed_inputs_are_read_or_refused")
def test_many_changed_inputs_are_read_or_refused() -> None:
    """Of 90,000 others, too."""
    assert list(failing(range(100_000, 190_000), False)) == []


@pytest.mark.nightly("test_changed_inputs_end_no_command_with_a_defect")
def test_many_changed_inputs_end_no_command_with_a_defect() -> None:
    """Of 10,000 others, too."""
    assert list(failing(range(200_000, 210_000), True)) == []
