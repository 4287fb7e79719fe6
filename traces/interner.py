"""Equal byte strings numbered: equal numbers for the same bytes behind the prefixes of a log's records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fencepost.arrays import np

from .codec import Decoded, decode_rest
from .errors import CodecError
from .prefixes import prefix_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FACTOR = 0x9E3779B97F4A7C15
_MIX = 32


class Interner:
    """The rests of records' values, each numbered from 0 on when it is first met; use one for all that is compared.

    A rest is the bytes of a value behind its prefix (`prefixes`); a number is of one record type and version.
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int, bytes], int] = {}
        self._rests: list[tuple[int, int, bytes]] = []
        self._decoded: dict[int, Decoded] = {}

    def __len__(self) -> int:
        return len(self._rests)

    def bytes_of(self, number: int) -> bytes:
        """The bytes that have a number."""
        return self._rests[number][2]

    def decoded(self, number: int) -> Decoded:
        """Decode the bytes of a number: the fields behind the prefix, and whether encoding them gives these bytes.

        One object for all who ask: not to be altered. Raises CodecError where they are no such record, as decoding any
        whole record with these bytes does.
        """
        found = self._decoded.get(number)
        if found is None:
            api_key, version, rest = self._rests[number]
            prefix = prefix_of(api_key, version)
            found = decode_rest(api_key, version, 0 if prefix is None else len(prefix.names), rest)
            self._decoded[number] = found
        return found

    def decodes(self, number: int) -> bool:
        """Whether a record with a number can be decoded; none with a negative one can."""
        try:
            return number >= 0 and bool(self.decoded(number))
        except CodecError:
            return False

    def numbers(self, api_key: int, version: int, rests: NDArray[np.uint8]) -> NDArray[np.int32]:
        """The numbers of rests of one type and version and of one size, a row each."""
        told = words(rests)
        _, first, group = np.unique(hashes(told), return_index=True, return_inverse=True)
        found = np.array([self._number(api_key, version, rests[at].tobytes()) for at in first], np.int32)[group]
        # Equal hashes prove nothing: a row that differs from the representative of its group is looked up by itself.
        for at in np.flatnonzero(~are_equal(told, told[first[group]])):
            found[at] = self._number(api_key, version, rests[at].tobytes())
        return found

    def _number(self, api_key: int, version: int, rest: bytes) -> int:
        key = (api_key, version, rest)
        found = self._numbers.setdefault(key, len(self._rests))
        if found == len(self._rests):
            self._rests.append(key)
        return found


def words(rows: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Rows of bytes as words of eight, filled up with zeros: quicker to compare, equal where rows of one size are."""
    count, size = rows.shape
    padded = np.zeros((count, -(-size // 8) * 8), np.uint8)
    padded[:, :size] = rows
    return padded.view(np.uint64)


def are_equal(some: NDArray[np.uint64], others: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which rows of words are equal, compared by columns, which takes a fraction of the time of whole rows."""
    found = np.ones(len(some), np.bool_)
    for column in range(some.shape[1]):
        found &= some[:, column] == others[:, column]
    return found


def hashes(rows: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A number of one word for each row of words, equal for equal rows."""
    found = np.zeros(len(rows), np.uint64)
    for column in range(rows.shape[1]):
        found = (found ^ rows[:, column]) * _FACTOR
        found ^= found >> _MIX
    return found
