"""`fencepost explore --check-certificate`: whether the interpreter finds what a certificate says of a bound."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict, headline
from fencepost.model.language import Protocol

from .outcome import Outcome
from .terminal import watching


def refuse(path: Path | None) -> None:
    """Raise `Refusal` for a file to write that is there already, before anything runs."""
    if path is not None and path.exists():
        raise Refusal(f"--certificate {path}: is there already; name another file")


def checked(protocol: Protocol, bound: str, given: Mapping[str, int] | None, path: Path) -> Outcome:
    """Check a certificate of a protocol at a bound, of which some sizes may be given, as the command's outcome.

    Raises `Refusal` for a file that is no certificate, or one of another protocol, bound, size or table.
    """
    from fencepost.checkers.certificates import NotCertified, check, read
    from fencepost.checkers.exploration.engine import bound_of

    _, at = bound_of(protocol, bound, given)
    here = {"protocol": protocol.name, "bound": bound, "path": str(path)}
    try:
        made, numbers = read(path)
        for what, said, mine in (
            ("protocol", made.protocol, protocol.name),
            ("bound", made.bound, bound),
            ("table hash", made.table_hash, protocol.hash),
            ("sizes", _sizes(made.sizes), _sizes(at.sizes)),
        ):
            if said != mine:
                raise NotCertified(f"{path}: is of {what} {said}, and {mine} is asked: write it anew", refused=True)
        with watching(f"checking {path}") as tell:
            found = check(protocol, at, made, numbers, lambda done, total: tell(f"{done:,} of {total:,} states"))
    except NotCertified as error:
        if error.refused:
            raise Refusal(f"--check-certificate {error}") from error
        code = ExitCode.DISAGREEMENT
        word = headline(code, Verdict.CLOSED)
        page = [f"{protocol.name} at {bound}: {word}: {path}: {error}"]
        return Outcome("explore", word, code, {**here, "message": str(error)}, page, protocol.hash)
    page = [
        f"{protocol.name} at {bound}: closed: {path} holds, by the interpreter",
        f"  {counted(found.states, 'state')}, {counted(found.steps, 'step')}, depth {found.depth}: every first state "
        "and every successor is in it, and nothing else",
        f"  {len(found.claims)} claims are as it says: {', '.join(found.claims)}",
        *([f"  not checked, since about runs without end: {', '.join(found.about_runs)}"] if found.about_runs else []),
    ]
    fields = {
        **here,
        "message": "",
        "states": found.states,
        "steps": found.steps,
        "depth": found.depth,
        "claims": {id: made.claims[id] for id in found.claims},
        "not_checked": list(found.about_runs),
    }
    return Outcome("explore", Verdict.CLOSED.value, ExitCode.AS_DECLARED, fields, page, protocol.hash)


def _sizes(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {size}" for name, size in sorted(sizes.items()))
