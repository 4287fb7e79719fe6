"""Other checkers as a command of its own, for `fencepost bench explore`: SPIN and Rust on models restated by hand.

`measure.py CHECKER PROTOCOL BOUND [KIND=N ...]` runs `spin`, `rust` or `stateright` and prints JSON: how many distinct
states and transitions there are, bytes, and of each step (to generate, to compile, to run) the seconds of CPU and by
the clock. Where it cannot, it prints why, as `missing`.
"""

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from fencepost.checkers.bench.taking import Ran, ran

HERE = Path(__file__).resolve().parent

SEARCH_DEPTH = 1_000_000
"""The most steps of a path of SPIN's search, which is depth first; it has that much stack."""

HASH_SLOTS = 24
"""Slots of SPIN's hash table, as a power of two: its default; four times as many made 1e7 states no cheaper."""

RELEASE = ("-O2", "-DSAFETY", "-DNOREDUCE", "-DMEMLIM=16000")
"""How SPIN's program is compiled: safety only, no partial order (of one process there is none), exact states."""


class Missing(Exception):
    """What is needed is not there."""


class Restated(NamedTuple):
    """A restated model: the kind whose size it takes, the size of each bound, and what is defined for Promela."""

    kind: str
    sizes: Mapping[str, int]
    defined: Mapping[str, Sequence[str]]
    before: int
    """The states of Promela that are none of the protocol's: the one before the settings are chosen."""
    most: Mapping[str, int]


RESTATED = {
    "two_phase": Restated(
        "ResourceManager", {"three": 3, "seven": 7, "eight": 8}, {}, 0, {"spin": 10, "rust": 14, "stateright": 14}
    ),
    "lease": Restated(
        "Broker",
        {"tiny": 2, "drift": 2},
        {"tiny": ("-DUNITS=2",), "drift": ("-DUNITS=3", "-DDRIFT")},
        1,
        {"spin": 4, "rust": 3, "stateright": 3},
    ),
}


def step(command: Sequence[str], folder: Path) -> Ran:
    """Run a command to its end; raises `Missing` with the last lines of what it said where it fails."""
    ended = ran(command, folder)
    if ended.code:
        said = (ended.errors or ended.text).strip()[-300:]
        raise Missing(f"{' '.join(command[:2])} ended with {ended.code}: {said}")
    return ended


def seconds(ended: Ran) -> dict[str, float]:
    """Return the seconds of a step."""
    return {"wall_s": round(ended.wall_s, 2), "cpu_s": round(ended.cpu_s, 2)}


def sized(checker: str, protocol: str, bound: str, others: Mapping[str, int]) -> tuple[Restated, int]:
    """Return what is restated, and its size; raises `Missing` where that protocol is not, or not at that bound."""
    model = RESTATED.get(protocol)
    if model is None or bound not in model.sizes or set(others) - {model.kind}:
        asked = " ".join(f"{kind}={size}" for kind, size in others.items())
        raise Missing(f"there is no restatement of {protocol} at {bound}{' with ' if asked else ''}{asked} for it")
    size = others.get(model.kind, model.sizes[bound])
    if not 1 <= size <= model.most[checker]:
        raise Missing(f"{protocol} is restated for it with 1 to {model.most[checker]} of {model.kind}, not {size}")
    return model, size


def needs(program: str, package: str) -> None:
    """Raise `Missing` where a program is not on the PATH."""
    if shutil.which(program) is None:
        raise Missing(f"{program} is not on the PATH: {package}")


def spin(protocol: str, bound: str, model: Restated, size: int) -> dict[str, Any]:
    """Have SPIN generate a checker, gcc compile it, and it visit every state, depth first."""
    needs("spin", "on Debian, apt install spin")
    needs("gcc", "on Debian, apt install gcc")
    source = HERE / "promela" / f"{protocol}.pml"
    with tempfile.TemporaryDirectory(prefix="fencepost-spin-") as name:
        folder = Path(name)
        generated = step(["spin", "-o2", f"-DN={size}", *model.defined.get(bound, ()), "-a", str(source)], folder)
        compiled = step(["gcc", *RELEASE, "-o", "pan", "pan.c"], folder)
        run = step(["./pan", "-E", f"-m{SEARCH_DEPTH}", f"-w{HASH_SLOTS}"], folder)
    if "errors: 0" not in run.text or "max search depth too small" in run.text or "Search not completed" in run.text:
        raise Missing(f"SPIN did not visit every state: {run.text.strip()[:300]}")
    version = re.search(r"Spin Version ([\d.]+)", run.text)
    return {
        "version": version.group(1) if version else "unknown",
        "distinct": _less(_number(r"(\S+) states, stored", run.text), model.before),
        "transitions": _less(_number(r"(\S+) transitions", run.text), model.before),
        "peak_bytes": run.peak_bytes,
        "steps": {"generate": seconds(generated), "compile": seconds(compiled), "run": seconds(run)},
    }


def _number(pattern: str, text: str) -> int | None:
    """Return a number of SPIN's; None where it rounded it, as from nine digits on."""
    found = re.search(pattern, text)
    if found is None:
        raise Missing(f"SPIN counted nothing: {text.strip()[:300]}")
    return int(found.group(1)) if found.group(1).isdigit() else None


def _less(number: int | None, before: int) -> int | None:
    return None if number is None else number - before


def cargo(crate: str, program: str, protocol: str, bound: str, size: int) -> dict[str, Any]:
    """Have cargo compile a crate, and run its program; CARGO_TARGET_DIR may say where what is compiled stays."""
    needs("cargo", "install Rust, as with rustup")
    with tempfile.TemporaryDirectory(prefix="fencepost-cargo-") as name:
        # A copy, so that neither the lock file nor what is compiled is written into the repository.
        for one in ("rust", "stateright"):
            kept = shutil.ignore_patterns("target", "Cargo.lock")
            shutil.copytree(HERE / one, Path(name, one), ignore=kept, dirs_exist_ok=True)
        folder = Path(name, crate)
        target = Path(os.environ.get("CARGO_TARGET_DIR") or Path(name, "target"))
        build = ["cargo", "build", "--release", "--quiet", "--target-dir", str(target)]
        compiled = step(build, folder)
        run = step([str(target / "release" / program), protocol, str(size), bound], folder)
        version = step(["cargo", "--version"], folder).text.split()[1]
    counted = json.loads(run.text)
    steps = {"compile": seconds(compiled), "run": seconds(run)}
    return {"version": version, **counted, "peak_bytes": run.peak_bytes, "steps": steps}


def measured(checker: str, protocol: str, bound: str, others: Mapping[str, int]) -> dict[str, Any]:
    """Return the counts and the figures of a checker; raises `Missing` where it cannot run."""
    model, size = sized(checker, protocol, bound, others)
    if checker == "spin":
        return spin(protocol, bound, model, size)
    crate, program = {"rust": ("rust", "peers"), "stateright": ("stateright", "peers-stateright")}[checker]
    return cargo(crate, program, protocol, bound, size)


def main(arguments: Sequence[str]) -> None:
    """Run what the arguments say."""
    checker, protocol, bound, *others = arguments
    sizes = {kind: int(size) for kind, _, size in (one.partition("=") for one in others)}
    try:
        print(json.dumps(measured(checker, protocol, bound, sizes)))
    except Missing as missing:
        print(json.dumps({"missing": str(missing)}))


if __name__ == "__main__":
    main(sys.argv[1:])
