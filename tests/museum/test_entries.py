"""Every entry of the museum: a variant of its protocol and of the slice that is searched, found by its names."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest

from fencepost.model.language import Protocol
from fencepost.model.museum import MUSEUM, Entry
from fencepost.model.registry import FAMILIES, find

PARTS = 4
"""A run checks every fourth entry, so that some of each protocol are among them; the others follow every night."""


@cache
def _bare(tables: Protocol) -> str:
    """Return the hash of the rows alone, whatever the tables are called and claim."""
    return replace(tables, properties=(), name="x").hash


@cache
def _whole(number: int) -> Protocol:
    """Return the whole protocol of an entry as it is edited, made once for both claims."""
    return MUSEUM[number].edited(FAMILIES[MUSEUM[number].base].whole)


def _is_a_variant(entry: Entry) -> None:
    family = FAMILIES[entry.base]
    for base in (family.whole, entry.within or family.explored):
        name = f"{base.name}+{entry.name}"
        edited = _whole(MUSEUM.index(entry)) if base is family.whole else entry.edited(base)
        assert edited.base is base
        assert edited.why
        assert edited.name == name
        assert _bare(edited) != _bare(entry.ground(base))
    assert entry.why.endswith(".")


def _is_found(entry: Entry) -> None:
    whole = _whole(MUSEUM.index(entry))
    for name in (entry.name, *entry.also):
        family = find(f"{entry.base}+{name}")
        assert family.whole.hash == whole.hash
        assert {one.bound for one in entry.expected[:1]} <= set(family.bounds)


def _failing(part: int, check: Callable[[Entry], None]) -> dict[str, str]:
    """Return what each entry of a part that fails a check fails by."""
    failed = {}
    for entry in MUSEUM[part::PARTS]:
        try:
            check(entry)
        except AssertionError as error:
            failed[f"{entry.base}+{entry.name}"] = str(error)
    return failed


@pytest.mark.representative("0")
@pytest.mark.parametrize("part", range(PARTS))
def test_an_edit_is_a_variant_of_whole_and_slice(part: int) -> None:
    """Each edit applies to the whole protocol and to its slice, says why, and changes some row or setting."""
    assert _failing(part, _is_a_variant) == {}


@pytest.mark.representative("0")
@pytest.mark.parametrize("part", range(PARTS))
def test_the_registry_finds_an_entry_by_each_of_its_names(part: int) -> None:
    """`PROTOCOL+NAME` is the edited protocol, with the bound at which its defect is searched first."""
    assert _failing(part, _is_found) == {}


def test_no_two_entries_have_one_name() -> None:
    """Names are unique within a protocol, other names included."""
    names = [(entry.base, name) for entry in MUSEUM for name in (entry.name, *entry.also)]
    assert len(set(names)) == len(names)
