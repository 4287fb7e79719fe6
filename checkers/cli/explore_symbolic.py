"""`fencepost explore --symbolic`: runs of a bound that Z3 is asked for, and the text of the answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fencepost.checkers.asked import scope_lines
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict, headline
from fencepost.model.language import LeadsTo, Protocol

from .counterexamples import last_row, told
from .outcome import Outcome
from .terminal import watching


def searched(
    protocol: Protocol,
    bound: str,
    sizes: Mapping[str, int] | None,
    properties: Sequence[str],
    steps: int,
    seconds: float | None,
    details: bool = False,
) -> Outcome:
    """Ask for runs of at most so many steps that break a property or show it, as the command's outcome."""
    from fencepost.checkers.exploration import in_short
    from fencepost.checkers.exploration.assumed import assumed
    from fencepost.checkers.exploration.engine import bound_of
    from fencepost.checkers.proof.unrolled import unrolled

    if len(properties) != 1:
        raise Refusal(
            f"--symbolic asks for runs to one property; name it, as in --property {protocol.properties[0].id}"
        )
    claim = protocol.property(properties[0])
    if isinstance(claim, LeadsTo):
        raise Refusal(f"--symbolic: {claim.id} is about endless runs, and these are finite; leave --symbolic out")
    name, made = bound_of(protocol, bound, sizes)
    with watching(f"asking for runs to {claim.id}") as tell:
        found = unrolled(
            protocol, name, made, claim, steps, seconds,
            progress=lambda length, passed: tell(f"of {length} steps, {passed:.0f} s"),
        )  # fmt: skip
    expected = getattr(claim, "expected", "holds")
    code = ExitCode.AS_DECLARED
    if found.verdict is Verdict.INCONCLUSIVE:
        code = ExitCode.INCONCLUSIVE
    elif found.verdict is Verdict.VIOLATED and (expected != "violated" or found.property != claim.id):
        code = ExitCode.VIOLATED
    assumptions = assumed(protocol, made, ())
    assumes = in_short(assumptions)
    lines = [
        f"{protocol.name} at {name}: {headline(code, found.verdict)} ({found.message})",
        f"  asked of Z3, {found.seconds:.1f} s; no state is stored, and nothing is closed: bound {name}"
        + (f", which assumes {assumes}" if assumes else ""),
        "  sizes: " + ", ".join(f"{kind} {size}" for kind, size in sorted(found.sizes.items())),
    ]
    lines += [f"  {line}" for line in scope_lines(found.scopes)]
    if found.trace is not None:
        how = "violated" if found.verdict is Verdict.VIOLATED else "witnessed"
        lines += [
            "",
            *told(found.trace, [f"{found.property} is {how}, by a shortest run{last_row(found.trace)}:"], details),
        ]
    document = {**found.as_json(), "assumptions": assumptions}
    return Outcome("explore", found.verdict.value, code, document, lines, protocol.hash)
