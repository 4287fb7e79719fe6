"""`fencepost simulate --fork inkless`: the reference with a fork's rules, its log checked against the fork's tables."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode, Refusal

from .outcome import Outcome
from .simulated_runs import SHOWN, with_command
from .terminal import watching

if TYPE_CHECKING:
    from fencepost.reference.kraft.simulation.plan import Plan

FORKS = ("inkless",)
"""The forks that have a reference."""


def simulate_fork(plan: Plan, out: Path | None) -> Outcome:
    """Run a fork's reference once, write its controllers' logs, and check that of the active one by the fork's tables.

    Steps are not compared one by one: of a fork's requests it is the records that tables explain. What clients were
    promised is asked as of every reference.
    """
    from fencepost.checkers.conformance import conform
    from fencepost.reference.kraft.simulation.output import write_run
    from fencepost.reference.kraft.simulation.run import Run
    from fencepost.reference.kraft.storage.errors import StorageError
    from fencepost.traces.forks import fork_of

    from .conform import page
    from .simulated import static_of

    run = Run(plan)
    with watching(f"seed {plan.seed}: {plan.seconds:g} s of the cluster's time"):
        found = run.execute()
    directory = out or Path(tempfile.mkdtemp(prefix=f"fencepost-{plan.settings.fork}-seed-{plan.seed}-"))
    try:
        log, _ = write_run(run, directory)
    except (OSError, StorageError) as error:
        if out is None:
            shutil.rmtree(directory, ignore_errors=True)
        raise Refusal(f"--out {directory}: {error}; what is written there is not whole") from None
    result = conform([str(log)], None, static=static_of(plan), fork=fork_of(plan.settings.fork))
    code, verdict = result.exit_code, result.verdict.value
    lines = []
    if found.violations:
        code, verdict = ExitCode.VIOLATED, "violated"
        lines += [f"{one.now_ns / 1e9:.3f} s: {one.rule}: {one.message}" for one in found.violations[:SHOWN]]
        more = len(found.violations) - SHOWN
        lines += [f"and {more} more; --json has them"] if more > 0 else []
    count = len(found.violations)
    promises = f"{count or 'no'} promise{'s' * (count > 1)} broken"
    lines += [
        f"{verdict}: {promises}, {counted(found.requests.get('switch_to_diskless', 0), 'request')} to switch a topic",
        f"  {plan.seconds:g} s of the cluster's time: {sum(found.faults.values())} faults, {found.events} events, "
        f"{found.records} offsets in the metadata log, {found.acknowledged} acknowledged records",
        *(page(result) if code is not ExitCode.VIOLATED or result.exit_code else page(result)[:3]),
        f"log:   {log}",
        *with_command("repeat it with:", plan.command()),
    ]
    fields = {
        "seed": plan.seed,
        "simulated_seconds": plan.seconds,
        "repeat": plan.command(),
        "events": found.events,
        "records": found.records,
        "violations": [{"rule": one.rule, "time_ns": one.now_ns, "message": one.message} for one in found.violations],
        "faults": found.faults,
        "requests": found.requests,
        "acknowledged": found.acknowledged,
        "losses": found.losses,
        "log": str(log),
    }
    return Outcome("simulate", verdict, code, fields, lines, lambda: result.table_hash)
