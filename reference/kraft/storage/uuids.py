"""Uuids as Kafka writes them: sixteen bytes in base64 for URLs, without padding."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Collection
from typing import Protocol

from .errors import StorageError

RESERVED_COUNT = 100
"""The numbers below this are kept back for special directories (0 migrating, 1 unassigned, 2 lost)."""

_BYTES = 16
_LONGEST = 24


class RandomBits(Protocol):
    """A source of random bits: `random.Random`, seeded or the system's own."""

    def getrandbits(self, k: int, /) -> int:
        """Return a number of k random bits."""
        ...


def uuid_text(value: int) -> str:
    """Return the text of a number of 128 bits.

    >>> uuid_text(1)
    'AAAAAAAAAAAAAAAAAAAAAQ'
    """
    return base64.urlsafe_b64encode(value.to_bytes(_BYTES, "big")).rstrip(b"=").decode("ascii")


def uuid_value(text: str) -> int:
    """Return the number of 128 bits that a text encodes; raises StorageError, a sentence without its place."""
    if len(text) > _LONGEST:
        raise StorageError(f"{text[:_LONGEST]}... is too long for a uuid: write 22 characters of base64 for URLs")
    bare = text.rstrip("=")
    try:
        decoded = base64.b64decode(bare + "=" * (-len(bare) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        decoded = b""
    if len(decoded) != _BYTES:
        raise StorageError(f"{text or 'an empty text'} is no uuid: write 22 characters of base64 for URLs")
    return int.from_bytes(decoded, "big")


def is_reserved(text: str) -> bool:
    """Whether a uuid is one of those that Kafka keeps for special directories and topics."""
    return uuid_value(text) < RESERVED_COUNT


def random_uuid(random: RandomBits) -> str:
    """Return a random uuid of version 4 whose text does not begin with a hyphen (which would look like an option).

    Source: Uuid.randomUuid; S2:140.
    """
    while True:
        value = random.getrandbits(128)
        value = value & ~(0xF << 76) | 0x4 << 76
        value = value & ~(0x3 << 62) | 0x2 << 62
        text = uuid_text(value)
        if not text.startswith("-"):
            return text


def random_directory_id(random: RandomBits, taken: Collection[str] = ()) -> str:
    """Return a random directory id that is neither reserved nor taken and does not begin with a hyphen.

    Unlike `random_uuid` all its bits are random. Source: MetaPropertiesEnsemble.Copier.generateValidDirectoryId.
    """
    while True:
        value = random.getrandbits(128)
        text = uuid_text(value)
        if value >= RESERVED_COUNT and not text.startswith("-") and text not in taken:
            return text
