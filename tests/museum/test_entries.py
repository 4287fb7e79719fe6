"""Every entry of the museum: a variant of its protocol and of the slice that is searched, found by its names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from fencepost.model.language import Protocol
from fencepost.model.museum import MUSEUM, Entry
from fencepost.model.registry import FAMILIES, find


@cache
def _bare(tables: Protocol) -> str:
    """Return the hash of the rows alone, whatever the tables are called and claim."""
    return replace(tables, properties=(), name="x").hash


@cache
def _wholes() -> dict[str, Protocol]:
    """Return the whole protocol of each entry as it is edited, by its name, made once for both claims."""
    return {f"{one.base}+{one.name}": one.edited(FAMILIES[one.base].whole) for one in MUSEUM}


def _is_a_variant(entry: Entry) -> None:
    family = FAMILIES[entry.base]
    for base in (family.whole, entry.within or family.explored):
        name = f"{base.name}+{entry.name}"
        edited = _wholes()[name] if base is family.whole else entry.edited(base)
        assert edited.base is base
        assert edited.why
        assert edited.name == name
        assert _bare(edited) != _bare(entry.ground(base))
    assert entry.why.endswith(".")


def _is_found(entry: Entry) -> None:
    whole = _wholes()[f"{entry.base}+{entry.name}"]
    for name in (entry.name, *entry.also):
        family = find(f"{entry.base}+{name}")
        assert family.whole.hash == whole.hash
        assert {one.bound for one in entry.expected[:1]} <= set(family.bounds)


def _failing(check: Callable[[Entry], None]) -> dict[str, str]:
    """Return what each entry that fails a check fails by."""
    failed = {}
    for entry in MUSEUM:
        try:
            check(entry)
        except AssertionError as error:
            failed[f"{entry.base}+{entry.name}"] = str(error)
    return failed


@pytest.mark.slow
def test_an_edit_is_a_variant_of_whole_and_slice() -> None:
    """Each edit applies to the whole protocol and to its slice, says why, and changes some row or setting."""
    assert _failing(_is_a_variant) == {}


@pytest.mark.slow
def test_the_registry_finds_an_entry_by_each_of_its_names() -> None:
    """`PROTOCOL+NAME` is the edited protocol, with the bound at which its defect is searched first."""
    assert _failing(_is_found) == {}


def test_no_two_entries_have_one_name() -> None:
    """Names are unique within a protocol, other names included."""
    names = [(entry.base, name) for entry in MUSEUM for name in (entry.name, *entry.also)]
    assert len(set(names)) == len(names)
