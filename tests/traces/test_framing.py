"""Where the records of a batch begin is found for many of one size at once as it is found one by one."""

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from fencepost.traces.framing import _starts

sizes = st.lists(st.tuples(st.sampled_from((3, 40, 62, 63, 64, 65, 200)), st.integers(1, 600)), min_size=1, max_size=5)


def record(length: int) -> bytes:
    """A record of a length below 8,192, which is in front of it as a zigzag number of one byte or two."""
    number = length << 1
    head = bytes([number]) if number < 0x80 else bytes([number & 0x7F | 0x80, number >> 7])
    return head + bytes(length)


@given(sizes, st.integers(0, 3))
def test_every_record_begins_behind_the_one_before_it(some: list[tuple[int, int]], start: int) -> None:
    """Of runs of records of one size, with lengths of one byte and of two, each is found where the last one ends."""
    records = [record(length) for length, times in some for _ in range(times)]
    expected = list(accumulate(map(len, records), initial=start))[:-1]
    assert _starts(bytes(start) + b"".join(records), start, len(records)) == expected
    fewer = len(records) // 2
    assert _starts(bytes(start) + b"".join(records), start, fewer) == expected[:fewer]
