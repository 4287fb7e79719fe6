"""`check`: the stages side by side in child processes, and their outcomes as one."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fencepost
from fencepost.checkers import named
from fencepost.checkers.verdicts import MEANINGS, ExitCode, Refusal, headline, worst
from fencepost.model.registry import FAMILIES, Family

from . import stages
from .stages import Stage

if TYPE_CHECKING:
    from fencepost.checkers.conformance.static_settings import StaticSettings

RECORDED = Path(fencepost.__file__).resolve().parent / "traces" / "recorded"
"""Where the recorded logs and answers lie that come with fencepost."""

Progress = Callable[[Stage, int, int], None]
"""Called with a stage that has ended, how many have, and how many there are."""


@dataclass(frozen=True)
class Check:
    """What a check found: its stages by protocol, in the order of the screen. `notes` say what was not done.

    `sources` says what each protocol is taken from.
    """

    protocols: dict[str, tuple[Stage, ...]]
    table_hashes: dict[str, str]
    notes: tuple[str, ...]
    seconds: float
    sources: Mapping[str, str] = field(default_factory=dict)

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
        """What the run is called: as declared, or what its exit code stands for."""
        return headline(self.exit_code, MEANINGS[ExitCode.AS_DECLARED])

    def as_json(self) -> dict[str, Any]:
        """Return the stages as JSON values."""
        return {
            "protocols": {
                name: {
                    "table_hash": self.table_hashes[name],
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
    tlc: bool = True,
    spark: bool = False,
    proof: bool = True,
    static: StaticSettings | None = None,
    progress: Progress | None = None,
) -> Check:
    """Prove and explore every protocol of the registry, and hold recorded logs and answers against it.

    With `paths` those logs are judged, otherwise the ones that come with fencepost. With `protocols` only those are
    checked, as the command line names them. Every slice of a protocol is explored at the first of its bounds, a
    protocol of a file or module at all of them; with `tlc` TLC counts the first instance too. With `spark` the logs are
    judged on Spark; `static` are the static settings of the controllers that wrote them. A stage that cannot run, for
    want of Java, is inconclusive. Raises `TraceError` for what is no log, and as `named.family` does, before anything
    runs.
    """
    started = time.monotonic()
    families = {name: named.family(name) for name in protocols} if protocols else FAMILIES
    logs = [os.fspath(p) for p in paths]
    judging = _judging(families, logs)
    notes = _without_jobs(families, judging)
    jobs: list[tuple[str, Callable[..., Stage], tuple[Any, ...]]] = []
    for name, family in families.items():
        jobs += _jobs(name, family, judging[name] if logs else None, tlc, spark, proof, static)
    found = _together(jobs, progress)
    stages_of = {name: tuple(stage for owner, stage in found if owner == name) for name in families}
    if not paths:
        notes += [
            f"{len(family.waiting)} recordings are not held against {family.name} yet, for want of rows: "
            f"{_missing(family)}"
            for family in families.values()
            if family.waiting
        ]
    hashes = {name: family.whole.hash for name, family in families.items()}
    sources = {name: family.sources for name, family in families.items()}
    return Check(stages_of, hashes, tuple(notes), time.monotonic() - started, sources)


def _judging(families: Mapping[str, Family], paths: Sequence[str]) -> dict[str, list[str]]:
    """Which protocol judges which paths; raises `TraceError` for what is no log, `Refusal` where no protocol can."""
    from fencepost.traces import find_logs
    from fencepost.traces.design_steps import is_design_trace
    from fencepost.traces.storage import kind_of
    from fencepost.traces.zk import is_zk_recording

    judging: dict[str, list[str]] = {name: [] for name in families}
    for path in paths:
        zookeeper = kind_of(path) != "missing" and is_zk_recording(path)
        if not zookeeper:
            if kind_of(path) == "file" and is_design_trace(path):
                raise Refusal(f"{path}: is an event trace of a design; judge it by fencepost conform {path}")
            find_logs([path])
        by = [name for name, one in families.items() if (name == "zk" if zookeeper else _reads_logs(name, one))]
        if not by:
            told = ", ".join(families)
            raise Refusal(f"{path}: {told} cannot be held against it; leave it out, or name kraft or zk as well")
        for name in by:
            judging[name].append(path)
    return judging


def _reads_logs(name: str, family: Family) -> bool:
    """Whether metadata logs can be held against a protocol: it says where its log ends."""
    return name == "kraft" or (name not in FAMILIES and family.whole.log_end is not None)


def _without_jobs(families: Mapping[str, Family], judging: Mapping[str, Sequence[str]]) -> list[str]:
    """What is not asked, and why."""
    notes = [
        f"{name} has no bound, so that nothing of it is explored; give its protocol bounds=..."
        for name, one in families.items()
        if not one.bounds
    ]
    if not any(judging.values()) and not RECORDED.is_dir():
        notes.append("no recorded logs: none come with this installation, name some as PATHS")
    return notes


def _missing(family: Family) -> str:
    """What the rows are missing for which recordings wait, each named once."""
    return ", ".join(dict.fromkeys(part for why in family.waiting.values() for part in why.split(", ")))


def _jobs(
    name: str,
    family: Family,
    paths: list[str] | None,
    tlc: bool,
    spark: bool,
    proof: bool,
    static: StaticSettings | None,
) -> list[tuple[str, Callable[..., Stage], tuple[Any, ...]]]:
    """The stages of a protocol in the order of the screen; its logs are `paths`, with None those that come with us."""
    jobs: list[tuple[str, Callable[..., Stage], tuple[Any, ...]]] = []
    if proof:
        jobs.append((name, stages.proof, (name,)))
    most = None if named.is_own(name) else 1
    asked = [bound for one in family.slices for bound in list(one.bounds)[:most]]
    jobs += [(name, stages.exploration, (name, bound, tlc and bound == asked[0])) for bound in asked]
    ours = name in FAMILIES
    come = [str(RECORDED / log) for log in family.recorded if ours and (RECORDED / log).is_dir()]
    logs = come if paths is None else paths
    if logs:
        jobs.append((name, stages.logs, (name, logs, spark, static)))
    if family.answers and ours and paths is None and (RECORDED / "oracle").is_dir():
        jobs.append((name, stages.answers, (str(RECORDED / "oracle"),)))
    return jobs


def _together(
    jobs: Sequence[tuple[str, Callable[..., Stage], tuple[Any, ...]]], progress: Progress | None
) -> list[tuple[str, Stage]]:
    """Run the jobs two at a time in child processes; raises what a job raises."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=2, mp_context=context) as pool:
        futures: dict[Future[Stage], int] = {pool.submit(run, *given): n for n, (_, run, given) in enumerate(jobs)}
        try:
            for done, future in enumerate(as_completed(futures), 1):
                stage = future.result()
                if progress is not None:
                    progress(stage, done, len(jobs))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    results = {number: future.result() for future, number in futures.items()}
    return [(owner, results[number]) for number, (owner, _, _) in enumerate(jobs)]
