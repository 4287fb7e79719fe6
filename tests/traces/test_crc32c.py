"""The checksum of record batches."""

from hypothesis import given
from hypothesis import strategies as st

from fencepost.traces.crc32c import crc32c, crc32c_by_table
from tests.cases import each

# RFC 3720, appendix B.4 (the bytes there are little-endian), and the check value of the CRC catalogue.
KNOWN = [
    (b"", 0x00000000),
    (b"123456789", 0xE3069283),
    (bytes(32), 0x8A9136AA),
    (b"\xff" * 32, 0x62A8AB43),
    (bytes(range(32)), 0x46DD794E),
    (bytes(range(31, -1, -1)), 0x113FDB5C),
]


@each(("data", "expected"), KNOWN)
def test_known_values(data: bytes, expected: int) -> None:
    """The table and whichever implementation is in use give the published CRC-32C values."""
    assert crc32c_by_table(data) == expected
    assert crc32c(data) == expected


@given(st.binary(max_size=300))
def test_implementations_agree(data: bytes) -> None:
    """The implementation in use equals the table on any bytes."""
    assert crc32c(data) == crc32c_by_table(data)
