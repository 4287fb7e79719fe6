"""Rows of bytes found by columns as a dictionary finds them."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from fencepost.traces import row_index
from fencepost.traces.row_index import RowIndex

SIZE = 3
rows = st.lists(st.binary(min_size=SIZE, max_size=SIZE), unique=True, max_size=12)


def stacked(found: list[bytes]) -> NDArray[np.uint8]:
    """Rows of bytes as an array."""
    return np.frombuffer(b"".join(found), np.uint8).reshape(-1, SIZE)


def collide(found: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The same few hashes for all rows."""
    return (found[:, 0] % 2).astype(np.uint64)


def judge(parts: list[list[bytes]], others: list[bytes], few: int) -> None:
    """Add rows part by part, sorted in where there are more than a few, and hold what is found against a dictionary."""
    with patch.object(row_index, "FEW", few):
        _judge(parts, others)


def _judge(parts: list[list[bytes]], others: list[bytes]) -> None:
    index, expected = RowIndex(SIZE), dict[bytes, int]()
    for part in parts:
        new = [one for one in part if one not in expected]
        numbers = range(len(expected), len(expected) + len(new))
        expected.update(zip(new, numbers, strict=True))
        index.add(stacked(new), np.array(numbers, np.int64))
        asked = [*expected, *others]
        assert index.find(stacked(asked)).tolist() == [expected.get(one, -1) for one in asked]


@given(st.lists(rows, max_size=4), rows, st.integers(0, 6))
def test_rows_have_the_numbers_that_they_were_given(parts: list[list[bytes]], others: list[bytes], few: int) -> None:
    """Whatever is added, in however many parts, each row has its number, and no other row has one."""
    judge(parts, others, few)


@given(st.lists(rows, max_size=4), rows, st.integers(0, 6))
def test_rows_of_one_hash_are_told_apart(parts: list[list[bytes]], others: list[bytes], few: int) -> None:
    """Rows whose hashes are equal have each their own number."""
    with patch.object(row_index, "hashes", collide):
        judge(parts, others, few)
