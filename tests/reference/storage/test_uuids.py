"""Uuids as Kafka writes them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fencepost.reference.kraft.storage import StorageError, is_reserved, random_directory_id, random_uuid
from fencepost.reference.kraft.storage.uuids import uuid_text, uuid_value
from tests.cases import each


class Given:
    """A source of random bits that gives numbers that were chosen."""

    def __init__(self, *values: int) -> None:
        self.values = list(values)

    def getrandbits(self, k: int) -> int:
        """Return the next number."""
        assert k == 128
        return self.values.pop(0)


@given(st.integers(0, 2**128 - 1))
def test_text_and_number(value: int) -> None:
    """A number of 128 bits comes back from its text of 22 characters."""
    text = uuid_text(value)
    assert len(text) == 22
    assert uuid_value(text) == value


@given(st.integers())
def test_a_random_uuid(seed: int) -> None:
    """A random uuid is of version 4 (its bits 48 to 51 and 64 to 65 say so) and does not begin with a hyphen."""
    text = random_uuid(random.Random(seed))
    value = uuid_value(text)
    assert (value >> 76) & 0xF == 4
    assert (value >> 62) & 0x3 == 2
    assert not text.startswith("-")
    assert text == random_uuid(random.Random(seed))


def test_a_hyphen_in_front_is_thrown_again() -> None:
    """A text that would look like an option of the command line is not given out."""
    hyphen = uuid_value("-" + "A" * 21)
    assert random_uuid(Given(hyphen, 5 << 100)) == random_uuid(Given(5 << 100))
    assert random_directory_id(Given(hyphen, 5 << 100)) == uuid_text(5 << 100)


def test_a_directory_id_is_new() -> None:
    """Reserved ids (the numbers below 100) and those that are taken are not given out."""
    taken = uuid_text(5 << 100)
    assert random_directory_id(Given(0, 1, 99, 5 << 100, 100), [taken]) == uuid_text(100)
    assert is_reserved(uuid_text(99))
    assert not is_reserved(uuid_text(100))


@each("text", ["", "A", "A" * 21, "A" * 23, "A" * 30, "A" * 21 + "!", "é" * 22])
def test_what_is_no_uuid(text: str) -> None:
    """Another length or another alphabet is refused with a sentence."""
    with pytest.raises(StorageError, match="uuid"):
        uuid_value(text)
