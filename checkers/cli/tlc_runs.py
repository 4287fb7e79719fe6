"""TLA+ modules that are written to a folder: those of a protocol, those of a run; and a run replayed by TLC."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from fencepost.checkers.counting import counted
from fencepost.checkers.verdicts import ExitCode, Refusal, headline
from fencepost.files import read_small
from fencepost.model.language import Protocol
from fencepost.model.registry import Family

from .outcome import Outcome
from .protocols import explored
from .stepping import candidate, write_new
from .terminal import watching

if TYPE_CHECKING:
    from fencepost.checkers.stepping.as_tests import Candidate


def shows_of(found: Candidate) -> str | None:
    """Return what a run shows at its end: the id of a property, what TLC's deadlock is called, or nothing."""
    from fencepost.checkers.exploration.result import DEADLOCK as OURS
    from fencepost.checkers.tlc import DEADLOCK

    return DEADLOCK if found.property == OURS else found.property


def replayed(name: str, protocol: Protocol, bound: str, path: Path, property: str | None) -> Outcome:
    """Have TLC replay the run of a file at a bound, and return that it has confirmed it."""
    from fencepost.checkers.stepping import written
    from fencepost.checkers.tlc import replay_by_tlc

    found = candidate(path, property, name)
    try:
        run = written(found.run, protocol)
        with watching(f"TLC on a run of {len(run.steps)} rows of {protocol.name} at {bound}"):
            confirmed = replay_by_tlc(protocol, bound, run, shows_of(found))
    except Refusal as error:
        raise Refusal(f"{path}: {error}", error.code) from error
    verdict = headline(confirmed.code, confirmed.verdict)
    page = [
        f"{protocol.name} at {bound}: {verdict}: TLC takes the "
        f"{counted(confirmed.steps, 'row')} of {path}, state by state"
    ]
    if found.property is not None:
        where = "after its last row" if confirmed.inside else "at its end"
        word = _word(protocol, found.property)
        page.append(f"  {found.property} is {word if confirmed.decided else f'not {word}'} {where}")
    if confirmed.inside:
        page.append("  the run ends in the middle of its last row's records, and TLC takes a row as one step")
    if confirmed.still:
        numbers = ", ".join(map(str, confirmed.still))
        page.append(f"  steps by rows that change nothing, which TLC takes for stuttering: {numbers}")
    if found.run.get("table_hash") not in (None, protocol.hash):
        page.append("  the tables have changed since it was written")
    page.append(f"  TLC {confirmed.version} through jar on Java {confirmed.java}, {confirmed.seconds:.1f} s")
    fields = {
        "bound": bound,
        "replayed": {
            "path": str(path),
            "steps": confirmed.steps,
            "property": found.property,
            "inside_last_row": confirmed.inside,
            "without_effect": list(confirmed.still),
            "seconds": round(confirmed.seconds, 3),
            "java": confirmed.java,
            "version": confirmed.version,
        },
    }
    return Outcome("tlc", verdict, confirmed.code, fields, page, protocol.hash)


def _word(protocol: Protocol, id: str) -> str:
    from fencepost.model.language import Sometimes

    witness = any(one.id == id and isinstance(one, Sometimes) for one in protocol.properties)
    return "witnessed" if witness else "reached" if id == "deadlock" else "violated"


def exported(path: Path, folder: Path, property: str | None, name: str | None) -> tuple[list[Path], Candidate]:
    """Write the modules and the configuration of a run to a folder, and return their paths and the run.

    Raises `Refusal` where a file of such a name is there with another text.
    """
    from fencepost.checkers.stepping import written
    from fencepost.checkers.stepping.runs import tables_of
    from fencepost.checkers.tlc import files, render, run_module, shown

    found = candidate(path, property, name)
    bound = found.run["bound"]
    if bound is None:
        raise Refusal(f"{path}: the run is of no bound, and TLC needs sizes; give a run of explore")
    protocol = tables_of(found.run)
    try:
        run, shows = written(found.run, protocol), shown(protocol, shows_of(found))
        made = files(run_module(render(protocol), bound, run, shows))
    except Refusal as error:
        raise Refusal(f"{path}: {error}", error.code) from error
    return write_files(made, folder, "--to"), found


def write_files(made: Mapping[str, str], folder: Path, option: str) -> list[Path]:
    """Write texts to files of a folder by their names, and return the paths; `option` is the one that names the folder.

    Raises `Refusal`, before anything is written, where a file of such a name is there with another text.
    """
    paths = [folder / one for one in made]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        there = [one for one in paths if one.exists()]
        others = [one for one in there if read_small(one) != made[one.name].encode("ascii")]
    except OSError as error:
        raise Refusal(f"{option} {folder}: cannot be written to ({error.strerror})") from error
    if others:
        raise Refusal(f"{others[0]}: is there already and is something else; name another folder")
    for one in paths:
        if one not in there:
            write_new(one, made[one.name])
    return paths


def modules_written(
    named: Family, bound: str | None, folder: Path, property: str | None = None, symmetry: bool = False
) -> Outcome:
    """Write the modules of a protocol with their configurations: of all its tables and bounds, or of one bound.

    `property` is the only one that the configuration asks for, in place of those that are declared to hold; it and
    `symmetry` need a bound. Raises `Refusal` for what there is not, and where a file is there with another text.
    """
    from fencepost.checkers.tlc import instance, instances, render, symmetric

    if bound is None:
        for option, given in (("--property", property is not None), ("--symmetry", symmetry)):
            if given:
                raise Refusal(f"{option}: is for one bound; add --bound {next(iter(named.bounds), 'NAME')}")
        with watching(f"Modules of {named.name}"):
            protocol, made = named.whole, dict(instances(named.name, named.whole, named.bounds))
    else:
        protocol = explored(named, bound)
        module = render(protocol, f"{named.name}_{bound}", symmetric(protocol, bound) if symmetry else None)
        made = {bound: instance(module, bound, None if property is None else (property,))}
    paths = write_files({name: text for files in made.values() for name, text in files.items()}, folder, "--write")
    page = [f"{folder}: {named.name} as {len(made)} module{'' if len(made) == 1 else 's'}:"]
    page += [f"  {'all tables' if not one else f'at {one}'}: {', '.join(files)}" for one, files in made.items()]
    last = next((name.removesuffix(".cfg") for files in made.values() for name in files if name.endswith(".cfg")), "")
    page += [f"  in that folder: java -cp tla2tools.jar tlc2.TLC {last}"] if last else []
    fields = {**({} if bound is None else {"bound": bound}), "paths": [str(one) for one in paths]}
    return Outcome("tlc", "written", ExitCode.AS_DECLARED, fields, page, protocol.hash)
