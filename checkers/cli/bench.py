"""`fencepost bench`: how fast the simulation is, whether its memory stays flat, how soon it finds injected bugs; what
proofs, explorations and conformance cost."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from fencepost.checkers.verdicts import ExitCode, Refusal, worst

from .explore import sizes
from .outcome import Json, Outcome
from .simulate import seconds_of
from .terminal import watching


def bench(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="speed, lock-step, memory, seeds, bugs, prove, stability, explore, zk, conform, spark; by default "
            "speed and lock-step."
        ),
    ] = None,
    seeds: Annotated[int | None, typer.Option(help="How many seeds to run; each benchmark has its own number.")] = None,
    seed: Annotated[int, typer.Option(help="The first seed.")] = 1,
    time_: Annotated[
        str | None, typer.Option("--time", help="Simulated time of a run: 10m, for memory 24h by default.")
    ] = None,
    bug: Annotated[list[str] | None, typer.Option(help="A bug for `bugs`, as J7; by default all.")] = None,
    protocol: Annotated[
        list[str] | None,
        typer.Option(
            help="A protocol for `prove` and `explore`, as zk; by default all. `explore` takes path/file.py:NAME."
        ),
    ] = None,
    bound: Annotated[
        list[str] | None, typer.Option(help="A bound for `explore`, as small; by default the first of each protocol.")
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="KIND=N", help="For `explore`: another size of the bound.")
    ] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            help="For `explore`: a checker beside it, of tlc, spin, rust and stateright; by default the first three."
        ),
    ] = None,
    log: Annotated[
        Path | None,
        typer.Option(help="A log to measure in place of those that are made: by `conform`, or by `spark`, in parts."),
    ] = None,
    logs: Annotated[int | None, typer.Option(min=1, help="How many logs `spark` makes and checks.")] = None,
    records: Annotated[int | None, typer.Option(min=1, help="How many records each of these has at least.")] = None,
    against: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="For `prove`: a document of an earlier `bench prove --json`; say what differs from it."
        ),
    ] = None,
    json: Json = False,
) -> Outcome:
    """Measure the simulation: events a second, simulated hours an hour, memory over a day, seeds to each bug; what
    proving and exploring each protocol costs; and what checking a log does."""
    if importlib.util.find_spec("resource") is None:
        raise Refusal("bench: this system does not say what a process uses; run it on Linux or macOS")
    from fencepost.checkers.bench.benchmarks import BENCHMARKS, benchmark
    from fencepost.checkers.bench.measured import Options

    chosen = names or ["speed", "lock-step"]
    for name in chosen:
        if name not in BENCHMARKS:
            raise Refusal(f"bench {name}: there is no such benchmark; there are {', '.join(BENCHMARKS)}")
    if log is not None and chosen not in (["conform"], ["spark"]):
        raise Refusal(f"--log {log}: conform and spark measure a log; write fencepost bench conform --log LOG")
    if log is not None and (logs is not None or records is not None):
        raise Refusal(f"--log {log} is measured as it is: leave out --logs and --records")
    if (logs is not None or records is not None) and chosen != ["spark"]:
        raise Refusal("--logs and --records: only the benchmark spark makes logs; write fencepost bench spark")
    if seeds is not None and seeds < 1:
        raise Refusal(f"--seeds {seeds}: run at least one")
    if bound and chosen != ["explore"]:
        raise Refusal(f"--bound {bound[0]}: only the benchmark explore has bounds; write fencepost bench explore")
    if (set_ or beside) and chosen != ["explore"]:
        raise Refusal("--set and --beside: are for the benchmark explore; write fencepost bench explore")
    if against is not None and chosen != ["prove"]:
        raise Refusal(f"--against {against}: only the benchmark prove compares; write fencepost bench prove")
    if beside:
        _refuse_unknown_checkers(beside)
    bugs = _known_bugs(bug or ())
    protocols = _known_protocols(protocol or (), chosen == ["explore"])
    resized = sizes(set_ or [])
    seconds = None if time_ is None else seconds_of(time_)
    results, pages, codes = [], [], []
    for name in chosen:
        with watching(name) as progress:
            began = time.perf_counter()
            given = (seeds, seed, seconds, bugs, protocols, progress, log, tuple(bound or ()), logs, records)
            more = (resized, tuple(dict.fromkeys(beside or ())), against)
            measured = benchmark(name)(Options(*given, *more))
            took = time.perf_counter() - began
        results.append({"name": name, "seconds": round(took, 3), **measured.figures})
        pages += [f"{name}: {measured.line}", *(f"  {line}" for line in measured.more)]
        codes.append(measured.code)
    code = worst(codes)
    verdict = "measured" if code is ExitCode.AS_DECLARED else "differs"
    return Outcome("bench", verdict, code, {"benchmarks": results}, pages)


def _refuse_unknown_checkers(names: Sequence[str]) -> None:
    from fencepost.checkers.bench.peers import TITLES

    for one in names:
        if one not in TITLES:
            raise Refusal(f"--beside {one}: there is no such checker here; there are {', '.join(TITLES)}")


def _known_bugs(names: Sequence[str]) -> tuple[str, ...]:
    from fencepost.reference.kraft.injected import BUGS, current

    names = [current(name) for name in names]
    for name in names:
        if name not in BUGS:
            raise Refusal(f"--bug {name}: there is none of that name; there are {', '.join(BUGS)}")
    return tuple(names) or tuple(BUGS)


def _known_protocols(names: Sequence[str], own: bool) -> tuple[str, ...]:
    """Return the protocols without repetition; where `own`, a file's or a module's may be among them."""
    from fencepost.checkers.named import is_own
    from fencepost.model.registry import FAMILIES

    for name in names:
        if name not in FAMILIES and not (own and is_own(name)):
            raise Refusal(f"--protocol {name}: there is none of that name; there are {', '.join(FAMILIES)}")
    return tuple(dict.fromkeys(names))
