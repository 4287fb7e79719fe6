"""What is printed of a release's tables, stored: the same results to the letter, and nothing foreign is believed."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from fencepost.checkers import keeping
from fencepost.checkers.conformance.conform import conform
from fencepost.checkers.conformance.printed_rows import stored
from fencepost.checkers.conformance.reading import prepared
from fencepost.checkers.conformance.records.static_settings import StaticSettings
from fencepost.checkers.printing.terms import TermPrinter
from fencepost.model.language import Protocol
from fencepost.model.releases import RELEASES

from . import RECORDED
from .layers import noting


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of entries, in a cache folder of the test's own; the process has no store when the test ends."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(stored, "_stores", None)
    monkeypatch.setattr(keeping, "_SAID", set[str]())
    prepared._parts.cache_clear()
    yield tmp_path / "fencepost" / stored.FOLDER
    prepared._parts.cache_clear()


def checked(
    name: str, is_stored: bool = True, tables: Protocol | None = None, static: StaticSettings | None = None
) -> tuple[str, int]:
    """Return the results of a recording as a new process has them, and how many functions were printed."""
    prepared._parts.cache_clear()
    stored._stores = None
    with noting(TermPrinter, "define", lambda found: True) as printed:
        result = conform([RECORDED / name], tables, static=static, stored=is_stored)
    return repr(result.logs), len(printed)


def entries(folder: Path) -> list[Path]:
    """Return the entries of a folder."""
    return sorted(folder.glob("*")) if folder.exists() else []


@pytest.mark.parametrize("name", ["first-boot", "upgrade-3.9-to-4.4", "elr-index-fault-4.4.0", "delete-recreate"])
def test_a_log_has_the_same_results_from_the_store(folder: Path, name: str) -> None:
    """Results are those of a process without a store, with an empty and a filled one; what was printed once is read."""
    plain, printed = checked(name, is_stored=False)
    assert entries(folder) == []
    assert checked(name) == (plain, printed)
    assert entries(folder)
    assert checked(name) == (plain, 0)


def test_an_entry_grows_by_what_another_log_needs(folder: Path) -> None:
    """A log prints what no earlier log of its release needed, and an entry that lacks nothing is not written again."""
    releases = RELEASES["4.3"].for_logs
    plain, all_of_it = checked("rolling-restart", False, releases)
    checked("first-boot", True, releases)
    found, rest = checked("rolling-restart", True, releases)
    assert found == plain
    assert 0 < rest < all_of_it
    [entry] = entries(folder)
    written = entry.stat().st_mtime_ns
    assert checked("first-boot", True, releases)[1] == checked("rolling-restart", True, releases)[1] == 0
    assert entry.stat().st_mtime_ns == written


def _cut(entry: Path) -> None:
    entry.write_bytes(entry.read_bytes()[:1000])


def _alter(entry: Path) -> None:
    content = bytearray(entry.read_bytes())
    content[-1000] ^= 1
    entry.write_bytes(content)


def _other(entry: Path) -> None:
    """Put another content there whose digest fits."""
    content = b"no code at all"
    entry.write_bytes(hashlib.sha256(entry.stem.encode() + content).digest() + content)


def _open(entry: Path) -> None:
    entry.chmod(0o666)


def _foreign(entry: Path) -> None:
    """Put an entry of another release there."""
    checked("first-boot", True, RELEASES["4.2"].for_logs)
    other, *_ = [one for one in entry.parent.iterdir() if one != entry]
    other.replace(entry)


@pytest.mark.parametrize("damage", [_cut, _alter, _other, _open, _foreign])
def test_an_entry_that_is_not_believed_is_made_anew(
    folder: Path, capsys: pytest.CaptureFixture[str], damage: Callable[[Path], None]
) -> None:
    """An entry that is cut, altered, of something else, or that others may write is said not to be believed, and all
    is printed and written anew."""
    releases = RELEASES["4.3"].for_logs
    first = checked("first-boot", True, releases)
    [entry] = entries(folder)
    damage(entry)
    capsys.readouterr()
    assert checked("first-boot", True, releases) == first
    assert f"{entry}: " in (said := capsys.readouterr().err)
    assert "not believed, and made anew" in said
    assert checked("first-boot", True, releases) == (first[0], 0)


def test_an_entry_is_of_one_python_one_source_and_one_setting(folder: Path) -> None:
    """Under another Python, other sources or other settings everything is printed again, into an entry of its own."""
    releases = RELEASES["4.3"].for_logs
    _, printed = checked("first-boot", True, releases)
    with patch.object(sys, "version", "another one"):
        assert checked("first-boot", True, releases)[1] == printed
    with patch.object(stored, "_sources", lambda: "others"):
        assert checked("first-boot", True, releases)[1] == printed
    assert checked("first-boot", True, releases, StaticSettings(unclean=True))[1] == printed
    assert len(entries(folder)) == 4


def test_the_oldest_entries_are_removed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of too many entries those are kept that were written last."""
    monkeypatch.setattr(stored, "MOST", 1)
    checked("first-boot", True, RELEASES["4.3"].for_logs)
    before = entries(folder)
    checked("first-boot", True, RELEASES["4.2"].for_logs)
    assert len(entries(folder)) == 1
    assert entries(folder) != before


def test_tables_that_are_no_release_are_not_stored(folder: Path) -> None:
    """Of tables that somebody altered, under whatever name, nothing is read or written."""
    base = RELEASES["4.3"].for_logs
    mine = base.but(base.rows[0].id, why="a test", name=base.name)
    checked("first-boot", True, mine)
    assert entries(folder) == []


def test_the_sources_are_those_that_decide_what_is_printed() -> None:
    """A file of the tables and one of what prints them change what identifies the sources, when their time does."""
    known = stored._sources.__wrapped__()
    assert stored._sources.__wrapped__() == known
    with patch.object(stored, "SOURCES", stored.SOURCES[1:]):
        assert stored._sources.__wrapped__() != known
