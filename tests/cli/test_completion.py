"""Completions of a shell, by the script that the command writes for it."""

from collections.abc import Callable
from typing import Any

import pytest

from fencepost.model.museum import entries
from fencepost.model.registry import FAMILIES, OF_MATRIX


@pytest.fixture
def completes(fencepost_says: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[[str], list[str]]:
    """Return a function that gives what may stand at the end of a line, as bash asks for it."""

    def asked(line: str) -> list[str]:
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
        monkeypatch.setenv("_FENCEPOST_COMPLETE", "complete_bash")
        said = fencepost_says()
        assert (said.code, said.err) == (0, "")
        return list(said.out.split())

    return asked


def test_commands_and_protocols_are_completed(completes: Callable[[str], list[str]]) -> None:
    """A command by its first letters, and after it every protocol."""
    assert completes("fencepost wha") == ["whatif"]
    assert completes("fencepost prove ") == list(FAMILIES)
    assert completes("fencepost explore kip6") == ["kip631-v1", "kip631-v2"]


def test_variants_and_releases_are_completed(completes: Callable[[str], list[str]]) -> None:
    """Behind the plus sign stand the variants of this protocol and of no other, behind the at sign the releases."""
    names = {one for entry in entries("kip46") for one in (entry.name, *entry.also)}
    assert set(completes("fencepost whatif kip46+")) == {f"kip46+{one}" for one in (*names, *OF_MATRIX)}
    assert "kraft@4.2" in completes("fencepost show kraft@4")


def test_rows_properties_and_bounds_are_those_of_the_protocol(completes: Callable[[str], list[str]]) -> None:
    """What the options `--row`, `--property` and `--bound` take is that of the protocol that the line names."""
    lease = FAMILIES["lease"]
    assert completes("fencepost prove lease --row ") == [row.id for row in lease.whole.rows]
    assert completes("fencepost prove lease --property LE") == [
        one.id for one in lease.whole.properties if one.id.startswith("LE")
    ]
    assert completes("fencepost explore lease --bound ") == list(lease.bounds)


def test_what_is_no_protocol_completes_nothing(completes: Callable[[str], list[str]]) -> None:
    """A name that no protocol has gives no rows, and no error in the middle of a command line."""
    assert completes("fencepost prove lamp --row ") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_given_its_script(fencepost_says: Callable[..., Any], shell: str) -> None:
    """The script for a shell asks the command with the variable that it answers to."""
    said = fencepost_says("completion", shell)
    assert (said.code, said.err) == (0, "")
    assert f"_FENCEPOST_COMPLETE=complete_{shell}" in said.out
