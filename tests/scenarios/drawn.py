"""Scenarios drawn from a seed: low words and what administrators ask for, in any order, sensible or not."""

import random

LEVELS = ("4.4-IV2", "4.4-IV2", "4.4-IV2", "4.3-IV0", "4.2-IV1", "4.0-IV1")
WITHOUT_ELR = ("4.4-IV2", "4.3-IV0", "4.0-IV0", "3.9-IV0", "3.7-IV2", "3.6-IV1", "3.5-IV2", "3.4-IV0", "3.3-IV3")


class Drawing:
    """The lines of one scenario, and what is known while it is drawn: brokers, topics, directories."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.brokers = list(range(1, self.draw.choice((2, 3, 4, 5)) + 1))
        self.directories = {one: self.draw.choice((["d1"], ["d1"], ["d1", "d2"])) for one in self.brokers}
        self.topics: dict[str, int] = {}
        self.lines: list[str] = []

    def scenario(self, length: int) -> str:
        """Return a scenario of so many steps behind those that set the cluster up."""
        draw = self.draw
        elr = draw.random() < 0.85
        level = draw.choice(LEVELS if elr else WITHOUT_ELR)
        self.lines.append(
            f"cluster metadata.version {level} elr {'on' if elr else 'off'} min.insync.replicas={draw.choice('1223')}"
        )
        for one in self.brokers:
            self.lines.append(f"register {one} directories {','.join(self.directories[one])}")
            self.lines += [f"heartbeat {one}"] if draw.random() < 0.95 else []
        self.topic("t")
        if draw.random() < 0.5:
            self.topic("u")
        kinds = (
            (14, self.heartbeat), (6, self.want_fence), (7, self.want_shutdown), (10, self.register), (18, self.isr),
            (8, self.reassign), (6, self.elect), (3, self.task), (6, self.config), (2, self.feature),
            (2, self.unregister), (3, self.fail), (3, self.assign), (2, self.cordon), (1, self.delete),
            (2, self.create), (1, self.grow), (2, self.failover), (1, self.producer_ids),
        )  # fmt: skip
        weights, steps = zip(*kinds, strict=True)
        for step in draw.choices(steps, weights, k=length):
            step()
        return "\n".join(self.lines)

    # -- names -----------------------------------------------------------------------------------------------------
    def broker(self) -> int:
        """Return one of the brokers."""
        return self.draw.choice(self.brokers)

    def some(self) -> str:
        """Return some brokers in any order."""
        count = self.draw.randint(1, len(self.brokers))
        return ",".join(map(str, self.draw.sample(self.brokers, count)))

    def partition(self) -> str:
        """Return a partition that there may be."""
        topic = self.draw.choice(list(self.topics))
        return f"{topic}-{self.draw.randrange(self.topics[topic])}"

    def directory(self, broker: int) -> str:
        """Return a log directory that a broker may have."""
        return self.draw.choice(self.directories[broker])

    def add(self, line: str) -> None:
        """Add a step."""
        self.lines.append(line)

    def topic(self, name: str) -> None:
        """Add the creation of a topic."""
        draw = self.draw
        self.topics[name] = draw.choice((1, 1, 2, 3))
        factor = draw.randint(1, len(self.brokers))
        replicas = [",".join(map(str, draw.sample(self.brokers, factor))) for _ in range(self.topics[name])]
        configs = f" min.insync.replicas={draw.choice('123')}" if draw.random() < 0.5 else ""
        configs += f" unclean.leader.election.enable={draw.choice(('true', 'false'))}" if draw.random() < 0.3 else ""
        self.add(f"topic {name} {'/'.join(replicas)}{configs}")

    # -- steps -----------------------------------------------------------------------------------------------------
    def heartbeat(self) -> None:
        """A heartbeat that may lag."""
        behind = f" behind {self.draw.choice((1, 2, 9))}" if self.draw.random() < 0.15 else ""
        self.add(f"heartbeat {self.broker()}{behind}")

    def want_fence(self) -> None:
        """A heartbeat that wants to be fenced."""
        self.add(f"heartbeat {self.broker()} want-fence")

    def want_shutdown(self) -> None:
        """A heartbeat that wants to shut down, at times with a failed directory."""
        broker = self.broker()
        failed = f" failed {self.directory(broker)}" if self.draw.random() < 0.1 else ""
        self.add(f"heartbeat {broker} want-shutdown{failed}")

    def register(self) -> None:
        """A registration, at times unclean, with other directories or of the same process; often a heartbeat."""
        draw, broker = self.draw, self.broker()
        if draw.random() < 0.1:
            self.directories[broker] = draw.choice((["d1"], ["d1", "d2"], ["d2"], ["d2", "d3"]))
        words = [f"register {broker}"]
        words += ["unclean"] if draw.random() < 0.3 else []
        words += ["same process"] if draw.random() < 0.1 else []
        self.add(" ".join([*words, "directories", ",".join(self.directories[broker])]))
        if draw.random() < 0.8:
            self.add(f"heartbeat {broker}")

    def isr(self) -> None:
        """An ISR that the leader or another broker proposes, at times with wrong epochs."""
        draw = self.draw
        words = [f"isr {self.partition()} {self.some()} from {self.broker()}"]
        if draw.random() < 0.1:
            words.append("recovering")
        if draw.random() < 0.1:
            words.append(
                f"{draw.choice(('leader-epoch', 'partition-epoch', 'broker-epoch'))} {draw.choice(('+1', '-1'))}"
            )
        if draw.random() < 0.05:
            words.append(draw.choice(("without-epochs", f"old {self.broker()}")))
        self.add(" ".join(words))

    def reassign(self) -> None:
        """A reassignment, or its end."""
        if self.draw.random() < 0.35:
            self.add(f"cancel {self.partition()}")
        else:
            same = " same-replication-factor" if self.draw.random() < 0.1 else ""
            self.add(f"reassign {self.partition()} {self.some()}{same}")

    def elect(self) -> None:
        """An election of one partition or of all."""
        kind = self.draw.choice(("preferred", "unclean", "unclean"))
        self.add(f"elect {kind} {self.partition() if self.draw.random() < 0.8 else 'all'}")

    def task(self) -> None:
        """A periodic task."""
        self.add(f"task {self.draw.choice(('balance', 'unclean', 'fence-stale'))}")

    def config(self) -> None:
        """A value that is set or deleted."""
        draw = self.draw
        owner = draw.choice((f"topic {draw.choice(list(self.topics))}", "brokers", f"broker {self.broker()}"))
        change = draw.choice(
            (
                f"min.insync.replicas={draw.choice('123')}", "delete min.insync.replicas",
                f"unclean.leader.election.enable={draw.choice(('true', 'false'))}",
                "delete unclean.leader.election.enable",
            )
        )  # fmt: skip
        self.add(f"config {owner} {change}")

    def feature(self) -> None:
        """A feature's level that is raised or lowered."""
        elr = "eligible.leader.replicas.version"
        self.add(
            "feature "
            + self.draw.choice(
                (
                    f"{elr} 0 safe-downgrade", f"{elr} 1 upgrade", "metadata.version 4.4-IV2 upgrade",
                    "metadata.version 4.3-IV0 upgrade", "metadata.version 4.3-IV0 safe-downgrade",
                    "metadata.version 4.0-IV0 safe-downgrade",
                )
            )
        )  # fmt: skip

    def unregister(self) -> None:
        """A broker that is taken out."""
        self.add(f"unregister {self.broker()}")

    def fail(self) -> None:
        """A heartbeat that reports a failed directory."""
        broker = self.broker()
        self.add(f"heartbeat {broker} failed {self.directory(broker)}")

    def assign(self) -> None:
        """A replica that is in another directory."""
        broker = self.broker()
        place = self.draw.choice((self.directory(broker), "d1", "d2", "UNASSIGNED", "LOST"))
        self.add(f"assign {broker} {place} {self.partition()}")

    def cordon(self) -> None:
        """A heartbeat that reports cordoned directories."""
        broker = self.broker()
        self.add(f"heartbeat {broker} cordoned {self.draw.choice(('none', self.directory(broker)))}")

    def create(self) -> None:
        """A topic, which may be there already."""
        self.topic(self.draw.choice(("t", "u", "v")))

    def delete(self) -> None:
        """A topic that is deleted, if it is there."""
        self.add(f"delete-topic {self.draw.choice(list(self.topics))}")

    def grow(self) -> None:
        """A further partition."""
        self.add(f"add-partitions {self.draw.choice(list(self.topics))} {self.some()}")

    def failover(self) -> None:
        """Another controller."""
        self.add("controller-failover")

    def producer_ids(self) -> None:
        """A block of producer ids."""
        self.add(f"producer-ids {self.broker()}")


def drawn(seed: int, length: int) -> str:
    """Return the scenario of a seed with so many steps behind its beginning."""
    return Drawing(seed).scenario(length)


HIGH = (
    "stop {b}", "stop {b}", "kill {b}", "kill {bs}", "start {b}", "start {b}", "start {b}", "start {b} empty disk",
    "start {b} new directory", "start {b} behind", "start {b} directories d2,d7", "silence {b} 5s", "silence {b} 12s",
    "wait 1s", "wait 30s", "wait 6m", "fail-directory {b} d1", "fail-directory {b} d2", "cordon {b} d1",
    "cordon {b} none", "reassign {p} {bs}", "cancel {p}", "elect preferred all", "elect unclean {p}", "catch-up all",
    "isr {p} {bs}", "config topic t min.insync.replicas={n}", "config brokers min.insync.replicas={n}",
    "unregister {b}", "controller-failover", "heartbeat {b} want-shutdown", "register {b}", "delete-topic u",
    "topic u 1/2/3", "add-partitions t 1,2,3", "task unclean",
    "feature eligible.leader.replicas.version 0 safe-downgrade", "feature eligible.leader.replicas.version 1 upgrade",
)  # fmt: skip
"""Steps with places for a broker, several, a partition and a number."""


def drawn_of_operators(seed: int, length: int) -> list[str]:
    """Return the steps of a seed, a beginning and so many high words, some of which cannot be done."""
    draw = random.Random(seed)
    beginning = draw.choice(("", "elr off", "metadata.version 4.0-IV1 elr on", "metadata.version 3.9-IV0"))
    lines = [
        f"cluster {beginning} min.insync.replicas={draw.choice('122')}",
        "brokers 1,2 directories d1,d2",
        "brokers 3,4",
        f"topic t 1,2,3/2,3,4 unclean.leader.election.enable={draw.choice(('true', 'false'))}",
        "topic u 1/2/3",
    ]
    for _ in range(length):
        brokers = draw.sample((1, 2, 3, 4), draw.randint(1, 3))
        places = {"b": draw.randint(1, 4), "bs": ",".join(map(str, brokers)), "n": draw.choice("123")}
        partition = draw.choice(("t-0", "t-1", "u-0", "u-1", "u-2", "v-0"))
        lines.append(draw.choice(HIGH).format(**places, p=partition))
    return lines
