"""Leader and partition epochs as Kafka's int32 fields hold them."""

from __future__ import annotations

_SIZE, _LEAST = 2**32, -(2**31)


def next_epoch(epoch: int) -> int:
    """Return the epoch after one: behind 2147483647 comes -2147483648, without an error (PartitionRegistration.merge).

    >>> next_epoch(4), next_epoch(2147483647)
    (5, -2147483648)
    """
    return (epoch + 1 - _LEAST) % _SIZE + _LEAST
