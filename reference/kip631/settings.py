"""Settings of a cluster; all times are milliseconds."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A cluster: `replicas` has the brokers of each partition, the preferred leader first.

    A session lasts `session` after a heartbeat; a lease from `shortest_lease` to `session`, which all leases last where
    the first is None. An id may be used by another process when there has been no contact for `id_reuse`. Heartbeats
    are `heartbeat` apart, and so are fetches of new metadata by `fetch`, while there is some. The others are how long
    things take: to `start` a process, to `recover` its logs, to `commit` a batch, to elect another controller
    (`failover`).
    """

    brokers: tuple[int, ...] = (1, 2, 3)
    replicas: Mapping[int, tuple[int, ...]]
    session: int = 3_000
    id_reuse: int = 5_000
    heartbeat: int = 1_000
    fetch: int = 300
    start: int = 400
    recover: int = 700
    commit: int = 15
    failover: int = 900
    controllers: int = 3
    shortest_lease: int | None = None


def drawn(draw: random.Random) -> Settings:
    """Return the settings of a run; the leases are a few heartbeats long, so that a lost one does no harm."""
    brokers = tuple(range(1, draw.choice((3, 4, 4, 5)) + 1))
    partitions = range(draw.randint(2, 5))
    session = draw.randrange(1_800, 4_200, 100)
    return Settings(
        brokers=brokers,
        replicas={one: tuple(draw.sample(brokers, draw.randint(2, 3))) for one in partitions},
        session=session,
        id_reuse=session + max(0, draw.randrange(-400, 3_000, 100)),  # no shorter than a lease
        heartbeat=session // draw.randint(2, 4),
        fetch=draw.randint(100, 500),
        start=draw.randint(100, 900),
        recover=draw.randint(100, 1_500),
        commit=draw.randint(3, 30),
        failover=draw.randint(200, 1_500),
        # Even the shortest is longer than the time to the next heartbeat.
        shortest_lease=session * draw.randint(7, 9) // 10,
    )
