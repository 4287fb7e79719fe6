"""`fencepost simulate`: the reference controller's simulated cluster, every step of it checked with the tables."""

from __future__ import annotations

import random
import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.verdicts import Refusal

from .conform_spark import Conf, Master, cluster_of
from .outcome import Json, Outcome
from .simulate_scale import PARTITIONS, SEGMENT_BYTES, simulate_scale
from .simulated import Judged, JudgedTogether, judged_alone, judged_run, static_of, story_of
from .simulated_runs import Simulation, Tell, Written

if TYPE_CHECKING:
    from fencepost.reference.kraft.simulation.plan import Plan
    from fencepost.reference.kraft.simulation.run import Run
    from fencepost.traces.steps import AnyStep

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def simulate(
    seed: Annotated[int | None, typer.Option(help="The seed: one seed is one run, to the byte; 1 by default.")] = None,
    seeds: Annotated[int, typer.Option(help="How many seeds to run, from --seed on.")] = 1,
    jobs: Annotated[int, typer.Option(help="Processes at work side by side, with --seeds.")] = 1,
    time_: Annotated[
        str | None, typer.Option("--time", help="Simulated time: 90s, 10m, 1h; 10m by default, of all but kraft 2m.")
    ] = None,
    faults: Annotated[
        str | None,
        typer.Option(
            help="Kinds of faults, as slow,broker-kill; or all, none, swarm: some, by the seed. With --to: how many "
            "to plant."
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where logs, trace and story go; a new folder by default.")] = None,
    settings: Annotated[list[str], typer.Option("--set", help="A setting by Kafka's name, NAME=VALUE.")] = [],  # noqa: B006
    repaired: Annotated[list[str], typer.Option(help="A known defect of Kafka to repair, as D6c.")] = [],  # noqa: B006
    inject: Annotated[list[str], typer.Option(help="A historical bug to put in, as J7 or Z8.")] = [],  # noqa: B006
    controllers: Annotated[int | None, typer.Option(help="How many controllers; 3 by default.")] = None,
    brokers: Annotated[int | None, typer.Option(help="How many brokers; 4 by default.")] = None,
    release_version: Annotated[
        str | None, typer.Option(help="The metadata.version to format with, as 3.7-IV2.")
    ] = None,
    highest_version: Annotated[
        str | None,
        typer.Option(help="The metadata.version above which the run neither begins nor is upgraded, as 4.3-IV0."),
    ] = None,
    odd_requests: Annotated[
        bool, typer.Option("--odd-requests", help="Ask for what is seldom or wrongly asked for too.")
    ] = False,
    security_requests: Annotated[
        bool, typer.Option("--security-requests", help="Ask about ACLs, SCRAM users, delegation tokens and quotas too.")
    ] = False,
    voter_requests: Annotated[
        bool,
        typer.Option(
            "--voter-requests", help="Add, remove and update voters of the quorum too, and raise kraft.version."
        ),
    ] = False,
    add_scram: Annotated[
        list[str],
        typer.Option("--add-scram", metavar="CREDENTIAL", help="A user to format with, as storage format has it."),
    ] = [],  # noqa: B006
    story: Annotated[bool, typer.Option("--story", help="Print every line of the run's story.")] = False,
    protocol: Annotated[
        str,
        typer.Option(
            help="Whose reference: kraft, zk for the ZooKeeper era, kip343, kip46, kip631-v1, kip631-v2, or one of the "
            "last two with +failovers."
        ),
    ] = "kraft",
    fork: Annotated[
        str | None, typer.Option(help="A fork whose rules the reference has beside Kafka's: inkless.")
    ] = None,
    logs: Annotated[int | None, typer.Option(help="With --to: how many logs to write; 1 by default.")] = None,
    records: Annotated[int | None, typer.Option(help="With --to: how many records each log has at least.")] = None,
    to: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Write logs of any size there, of recorded episodes; a new folder or a URI."),
    ] = None,
    partitions: Annotated[
        int | None, typer.Option(help="With --to: how many partitions stand throughout; 1000 by default.")
    ] = None,
    episodes: Annotated[
        str | None,
        typer.Option(metavar="KIND,...", help="With --to: what happens, as silence,restart; all kinds by default."),
    ] = None,
    segment_bytes: Annotated[
        int | None, typer.Option(help="With --to: the most bytes of a segment; 1 GiB by default.")
    ] = None,
    form: Annotated[
        str | None,
        typer.Option("--as", metavar="logs|records", help="With --to: logs, or tables of their records as Parquet."),
    ] = None,
    spark: Annotated[bool, typer.Option("--spark", help="With --to: tasks of Spark write the logs.")] = False,
    master: Master = None,
    conf: Conf = None,
    json: Json = False,
) -> Outcome:
    """Run the reference controller in a simulated cluster, and check every step against the tables.

    Without arguments: a story in which a cluster starts, loses a broker, loses its controller, and moves a partition.
    With --to: write metadata logs of any size, made of episodes that are recorded once.
    """
    scale: dict[str, object] = {
        "--logs": logs,
        "--records": records,
        "--partitions": partitions,
        "--segment-bytes": segment_bytes,
    }
    scale |= {"--episodes": episodes}
    cluster = cluster_of(spark, master, conf, None, None)
    if to is not None:
        others: dict[str, object] = {"--time": time_, "--out": out, "--set": settings, "--repaired": repaired}
        others |= {"--inject": inject, "--controllers": controllers, "--release-version": release_version}
        others |= {"--highest-version": highest_version}
        others |= {"--odd-requests": odd_requests, "--security-requests": security_requests, "--story": story}
        others |= {"--voter-requests": voter_requests}
        others |= {"--fork": fork, "--add-scram": add_scram, "--seeds": seeds != 1, "--protocol": protocol != "kraft"}
        _refuse_beside_to(others, records, jobs, spark)
        return simulate_scale(
            logs=1 if logs is None else logs, records=records or 0, to=to, seed=1 if seed is None else seed,
            faults=faults, brokers=4 if brokers is None else brokers, jobs=jobs, cluster=cluster,
            form=form or "logs", episodes=episodes,
            partitions=PARTITIONS if partitions is None else partitions,
            segment_bytes=SEGMENT_BYTES if segment_bytes is None else segment_bytes,
        )  # fmt: skip
    for option, given in {**scale, "--as": form, "--spark": spark or None}.items():
        if given is not None:
            raise Refusal(f"{option} is for logs that are written by --to DIR; add it, or leave {option} out")
    if protocol != "kraft":
        foreign: dict[str, object] = {"--set": settings, "--repaired": repaired}
        foreign |= {"--release-version": release_version, "--controllers": controllers}
        foreign |= {"--highest-version": highest_version}
        foreign |= {"--odd-requests": odd_requests or None, "--security-requests": security_requests or None}
        foreign |= {"--voter-requests": voter_requests or None, "--add-scram": add_scram, "--fork": fork}
        return _of_another(
            protocol, foreign, seed, seeds, jobs, time_, faults, out, brokers, inject, story and not json
        )  # fmt: skip
    controllers, brokers = 3 if controllers is None else controllers, 4 if brokers is None else brokers
    told = (seed, time_, faults, release_version, highest_version)
    plain = all(one is None for one in told) and (seeds, controllers, brokers) == (1, 3, 4)
    plain = plain and not (settings or repaired or inject or odd_requests or security_requests or add_scram or fork)
    plain = plain and not voter_requests
    plan = _plan(seed, time_, faults, settings, repaired, inject, controllers, brokers, release_version, plain)
    if highest_version is not None:
        plan = _held(plan, highest_version)
    plan = replace(plan, odd=odd_requests, security=security_requests, voters=voter_requests)
    plan = replace(plan, scram=_users(add_scram, plan))
    if seeds < 1:
        raise Refusal(f"--seeds {seeds}: run at least one")
    if jobs < 1:
        raise Refusal(f"--jobs {jobs}: take at least one")
    if fork is not None:
        return _of_fork(fork, plan, seeds, jobs, out, story and not json)
    simulation = Simulation(_judged_run, judged_alone, _write, JudgedTogether)
    return simulation.run(plan, seeds, jobs, out, (story or plain) and not json)


def _of_fork(fork: str, plan: Plan, seeds: int, jobs: int, out: Path | None, story: bool) -> Outcome:
    from fencepost.reference.kraft.inkless import NEWEST
    from fencepost.reference.kraft.levels import NAMES

    from .simulate_fork import FORKS, simulate_fork

    if fork not in FORKS:
        raise Refusal(f"--fork {fork}: there is no reference of this fork; use {', '.join(FORKS)}")
    if plan.level is not None and plan.level > NEWEST:
        raise Refusal(f"--release-version {NAMES[plan.level]}: {fork} knows metadata.version up to {NAMES[NEWEST]}")
    return simulate_fork(replace(plan, settings=replace(plan.settings, fork=fork)), seeds, jobs, out, story)


def _refuse_beside_to(others: Mapping[str, object], records: int | None, jobs: int, spark: bool) -> None:
    for option, given in others.items():
        if given not in (None, [], False):
            raise Refusal(
                f"{option}: logs that are made of recorded episodes do not have it; leave out {option} or --to"
            )
    if records is None:
        raise Refusal("--to writes logs of so many records as --records says; add --records M")
    if jobs < 1:
        raise Refusal(f"--jobs {jobs}: take at least one")
    if spark and jobs > 1:
        raise Refusal("--jobs: Spark has processes of its own, as many as its master says; leave out --jobs or --spark")


def _of_another(
    protocol: str,
    foreign: Mapping[str, object],
    seed: int | None,
    seeds: int,
    jobs: int,
    time_: str | None,
    faults: str | None,
    out: Path | None,
    brokers: int | None,
    inject: list[str],
    story: bool,
) -> Outcome:
    from .simulate_design import DESIGNS, simulate_design
    from .simulate_zk import simulate_zk

    if protocol not in ("zk", *DESIGNS):
        known = ", ".join(("kraft", "zk", *DESIGNS))
        raise Refusal(f"--protocol {protocol}: there is no reference of this name; use one of {known}")
    if protocol in DESIGNS:
        foreign = {**foreign, "--brokers": brokers}
    for option, given in foreign.items():
        if given not in (None, []):
            raise Refusal(f"{option}: the reference of {protocol} does not have it; leave it out")
    if seeds < 1:
        raise Refusal(f"--seeds {seeds}: run at least one")
    if jobs < 1:
        raise Refusal(f"--jobs {jobs}: take at least one")
    seconds = None if time_ is None else seconds_of(time_)
    if protocol in DESIGNS:
        return simulate_design(protocol, seed, seeds, jobs, seconds, faults, out, inject, story)
    return simulate_zk(seed, seeds, jobs, seconds, faults, out, 4 if brokers is None else brokers, inject, story)


def _users(credentials: list[str], plan: Plan) -> tuple[str, ...]:
    """Return the users to format with; raises `Refusal` for one that is none, or that the level does not have."""
    from fencepost.reference.kraft.controller.scram_credentials import SCRAM
    from fencepost.reference.kraft.levels import NAMES
    from fencepost.reference.kraft.storage.errors import StorageError
    from fencepost.reference.kraft.storage.scram import scram_record

    if credentials and plan.level is not None and plan.level < SCRAM:
        raise Refusal(f"--add-scram needs metadata.version {NAMES[SCRAM]} or later")
    try:
        for one in credentials:
            scram_record(one, random.Random(0))
    except StorageError as error:
        raise Refusal(str(error)) from None
    return tuple(credentials)


def _plan(
    seed: int | None,
    time_: str | None,
    faults: str | None,
    settings: list[str],
    repaired: list[str],
    inject: list[str],
    controllers: int,
    brokers: int,
    release_version: str | None,
    plain: bool,
) -> Plan:
    """Make a plan of the options; raises `Refusal` for one that does not fit."""
    from fencepost.reference.kraft.injected import BUGS, REPLICATION, current
    from fencepost.reference.kraft.repairs import REPAIRS
    from fencepost.reference.kraft.settings import Settings
    from fencepost.reference.kraft.simulation.faults import parse_faults
    from fencepost.reference.kraft.simulation.plan import Plan
    from fencepost.reference.kraft.simulation.script import LENGTH_S

    for name in repaired:
        _known("--repaired", name, REPAIRS)
    inject = [current(name) for name in inject]
    for name in inject:
        _known("--inject", name, {**BUGS, **REPLICATION})
    # What a bug needs in order to show holds where nothing else is asked for.
    needs = {name: value for bug in inject if bug in BUGS for name, value in BUGS[bug].needs.items()}
    needed_faults, needed_release = needs.pop("faults", None), needs.pop("release", None)
    faults, release_version = faults or needed_faults, release_version or needed_release
    level = None if release_version is None else _level("--release-version", release_version)
    if not 1 <= controllers <= 9 or not 1 <= brokers <= 50:
        raise Refusal(f"--controllers {controllers} --brokers {brokers}: take 1 to 9 controllers and 1 to 50 brokers")
    pairs = list(needs.items())
    for text in settings:
        name, equals, value = text.partition("=")
        if not equals:
            raise Refusal(f"--set {text}: write NAME=VALUE")
        pairs.append((name, value))
    try:
        chosen = Settings().with_kafka(dict(pairs))
        if faults is not None:
            parse_faults(faults)
    except ValueError as error:
        raise Refusal(str(error)) from None
    return Plan(
        seed=1 if seed is None else seed,
        seconds=LENGTH_S if plain else seconds_of(time_ or "10m"),
        controllers=controllers,
        brokers=brokers,
        level=level,
        settings=replace(chosen, repaired=frozenset(repaired)),
        changed=tuple(pairs),
        faults=faults or "swarm",
        bugs=tuple(inject),
        story=plain,
    )


def _held(plan: Plan, highest_version: str) -> Plan:
    """Return a plan that goes above no metadata.version but one; raises `Refusal` for one that does not fit."""
    from fencepost.reference.kraft.levels import NAMES

    highest = _level("--highest-version", highest_version)
    if plan.level is not None and plan.level > highest:
        raise Refusal(
            f"--highest-version {highest_version}: --release-version {NAMES[plan.level]} is above it; lower that one"
        )
    return replace(plan, highest=highest)


def _level(option: str, name: str) -> int:
    """Return the level of a metadata.version; raises `Refusal` for one at which Kafka 4.4 does not run."""
    from fencepost.reference.kraft.levels import LEVELS, MINIMUM

    if LEVELS.get(name, 0) < MINIMUM:
        names = ", ".join(one for one, level in LEVELS.items() if level >= MINIMUM)
        raise Refusal(f"{option} {name}: Kafka 4.4 runs at {names}")
    return LEVELS[name]


def _known(option: str, name: str, names: Mapping[str, Any]) -> None:
    if name not in names:
        raise Refusal(f"{option} {name}: there is none of that name; there are {', '.join(names)}")


def seconds_of(text: str) -> float:
    """Return the seconds that `--time` says; raises `Refusal` for what is no time above 0."""
    unit = next((one for one in ("ms", "s", "m", "h", "d") if text.endswith(one)), "")
    try:
        seconds = float(text.removesuffix(unit)) * UNITS.get(unit, 1.0)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise Refusal(f"--time {text}: write a time above 0, as 90s, 10m or 1h")
    return seconds


# -- the runs ----------------------------------------------------------------------------------------------------------
def _judged_run(plan: Plan, steps: list[AnyStep], tell: Tell | None) -> tuple[Run, Judged]:
    return judged_run(plan, steps, story_of(tell))


def _write(run: Run, judged: Judged, steps: list[AnyStep], directory: Path) -> Written:
    from fencepost.reference.kraft.simulation.output import write_run
    from fencepost.reference.kraft.storage.errors import StorageError

    try:
        log, trace = write_run(run, directory, steps)
    except StorageError as error:
        raise Refusal(f"--out {directory}: {error}; what is written there is not whole") from None
    story = directory / "story.txt"
    lines = [
        f"log:   {log}",
        f"trace: {trace}",
        f"story: {story}",
        f"next:  fencepost conform {shlex.quote(str(directory))}{static_of(judged.plan).arguments()}",
        f"       fencepost show {shlex.quote(str(log))} --at 100",
    ]
    fields = {"log": str(log), "trace": str(trace), "story": str(story), "metrics": judged.outcome.metrics}
    return Written(fields, lines)
