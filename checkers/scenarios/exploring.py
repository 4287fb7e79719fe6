"""Effects of a plan's acts on a partition, in every order and every interleaving that the plan allows.

Every transition is a few steps of a scenario with one partition (`one_partition.py`), done to the reference and
evaluated by the tables, and is done once: partitions in equal states share it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations

from fencepost.reference.kraft.records import NO_LEADER
from fencepost.reference.kraft.settings import Settings

from .one_partition import NAME, OTHER, OWN, TOPIC, OnePartition, scenario_of, state_of
from .outlook import Outlook, outlook
from .parsing import step_of
from .plans import MOVED, Act
from .results import BELOW, KINDS, OFFLINE, STUCK, UNCLEAN
from .running import Scenario

DidStep = tuple[object, ...]
"""A step of one partition's scenario: a word, then broker numbers or words."""

Steps = tuple[DidStep, ...]

Kinds = frozenset[str]
NOTHING: Kinds = frozenset()
Belief = frozenset[OnePartition]
"""The states that a partition may be in, as brokers and periodic tasks had their turn or not."""

MOST = 4000
"""The most transitions that are done for a plan: about a minute."""

MOST_ORDERS = 720
"""The most orders of the acts that concern one partition."""


class BoundReached(Exception):
    """More transitions or orders than the bound allows."""


@dataclass(frozen=True, slots=True)
class Done:
    """A transition: what it did to the partition, and the state behind it."""

    kinds: Kinds
    after: OnePartition


@dataclass(frozen=True, slots=True)
class Found:
    """The first sequence that does something to a partition: the steps, and what it does."""

    kinds: Kinds
    steps: Steps
    acts: int


@dataclass(slots=True)
class Explorer:
    """Does transitions, and remembers them; `differs` and `unexplained` are what the tables say of any of them."""

    settings: Settings
    most: int = MOST
    differs: list[str] = field(default_factory=list)
    unexplained: list[str] = field(default_factory=list)
    _done: dict[tuple[OnePartition, Steps], Done] = field(default_factory=dict)
    _closed: dict[OnePartition, tuple[tuple[Steps, OnePartition, Kinds], ...]] = field(default_factory=dict)
    _advanced: dict[tuple[Belief, Act, bool], tuple[Kinds, Belief]] = field(default_factory=dict)
    _orders: dict[tuple[Belief, tuple[Act, ...], bool], Kinds] = field(default_factory=dict)

    @property
    def transitions(self) -> int:
        """How many transitions were done."""
        return len(self._done)

    @property
    def states(self) -> int:
        """How many states of a partition were met."""
        return len({one for one, _ in self._done} | {done.after for done in self._done.values()})

    # -- one transition --------------------------------------------------------------------------------------------
    def do(self, state: OnePartition, steps: Steps) -> Done:
        """Do steps in a state; raises BoundReached where the bound allows no more."""
        found = self._done.get((state, steps))
        if found is None:
            if len(self._done) >= self.most:
                raise BoundReached(f"{self.most:,} transitions")
            found = self._done[state, steps] = self._do(state, steps)
        return found

    def _do(self, state: OnePartition, steps: Steps) -> Done:
        scenario = scenario_of(state, self.settings)
        before = _outlook(scenario)
        unclean = False
        for one in steps:
            text = words_of(one)
            done = scenario.do(step_of(text.split(), text))
            for operation in done.operations:
                unclean = unclean or bool(operation.unclean)
                self.differs += [operation.differs] if operation.differs else []
                self.unexplained += [operation.unexplained] if operation.unexplained else []
        return Done(_kinds(before, _outlook(scenario), scenario, unclean), state_of(scenario, len(state.roles)))

    # -- what may happen between acts ------------------------------------------------------------------------------
    def closed(self, state: OnePartition) -> tuple[tuple[Steps, OnePartition, Kinds], ...]:
        """Return the states that brokers and periodic tasks may lead to without an act, with the shortest way."""
        found = self._closed.get(state)
        if found is None:
            ways: dict[OnePartition, tuple[Steps, Kinds]] = {state: ((), NOTHING)}
            waiting = [state]
            for one in waiting:
                steps, kinds = ways[one]
                for event in _events(one):
                    done = self.do(one, (event,))
                    if done.after not in ways:
                        ways[done.after] = ((*steps, event), kinds | done.kinds)
                        waiting.append(done.after)
            found = self._closed[state] = tuple((steps, one, kinds) for one, (steps, kinds) in ways.items())
        return found

    def believed(self, state: OnePartition) -> Belief:
        """Return the states that a partition may be in before the first act."""
        return frozenset(one for _, one, _ in self.closed(state))

    # -- acts ------------------------------------------------------------------------------------------------------
    def advance(self, belief: Belief, act: Act, late: bool) -> tuple[Kinds, Belief]:
        """Return what an act may do, and the states that may follow; `late` says that the plan does not wait."""
        key = belief, act, late
        found = self._advanced.get(key)
        if found is None:
            kinds: set[str] = set()
            after: set[OnePartition] = set()
            for state in belief:
                for steps in ways_of(act, state, late):
                    done = self.do(state, steps)
                    kinds |= done.kinds
                    for _, one, more in self.closed(done.after):
                        kinds |= more
                        after.add(one)
            found = self._advanced[key] = frozenset(kinds), frozenset(after)
        return found

    def in_order(self, state: OnePartition, acts: tuple[Act, ...], late: bool) -> Kinds:
        """Return what acts in this order may do to a partition."""
        return self._in_order(self.believed(state), acts, late)

    def _in_order(self, belief: Belief, acts: tuple[Act, ...], late: bool) -> Kinds:
        if not acts:
            return NOTHING
        key = belief, acts, late
        found = self._orders.get(key)
        if found is None:
            kinds, after = self.advance(belief, acts[0], late)
            found = self._orders[key] = kinds | self._in_order(after, acts[1:], late)
        return found

    def in_every_order(self, state: OnePartition, acts: Collection[Act]) -> Kinds:
        """Return what acts do to a partition whatever their order is; raises BoundReached for too many orders."""
        every: Kinds = frozenset(KINDS)
        for number, order in enumerate(permutations(acts)):
            if number >= MOST_ORDERS:
                raise BoundReached(f"{MOST_ORDERS} orders of the acts that concern one partition")
            every &= self.in_order(state, order, False)
            if not every:
                break
        return every

    def first(self, state: OnePartition, orders: Sequence[tuple[Act, ...]], is_any: bool, late: bool) -> Found | None:
        """Return the sequence of fewest acts that does something to a partition, the worst among equals."""
        ways: dict[tuple[OnePartition, tuple[Act, ...]], Steps] = {}
        for steps, one, _ in self.closed(state):
            ways |= dict.fromkeys(((one, _left(acts, is_any)) for acts in orders), steps)
        acts = 0
        while ways:
            acts += 1
            found: list[Found] = []
            behind: dict[tuple[OnePartition, tuple[Act, ...]], Steps] = {}
            for (one, left), steps in ways.items():
                for act in left if is_any else left[:1]:
                    rest = tuple(other for other in left if other is not act)
                    for way in ways_of(act, one, late):
                        done = self.do(one, way)
                        so_far = (*steps, *way)
                        if done.kinds:
                            found.append(Found(done.kinds, so_far, acts))
                            continue
                        for more, after, kinds in self.closed(done.after):
                            if kinds:
                                found.append(Found(kinds, (*so_far, *more), acts))
                            else:
                                behind.setdefault((after, rest), (*so_far, *more))
            if found:
                return min(found, key=lambda one: (worst(one.kinds), len(one.steps)))
            ways = behind
        return None


def worst(kinds: Kinds) -> int:
    """Return the place of the worst kind in `KINDS`."""
    return min((KINDS.index(one) for one in kinds), default=len(KINDS))


def _left(acts: tuple[Act, ...], is_any: bool) -> tuple[Act, ...]:
    return tuple(sorted(acts)) if is_any else acts


def _outlook(scenario: Scenario) -> Outlook | None:
    managers = scenario.machine.controller.managers
    for key, partition in managers.replication.partitions.items():
        return outlook(managers, NAME, key[0], partition)
    return None


def _kinds(before: Outlook | None, after: Outlook | None, scenario: Scenario, unclean: bool) -> Kinds:
    if before is None:
        return NOTHING
    offline, below = scenario.lost()
    found = set()
    if unclean:
        found.add(UNCLEAN)
    if not before.offline and (offline or (after is not None and after.offline)):
        found.add(OFFLINE)
    if before.writable and (below or (after is not None and not after.offline and not after.writable)):
        found.add(BELOW)
    if after is not None and after.stuck and not before.stuck:
        found.add(STUCK)
    return frozenset(found)


def _events(state: OnePartition) -> Iterator[DidStep]:
    """Yield what brokers and periodic tasks may do in a state."""
    one = state.partition
    if one is None:
        return
    for id in state.late:
        yield ("isr", *one.isr, id)
    if one.leader == NO_LEADER:
        yield "task", "unclean"
    elif one.leader != one.replicas[0] and one.replicas[0] in one.isr:
        yield "task", "balance"


# -- acts as steps -----------------------------------------------------------------------------------------------------
def ways_of(act: Act, state: OnePartition, late: bool) -> Iterator[Steps]:
    """Yield the steps that an act is, in each way that the plan allows; `late` says that the plan does not wait."""
    role = state.roles[act.broker - 1] if act.broker > 0 else None
    stops: Steps = (("stop", act.broker),) if role is not None and role.runs else ()
    match act.kind:
        case "restart":
            yield (*stops, ("start", act.broker))
            if late:
                yield (*stops, ("start", act.broker, "behind"))
        case "start":
            if role is not None and not role.runs:
                yield (("start", act.broker),)
            else:
                yield ()
        case "stop":
            yield stops
        case "unregister":
            yield (("unregister", act.broker),)
        case "change":
            yield (("change", act.text),)
        case "reassign":
            yield (("reassign", *act.replicas), ("catch-up",))
            if late:
                yield (("reassign", *act.replicas),)
        case "assign":
            yield (("assign", act.broker, OTHER),)
            if late:
                yield ()
        case "without":
            kept = OTHER if act.text == MOVED else OWN
            yield (*stops, ("start", act.broker, "directories", kept))


@dataclass(frozen=True, slots=True)
class Naming:
    """The names of a cluster for those of one partition's scenario: brokers in their order, the partition, directories.

    `directories` has, by broker, the names of all that it has but the one that a plan leaves.
    """

    brokers: tuple[int, ...]
    partition: str
    directories: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    def broker(self, number: object) -> int:
        """Return a broker by its number."""
        assert isinstance(number, int)
        return self.brokers[number - 1]


def words_of(step: DidStep, naming: Naming | None = None) -> str:
    """Return a step as text, of one partition's scenario or with the names of a cluster."""
    word, *rest = step
    name = NAME if naming is None else naming.partition
    ids = [str(one if naming is None else naming.broker(one)) for one in rest if isinstance(one, int)]
    words = [one for one in rest if isinstance(one, str)]
    match word:
        case "isr" | "reassign":
            return f"{word} {name} {','.join(ids)}"
        case "catch-up":
            return f"catch-up {name}"
        case "change":
            text = words[0].split(" ")
            if text[:2] == ["config", "topic"] and naming is None:
                text[2] = TOPIC
            return " ".join(text)
        case "assign":
            place = words[0] if naming is None else naming.directories[int(ids[0])][0]
            return f"assign {ids[0]} {place} {name}"
        case "start" if words[:1] == ["directories"] and naming is not None:
            return f"start {ids[0]} directories {','.join(naming.directories[int(ids[0])])}"
    return " ".join([str(word), *ids, *words])
