"""Results of earlier checks: stages kept in a folder, by the whole input of each.

Kept is what was as declared, and nothing else: what is violated, undecided or out of time is asked again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import cache as once
from pathlib import Path
from typing import Any

from fencepost.checkers.keeping import Kept, code, content, surroundings
from fencepost.checkers.keeping import key as digest
from fencepost.checkers.verdicts import ExitCode, Refusal
from fencepost.model.language import Protocol
from fencepost.model.language.fingerprint import fingerprint
from fencepost.model.registry import Family

from .stages import Stage

CODE = ("checkers", "reference", "traces", "model/language", "spec/proofs")
"""The folders whose files decide what is found. Of the tables only the meaning is part of a question, but for what is
recorded: what else of the tables' folder affects the check of logs and answers is in no table."""


class Cache:
    """Stages in a folder, a file each; raises `Refusal` for one that cannot be made or written."""

    def __init__(self, folder: Path) -> None:
        self.kept = Kept(folder)

    def get(self, key: str) -> Stage | None:
        """Return a stage that was kept under a key; None where there is none, or none that can be read."""
        kept = self.kept.read(key)
        if kept is None:
            return None
        try:
            told = kept["stage"]
            stage = Stage(
                told["name"],
                told["verdict"],
                ExitCode(told["code"]),
                tuple(told["lines"]),
                told["fields"],
                tuple(told["findings"]),
                float(told["seconds"]),
            )
            when = datetime.fromisoformat(kept["asked"]).strftime("%Y-%m-%d %H:%M UTC")
        except (ValueError, KeyError, TypeError):  # it is sealed, so another revision wrote it
            return None
        if stage.code is not ExitCode.AS_DECLARED or not stage.lines:
            return None
        first = f"{stage.lines[0]} (asked {when})"
        return replace(stage, lines=(first, *stage.lines[1:]), fields={**stage.fields, "cached": kept["asked"]})

    def put(self, key: str, stage: Stage) -> None:
        """Keep a stage that is as declared; others and a folder that is full change nothing."""
        if stage.code is ExitCode.AS_DECLARED:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            told = {**asdict(replace(stage, protocol="")), "code": int(stage.code)}
            self.kept.write(key, {"asked": now, "stage": told})


def key_of(family: Family, stage: str, given: Sequence[Any]) -> str | None:
    """Return the key of a stage's whole input; None where that is not known, as of logs behind URIs.

    `given` is what the stage is given, the protocol's name first but for recorded answers.
    """
    folders = (*CODE, "model") if stage in ("logs", "on_spark", "answers") else CODE
    parts: list[Any] = [stage, code(folders), surroundings()]
    if stage == "proof":
        parts += [_meaning(family.whole), *(_meaning(one) for one in family.slices), *given[1:]]
    elif stage == "exploration":
        _, bound, with_tlc = given
        protocol = family.bounds[bound]
        one = protocol.bounds[bound]
        # What a bound is not for is no part of a fingerprint, and decides whether what is found is as declared.
        parts += [
            _meaning(replace(protocol, bounds={bound: one})),
            sorted(one.not_for),
            tlc_digest() if with_tlc else "",
        ]
    else:
        paths, *others = (given[1], *given[2:]) if stage in ("logs", "traces", "on_spark") else ([given[0]],)
        contents = [content(path) for path in paths]
        if any(one is None for one in contents):
            return None
        parts += [_meaning(family.whole), list(paths), contents, repr(others)]
    return digest(*parts)


@once
def _meaning(protocol: Protocol) -> str:
    return fingerprint(protocol)


@once
def tlc_digest() -> str:
    """Return a digest of TLC; where there is none, the stage says so again each time, since it is not as declared."""
    from fencepost.checkers.tlc.run import find_jar

    try:
        return hashlib.sha256(find_jar().read_bytes()).hexdigest()
    except (Refusal, OSError):
        return "none"
