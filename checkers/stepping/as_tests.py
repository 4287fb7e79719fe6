"""Runs as pytest files: what is taken from a JSON document of a command, and the text of the test that replays it."""

from __future__ import annotations

import os
import pprint
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fencepost.checkers.verdicts import Refusal

from .runs import OWN_FILE, placed, replay_run, tables_of
from .written import FORMAT, checked


@dataclass(frozen=True)
class Candidate:
    """A run that a document holds: its property, None where it shows none, and whether the command says it is
    violated. A run with a `loop` repeats the steps of that for ever behind its own, and is not replayed."""

    property: str | None
    violated: bool
    run: Mapping[str, Any]
    loop: Mapping[str, Any] | None = None


def runs_in(document: Mapping[str, Any], protocol: str | None) -> list[Candidate]:
    """Return the runs of a document: one that was saved, or those of `explore`, `prove`, `check` and `whatif`.

    `protocol` names the tables where the document's own name does not find them. Raises `Refusal` for another document.
    """
    if document.get("format") == FORMAT or "run" in document:
        run = dict(checked(document.get("run", document)))
        run["protocol"] = protocol or run["protocol"]
        return [Candidate(run.get("shows"), True, run)]
    command = document.get("command")
    if command == "check":
        return [
            one
            for name, said in document["protocols"].items()
            for part in (said.get("exploration"), said.get("proof"))
            if part is not None
            for one in _checked({**part, "table_hash": said["table_hash"]}, protocol or name)
        ]
    name = protocol or document.get("protocol") or document.get("proof", {}).get("protocol")
    if command not in ("explore", "prove", "whatif") or not name:
        raise Refusal(
            "the document holds no run; give what `save` wrote, or the --json of explore, prove, check or whatif"
        )
    if command == "explore":
        return list(_explored(document, name))
    return list(_proved(document.get("proof", document), name))


def _checked(document: Mapping[str, Any], name: str) -> Iterator[Candidate]:
    return _proved(document, name) if "failed" in document else _explored(document, name)


def _explored(document: Mapping[str, Any], name: str) -> Iterator[Candidate]:
    for one in document["properties"]:
        if one["trace"] is not None:
            claim = None if one["id"] == "deadlock" else one["id"]
            run = _run(name, document["bound"], document["table_hash"], one["trace"], claim)
            loop = None if one["loop"] is None else {**run, "trace": one["loop"]}
            yield Candidate(one["id"], one["verdict"] == "violated", run, loop)


def _proved(document: Mapping[str, Any], name: str) -> Iterator[Candidate]:
    for one in document["failed"]:
        search = one["search"]
        if search is not None and search["trace"] is not None:
            run = _run(name, search["bound"], None, search["trace"], one["property"])
            yield Candidate(one["property"], True, run)
        elif one["counterexample"] is not None:
            run = _run(name, None, document.get("table_hash"), one["counterexample"], one["property"])
            yield Candidate(one["property"], True, run)


def _run(name: str, bound: str | None, hash: str | None, trace: Any, shows: str | None) -> dict[str, Any]:
    return {
        "format": FORMAT, "protocol": name, "bound": bound, "table_hash": hash, "shows": shows, "trace": trace,
    }  # fmt: skip


def chosen(found: list[Candidate], property: str | None, endless: bool = False) -> Candidate:
    """Return the run of a property, else the first of one that is violated; raises `Refusal` where there is none.

    A run without end counts where it may be `endless`.
    """
    wanted = [one for one in found if (one.violated if property is None else one.property == property)]
    finite = [one for one in wanted if endless or one.loop is None]
    if finite:
        return finite[0]
    if wanted:
        id = wanted[0].property
        raise Refusal(
            f"{id} is violated by a run without end, which is not replayed: `fencepost tlc --property {id}` asks TLC, "
            "and `fencepost trace to-itf` writes it"
        )
    others = [one.property for one in found if one.property and (endless or one.loop is None)]
    known = ", ".join(dict.fromkeys(others)) or "none"
    if property is None:
        raise Refusal(f"no property is violated by a run of this document; --property takes another: {known}")
    raise Refusal(f"--property {property}: no run of this document is of it; there are runs of {known}")


def pytest_text(run: Mapping[str, Any], folder: Path) -> str:
    """Return the text of a pytest file, for a folder, that replays a run; what it claims is replayed here first.

    Raises `Differs` where the run does not replay.
    """
    trace = replay_run(run)
    tables = tables_of(run)
    shows = run.get("shows")
    claim = next((one for one in tables.properties if one.id == shows), None)
    length = f"{len(trace.steps)} row{'s' if len(trace.steps) != 1 else ''}"
    begins = "" if trace.initial else " from a state that the engine chose"
    if claim is None:
        said = f"The rows of {tables.name} allow this run of {length}{begins}, state by state."
        name = f"{tables.name} run of {len(trace.steps)} rows"
    else:
        verb = "violates" if trace.failure is not None else "witnesses"
        said = f"A run of {length}{begins} {verb} {claim.id} of {tables.name}, state by state."
        name = f"{tables.name} {verb} {claim.id}"
    about = f"\n\n    {claim.id} claims: {_plain(claim.about)}\n    " if claim is not None and claim.about else ""
    moved = {**run, "protocol": _from(run["protocol"], folder)}
    data = pprint.pformat(moved, width=116, sort_dicts=False)
    return (
        f'"""A run that `fencepost trace to-test` wrote down: {said[0].lower()}{_plain(said[1:])}"""\n\n'
        "from pathlib import Path\n\n"
        "from fencepost import replay_run\n\n"
        f"RUN = {data}\n\n\n"
        f"def test_{_identifier(name)}() -> None:\n"
        f'    """{_plain(said)}{about}"""\n'
        "    replay_run(RUN, Path(__file__).parent)\n"
    )


def file_name(run: Mapping[str, Any]) -> str:
    """Return the name of the file for a run where none is given."""
    protocol = OWN_FILE.sub(lambda one: Path(one["path"]).stem + one["rest"], run["protocol"])
    return f"test_{_identifier(' '.join(filter(None, (protocol, run.get('shows') or 'run'))))}.py"


def _from(name: str, folder: Path) -> str:
    """A protocol's name as it is found from a folder: the path of its file made relative to it."""
    found = OWN_FILE.fullmatch(placed(name, Path.cwd()))
    if found is None:
        return name
    return Path(os.path.relpath(found["path"], folder.resolve())).as_posix() + found["rest"]


def _identifier(text: str) -> str:
    return re.sub(r"\W+", "_", text.replace("'", "_prime")).strip("_").lower()


def _plain(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")
