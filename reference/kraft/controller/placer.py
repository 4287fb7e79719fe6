"""Where the replicas of new partitions go: striped over racks, and over the brokers of a rack (StripedReplicaPlacer).

Hard: at most one replica a broker, and a first replica that is not fenced. Soft, in this order: replicas in as many
racks as there are, spread over brokers, unfenced brokers first. Each partition begins one rack and one broker further
than the one before, which gives the stripes.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from fencepost.reference.kraft.errors import ApiError, Errors

UsableBroker = tuple[int, str | None, bool]
"""Id, rack (None where it has none), and whether it is fenced."""


class _BrokerRing:
    """Brokers handed out in turn, each at most once for a partition; a new partition begins one further."""

    def __init__(self, brokers: Iterable[int], randomness: random.Random) -> None:
        self.brokers = sorted(brokers)
        self._given, self._partition = 0, 0
        self._start = randomness.randrange(len(self.brokers)) if self.brokers else 0

    def next(self, partition: int) -> int | None:
        """Return a broker that this partition has not yet, None where it has all."""
        if not self.brokers:
            return None
        if partition != self._partition:
            self._partition, self._given = partition, 0
            self._start = (self._start + 1) % len(self.brokers)
        if self._given == len(self.brokers):
            return None
        broker = self.brokers[(self._start + self._given) % len(self.brokers)]
        self._given += 1
        return broker


class _Rack:
    """The brokers of a rack; the fenced ones only when no other is left."""

    def __init__(self, brokers: list[UsableBroker], randomness: random.Random) -> None:
        self.fenced = _BrokerRing((broker for broker, _, fenced in brokers if fenced), randomness)
        self.unfenced = _BrokerRing((broker for broker, _, fenced in brokers if not fenced), randomness)

    def next(self, partition: int) -> int | None:
        """Return a broker that this partition has not yet, None where it has all."""
        broker = self.unfenced.next(partition)
        return self.fenced.next(partition) if broker is None else broker


class _RackRing:
    """The racks in turn, the next partition beginning one further."""

    def __init__(self, brokers: list[UsableBroker], randomness: random.Random) -> None:
        self._random = randomness
        # No rack sorts before every name.
        names = sorted({rack for _, rack, _ in brokers}, key=lambda name: (name is not None, name or ""))
        self.racks = [_Rack([one for one in brokers if one[1] == name], randomness) for name in names]
        self._unfenced = sum(not fenced for _, _, fenced in brokers)
        self._partition, self._start = 0, randomness.randrange(len(self.racks))

    def place(self, replicas: int) -> tuple[int, ...]:
        """Return the brokers of one partition."""
        if self._partition == self._unfenced and self._unfenced > 1:
            # Every unfenced broker had its turn to begin: mix, lest the same sets come again.
            self._shuffle()
            self._partition = 0
        self._start %= len(self.racks)
        first, leader = self._leader()
        placed, index, skipped = [leader], self._start, False
        while len(placed) < replicas:
            # The leader's rack has given a replica already and is passed over once.
            if index == first and not skipped:
                skipped = True
            else:
                broker = self.racks[index].next(self._partition)
                if broker is not None:
                    placed.append(broker)
            index = (index + 1) % len(self.racks)
        self._partition += 1
        self._start += 1
        return tuple(placed)

    def _leader(self) -> tuple[int, int]:
        """Return the first rack in turn that has an unfenced broker, and that broker."""
        index = self._start
        while True:
            broker = self.racks[index].unfenced.next(self._partition)
            if broker is not None:
                return index, broker
            index = (index + 1) % len(self.racks)

    def _shuffle(self) -> None:
        self._random.shuffle(self.racks)
        for rack in self.racks:
            self._random.shuffle(rack.fenced.brokers)
            self._random.shuffle(rack.unfenced.brokers)


def place_replicas(
    usable: Iterable[UsableBroker], partitions: int, replicas: int, randomness: random.Random
) -> list[tuple[int, ...]]:
    """Return the replicas of new partitions; raises INVALID_REPLICATION_FACTOR where they cannot be placed."""
    brokers = list(usable)
    if replicas <= 0:
        raise _refused(f"Invalid replication factor {replicas}: the replication factor must be positive.")
    if all(fenced for _, _, fenced in brokers):
        raise _refused("All brokers are currently fenced.")
    if replicas > len(brokers):
        raise _refused(
            f"The target replication factor of {replicas} cannot be reached: there are {len(brokers)} brokers."
        )
    ring = _RackRing(brokers, randomness)
    return [ring.place(replicas) for _ in range(partitions)]


def _refused(message: str) -> ApiError:
    return ApiError(Errors.INVALID_REPLICATION_FACTOR, message)
