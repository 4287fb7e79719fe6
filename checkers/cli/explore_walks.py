"""`fencepost explore --walks`: random walks at a bound, and the text of their result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fencepost.checkers.codes import exploration_code
from fencepost.checkers.verdicts import Verdict, headline
from fencepost.model.language import Protocol

from .counterexamples import last_row, told
from .outcome import Outcome
from .terminal import watching

if TYPE_CHECKING:
    from fencepost.checkers.exploration import Swarm


def walk(
    protocol: Protocol,
    bound: str,
    sizes: Mapping[str, int] | None,
    walks: int,
    depth: int,
    seed: int,
    details: bool = False,
) -> Outcome:
    """Walk a protocol at random at a bound, and return what was met as the command's outcome."""
    from fencepost.checkers.exploration import swarm

    with watching(f"walking {protocol.name} at {bound}") as tell:
        found = swarm(
            protocol,
            bound,
            walks=walks,
            depth=depth,
            seed=seed,
            sizes=sizes,
            progress=lambda done, steps, asked, seconds: tell(
                f"{done} walks, {steps:,} steps, {asked:,} successors asked, {seconds:.0f} s"
            ),
        )
    code = exploration_code(found)
    return Outcome("explore", found.verdict.value, code, found.as_json(), page(found, protocol, details), protocol.hash)


def page(found: Swarm, protocol: Protocol, details: bool = False) -> list[str]:
    """Return a swarm as text: its scope, the properties by verdict, what kept rows from firing, and shrunk runs."""
    from fencepost.checkers.exploration import in_short

    from .explore import assumptions, guards, of_verdicts

    assumes = in_short(found.assumptions)
    lines = [
        f"{found.protocol} at {found.bound}: {headline(exploration_code(found), found.verdict)} ({found.message})",
        f"  walks show what they meet and close nothing: bound {found.bound}"
        + (f", which assumes {assumes}" if assumes else ""),
        f"  {found.steps:,} steps through {found.states:,} different states; {found.asked:,} successors of these were "
        f"asked every property, {found.seconds:.1f} s on {found.engine}",
        "  sizes: " + ", ".join(f"{name} {size}" for name, size in sorted(found.sizes.items())),
        *of_verdicts(found.properties, protocol),
        *(f"  {line}" for line in assumptions(found)),
    ]
    untested = [one for one in found.properties if one.vacuity is not None]
    lines += [
        f"  {one.id} is not put to the test: {one.vacuity.message}" for one in untested if one.vacuity is not None
    ]
    if found.rows_never_fired:
        lines.append(f"  rows that never fired in these walks: {', '.join(found.rows_never_fired)}")
    lines += [f"  {line}" for line in guards(found, fired=False)]
    for one in found.properties:
        if one.verdict is Verdict.VIOLATED and one.trace is not None:
            rows = [f"{one.id} is violated, {one.message}; no row of the run can be left out{last_row(one.trace)}:"]
            lines += ["", *told(one.trace, rows, details)]
    return lines
