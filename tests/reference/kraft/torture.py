"""A small cluster under many faults a second: what takes days elsewhere happens here within a minute."""

import random

from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.broker.ledger import Ledger
from fencepost.reference.kraft.broker.producers import Producer
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.simulator import MILLISECOND, SECOND, Link

from .broker_cluster import BrokerCluster, directory, name_of

BROKERS = (1, 2, 3, 4)
TOPICS = 6


class Torture:
    """A run of one seed; `lossy` lets brokers lose data, else they only die, lag, are cut off and relieved."""

    def __init__(self, seed: int, *, elr: int = 1, lossy: bool = True, repaired: frozenset[str] = frozenset()) -> None:
        self.ledger = Ledger()
        settings = Settings(
            min_insync_replicas=2, broker_session_timeout_ms=1200, broker_heartbeat_interval_ms=200,
            replica_lag_time_max_ms=1000, replica_fetch_wait_max_ms=200, replica_fetch_backoff_ms=100,
            leader_imbalance_check_interval_seconds=3, repaired=repaired,
        )  # fmt: skip
        self.cluster = BrokerCluster(4, settings=settings, elr=elr, seed=seed, observer=self.ledger)
        self.draw = self.cluster.simulator.random("torture")
        self.lives = dict.fromkeys(BROKERS, 0)
        self.lossy = lossy
        producer = Producer(
            self.cluster.simulator, self.cluster.network, "producer", self.ledger, self._image, name_of,
            interval_ms=100, timeout_ms=5000,
        )  # fmt: skip
        self.cluster.network.attach(producer)
        self.cluster.start()
        for number in range(TOPICS):
            self.cluster.create(f"t{number}", tuple(self.draw.sample(BROKERS, 3)))
        producer.start()

    def _image(self) -> object:
        runs = [broker.run for broker in self.cluster.brokers.values() if broker.run is not None]
        return max((run.image for run in runs), key=lambda image: image.offset, default=None)

    def run(self, seconds: int) -> Ledger:
        """Torture it, let it recover, and return the acknowledged entries of its producers."""
        simulator = self.cluster.simulator
        end = simulator.now_ns + seconds * SECOND
        while simulator.now_ns < end and not self.ledger.violations:
            self._fault()
            self.cluster.run(self.draw.random() * 0.6)
        self.cluster.network.faults.heal_all()
        for broker in BROKERS:
            self._awake(broker)
            self.cluster.brokers[broker].start()
        self.cluster.run(10)
        self.ledger.check_all(self.cluster.brokers.values())
        return self.ledger

    def _fault(self) -> None:
        draw, cluster = self.draw, self.cluster
        number = draw.choice(BROKERS)
        broker = cluster.brokers[number]
        faults = cluster.network.faults
        match draw.randrange(12):
            case 0:
                broker.kill()
            case 1:
                broker.terminate()
            case 2 if self.lossy and draw.random() < 0.5:
                broker.lose_power(draw)
            case 3 if self.lossy and draw.random() < 0.5:
                self.lives[number] += 1
                broker.lose_disk(directory(number, 0, self.lives[number] - 1), directory(number, 0, self.lives[number]))
            case 4 | 5:
                for one in cluster.brokers.values():
                    if draw.random() < 0.5:
                        one.start()
            case 6 if number in cluster.feeds:
                cluster.feeds[number].paused = True
                self.cluster.simulator.after(draw.randint(1, 3 * SECOND), lambda: self._awake(number))
            case 7 | 8:
                cut = faults.cut([name_of(number)], [name_of(draw.choice(BROKERS))])
                cluster.simulator.after(draw.randint(1, 4 * SECOND), lambda: faults.heal(cut))
            case 9:
                slow = Link(max_delay_ns=draw.choice((50, 300)) * MILLISECOND, reorder=0.1, duplication=0.1)
                change = faults.change([name_of(number)], map(name_of, (*BROKERS, 3000)), slow)
                cluster.simulator.after(draw.randint(1, 4 * SECOND), lambda: faults.restore(change))
            case _:
                self._elect(draw)

    def _elect(self, draw: random.Random) -> None:
        """Elect the preferred leaders, of which there may be others than before."""
        image = self.cluster.controller.controller.managers.replication
        topic = f"t{draw.randrange(TOPICS)}"
        replicas = list(image.partitions[image.topic_ids[topic], 0].replicas)
        draw.shuffle(replicas)
        one = m.ReassignablePartition(topic, 0, tuple(replicas))
        for request in (
            m.AlterPartitionReassignmentsRequest(partitions=(one,)),
            m.ElectLeadersRequest(election_type=0, partitions=((topic, 0),)),
        ):
            self.cluster.controller.controller.submit(request, lambda answer: None)

    def _awake(self, number: int) -> None:
        feed = self.cluster.feeds.get(number)
        if feed is not None:
            feed.paused = False
            feed.noticed()
