"""Steps read from text: a line a step, the first word says which; what is no step is refused with its line."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from fencepost.checkers.verdicts import Refusal
from fencepost.reference.kraft.errors import Errors
from fencepost.reference.kraft.levels import ELR_RECORDS, ELR_VERSION, MINIMUM, NAMES
from fencepost.reference.kraft.settings import Settings

from . import words as w
from .reading import NONE, Line


@dataclass(frozen=True, slots=True)
class Word:
    """A first word of a step: how the step is written, what it does in a sentence, and what reads its other words."""

    usage: str
    about: str
    read: Callable[[Line], w.Step]


LONGEST_LINE = 10_000
"""A longer line is no step."""

MOST_STEPS = 100_000


def steps_of(text: str, name: str, number: Callable[[int], str] | None = None) -> list[w.Step]:
    """Return the steps of a text, a line each; `name` is what errors call it, with the line behind a colon.

    `#` begins a comment, blank lines are left out. `number` makes another place of a line's number. Raises Refusal for
    what is no step: the place, what is wrong, and how the step is written.
    """
    found = []
    for at, line in enumerate(text.splitlines(), 1):
        place = f"{name}:{at}" if number is None else number(at)
        words = _without_comment(line)
        if words:
            found.append(step_of(words, place))
    if len(found) > MOST_STEPS:
        raise Refusal(f"{name}: {len(found):,} steps; a scenario has at most {MOST_STEPS:,}")
    return found


def checked(steps: list[w.Step]) -> list[w.Step]:
    """Return the steps; raises Refusal for a cluster behind another step, and an answer that is expected of no step."""
    is_asked = False
    for number, step in enumerate(steps, 1):
        if isinstance(step, w.Cluster) and number > 1:
            raise Refusal(f"{step.place}: cluster: it says how the cluster is formatted; make it the first step")
        if isinstance(step, (w.ExpectAnswer, w.ExpectRecords, w.ExpectFound)) and not is_asked:
            raise Refusal(f"{step.place}: expect: no step is in front of it whose answer could be meant")
        states = (w.Cluster, w.Show, w.ExpectPartition, w.ExpectBroker, w.ExpectFeature)
        is_asked = is_asked or not isinstance(step, states)
    return steps


def step_of(words: list[str], place: str) -> w.Step:
    """Return the step that some words are; raises Refusal as `steps_of` does."""
    text = " ".join(words)
    if len(text) > LONGEST_LINE:
        raise Refusal(f"{place}: the line has {len(text):,} characters; a step has at most {LONGEST_LINE:,}")
    if not text.isprintable():
        raise Refusal(f"{place}: the line has characters that cannot be printed; a scenario is plain text")
    word = WORDS.get(words[0])
    if word is None:
        close = difflib.get_close_matches(words[0], WORDS, 1)
        hint = f"did you mean {close[0]}?" if close else f"a step begins with {', '.join(WORDS)}"
        raise Refusal(f"{place}: no step begins with {words[0]!r}; {hint}")
    line = Line(place, words, word.usage)
    step = word.read(line)
    line.end()
    return replace(step, place=place, text=text)


def _without_comment(line: str) -> list[str]:
    words = line.split()
    end = next((at for at, one in enumerate(words) if one.startswith("#")), len(words))
    return words[:end]


# -- the beginning -----------------------------------------------------------------------------------------------------
def _cluster(line: Line) -> w.Step:
    level: int | None = None
    elr: bool | None = None
    settings: dict[str, str] = {}
    while not line.is_over():
        if line.skip("metadata.version"):
            level = line.level("metadata.version")
            if level < MINIMUM:
                raise line.refuse(
                    f"metadata.version {level} is below {NAMES[MINIMUM]}, the lowest that Kafka 4 runs at"
                )
        elif line.skip("elr"):
            elr = line.one_of("elr", ("on", "off")) == "on"
        else:
            name, value = line.pair()
            settings[name] = value
    if elr and level is not None and level < ELR_RECORDS:
        raise line.refuse(f"{ELR_VERSION} needs metadata.version {NAMES[ELR_RECORDS]} or later")
    try:
        Settings().with_kafka(settings)
    except ValueError as error:
        raise Refusal(f"{line.place}: cluster: {error}") from None
    return w.Cluster(level=level, elr=elr, settings=settings)


def _brokers(line: Line) -> w.Step:
    brokers = line.different(line.brokers())
    readers: dict[str, Callable[[], Any]] = {"directories": line.directories, "rack": lambda: line.take("rack")}
    options = line.any_of(readers)
    return w.Begin(brokers=brokers, directories=options.get("directories", ("d1",)), rack=options.get("rack"))


def _topic(line: Line) -> w.Step:
    return w.CreateTopic(topic=line.topic(), assignment=line.assignment(), configs=line.pairs())


# -- high words --------------------------------------------------------------------------------------------------------
def _stop(line: Line) -> w.Step:
    return w.Stop(brokers=line.different(line.brokers()))


def _kill(line: Line) -> w.Step:
    return w.Kill(brokers=line.different(line.brokers()))


def _start(line: Line) -> w.Step:
    brokers = line.different(line.brokers())
    yes: dict[str, Callable[[], Any]] = dict.fromkeys(
        ("empty disk", "new directory", "unclean", "behind"), lambda: True
    )
    options = line.any_of({**yes, "directories": line.directories})
    ways = [one for one in ("empty disk", "new directory", "directories") if one in options]
    if len(ways) > 1:
        raise line.refuse(f"{' and '.join(ways)} say two things of the disks: leave one out")
    disk: w.Disk = "empty" if "empty disk" in options else "new" if "new directory" in options else ""
    return w.Start(
        brokers=brokers, disk=disk, unclean="unclean" in options, behind="behind" in options,
        directories=options.get("directories", ()),
    )  # fmt: skip


def _silence(line: Line) -> w.Step:
    return w.Silence(brokers=line.different(line.brokers()), seconds=line.seconds())


def _wait(line: Line) -> w.Step:
    return w.Wait(seconds=line.seconds())


def _catch_up(line: Line) -> w.Step:
    if line.skip("all"):
        return w.CatchUp()
    return w.CatchUp(partitions=line.partitions())


def _fail_directory(line: Line) -> w.Step:
    return w.FailDirectory(broker=line.broker(), directory=line.directory())


def _cordon(line: Line) -> w.Step:
    return w.Cordon(broker=line.broker(), directories=line.directories(empty=True))


def _reassign(line: Line) -> w.Step:
    partition, replicas = line.partition(), line.brokers("list of replicas")
    return w.Reassign(partition=partition, replicas=replicas, same_factor=line.skip("same-replication-factor"))


def _cancel(line: Line) -> w.Step:
    return w.Reassign(partition=line.partition(), replicas=None)


def _elect(line: Line) -> w.Step:
    unclean = line.one_of("kind of election", ("preferred", "unclean")) == "unclean"
    if line.skip("all"):
        return w.Elect(unclean=unclean, partitions=None)
    return w.Elect(unclean=unclean, partitions=line.partitions())


def _add_partitions(line: Line) -> w.Step:
    return w.AddPartitions(topic=line.topic(), assignment=line.assignment())


def _delete_topic(line: Line) -> w.Step:
    return w.DeleteTopic(topic=line.topic())


def _config(line: Line) -> w.Step:
    word = line.one_of("resource", ("topic", "broker", "brokers"))
    name = line.topic() if word == "topic" else str(line.broker()) if word == "broker" else ""
    values: dict[str, str | None] = {}
    while not line.is_over() or not values:
        if line.skip("delete"):
            key, value = line.take("name of a setting"), None
        else:
            key, value = line.pair()
        if key in values:
            raise line.refuse(f"{key} is there twice")
        values[key] = value
    return w.Configure(kind="topic" if word == "topic" else "broker", name=name, values=values)


_DIRECTIONS: tuple[w.Direction, ...] = ("upgrade", "safe-downgrade", "unsafe-downgrade")


def _feature(line: Line) -> w.Step:
    found: list[tuple[str, int, w.Direction]] = []
    while not line.is_over() or not found:
        name = line.take("feature")
        level = line.level(name)
        word = line.one_of("direction", _DIRECTIONS)
        found.append((name, level, next(one for one in _DIRECTIONS if one == word)))
    names = [name for name, _, _ in found]
    if len(set(names)) < len(names):
        raise line.refuse("a feature is there twice")
    return w.UpdateFeatures(updates=tuple(found))


def _unregister(line: Line) -> w.Step:
    return w.Unregister(broker=line.broker())


def _failover(line: Line) -> w.Step:
    return w.Failover()


def _isr(line: Line) -> w.Step:
    partition, members = line.partition(), line.brokers("list of members", least=0)
    readers: dict[str, Callable[[], Any]] = {
        "from": line.broker,
        "broker-epoch": lambda: line.offset("broker epoch"),
        "leader-epoch": lambda: line.offset("leader epoch"),
        "partition-epoch": lambda: line.offset("partition epoch"),
        "old": line.brokers,
        "without-epochs": lambda: True,
        "recovering": lambda: 1,
        "recovery": lambda: line.number("leader recovery state"),
    }
    options = line.any_of(readers)
    return w.Isr(
        partition=partition, members=members, sender=options.get("from"), broker_epoch=options.get("broker-epoch", 0),
        leader_epoch=options.get("leader-epoch", 0), partition_epoch=options.get("partition-epoch", 0),
        old=options.get("old", ()), without_epochs=options.get("without-epochs", False),
        recovery=options.get("recovery", options.get("recovering", 0)),
    )  # fmt: skip


# -- low words ---------------------------------------------------------------------------------------------------------
def _register(line: Line) -> w.Step:
    broker = line.broker()
    readers: dict[str, Callable[[], Any]] = {
        "unclean": lambda: True,
        "same process": lambda: True,
        "directories": lambda: line.directories(empty=True),
        "version": lambda: line.number("version of the request", most=4),
    }
    options = line.any_of(readers)
    return w.Register(
        broker=broker, clean="unclean" not in options, same_process="same process" in options,
        directories=options.get("directories"), version=options.get("version", 4),
    )  # fmt: skip


def _heartbeat(line: Line) -> w.Step:
    broker = line.broker()
    readers: dict[str, Callable[[], Any]] = {
        "want-fence": lambda: True,
        "want-shutdown": lambda: True,
        "failed": line.directories,
        "cordoned": lambda: line.directories(empty=True),
        "behind": lambda: line.number("number of records"),
        "epoch": lambda: line.offset("broker epoch"),
    }
    options = line.any_of(readers)
    return w.Heartbeat(
        broker=broker, want_fence="want-fence" in options, want_shutdown="want-shutdown" in options,
        failed=options.get("failed", ()), cordoned=options.get("cordoned"), behind=options.get("behind", 0),
        epoch=options.get("epoch", 0),
    )  # fmt: skip


def _assign(line: Line) -> w.Step:
    return w.AssignDirectory(broker=line.broker(), directory=line.directory(), partition=line.partition())


def _producer_ids(line: Line) -> w.Step:
    return w.ProducerIds(broker=line.broker())


def _task(line: Line) -> w.Step:
    return w.RunTask(task=w.TASKS[line.one_of("task", tuple(w.TASKS))])


def _rewrite(line: Line) -> w.Step:
    partition = line.partition()
    options = line.any_of({
        "leader-epoch": lambda: line.number("leader epoch"), "partition-epoch": lambda: line.number("partition epoch"),
    })  # fmt: skip
    if not options:
        raise line.refuse("an epoch is missing")
    return w.Rewrite(
        partition=partition, leader_epoch=options.get("leader-epoch"), partition_epoch=options.get("partition-epoch")
    )


# -- what is asked -----------------------------------------------------------------------------------------------------
def _show(line: Line) -> w.Step:
    return w.Show()


def _expect(line: Line) -> w.Step:
    kind = line.take("what is expected")
    match kind:
        case "error":
            name = line.take("name of an error")
            known = [one.name for one in Errors if one is not Errors.NONE]
            if name not in known:
                close = difflib.get_close_matches(name, known, 1)
                hint = f"did you mean {close[0]}?" if close else "use Kafka's name, as in INELIGIBLE_REPLICA"
                raise Refusal(f"{line.place}: expect error: {name!r} is no error of a controller's answer; {hint}")
            return w.ExpectAnswer(answer=name)
        case "ok":
            return w.ExpectAnswer(answer=Errors.NONE.name)
        case "answer":
            return w.ExpectAnswer(answer=line.one_of("answer to a heartbeat", w.HEARTBEAT_ANSWERS))
        case "records":
            return w.ExpectRecords(count=0 if line.skip(NONE) else line.number("number of records"))
        case "broker":
            return _expect_broker(line)
        case "feature":
            name = line.take("feature")
            return w.ExpectFeature(feature=name, level=line.level(name))
        case "row":
            return w.ExpectFound(kind="row", id=line.take("id of a row"))
        case "finding":
            return w.ExpectFound(kind="finding", id=line.take("id of a finding"))
    return _expect_partition(line, kind)


def _expect_broker(line: Line) -> w.Step:
    broker = line.broker()
    states: list[str] = []
    directories: tuple[str, ...] | None = None
    while not line.is_over() or not (states or directories is not None):
        if line.skip("directories"):
            directories = line.directories(empty=True)
        else:
            states.append(line.one_of("state of a broker", w.BROKER_STATES))
    return w.ExpectBroker(broker=broker, states=tuple(states), directories=directories)


def _expect_partition(line: Line, word: str) -> w.Step:
    if "-" not in word:
        raise line.refuse(f"{word!r} is nothing that can be expected")
    partition = line.partition(word)
    if line.skip("missing"):
        return w.ExpectPartition(partition=partition, fields={})
    fields: dict[str, object] = {}
    while not line.is_over() or not fields:
        name = line.one_of("field of a partition", w.PARTITION_FIELDS)
        if name in fields:
            raise line.refuse(f"{name} is there twice")
        fields[name] = _value(line, name)
    return w.ExpectPartition(partition=partition, fields=fields)


def _value(line: Line, name: str) -> object:
    match name:
        case "leader":
            return None if line.skip(NONE) else line.number("leader")
        case "recovery":
            return line.one_of("leader recovery state", ("recovered", "recovering"))
        case "writable":
            return line.one_of("writable", ("yes", "no")) == "yes"
        case "leader-epoch" | "partition-epoch":
            return line.number(name, least=-(2**31))
        case "directories":
            return line.take("list of directories")
    return line.brokers("list of broker ids", least=0)


WORDS: Mapping[str, Word] = {
    "cluster": Word(
        "cluster [metadata.version LEVEL] [elr on|off] [NAME=VALUE ...]",
        "How the cluster is formatted, and static settings of its controllers; the first step, if it is there.",
        _cluster,
    ),
    "brokers": Word(
        "brokers 1,2,3 [directories d1,d2] [rack R]",
        "These brokers register, each with these log directories, and are unfenced.",
        _brokers,
    ),
    "topic": Word(
        "topic NAME 1,2,3/2,3,1 [NAME=VALUE ...]",
        "A topic is created: the replicas of each partition, and its configuration.",
        _topic,
    ),
    "stop": Word(
        "stop 1[,2]", "Controlled shutdowns, one after the other, each until its broker is fenced.", _stop
    ),
    "kill": Word(
        "kill 1[,2]", "Processes end at the same time; the others go on until the sessions of these are over.", _kill
    ),
    "start": Word(
        "start 1[,2] [empty disk|new directory|directories d1,d2] [unclean] [behind]",
        "A new process registers, is unfenced, and joins the ISRs of its partitions, but with `behind`.",
        _start,
    ),
    "silence": Word(
        "silence 1[,2] 10s", "Brokers send no heartbeat for a time, and go on then; the others go on.", _silence
    ),
    "wait": Word("wait 10s", "Time passes: heartbeats of running brokers, and the controller's periodic tasks.", _wait),
    "catch-up": Word(
        "catch-up t-0 [t-1 ...]|all", "Replicas of running brokers that are outside the ISR join it.", _catch_up
    ),
    "fail-directory": Word(
        "fail-directory 1 d1", "A log directory of a broker fails, and its heartbeat reports it.", _fail_directory
    ),
    "cordon": Word("cordon 1 d1,d2|none", "Log directories of a broker get no new replicas.", _cordon),
    "reassign": Word(
        "reassign t-0 4,5,6 [same-replication-factor]",
        "A reassignment begins, or is over at once where nothing has to be copied.",
        _reassign,
    ),
    "cancel": Word("cancel t-0", "A reassignment is cancelled.", _cancel),
    "elect": Word("elect preferred|unclean t-0 [t-1 ...]|all", "An administrator asks for an election.", _elect),
    "add-partitions": Word("add-partitions NAME 1,2,3/2,3,1", "A topic gets more partitions.", _add_partitions),
    "delete-topic": Word("delete-topic NAME", "A topic is deleted.", _delete_topic),
    "config": Word(
        "config topic NAME|broker 1|brokers NAME=VALUE|delete NAME ...",
        "Configurations of a topic, of one broker, or of all brokers are set or deleted.",
        _config,
    ),
    "feature": Word(
        "feature NAME LEVEL upgrade|safe-downgrade|unsafe-downgrade ...", "Features are finalized.", _feature
    ),
    "unregister": Word("unregister 1", "A broker is taken out of the cluster.", _unregister),
    "controller-failover": Word("controller-failover", "Another controller becomes active.", _failover),
    "isr": Word(
        "isr t-0 1,2|none [from 1] [broker-epoch ±N] [leader-epoch ±N] [partition-epoch ±N] [old 2] [without-epochs] "
        "[recovering] [recovery N]",
        "The leader, or the broker after `from`, proposes an ISR; numbers are added to the epochs that are right.",
        _isr,
    ),
    "register": Word(
        "register 1 [unclean] [same process] [directories d1,d2] [version N]",
        "One registration, the session of the former process being over.",
        _register,
    ),
    "heartbeat": Word(
        "heartbeat 1 [want-fence] [want-shutdown] [failed d1] [cordoned d1|none] [behind N] [epoch ±N]",
        "One heartbeat; from then on the broker sends only those of the scenario, until it is started again.",
        _heartbeat,
    ),
    "assign": Word("assign 1 d1 t-0", "A broker reports in which log directory its replica is.", _assign),
    "producer-ids": Word("producer-ids 1", "A broker asks for a block of producer ids.", _producer_ids),
    "task": Word(
        "task fence-stale|balance|unclean",
        "A periodic task runs: maybeFenceStaleBroker, electPreferred, electUnclean.",
        _task,
    ),
    "rewrite": Word(
        "rewrite t-0 [leader-epoch N] [partition-epoch N]",
        "A Partition record with other epochs is appended, which no controller does.",
        _rewrite,
    ),
    "show": Word("show", "The table of partitions is printed.", _show),
    "expect": Word(
        "expect t-0 FIELD VALUE ...|t-0 missing|broker 1 STATE ...|error NAME|ok|answer STATE|records N|"
        "feature NAME LEVEL|row ID|row none|finding ID",
        "What the state or the step before has to be; where it is not, the command ends with 1.",
        _expect,
    ),
}  # fmt: skip
"""The first words of steps."""
