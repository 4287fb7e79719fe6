"""A scenario run step by step: high words become what brokers do, each operation of the controller is evaluated."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from fencepost.checkers.verdicts import Refusal
from fencepost.model.kraft.protocol import KRAFT
from fencepost.model.language import Always, Protocol, Step
from fencepost.reference.kraft import messages as m
from fencepost.reference.kraft.controller.partitions import RECOVERING, PartitionRegistration
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.levels import (
    CORDONED_DIRECTORIES,
    ELR_BY_DEFAULT,
    ELR_VERSION,
    LATEST_PRODUCTION,
    METADATA_VERSION,
    NAMES,
    SUPPORTED_FEATURES,
)
from fencepost.reference.kraft.raft.client import WALL_CLOCK_START_MS
from fencepost.reference.kraft.records import Message
from fencepost.reference.kraft.settings import Settings
from fencepost.reference.simulator import MILLISECOND, SECOND

from . import sentences
from . import words as w
from .brokers import Brokers, Key, Process
from .machine import Done, Machine
from .outlook import Outlook, effect, outlook, outlooks
from .reading import NONE
from .results import OperationDone, Report, StepDone

SETUP = (w.Cluster, w.Begin, w.CreateTopic)
"""Steps that make what there is at the beginning: a page has their operations only where one was refused."""

_UNKNOWN_TOPIC = "AAAAAAAAAGMAAAAAAAAAYw"
"""The id by which brokers and administrators name a topic that does not exist."""

_DIRECTIONS = {"upgrade": m.UPGRADE, "safe-downgrade": m.SAFE_DOWNGRADE, "unsafe-downgrade": m.UNSAFE_DOWNGRADE}


def run(
    steps: Sequence[w.Step], name: str, settings: Mapping[str, str] | None = None, start: Scenario | None = None
) -> Report:
    """Run steps from nothing, or from a state that was loaded, and return what was found.

    `settings` are static settings of the controllers by Kafka's names, which go before those of the scenario. Raises
    Refusal for a step that cannot be done, with its place, and ValueError for a setting that is none.
    """
    scenario = start or Scenario()
    return scenario.run(steps, name, dict(settings or {}))


class Scenario:
    """A cluster that steps are done to: from nothing, unless a machine with a state is given.

    `begins` and `assumed` are what the report says of a state that was loaded; there the unfenced brokers run but those
    in `dead`, and replicas have caught up but those of brokers in `behind`. `protocol` has the tables, `highest` is the
    level that a cluster is formatted with where no step says another.
    """

    def __init__(
        self,
        machine: Machine | None = None,
        begins: Mapping[str, Any] | None = None,
        assumed: Sequence[str] = (),
        dead: Collection[int] = (),
        behind: Collection[int] = (),
        protocol: Protocol = KRAFT,
        highest: int = LATEST_PRODUCTION,
    ) -> None:
        self.protocol, self.highest = protocol, highest
        self._machine = machine
        self._dead, self._behind = dead, behind
        self._brokers: Brokers | None = None
        self.begins, self.assumed = begins, tuple(assumed)
        self._partitions: dict[Key, PartitionRegistration] = {}
        self._registrations: dict[int, Any] = {}
        self._topics: dict[str, str] = {}
        self._operations: list[OperationDone] = []
        self._requests = 0
        self._last: tuple[OperationDone, ...] = ()
        self._without_row: list[OperationDone] = []
        self._offline: dict[str, None] = {}
        self._below: dict[str, None] = {}
        self._steps: list[StepDone] = []
        self._settings: dict[str, str] = {}
        if machine is not None:
            self._take(machine)

    def run(self, steps: Sequence[w.Step], name: str, settings: Mapping[str, str]) -> Report:
        """Do the steps and return the report."""
        self._settings = dict(settings)
        if self._machine is None and not any(isinstance(one, w.Cluster) for one in steps[:1]):
            self._make(w.Cluster())
        first: list[Any] = outlooks(self.machine.controller.managers) if self._machine is not None else []
        began = 0
        for at, step in enumerate(steps):
            if began == at and self.begins is None and isinstance(step, SETUP):
                began = at + 1
            self._steps.append(self.do(step))
            if began == at + 1:
                first = outlooks(self.machine.controller.managers)
                self._offline, self._below = {}, {}
        last = outlooks(self.machine.controller.managers)
        unclean = [one for step in self._steps[began:] for each in step.operations for one in each.unclean]
        found = effect(first, last, unclean, tuple(self._offline), tuple(self._below))
        acts = [one for one in steps[began:] if not _asks(one)]
        by_name = {one.partition: one for one in last}
        what, it = sentences.doing(acts, self.begins is not None)
        answer = found.sentence(what, lambda one: by_name[one].helps, it) if acts else "no step changes anything"
        answer += _refused(self._steps)
        operations = [one for step in self._steps for one in step.operations]
        expected = [step for step in self._steps if step.kept is not None]
        counts = {
            "steps": len(self._steps),
            "requests": sum(step.requests for step in self._steps),
            "records": sum(len(one.records) for one in operations),
            "expectations": len(expected),
            "expectations_kept": sum(step.kept is True for step in expected),
            "differences": len(self.machine.differs),
            "unexplained": sum(bool(one.unexplained) for one in operations),
        }
        shown = {one.differs for one in operations if one.differs}
        further = tuple(text for one in self.machine.differs if (text := one.text()) not in shown)
        return Report(
            name, answer, self.begins, self.assumed, tuple(self._steps), tuple(last), found, counts, further,
            machine=self.machine,
        )  # fmt: skip

    def lost(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the partitions that were without a leader, or led and not writable, after some operation."""
        return tuple(self._offline), tuple(self._below)

    @property
    def done(self) -> tuple[StepDone, ...]:
        """The steps that were done."""
        return tuple(self._steps)

    # -- the machine -----------------------------------------------------------------------------------------------
    @property
    def machine(self) -> Machine:
        """The controller with lock step."""
        assert self._machine is not None
        return self._machine

    @property
    def brokers(self) -> Brokers:
        """The brokers."""
        assert self._brokers is not None
        return self._brokers

    def _make(self, step: w.Cluster) -> None:
        """Make the controller of a cluster that is formatted as a step says."""
        level = self.highest if step.level is None else step.level
        elr = level >= ELR_BY_DEFAULT if step.elr is None else step.elr
        levels = {METADATA_VERSION: level, **({ELR_VERSION: 1} if elr else {})}
        records = [
            Message("FEATURE_LEVEL_RECORD", 0, {"name": name, "featureLevel": one}) for name, one in levels.items()
        ]
        # Idle records would only make the log longer.
        settings = Settings(metadata_max_idle_interval_ms=0).with_kafka({**step.settings, **self._settings})
        machine = Machine(settings, records, WALL_CLOCK_START_MS, protocol=self.protocol)
        self._take(machine)
        machine.lead()

    def _take(self, machine: Machine) -> None:
        machine.watch = self._note
        self._machine, self._brokers = machine, Brokers(machine)
        managers = machine.controller.managers
        self._partitions = dict(managers.replication.partitions.items())
        self._topics = {id: topic.name for id, topic in managers.replication.topics.items()}
        self._registrations = dict(managers.cluster.registrations.items())
        for registration in managers.cluster.registrations.values():
            process = self.brokers.adopt(registration)
            process.runs = process.runs and process.id not in self._dead
            process.behind = process.id in self._behind
        self.brokers.beat_all()

    # -- operations ------------------------------------------------------------------------------------------------
    def _topic(self, id: str) -> str:
        return self._topics.get(id, id)

    def _directory(self, id: str) -> str:
        return self._brokers.names.get(id, id) if self._brokers is not None else id

    def _note(self, done: Done) -> None:
        """Put an operation into words while the state is the one right after it."""
        self._requests += 1
        self._topics |= {one.data["topicId"]: one.data["name"] for one in done.records if one.type == "TOPIC_RECORD"}
        answers = sentences.answers(done, self._topic)
        words, unclean = self._words(done.records)
        records = []
        for offset, message in enumerate(done.records, done.base_offset):
            about, fields = sentences.of_record(message, self._topic, self._directory)
            records.append({"offset": offset, "type": message.type, "about": about, "fields": fields})
        self._operations.append(
            OperationDone(
                sentences.asked(done, self._topic, self._directory),
                done.name,
                tuple({"about": one.about, "error": one.error, "says": one.says} for one in answers),
                tuple(records),  # type: ignore[arg-type]
                tuple(words),
                done.rows,
                tuple({"finding": one.id, "by": one.by} for one in done.findings),
                "" if done.differs is None else done.differs.text(),
                done.unexplained,
                done.now_ns / SECOND,
                unclean=tuple(unclean),
                refused=any(one.refused for one in answers),
            )
        )

    def _words(self, records: Sequence[Message]) -> tuple[list[str], list[str]]:
        """Return what records did in the words of a story, and the partitions that they elected uncleanly."""
        managers = self.machine.controller.managers
        words: list[str] = []
        unclean: list[str] = []
        for broker in dict.fromkeys(one.data["brokerId"] for one in records if one.type in _OF_BROKERS):
            old, new = self._registrations.get(broker), managers.cluster.registrations.get(broker)
            sentence = sentences.of_broker_change(broker, old, new, self._directory)
            if not sentence and old is not None and old.fenced and any(one.data.get("fenced") == 1 for one in records):
                sentence = f"broker {broker} is fenced once more"
            words += [sentence] if sentence else []
            if new is None:
                self._registrations.pop(broker, None)
            else:
                self._registrations[broker] = new
        words += sentences.others(records)
        # Of many partitions that change equally, as those of a broker that stops, the words are found once.
        equal: dict[Any, tuple[str, bool, Outlook | None]] = {}
        for key in self._touched(records):
            name = f"{self._topic(key[0])}-{key[1]}"
            after = managers.replication.partitions.get(key)
            before = self._partitions.get(key)
            if before != after:
                state = key[0], before, after
                if state not in equal:
                    now = None if after is None else outlook(managers, name, key[0], after)
                    equal[state] = (*sentences.of_partition(before, after, self._directory), now)
                text, is_unclean, now = equal[state]
                words.append(f"{name} {text}")
                unclean += [name] if is_unclean else []
                if now is not None and now.offline:
                    self._offline[name] = None
                elif now is not None and not now.writable:
                    self._below[name] = None
            if after is None:
                self._partitions.pop(key, None)
            else:
                self._partitions[key] = after
        return words, unclean

    def _touched(self, records: Sequence[Message]) -> Iterator[Key]:
        """Yield the partitions that records may have changed, each once."""
        keys: dict[Key, None] = {}
        for one in records:
            if "partitionId" in one.data and "topicId" in one.data:
                keys[one.data["topicId"], one.data["partitionId"]] = None
            elif one.type == "REMOVE_TOPIC_RECORD":
                keys |= dict.fromkeys(key for key in self._partitions if key[0] == one.data["topicId"])
            elif one.type == "CLEAR_ELR_RECORD":
                name = one.data["topicName"]
                keys |= dict.fromkeys(key for key in self._partitions if name in ("", self._topic(key[0])))
        yield from keys

    # -- steps -----------------------------------------------------------------------------------------------------
    def do(self, step: w.Step) -> StepDone:
        """Do one step, and return what was found; raises Refusal for one that cannot be done, with its place."""
        if isinstance(step, w.Show):
            found = tuple(outlooks(self.machine.controller.managers))
            return StepDone(step.place, step.text, partitions=found)
        if isinstance(
            step, (w.ExpectPartition, w.ExpectBroker, w.ExpectAnswer, w.ExpectRecords, w.ExpectFeature, w.ExpectFound)
        ):
            self._without_row = []
            message = self._expected(step)
            if self._without_row:
                self._declare()
            return StepDone(step.place, step.text, kept=not message, message=message)
        self._operations, self._requests = [], 0
        notes = self._do(step)
        every = tuple(self._operations)
        self._last = every
        kept = tuple(one for one in every if not _is_silent(one) or not _is_high(step))
        return StepDone(
            step.place,
            step.text,
            kept,
            self._requests,
            notes=tuple(notes),
            is_setup=self.begins is None and isinstance(step, SETUP),
        )

    def _declare(self) -> None:
        """Count what the step before has no row for as declared."""
        at = max(at for at, one in enumerate(self._steps) if one.operations)
        known = tuple(
            dataclasses.replace(one, unexplained="", declared=one.unexplained) for one in self._steps[at].operations
        )
        self._steps[at] = dataclasses.replace(self._steps[at], operations=known)

    def _do(self, step: w.Step) -> list[str]:
        """Do a step; return sentences about what did not go as it usually does."""
        match step:
            case w.Cluster():
                if self._machine is not None:
                    raise _refuse(step, "the cluster is that of the log; leave the step out")
                self._make(step)
            case w.Begin():
                return self._begin(step)
            case w.Stop():
                running = [self._running(step, one) for one in step.brokers]
                return [note for one in running if (note := self.brokers.stop(one))]
            case w.Kill():
                self.brokers.kill([self._running(step, one) for one in step.brokers])
            case w.Start():
                return [note for one in step.brokers if (note := self._start(step, self._stopped(step, one)))]
            case w.Silence():
                for one in step.brokers:
                    self._running(step, one)
                self._be_silent(step)
            case w.Wait():
                self.brokers.pass_time(_ns(step.seconds))
            case w.CatchUp():
                self.brokers.catch_up([self._key(step, one) for one in step.partitions] or None, all_of_them=True)
            case w.FailDirectory():
                self._fail(step)
            case w.Cordon():
                self._cordon(step)
            case w.Failover():
                self.machine.fail_over()
            case w.Register():
                if step.directories == () and step.broker not in self.brokers.known:
                    self.brokers.process(step.broker)
                self.brokers.register_by_hand(step)
            case w.Heartbeat():
                self.brokers.beat_by_hand(step)
            case w.Isr():
                key = self._named(step.partition)
                partition = self.machine.controller.managers.replication.partitions.get(key)
                if partition is not None and not partition.has_leader and step.sender is None:
                    raise _refuse(step, f"{_called(step.partition)} has no leader that could propose it; say from whom")
                self.brokers.propose_by_hand(step, key, partition)
            case w.AssignDirectory():
                process = self.brokers.process(step.broker)
                place = self.brokers.directory(step.broker, step.directory)
                self.brokers.assign(process, [(place, *self._named(step.partition))])
            case w.RunTask():
                self.machine.task(step.task)
            case w.Rewrite():
                self._rewrite(step)
            case _:
                self._ask(step)
        return []

    # -- brokers ---------------------------------------------------------------------------------------------------
    def _begin(self, step: w.Begin) -> list[str]:
        for broker in step.brokers:
            if broker in self.brokers.known:
                raise _refuse(step, f"broker {broker} is there already; start {broker} starts it again")
        for broker in step.brokers:
            process = self.brokers.process(broker)
            process.rack = step.rack
            process.directories = tuple(self.brokers.directory(broker, one) for one in step.directories)
            said = self.brokers.start(process, unclean=True, behind=False)
            if not process.runs:
                return [said]
        return []

    def _known(self, step: w.Step, broker: int) -> Process:
        found = self.brokers.known.get(broker)
        if found is None:
            names = ", ".join(map(str, sorted(self.brokers.known))) or "none"
            raise _refuse(step, f"there is no broker {broker}; the brokers are {names}")
        return found

    def _running(self, step: w.Step, broker: int) -> Process:
        found = self._known(step, broker)
        if not found.runs:
            raise _refuse(step, f"broker {broker} does not run; start {broker} first")
        return found

    def _stopped(self, step: w.Step, broker: int) -> Process:
        found = self._known(step, broker)
        if found.runs and not found.by_hand:
            raise _refuse(step, f"broker {broker} runs; stop {broker} or kill {broker} first")
        return found

    def _start(self, step: w.Start, process: Process) -> str:
        had = set(process.directories)
        if step.disk == "empty":
            process.directories = tuple(self.brokers.new_directory(process.id) for _ in process.directories)
            process.failed.clear()
        elif step.disk == "new":
            kept = process.online
            count = max(1, len(process.directories) - len(kept))
            process.directories = (*kept, *(self.brokers.new_directory(process.id) for _ in range(count)))
            process.failed.clear()
        elif step.directories:
            process.directories = tuple(self.brokers.directory(process.id, one) for one in step.directories)
            process.failed.clear()
        # The file of a clean shutdown lies on each disk: with another one among them they do not agree.
        is_new = not set(process.directories) <= had
        return self.brokers.start(process, unclean=step.unclean or is_new, behind=step.behind)

    def _be_silent(self, step: w.Silence) -> None:
        brokers = self.brokers
        brokers.silent |= set(step.brokers)
        brokers.pass_time(_ns(step.seconds))
        brokers.silent -= set(step.brokers)
        for one in step.brokers:
            answer = brokers.beat(brokers.known[one])
            if getattr(answer, "is_fenced", True) is False:
                brokers.catch_up(only=one)

    def _fail(self, step: w.FailDirectory) -> None:
        process = self._running(step, step.broker)
        id = self.brokers.named(step.broker, step.directory)
        if id is None:
            raise _refuse(step, f"broker {step.broker} has no log directory {step.directory}; it has "
                                f"{', '.join(map(self._directory, process.directories)) or 'none'}")  # fmt: skip
        process.failed.add(id)
        if process.online:
            self.brokers.beat(process)
        else:
            # With its last directory a broker halts.
            self.brokers.kill([process])

    def _cordon(self, step: w.Cordon) -> None:
        process = self._running(step, step.broker)
        if self.brokers.level < CORDONED_DIRECTORIES:
            raise _refuse(step, f"log directories are cordoned from metadata.version {NAMES[CORDONED_DIRECTORIES]} on")
        ids = []
        for name in step.directories:
            id = self.brokers.named(step.broker, name)
            if id is None:
                raise _refuse(step, f"broker {step.broker} has no log directory {name}; it has "
                                    f"{', '.join(map(self._directory, process.directories)) or 'none'}")  # fmt: skip
            ids.append(id)
        process.cordoned = tuple(ids)
        self.brokers.beat(process, cordoned_log_dirs=process.cordoned)

    # -- requests of administrators --------------------------------------------------------------------------------
    def _named(self, partition: w.PartitionName) -> Key:
        """Return a partition's key; a topic that does not exist has an id that no topic has."""
        topics = self.machine.controller.managers.replication.topic_ids
        return topics.get(partition[0], _UNKNOWN_TOPIC), partition[1]

    def _key(self, step: w.Step, partition: w.PartitionName) -> Key:
        """Return the key of a partition that exists."""
        key = self._named(partition)
        if key not in self.machine.controller.managers.replication.partitions:
            raise _refuse(step, f"there is no partition {_called(partition)}")
        return key

    def _ask(self, step: w.Step) -> None:
        ask = self.machine.ask
        match step:
            case w.CreateTopic():
                assigned = tuple(enumerate(step.assignment))
                topic = m.TopicRequest(step.topic, assignments=assigned, configs=tuple(step.configs.items()))
                ask(m.CreateTopicsRequest(topics=(topic,)))
                self._place(step.topic)
            case w.AddPartitions():
                topics = self.machine.controller.managers.replication
                id = topics.topic_ids.get(step.topic)
                count = len(step.assignment) + (0 if id is None else len(topics.topics[id].partitions))
                wanted = m.PartitionsRequest(step.topic, count, step.assignment)
                ask(m.CreatePartitionsRequest(topics=(wanted,)))
                self._place(step.topic)
            case w.DeleteTopic():
                ask(m.DeleteTopicsRequest(topic_ids=(self._named((step.topic, 0))[0],)))
            case w.Reassign():
                one = m.ReassignablePartition(*step.partition, step.replicas)
                ask(
                    m.AlterPartitionReassignmentsRequest(
                        partitions=(one,), allow_replication_factor_change=not step.same_factor
                    )
                )
                self._place(step.partition[0])
            case w.Elect():
                ask(m.ElectLeadersRequest(election_type=int(step.unclean), partitions=step.partitions))
            case w.Configure():
                kind = m.TOPIC_RESOURCE if step.kind == "topic" else m.BROKER_RESOURCE
                for key, value in step.values.items():
                    changes = ((key, m.DELETE if value is None else m.SET, value),)
                    resource = m.ConfigChanges(m.ConfigResource(kind, step.name), changes)
                    ask(m.IncrementalAlterConfigsRequest(resources=(resource,)))
            case w.UpdateFeatures():
                ask(
                    m.UpdateFeaturesRequest(
                        updates=tuple((name, level, _DIRECTIONS[way]) for name, level, way in step.updates)
                    )
                )
            case w.Unregister():
                ask(m.UnregisterBrokerRequest(broker_id=step.broker))
            case w.ProducerIds():
                process = self.brokers.process(step.broker)
                ask(m.AllocateProducerIdsRequest(broker_id=step.broker, broker_epoch=process.epoch))

    def _place(self, topic: str) -> None:
        """Let brokers with several log directories report where they put the replicas of a topic."""
        id = self.machine.controller.managers.replication.topic_ids.get(topic)
        for process in list(self.brokers.known.values()) if id is not None else ():
            if process.runs and not process.by_hand and len(process.directories) > 1:
                self.brokers.assign_directories(process, (id,) if id is not None else ())

    def _rewrite(self, step: w.Rewrite) -> None:
        key = self._key(step, step.partition)
        old = self.machine.controller.managers.replication.partitions[key]
        new = dataclasses.replace(
            old,
            leader_epoch=old.leader_epoch if step.leader_epoch is None else step.leader_epoch,
            partition_epoch=old.partition_epoch if step.partition_epoch is None else step.partition_epoch,
        )
        features = self.machine.controller.managers.features
        record = new.to_record(*key, features.metadata_version_or_throw(), features.elr_enabled)
        self.machine.append("rewrite", [record])

    # -- what is expected ------------------------------------------------------------------------------------------
    def _expected(self, step: w.Step) -> str:
        """Return how it is instead, empty where it is as expected."""
        match step:
            case w.ExpectPartition():
                return self._expected_partition(step)
            case w.ExpectBroker():
                return self._expected_broker(step)
            case w.ExpectFeature():
                level = self.machine.controller.managers.features.finalized.get(step.feature, 0)
                if step.feature not in SUPPORTED_FEATURES:
                    raise _refuse(
                        step, f"there is no feature {step.feature}; there are {', '.join(SUPPORTED_FEATURES)}"
                    )
                return "" if level == step.level else f"{step.feature} is {level}"
            case w.ExpectRecords():
                count = sum(len(one.records) for one in self._last)
                return "" if count == step.count else f"the step before writes {count} record{'s' * (count != 1)}"
            case w.ExpectFound():
                return self._expected_found(step)
            case w.ExpectAnswer():
                return self._expected_answer(step)
        return ""

    def _expected_answer(self, step: w.ExpectAnswer) -> str:
        given = [answer for one in self._last for answer in one.answers]
        if step.answer in w.HEARTBEAT_ANSWERS:
            said = [one["says"] for one in given if one["says"]]
            return "" if said[-1:] == [step.answer] else f"the answer is {said[-1] if said else 'no heartbeat’s'}"
        errors = list(dict.fromkeys(one["error"] for one in given if one["error"] != Errors.NONE.name))
        if step.answer == Errors.NONE.name:
            return "" if not errors else f"the answer is {', '.join(errors)}"
        return "" if step.answer in errors else f"the answer is {', '.join(errors) or 'no error'}"

    def _expected_found(self, step: w.ExpectFound) -> str:
        protocol = self.machine.protocol
        known = {one.id for one in protocol.rows} if step.kind == "row" else _findings(protocol)
        if step.id not in (NONE, *known):
            close = difflib.get_close_matches(step.id, known, 1)
            raise _refuse(
                step,
                f"there is no {step.kind} {step.id} in {protocol.name}{f'; did you mean {close[0]}?' if close else ''}",
            )
        if step.id == NONE:
            self._without_row = [one for one in self._last if one.unexplained]
            rows = list(dict.fromkeys(row for one in self._last for row in one.rows))
            return "" if self._without_row else f"the step before is {', '.join(rows) or 'nothing'}"
        rows = list(dict.fromkeys(row for one in self._last for row in one.rows))
        found = list(dict.fromkeys(each["finding"] for one in self._last for each in one.findings))
        those = rows if step.kind == "row" else found
        return "" if step.id in those else f"the step before is {', '.join(those) or f'no {step.kind}'}"

    def _expected_broker(self, step: w.ExpectBroker) -> str:
        registration = self.machine.controller.managers.cluster.registrations.get(step.broker)
        if registration is None:
            is_fine = step.states == ("unregistered",) and step.directories is None
            return "" if is_fine else f"broker {step.broker} is not registered"
        now = {
            "fenced" if registration.fenced else "unfenced",
            "in-controlled-shutdown" if registration.in_controlled_shutdown else "not-in-controlled-shutdown",
        }
        names = [self._directory(one) for one in registration.directories]
        is_fine = set(step.states) <= now and step.directories in (None, tuple(names))
        if is_fine:
            return ""
        shown = "fenced" if registration.fenced else "unfenced"
        leaving = ", in controlled shutdown" if registration.in_controlled_shutdown else ""
        return f"broker {step.broker} is {shown}{leaving}, with log directories {','.join(names) or 'none'}"

    def _expected_partition(self, step: w.ExpectPartition) -> str:
        managers = self.machine.controller.managers
        key = self._named(step.partition)
        partition = managers.replication.partitions.get(key)
        name = _called(step.partition)
        if partition is None or not step.fields:
            if (partition is None) == (not step.fields):
                return ""
            return f"there is {'no' if partition is None else 'a'} partition {name}"
        now: dict[str, Any] = {
            "leader": partition.leader if partition.has_leader else None,
            "isr": partition.isr,
            "elr": partition.elr,
            "last-known": partition.last_known_elr,
            "replicas": partition.replicas,
            "adding": partition.adding_replicas,
            "removing": partition.removing_replicas,
            "recovery": "recovering" if partition.leader_recovery_state == RECOVERING else "recovered",
            "writable": outlook(managers, name, key[0], partition).writable,
            "leader-epoch": partition.leader_epoch,
            "partition-epoch": partition.partition_epoch,
            "directories": ",".join(map(self._directory, partition.directories)),
        }
        wrong = [one for one, value in step.fields.items() if _comparable(one, now[one]) != _comparable(one, value)]
        return f"{name} has {', '.join(f'{one} {_shown(now[one])}' for one in wrong)}" if wrong else ""


def _findings(protocol: Protocol) -> set[str]:
    rows = {one.finding for one in protocol.rows}
    return rows | {one.finding for one in protocol.properties if isinstance(one, (Always, Step))}


_ORDERED = ("isr", "replicas")
"""Lists of brokers whose order counts; the others are compared as sets."""

_OF_BROKERS = ("REGISTER_BROKER_RECORD", "BROKER_REGISTRATION_CHANGE_RECORD", "UNREGISTER_BROKER_RECORD")

_HIGH = (
    w.Cluster, w.Begin, w.CreateTopic, w.Stop, w.Kill, w.Start, w.Silence, w.Wait, w.CatchUp, w.AddPartitions,
    w.Failover,
)  # fmt: skip


def _is_high(step: w.Step) -> bool:
    return isinstance(step, _HIGH)


def _is_silent(one: OperationDone) -> bool:
    """Whether an operation of a high word is left out: it wrote nothing, and nothing is wrong with it."""
    if one.records or one.findings or one.differs or one.unexplained:
        return False
    return not one.refused or any(each["error"] == "DUPLICATE_BROKER_REGISTRATION" for each in one.answers)


def _asks(step: w.Step) -> bool:
    return step.text.split(" ", 1)[0] in ("expect", "show")


def _refused(steps: Sequence[StepDone], most: int = 3) -> str:
    """Return which steps the controller refuses, as the end of a sentence; nothing where it refuses none."""
    found = []
    for step in steps:
        errors = {one["error"] for each in step.operations for one in each.answers if each.refused}
        if errors and not step.notes and not any(one.records for one in step.operations):
            found.append(f"{step.text} ({', '.join(sorted(errors))})")
    more = f" and {len(found) - most} more" if len(found) > most else ""
    return f"; refused: {', '.join(found[:most])}{more}" if found else ""


def _comparable(field: str, value: Any) -> Any:
    return tuple(sorted(value)) if isinstance(value, tuple) and field not in _ORDERED else value


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    return "none" if value is None else str(value)


def _called(partition: w.PartitionName) -> str:
    return f"{partition[0]}-{partition[1]}"


def _ns(seconds: float) -> int:
    return int(seconds * 1000) * MILLISECOND


def _refuse(step: w.Step, why: str) -> Refusal:
    return Refusal(f"{step.place}: {step.text.split(' ', 1)[0]}: {why}")
