"""`check`: the stages side by side in child processes, and their outcomes as one."""

from __future__ import annotations

import difflib
import os
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fencepost
from fencepost.checkers import children, named
from fencepost.checkers.verdicts import MEANINGS, ExitCode, Refusal, Verdict, headline, worst
from fencepost.model.registry import FAMILIES, Family
from fencepost.notebook import grid, headed

from . import on_spark, recalled, stages, tiers
from .cache import Cache, key_of
from .recalled import Recalled
from .stages import Stage
from .texts import places, texts

if TYPE_CHECKING:
    from fencepost.checkers.conformance.records.static_settings import StaticSettings

RECORDED = Path(fencepost.__file__).resolve().parent / "traces" / "recorded"
"""Where the recorded logs and answers lie that come with fencepost."""

STEPS = ("prove", "explore", "tlc", "conform", "spark", "answers")
"""Steps of a check, in the order of the screen; `tlc` counts what is explored at one bound, `conform` checks
logs and event traces, `spark` the metadata logs that come with fencepost on Spark."""

Jobs = list[tuple[str, Callable[..., Stage], tuple[Any, ...]]]
"""Stages that are to run: whose each is, its function and what that is given."""

Progress = Callable[[Stage, int, int], None]
"""Called with a stage that has ended, how many have, and how many there are."""


@dataclass(frozen=True)
class Check:
    """The result of a check: its stages by protocol, in the order of the screen. `notes` say what was not done.

    `sources` says what each protocol is taken from, `places` where its rows and properties are written,
    `texts` how they read. `left_out` says what the tier leaves out of what was asked for.
    """

    protocols: dict[str, tuple[Stage, ...]]
    table_hashes: dict[str, str]
    notes: tuple[str, ...]
    seconds: float
    sources: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    texts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    tier: str = tiers.EVERYTHING
    left_out: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Check {', '.join(self.protocols)}: {self.verdict}>"

    def _repr_html_(self) -> str:
        lines = (
            (name, one.name, one.verdict, f"{one.seconds:.1f}") for name, some in self.protocols.items() for one in some
        )
        return headed(repr(self)[1:-1], grid(("protocol", "stage", "verdict", "seconds"), lines, len(self.stages)))

    @property
    def stages(self) -> tuple[Stage, ...]:
        """Every stage of every protocol."""
        return tuple(stage for found in self.protocols.values() for stage in found)

    @property
    def exit_code(self) -> ExitCode:
        """The worst of the stages' codes; 3 where there was nothing to do."""
        return worst(stage.code for stage in self.stages) if self.stages else ExitCode.INCONCLUSIVE

    @property
    def verdict(self) -> str:
        """The verdict of the run: as declared, or the meaning of its exit code."""
        return headline(self.exit_code, MEANINGS[ExitCode.AS_DECLARED])

    def as_json(self) -> dict[str, Any]:
        """Return the stages as JSON values."""
        return {
            "protocols": {
                name: {
                    "table_hash": self.table_hashes[name],
                    "places": dict(self.places.get(name, {})),
                    "texts": dict(self.texts.get(name, {})),
                    **{
                        key: {
                            "verdict": stage.verdict,
                            "exit_code": int(stage.code),
                            "seconds": round(stage.seconds, 3),
                            **{k: v for k, v in stage.fields.items() if k not in ("verdict", "exit_code", "seconds")},
                        }
                        for key, stage in _keyed(found)
                    },
                }
                for name, found in self.protocols.items()
            },
            "notes": list(self.notes),
            "tier": self.tier,
            "left_out": list(self.left_out),
        }


def _keyed(found: Sequence[Stage]) -> list[tuple[str, Stage]]:
    """The stages by their keys in JSON: the first slice's exploration is `exploration`, the others add their bound."""
    seen: set[str] = set()
    result = []
    for stage in found:
        result.append((f"{stage.name} at {stage.fields.get('bound')}" if stage.name in seen else stage.name, stage))
        seen.add(stage.name)
    return result


def check(
    paths: Sequence[str | os.PathLike[str]] = (),
    protocols: Sequence[str] = (),
    *,
    only: Collection[str] = STEPS,
    spark: bool = False,
    static: StaticSettings | None = None,
    jobs: int = 2,
    cache: Path | None = None,
    tier: str = tiers.EVERYTHING,
    progress: Progress | None = None,
) -> Check:
    """Prove and explore every protocol of the registry, and check recorded logs and answers against it.

    With `paths` those logs and event traces are checked, otherwise the logs that come with fencepost. With `protocols`
    only those are checked, as the command line names them; where these are all of a file or module and none reads a
    log, kraft or zk checks it, and nothing else is evaluated for those. Every slice of a protocol is explored at the
    first of its bounds, some at a larger one too (`tiers.LARGER_BOUNDS`), a protocol of a file or module at all of
    them; TLC counts at one (`Family.counted`). `only` are the steps that are done, of `STEPS`. With `spark` all logs
    are checked on Spark; `static` are the static settings of the controllers that wrote them. `jobs` stages run at a
    time. A stage that was as declared is kept in the folder `cache`, and not asked again while its question is the same
    (`cache.py`). `tier` is one of `TIERS`: that of a pull request leaves out what takes long (`tiers.py`), unless
    `cache` has it. A stage that cannot run, for want of Java, is inconclusive.
    Raises `TraceError` for what is no log, and as `named.family` does, before anything runs.
    """
    started = time.monotonic()
    logs = [os.fspath(p) for p in paths]
    steps = _steps(only, logs)
    if tier == tiers.PULL_REQUEST:
        steps &= tiers.STEPS
    kept = None if cache is None else Cache(cache)
    ours = not logs and static is None and set(protocols) <= FAMILIES.keys()
    whole = recalled.question(RECORDED, list(protocols), sorted(only), spark, jobs, tier) if kept and ours else None
    if kept is not None and whole is not None:
        before = recalled.recall(kept, whole)
        if before is not None:
            return _again(before, cache, tier, progress, started)
    asked: Mapping[str, Family] = {name: named.family(name) for name in protocols} if protocols else FAMILIES
    traces, others = _of_traces(asked, logs)
    judging = _judging(asked, others)
    judges = {name: FAMILIES[name] for name in judging if name not in asked}
    families = {**asked, **judges}
    notes = [] if {"explore", "tlc"}.isdisjoint(steps) else _without_bounds(asked)
    if "prove" in steps:
        explored = ((name, one.explored_only) for name, one in asked.items())
        notes += [f"{name} is explored and not proved: {why}" for name, why in explored if why]
    if "conform" in steps and not logs and not RECORDED.is_dir():
        notes.append("no recorded logs: none come with this installation, name some as PATHS")
    notes += [f"{name} checks logs here and is not checked itself" for name in judges]
    planned: Jobs = []
    for name, family in families.items():
        mine = steps & {"conform"} if name in judges else steps
        planned += _jobs(name, family, judging[name] if logs else None, mine, spark, static)
        if traces.get(name):
            planned.append((name, stages.traces, (name, traces[name])))
        if "spark" in mine and name == "kraft" and not logs and not spark:
            planned += _spark_jobs(name, family, jobs)
    left_out: tuple[str, ...] = ()
    if tier == tiers.PULL_REQUEST:
        planned, waiting = tiers.of_pull_request(planned, families, partial(_is_kept, kept, families), not logs)
        left_out = (*tiers.steps_left_out(only, "kraft" in asked and not logs), *waiting)
    found = _together(planned, progress, jobs) if kept is None else _from(kept, planned, families, progress, jobs)
    stages_of = {name: _compared(_gathered([stage for owner, stage in found if owner == name])) for name in families}
    again = _cached(found, cache)
    if steps < set(STEPS):
        notes += [f"nothing that was asked for can be done with {name}" for name in protocols if not stages_of[name]]
        stages_of = {name: stages for name, stages in stages_of.items() if stages}
    if not logs and "conform" in steps:
        notes += [
            f"{len(family.waiting)} recordings are not checked against {family.name} yet, for want of rows: "
            f"{_missing(family)}"
            for family in families.values()
            if family.waiting
        ]
    hashes = {name: family.whole.hash for name, family in families.items()}
    sources = {name: family.sources for name, family in families.items()}
    found_at = {name: places(families[name]) for name in stages_of}
    read_as = {name: texts(families[name]) for name in stages_of}
    seconds = time.monotonic() - started
    if kept is not None and whole is not None:
        beside = {"notes": notes, "hashes": hashes, "sources": sources, "places": found_at, "texts": read_as}
        keys = [(owner, key_of(families[owner], run.__name__, given)) for owner, run, given in planned]
        recalled.remember(kept, whole, keys, {**beside, "protocols": list(stages_of), "left_out": left_out})
    return Check(stages_of, hashes, (*again, *notes), seconds, sources, found_at, read_as, tier, left_out)


def _cached(found: Sequence[tuple[str, Stage]], cache: Path | None) -> tuple[str, ...]:
    """Say how many stages were not asked again, nothing where all were asked."""
    again = sum("cached" in stage.fields for _, stage in found)
    said = f"{again} of {len(found)} stages as {cache} has them: nothing of what they were asked has changed"
    return (said,) if again else ()


def _again(before: Recalled, cache: Path | None, tier: str, progress: Progress | None, started: float) -> Check:
    """Return a check as it was before, of which no stage is asked."""
    found = [(owner, replace(stage, protocol=owner)) for owner, stage in before.stages]
    if progress is not None:
        for number, (_, stage) in enumerate(found, 1):
            progress(stage, number, len(found))
    told = before.beside
    stages_of = {name: _compared([one for owner, one in found if owner == name]) for name in told["protocols"]}
    notes = (*_cached(found, cache), *told["notes"])
    seconds = time.monotonic() - started
    left_out = tuple(told["left_out"])
    return Check(
        stages_of, told["hashes"], notes, seconds, told["sources"], told["places"], told["texts"], tier, left_out
    )


def _steps(only: Collection[str], logs: Sequence[str]) -> set[str]:
    """Return the steps that are asked for; raises `Refusal` for one that there is not, or logs that none would read."""
    for step in only:
        if step not in STEPS:
            close = difflib.get_close_matches(step, STEPS, 1)
            hint = f"did you mean {close[0]}?" if close else f"use some of {', '.join(STEPS)}"
            raise Refusal(f"--only: no step is called {step!r}; {hint}")
    if logs and "conform" not in only:
        raise Refusal(f"{logs[0]}: is checked against the tables by conform, which --only leaves out; name conform too")
    return set(only)


def _of_traces(families: Mapping[str, Family], paths: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Return each protocol's event traces, and the paths that are none; raises `Refusal` where no protocol can."""
    from fencepost.traces.design_steps import is_design_trace, read_design_trace
    from fencepost.traces.storage import kind_of

    judging: dict[str, list[str]] = {}
    others = []
    for path in paths:
        if kind_of(path) != "file" or not is_design_trace(path):
            others.append(path)
            continue
        design = read_design_trace(path)[0].design
        by = [name for name, one in families.items() if design in (one.whole.name, (one.whole.base or one.whole).name)]
        if not by:
            raise Refusal(f"{path}: is an event trace of {design}; name its protocol as well, or leave it out")
        for name in by:
            judging.setdefault(name, []).append(path)
    return judging, others


def _judging(families: Mapping[str, Family], paths: Sequence[str]) -> dict[str, list[str]]:
    """Return each protocol's paths; raises `TraceError` for what is no log, `Refusal` where no protocol can.

    Where all are protocols of a file or module, those that come with fencepost stand in for one that reads no log.
    """
    from fencepost.traces import find_logs
    from fencepost.traces.storage import kind_of
    from fencepost.traces.zk_recordings import is_zk_recording

    judging: dict[str, list[str]] = {name: [] for name in families}
    for path in paths:
        zookeeper = kind_of(path) != "missing" and is_zk_recording(path)
        if not zookeeper:
            find_logs([path])
        by = [name for name, one in families.items() if (name == "zk" if zookeeper else _reads_logs(name, one))]
        if not by and all(named.is_own(name) for name in families):
            by = ["zk" if zookeeper else "kraft"]
        if not by:
            told = ", ".join(families)
            raise Refusal(f"{path}: {told} cannot be checked against it; leave it out, or name kraft or zk as well")
        for name in by:
            judging.setdefault(name, []).append(path)
    return judging


def _reads_logs(name: str, family: Family) -> bool:
    """Whether metadata logs can be checked against a protocol: it says where its log ends."""
    return name == "kraft" or (name not in FAMILIES and family.whole.log_end is not None)


def _without_bounds(families: Mapping[str, Family]) -> list[str]:
    """Return notes on what is not explored, and why."""
    return [
        f"{name} has no bound, so that nothing of it is explored; give its protocol bounds=..."
        for name, one in families.items()
        if not one.bounds
    ]


def _missing(family: Family) -> str:
    """Return the missing recordings for which rows wait, each named once."""
    return ", ".join(dict.fromkeys(part for why in family.waiting.values() for part in why.split(", ")))


def _jobs(
    name: str,
    family: Family,
    paths: list[str] | None,
    steps: Collection[str],
    spark: bool,
    static: StaticSettings | None,
) -> Jobs:
    """The stages of a protocol in the order of the screen; its logs are `paths`, with None those that come with us.

    Where TLC is asked for, the bound at which it counts is explored, too: TLC's counts are compared with those.
    """
    jobs: Jobs = []
    if "prove" in steps and not family.explored_only:
        jobs.append((name, stages.proof, (name,)))
    larger = None if named.is_own(name) else tiers.LARGER_BOUNDS.get(name, ())
    bounds = [
        bound
        for one in family.slices
        for number, bound in enumerate(one.bounds)
        if number == 0 or larger is None or bound in larger
    ]
    counted = family.counted if "tlc" in steps else ""
    asked = [*bounds] if "explore" in steps else []
    if counted and counted not in asked:
        asked.append(counted)
    jobs += [(name, stages.exploration, (name, bound, bound == counted)) for bound in asked]
    if "conform" in steps:
        jobs += _log_jobs(name, family, paths, spark, static)
    if "answers" in steps and family.answers and name in FAMILIES and paths is None and (RECORDED / "oracle").is_dir():
        jobs.append((name, stages.answers, (str(RECORDED / "oracle"),)))
    return jobs


def _log_jobs(name: str, family: Family, paths: list[str] | None, spark: bool, static: StaticSettings | None) -> Jobs:
    """The stage that checks a protocol's logs, where it has some."""
    ours = name in FAMILIES
    come = [str(RECORDED / log) for log in family.recorded if ours and (RECORDED / log).is_dir()]
    logs = come if paths is None else paths
    return [(name, stages.logs, (name, logs, spark, static))] if logs else []


def _spark_jobs(name: str, family: Family, cores: int) -> Jobs:
    """The stage that checks a protocol's recordings on Spark, but those that take long, where it has some."""
    come = [str(RECORDED / log) for log in family.recorded if log not in on_spark.LONG and (RECORDED / log).is_dir()]
    return [(name, on_spark.on_spark, (name, come, cores))] if come else []


def _compared(found: Sequence[Stage]) -> tuple[Stage, ...]:
    """Return the stages of a protocol, that on Spark beside the one that checks the same logs in one process."""
    alone = next((stage for stage in found if stage.name == "logs"), None)
    return tuple(
        on_spark.beside(stage, alone) if stage.name == on_spark.NAME and alone is not None else stage for stage in found
    )


def _is_kept(kept: Cache | None, families: Mapping[str, Family], job: tuple[str, Any, tuple[Any, ...]]) -> bool:
    """Whether a cache has the stage of a job."""
    if kept is None:
        return False
    name, run, given = job
    key = key_of(families[name], run.__name__, given)
    return key is not None and kept.get(key) is not None


def _from(
    kept: Cache, planned: Jobs, families: Mapping[str, Family], progress: Progress | None, most: int
) -> list[tuple[str, Stage]]:
    """Take from a cache what it has, run the other jobs, and keep what they find."""
    keys = [key_of(families[name], run.__name__, given) for name, run, given in planned]
    known = {at: stage for at, key in enumerate(keys) if key is not None and (stage := kept.get(key)) is not None}
    done: dict[int, Stage] = {}
    for at, stage in known.items():
        done[at] = replace(stage, protocol=planned[at][0])
        if progress is not None:
            progress(done[at], len(done), len(planned))
    left = [at for at in range(len(planned)) if at not in known]

    def told(stage: Stage, number: int, _: int) -> None:
        if progress is not None:
            progress(stage, len(known) + number, len(planned))

    for at, (_, stage) in zip(left, _together([planned[at] for at in left], told, most), strict=True):
        done[at] = stage
        key = keys[at]
        if key is not None:
            kept.put(key, stage)
    return [(planned[at][0], done[at]) for at in range(len(planned))]


NOT_ASKED = Stage("stopped", Verdict.INCONCLUSIVE.value, ExitCode.STOPPED, ())
"""In place of a stage that a signal left undone."""


def _gathered(found: Sequence[Stage]) -> list[Stage]:
    """Return stages with one in place of all that a signal left undone."""
    done = [stage for stage in found if stage.code is not ExitCode.STOPPED]
    left = len(found) - len(done)
    said = f"stopped: {left} stage{'s were' if left > 1 else ' was'} not asked"
    return [*done, replace(NOT_ASKED, lines=(said,), fields={"message": said})] if left else done


def _together(jobs: Jobs, progress: Progress | None, most: int) -> list[tuple[str, Stage]]:
    """Run the jobs, some at a time, in child processes; raises what a job raises."""
    results: dict[int, Stage] = {}
    try:
        with children.pool(most) as pool:
            futures: dict[Future[Stage], int] = {pool.submit(run, *given): n for n, (_, run, given) in enumerate(jobs)}
            for done, future in enumerate(as_completed(futures), 1):
                number = futures[future]
                results[number] = replace(future.result(), protocol=jobs[number][0])
                if progress is not None:
                    progress(results[number], done, len(jobs))
    except KeyboardInterrupt:
        for number, (owner, _, _) in enumerate(jobs):
            results.setdefault(number, replace(NOT_ASKED, protocol=owner))
    return [(jobs[number][0], results[number]) for number in sorted(results)]
