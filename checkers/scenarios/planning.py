"""A plan explored from the state of a cluster: what it does to partitions, the first sequence, an order that does not.

Partitions in equal states with equal acts are one class; each is explored alone, since controllers decide about a
partition by nothing but its own state and that of its brokers. What is found is done once more to a cluster with the
brokers and partitions in question before it is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fencepost.checkers.verdicts import ReplayFailed
from fencepost.reference.kraft.controller.configurations import config_record
from fencepost.reference.kraft.controller.partitions import PartitionRegistration
from fencepost.reference.kraft.levels import ELR_VERSION
from fencepost.reference.kraft.messages import TOPIC_RESOURCE
from fencepost.reference.kraft.records import Message
from fencepost.traces.record_types import TOPIC_RECORD

from .brokers import Key
from .exploring import MOST, NOTHING, BoundReached, Explorer, Found, Kinds, Naming, Steps, words_of, worst
from .loading import begin
from .machine import Machine
from .one_partition import OnePartition, Reader, brokers_of
from .parsing import step_of
from .plans import Act, Plan
from .results import BELOW, KINDS, OFFLINE, STUCK, UNCLEAN, FirstSequence, Harm, Planned, Report
from .running import Scenario, run

MOST_TRIES = 20_000
"""So many beginnings of orders are tried in the search for one that does no harm."""

DONE_AGAIN = 12
"""An order of more acts is not done once more as a whole."""

REPRESENTATIVES = 24
"""So many classes have a partition in the cluster that a sequence is done to once more."""


# -- classes -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, eq=False)
class _Class:
    """Partitions in equal states with equal acts: the state, the acts, and the partitions by their brokers."""

    state: OnePartition
    acts: tuple[Act, ...]
    members: dict[tuple[int, ...], list[Key]]


def _classes(scenario: Scenario, plan: Plan) -> list[_Class]:
    """Return the classes of the partitions that a plan does something to, the most frequent first."""
    reader = Reader(scenario, plan.moves)
    managers = scenario.machine.controller.managers
    topics = managers.replication.topics
    found: dict[tuple[OnePartition, tuple[Act, ...]], _Class] = {}
    for key, partition in managers.replication.partitions.items():
        acts = plan.of(key, partition)
        if not acts:
            continue
        brokers = _brokers(partition, acts)
        numbers = {one: at for at, one in enumerate(brokers, 1)}
        own = [
            one._replace(broker=numbers.get(one.broker, -1), replicas=tuple(numbers[each] for each in one.replicas))
            for one in acts
        ]
        state = reader.read(topics[key[0]].name, partition, brokers)
        mine = tuple(sorted(own)) if plan.is_any else tuple(own)
        one = found.setdefault((state, mine), _Class(state, mine, {}))
        one.members.setdefault(brokers, []).append(key)
    return sorted(found.values(), key=lambda one: -sum(map(len, one.members.values())))


def _brokers(partition: PartitionRegistration, acts: Sequence[Act]) -> tuple[int, ...]:
    named = brokers_of(partition)
    more = {each for one in acts for each in (one.broker, *one.replicas) if each >= 0} - set(named)
    return (*named, *sorted(more))


def _is(act: Act) -> tuple[str, int]:
    """Return what an act of one partition and that of a plan have in common."""
    return act.kind, -1 if act.kind in ("change", "reassign", "assign") else act.broker


def _places(order: Sequence[Act]) -> dict[tuple[str, int], int]:
    """Return the place of each act of a plan in an order."""
    return {_is(act): at for at, act in enumerate(order)}


def _projected(places: Mapping[tuple[str, int], int], one: _Class, brokers: tuple[int, ...]) -> tuple[Act, ...]:
    """Return the acts of a class that an order has, in that order, for partitions with these brokers."""
    found = []
    for act in one.acts:
        place = places.get(_is(act._replace(broker=brokers[act.broker - 1] if act.broker > 0 else -1)))
        if place is not None:
            found.append((place, act))
    return tuple(act for _, act in sorted(found))


# -- exploring ---------------------------------------------------------------------------------------------------------
def explore(scenario: Scenario, plan: Plan, name: str, most: int = MOST) -> Planned:
    """Explore a plan from the state of a scenario, in which first the sessions of brokers that do not run end.

    At most so many transitions are done. Raises ReplayFailed where what was found is not so in a whole cluster.
    """
    ended = scenario.brokers.end_sessions()
    if ended:
        brokers = ", ".join(map(str, ended))
        offline = len(scenario.lost()[0])
        what = f": {offline:,} partitions are offline with it" if offline else ""
        notes = (*plan.notes, f"before the first act the sessions of brokers that do not run end ({brokers}){what}")
        plan = replace(plan, notes=notes)
    return _Exploration(scenario, plan, name, most).run()


class _Exploration:
    """The exploration of one plan."""

    def __init__(self, scenario: Scenario, plan: Plan, name: str, most: int) -> None:
        self.scenario, self.plan, self.name = scenario, plan, name
        self.explorer = Explorer(scenario.machine.settings, most)
        self.classes = _classes(scenario, plan)
        topics = scenario.machine.controller.managers.replication.topics
        self.topics = {id: str(topic.name) for id, topic in topics.items()}
        self.units = [(one, brokers, keys) for one in self.classes for brokers, keys in one.members.items()]

    def run(self) -> Planned:
        """Explore, and return what was found."""
        first: FirstSequence | None = None
        order, reached = self.plan.orders[0], ""
        harm = now = always = late = Harm()
        refused = self._refused()
        if not refused:
            try:
                every = {id(one): self._always(one) for one in self.classes} if self._chooses else {}
                always = self._harm({id(unit): every.get(id(unit[0]), NOTHING) for unit in self.units})
                order = self._chosen(every)
                harm = self._in(order, False)
                now = harm if self.plan.is_any else self._in(self.plan.orders[0], False)
                always = always if self._chooses else harm
                late = self._in(order, True)
                first = self._first()
                self._again(order, harm)
            except BoundReached as bound:
                reached = str(bound)
        explorer = self.explorer
        partitions = sum(len(keys) for _, _, keys in self.units)
        words = tuple(one.words() for one in order)
        is_given = not self._chooses and self.plan.orders[0][:1] != () and self.plan.orders[0][0].kind == "restart"
        return Planned(
            self.plan.title, words, is_given, harm, now, always, late, first, self._bound(partitions), reached, refused,
            self.plan.notes, len(self.classes), partitions, explorer.states, explorer.transitions,
            tuple(explorer.differs), tuple(explorer.unexplained), self._chooses,
        )  # fmt: skip

    @property
    def _chooses(self) -> bool:
        return len(self.plan.orders[0]) > 1 and (self.plan.is_any or len(self.plan.orders) > 1)

    def _bound(self, partitions: int) -> str:
        explorer = self.explorer
        classes = f"{len(self.classes):,} class{'es' * (len(self.classes) != 1)}"
        return (
            f"{partitions:,} partition{'s' * (partitions != 1)} in {classes}, {explorer.states:,} states, "
            f"{explorer.transitions:,} of at most {explorer.most:,} transitions; between acts replicas may join ISRs "
            "and the periodic elections may run; no broker fails, no other controller takes over"
        )

    # -- orders ----------------------------------------------------------------------------------------------------
    def _orders_of(self, one: _Class) -> list[tuple[Act, ...]]:
        brokers = next(iter(one.members))
        return [_projected(_places(order), one, brokers) for order in self.plan.orders]

    def _always(self, one: _Class) -> Kinds:
        """Return what every order does to the partitions of a class."""
        if self.plan.is_any:
            return self.explorer.in_every_order(one.state, one.acts)
        found: Kinds = frozenset(KINDS)
        for order in self._orders_of(one):
            found &= self.explorer.in_order(one.state, order, False)
        return found

    def _chosen(self, every: Mapping[int, Kinds]) -> tuple[Act, ...]:
        """Return the order that does least harm: none that not every order does, else none but below the minimum."""
        if not self.plan.is_any:
            return min(self.plan.orders, key=lambda one: _weight(self._in(one, False)))
        for more in (NOTHING, frozenset((BELOW,)), frozenset((BELOW, OFFLINE))):
            found = self._search({key: kinds | more for key, kinds in every.items()})
            if found is not None:
                return found
        return self.plan.orders[0]

    def _search(self, allowed: Mapping[int, Kinds]) -> tuple[Act, ...] | None:
        """Return an order in which each act does no more than is allowed of a class, None where none was found."""
        acts = self.plan.orders[0]
        if not allowed:
            return acts
        explorer = self.explorer
        beliefs = [explorer.believed(one.state) for one, _, _ in self.units]
        by_broker: dict[int, list[tuple[int, Act, Kinds]]] = {}
        for at, (one, brokers, _) in enumerate(self.units):
            for act in one.acts:
                by_broker.setdefault(brokers[act.broker - 1], []).append((at, act, allowed[id(one)]))
        tries = 0

        def search(done: tuple[Act, ...]) -> tuple[Act, ...] | None:
            nonlocal tries
            if len(done) == len(acts):
                return done
            for act in acts:
                tries += 1
                if act in done or tries > MOST_TRIES:
                    continue
                after = []
                for at, own, fine in by_broker.get(act.broker, ()):
                    kinds, belief = explorer.advance(beliefs[at], own, False)
                    if not kinds <= fine:
                        break
                    after.append((at, belief))
                else:
                    before = [(at, beliefs[at]) for at, _ in after]
                    for at, belief in after:
                        beliefs[at] = belief
                    found = search((*done, act))
                    if found is not None:
                        return found
                    for at, belief in before:
                        beliefs[at] = belief
            return None

        return search(())

    def _in(self, order: Sequence[Act], late: bool) -> Harm:
        """Return what an order does to every partition."""
        places = _places(order)
        known: dict[tuple[int, tuple[Act, ...]], Kinds] = {}
        kinds = {}
        for unit in self.units:
            one, brokers, _ = unit
            key = id(one), _projected(places, one, brokers)
            if key not in known:
                known[key] = self.explorer.in_order(one.state, key[1], late)
            kinds[id(unit)] = known[key]
        return self._harm(kinds)

    def _harm(self, kinds: Mapping[int, Kinds]) -> Harm:
        found: dict[str, list[str]] = {kind: [] for kind in KINDS}
        for unit in self.units:
            for kind in kinds[id(unit)]:
                found[kind] += self._names(unit[2])
        return Harm(**{kind: tuple(sorted(names, key=_by_number)) for kind, names in found.items()})

    def _names(self, keys: Sequence[Key]) -> Iterator[str]:
        return (f"{self.topics[id]}-{number}" for id, number in keys)

    # -- the first sequence ----------------------------------------------------------------------------------------
    def _first(self) -> FirstSequence | None:
        """Return the first sequence that does something: of the plan that waits, else of one that does not."""
        places = [_places(order) for order in self.plan.orders]
        for late in (False, True):
            known: dict[tuple[int, tuple[tuple[Act, ...], ...]], Found | None] = {}
            found: list[tuple[Found, _Class, tuple[int, ...], Key]] = []
            for one in self.classes:
                for brokers, keys in one.members.items():
                    orders = (one.acts,) if self.plan.is_any else tuple(
                        _projected(each, one, brokers) for each in places
                    )  # fmt: skip
                    key_of = id(one), orders
                    if key_of not in known:
                        known[key_of] = self.explorer.first(one.state, orders, self.plan.is_any, late)
                    way = known[key_of]
                    if way is not None:
                        found.append((way, one, brokers, min(keys, key=lambda key: (self.topics[key[0]], key[1]))))
                    if self.plan.is_any:
                        # Its members differ in the names of their brokers alone.
                        break
            if found:
                way, one, brokers, key = min(
                    found, key=lambda each: (each[0].acts, worst(each[0].kinds), len(each[0].steps), each[3])
                )
                return self._as_done(way, brokers, key, late)
        return None

    def _as_done(self, way: Found, brokers: tuple[int, ...], key: Key, late: bool) -> FirstSequence:
        """Do a sequence once more to a cluster with all brokers and some partitions."""
        name = f"{self.topics[key[0]]}-{key[1]}"
        texts = self._texts(way.steps, brokers, name)
        report = self._do(texts, [key])
        found = report.effect
        does = {
            UNCLEAN: found.unclean,
            OFFLINE: (*found.offline, *found.offline_on_the_way),
            BELOW: (*found.below_min_isr, *found.below_min_isr_on_the_way),
            STUCK: tuple(one.partition for one in report.partitions if one.stuck),
        }
        if not any(name in does[kind] for kind in way.kinds):
            raise ReplayFailed(f"{', '.join(texts)} does nothing to {name}: {report.answer}")
        kinds = tuple(kind for kind in KINDS if kind in way.kinds)
        return FirstSequence(name, tuple(texts), kinds, not late, report.steps)

    def _texts(self, steps: Steps, brokers: tuple[int, ...], name: str) -> list[str]:
        directories: dict[int, tuple[str, ...]] = {}
        if self.plan.moves is not None:
            broker, left = self.plan.moves
            registration = self.scenario.machine.controller.managers.cluster.registrations[broker]
            names = self.scenario.brokers.names
            directories[broker] = tuple(names.get(one, one) for one in registration.directories if one != left)
        return [words_of(one, Naming(brokers, name, directories)) for one in steps]

    def _do(self, texts: Sequence[str], keys: Sequence[Key]) -> Report:
        """Do steps to a cluster with all brokers, these partitions, and one of each of the first classes."""
        others = [next(iter(one.members.values()))[0] for one in self.classes[:REPRESENTATIVES]]
        scenario = smaller(self.scenario, list(dict.fromkeys([*keys, *others])))
        report = run([step_of(one.split(), f"step {at}") for at, one in enumerate(texts, 1)], self.name, None, scenario)
        self.explorer.differs += [one.differs for _, one in report.operations if one.differs]
        return report

    def _again(self, order: Sequence[Act], harm: Harm) -> None:
        """Do the order that is reported once more to a cluster with a partition of each class."""
        if len(order) > DONE_AGAIN or any(one.kind not in ("restart", "start", "change") for one in order):
            return
        known = self.scenario.brokers.known
        texts: list[str] = []
        for one in order:
            if one.kind == "change":
                texts.append(one.text)
            else:
                is_up = one.broker in known and known[one.broker].runs
                texts += [f"stop {one.broker}"] * (is_up and one.kind == "restart") + [f"start {one.broker}"]
        found = self._do(texts, []).effect
        wrong = {
            *({*found.offline, *found.offline_on_the_way} - {*harm.offline}),
            *({*found.below_min_isr, *found.below_min_isr_on_the_way} - {*harm.below_min_isr, *harm.offline}),
            *({*found.unclean} - {*harm.unclean}),
        }
        if wrong:
            raise ReplayFailed(f"{', '.join(texts)} does harm to {', '.join(sorted(wrong))}")

    def _refused(self) -> str:
        """Return the error with which a controller answers the change of a plan, empty for none."""
        if not self.plan.changes:
            return ""
        report = self._do([self.plan.changes], [])
        errors = [each["error"] for _, one in report.operations if one.refused for each in one.answers]
        return next((one for one in errors if one != "NONE"), "")


def _weight(harm: Harm) -> tuple[int, ...]:
    return tuple(len(harm.of(kind)) for kind in KINDS)


def _by_number(name: str) -> tuple[str, int]:
    topic, _, number = name.rpartition("-")
    return topic, int(number)


# -- a smaller cluster -------------------------------------------------------------------------------------------------
def smaller(scenario: Scenario, keys: Sequence[Key]) -> Scenario:
    """Return a cluster in the state of another, with all brokers and configurations, but only some partitions."""
    old = scenario.machine
    managers = old.controller.managers
    level = managers.features.metadata_version_or_throw()
    messages = [
        Message("FEATURE_LEVEL_RECORD", 0, {"name": name, "featureLevel": value})
        for name, value in managers.features.finalized.items()
    ]
    messages += [one.to_record(level) for one in managers.cluster.registrations.values()]
    with_elr = managers.features.finalized.get(ELR_VERSION, 0) >= 1
    topics = managers.replication.topics
    for id in dict.fromkeys(id for id, _ in keys):
        messages.append(Message(TOPIC_RECORD, 0, {"name": topics[id].name, "topicId": id}))
    for key in keys:
        messages.append(managers.replication.partitions[key].to_record(*key, level, with_elr))
    names = {topics[id].name for id, _ in keys}
    for resource, values in managers.configurations.configs.items():
        if resource.type != TOPIC_RESOURCE or resource.name in names:
            messages += [config_record(resource, name, value) for name, value in values.items()]
    machine = Machine(old.settings, (), old.raft.wall_clock_ms, node=old.node)
    begin(machine, tuple(messages), old.raft.end, max(old.raft.epoch, 1))
    machine.lead()
    known = scenario.brokers.known
    found = Scenario(machine, scenario.begins, dead=[one.id for one in known.values() if not one.runs])
    found.brokers.take_over(scenario.brokers)
    return found
