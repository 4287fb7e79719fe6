"""`fencepost simulate --logs N --records M --to DIR`: metadata logs of any size, of recorded episodes of the reference.

An episode is recorded once and written many times over with other ids, offsets and epochs (`traces/scale`). A log is a
function of its seed and number, so that any process may write it.
"""

from __future__ import annotations

import json
import shlex
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from fencepost.checkers.verdicts import ExitCode, Refusal

from .outcome import Outcome
from .simulated_runs import side_by_side
from .terminal import watching

if TYPE_CHECKING:
    from fencepost.checkers.conformance.spark.cluster import Cluster
    from fencepost.traces.scale.episodes import Episode
    from fencepost.traces.scale.logs import LogPlan, LogWriter

PARTITIONS = 1_000
SEGMENT_BYTES = 1 << 30
PLANTED = "planted.json"
LOGS, RECORDS = "logs", "records"
FORMS = (LOGS, RECORDS)
"""Output forms: logs as Kafka's files, or tables of their records as Parquet, in a folder of that name."""

FEWEST_BROKERS, MOST_BROKERS = 3, 50
MOST_PARTITIONS = 1_000_000


@dataclass(frozen=True)
class Recipe:
    """The recipe of recorded episodes: brokers, permanent partitions, the seed, and the kinds, () for all."""

    brokers: int
    partitions: int
    seed: int
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Task:
    """A log to write into a folder, with altered episodes by their places, or a table of its records."""

    recipe: Recipe
    plan: LogPlan
    name: str
    folder: str
    altered: Mapping[int, Episode] = field(default_factory=dict)
    as_records: bool = False


@dataclass(frozen=True)
class Done:
    """A log that was written, with the first offsets of its altered episodes and the CPU seconds that it took."""

    number: int
    records: int
    bytes: int
    segments: int
    kinds: Mapping[str, int]
    altered: Mapping[int, int]
    cpu_seconds: float


@lru_cache(maxsize=1)
def writer_of(recipe: Recipe) -> LogWriter:
    """Record the episodes of a recipe, in each process once."""
    from fencepost.reference.kraft.episodes.happenings import KINDS, recorded
    from fencepost.traces.scale.logs import LogWriter

    return LogWriter(*recorded(recipe.brokers, recipe.partitions, recipe.seed, recipe.kinds or KINDS))


def write_task(task: Task) -> Done:
    """Write one log; raises TraceError where that cannot be."""
    from fencepost.traces.scale.files import made
    from fencepost.traces.storage import join

    writer = writer_of(task.recipe)
    began = time.process_time()
    if task.as_records:
        from fencepost.traces.scale.tables import TableWriter

        with made(task.folder)(f"{task.name}.parquet") as file:
            written = writer.fill(task.plan, TableWriter(file, task.name), task.altered)
    else:
        written = writer.write(task.plan, made(join(task.folder, "__cluster_metadata-0")), task.altered)
    return Done(task.plan.number, **asdict(written), cpu_seconds=time.process_time() - began)


# -- the command -------------------------------------------------------------------------------------------------------
def simulate_scale(
    *,
    logs: int,
    records: int,
    to: str,
    seed: int,
    faults: str | None,
    brokers: int,
    partitions: int,
    segment_bytes: int,
    jobs: int,
    form: str,
    cluster: Cluster | bool,
    episodes: str | None = None,
) -> Outcome:
    """Write logs, and the list of the faults that were planted; raises `Refusal` for what does not fit."""
    from fencepost.checkers.conformance.planted import NoRoom, plant
    from fencepost.traces import TraceError
    from fencepost.traces.scale.files import refuse_used
    from fencepost.traces.scale.logs import LogPlan
    from fencepost.traces.storage import join

    count = _checked(logs, records, faults, brokers, partitions, segment_bytes)
    if form not in FORMS:
        raise Refusal(f"--as {form}: write {' or '.join(FORMS)}")
    try:
        refuse_used(to)
    except TraceError as error:
        raise Refusal(f"--to {error}") from None
    began = time.perf_counter()
    recipe = Recipe(brokers, partitions, seed, _kinds(episodes, brokers))
    plans = [LogPlan(seed, number, records, segment_bytes) for number in range(logs)]
    with watching(f"{brokers} brokers, {partitions} partitions: recording episodes"):
        writer = writer_of(recipe)
    try:
        planted = plant(writer, plans, count)
    except NoRoom as error:
        raise Refusal(f"--faults {count}: {error}") from None
    names = [f"log-{number:0{len(str(logs - 1))}}" for number in range(logs)]
    tasks = [
        Task(
            recipe, plan, names[plan.number], join(to, RECORDS if form == RECORDS else names[plan.number]),
            {one.place: one.alteration.episode for one in planted if one.log == plan.number}, form == RECORDS,
        )
        for plan in plans
    ]  # fmt: skip
    done = _written(tasks, jobs, cluster)
    found = [
        {
            "log": names[one.log],
            "offset": done[one.log].altered[one.place] + one.alteration.offset,
            "kind": one.alteration.kind,
            "change": one.alteration.change,
            "expected": list(one.alteration.expected),
        }
        for one in planted
    ]
    _list(to, found)
    return _outcome(recipe, tasks, done, found, to, time.perf_counter() - began)


def _checked(logs: int, records: int, faults: str | None, brokers: int, partitions: int, segment_bytes: int) -> int:
    """Return how many faults are to be planted; raises `Refusal` for what does not fit."""
    for option, value in (("--logs", logs), ("--records", records), ("--segment-bytes", segment_bytes)):
        if value < 1:
            raise Refusal(f"{option} {value}: write a number from 1 on")
    if not FEWEST_BROKERS <= brokers <= MOST_BROKERS:
        raise Refusal(f"--brokers {brokers}: take {FEWEST_BROKERS} to {MOST_BROKERS} brokers for logs of any size")
    if not 0 <= partitions <= MOST_PARTITIONS:
        raise Refusal(f"--partitions {partitions}: take 0 to {MOST_PARTITIONS}")
    if faults is None:
        return 0
    if not faults.isdecimal():
        raise Refusal(f"--faults {faults}: with --to it is how many faults to plant; write a number")
    return int(faults)


def _kinds(given: str | None, brokers: int) -> tuple[str, ...]:
    """Return the kinds of episodes that `--episodes` asks for, () for all; raises `Refusal` for one there is not."""
    from fencepost.reference.kraft.episodes.happenings import KINDS, REPLICAS

    if given is None:
        return ()
    possible = [kind for kind in KINDS if kind != "reassignment" or brokers > REPLICAS]
    asked = tuple(dict.fromkeys(kind.strip() for kind in given.split(",")))
    for kind in asked:
        if kind not in possible:
            raise Refusal(f"--episodes {given}: of {brokers} brokers there are {', '.join(possible)}")
    return asked


def _written(tasks: Sequence[Task], jobs: int, cluster: Cluster | bool) -> list[Done]:
    from fencepost.traces import TraceError

    try:
        if not isinstance(cluster, bool):
            from .simulate_spark import written_on

            return written_on(cluster, tasks)
        with watching(f"{len(tasks)} logs") as progress, side_by_side(min(jobs, len(tasks))) as mapped:
            done = []
            for one in mapped(write_task, tasks):
                done.append(one)
                progress(f"{len(done)} written")
            return done
    except TraceError as error:
        raise Refusal(f"--to {error}") from None
    except OSError as error:
        raise Refusal(f"--to: {error}; what is written there is not whole") from None


def _list(to: str, found: Iterable[Mapping[str, Any]]) -> None:
    from fencepost.traces import TraceError
    from fencepost.traces.scale.files import made

    try:
        with made(to)(PLANTED) as file:
            file.write((json.dumps(list(found), indent=1) + "\n").encode())
    except (TraceError, OSError) as error:
        raise Refusal(f"--to {error}") from None


def _read(tasks: Sequence[Task], to: str) -> str:
    """Return the options with which `conform` reads what was written."""
    return f"--spark {shlex.quote(tasks[0].folder)}" if tasks[0].as_records else shlex.quote(to)


def _outcome(
    recipe: Recipe,
    tasks: Sequence[Task],
    done: Sequence[Done],
    planted: Sequence[Mapping[str, Any]],
    to: str,
    seconds: float,
) -> Outcome:
    from fencepost.traces.storage import join

    kinds: Counter[str] = Counter()
    for one in done:
        kinds.update(one.kinds)
    records, size, cpu = (sum(getattr(one, name) for one in done) for name in ("records", "bytes", "cpu_seconds"))
    fields = {
        **asdict(recipe),
        "to": to,
        "logs": [
            {
                "name": task.name,
                "path": task.folder,
                **{k: v for k, v in asdict(one).items() if k not in ("altered", "cpu_seconds")},
            }
            for task, one in zip(tasks, done, strict=True)
        ],
        "records": records,
        "bytes": size,
        "episodes": dict(sorted(kinds.items())),
        "cpu_seconds": round(cpu, 3),
        "planted": list(planted),
        "list": join(to, PLANTED),
    }
    faults = Counter(one["kind"] for one in planted)
    segments = sum(one.segments for one in done)
    page = [
        f"written: {len(done)} {'log' if len(done) == 1 else 'logs'}, {records:,} records, {size:,} bytes in "
        f"{segments} {'file' if segments == 1 else 'files'}, {seconds:.1f} s "
        f"({records / max(cpu, 1e-9):,.0f} records a CPU s)",
        "episodes: " + ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())),
        "planted:  " + (", ".join(f"{count} {kind}" for kind, count in sorted(faults.items())) or "no fault"),
        f"list:     {join(to, PLANTED)}",
        f"next:     fencepost conform {_read(tasks, to)}",
    ]
    return Outcome("simulate", "written", ExitCode.AS_DECLARED, fields, page)
