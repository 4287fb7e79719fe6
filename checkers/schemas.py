"""The JSON Schemas of the documents that commands print, a file each in `spec/schemas`, and their versions."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import fencepost
from fencepost.checkers.verdicts import Refusal

FOLDER = Path(fencepost.__file__).resolve().parent / "spec" / "schemas"
SARIF = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
"""The schema of the standard, which what `check --sarif` writes follows."""


@dataclass(frozen=True)
class Schema:
    """A schema as its file has it. `$id` is `urn:fencepost:COMMAND:VERSION`.

    The version is raised where a field goes or means something else; a further field does not raise it.
    """

    text: str

    @property
    def document(self) -> dict[str, Any]:
        """The schema as JSON values."""
        found: dict[str, Any] = json.loads(self.text)
        return found


@cache
def known() -> dict[str, Schema]:
    """Return every schema by the words of its command, in alphabetical order."""
    files = sorted(FOLDER.glob("*.json"))
    return {_command(file): Schema(file.read_text("utf-8")) for file in files}


def _command(file: Path) -> str:
    title: str = json.loads(file.read_text("utf-8"))["title"]
    return title.removeprefix("fencepost ")


def schema(command: str) -> Schema:
    """Return the schema of a command's document; raises `Refusal` where no command is called so."""
    found = known()
    if command == "sarif":
        raise Refusal(f"schema sarif: the standard has it: {SARIF}")
    if command not in found:
        close = difflib.get_close_matches(command, list(found), 1)
        hint = f"did you mean {close[0]}?" if close else f"use one of {', '.join(found)}"
        raise Refusal(f"schema {command}: no command that prints a document is called so; {hint}")
    return found[command]


__all__ = ["FOLDER", "SARIF", "Schema", "known", "schema"]
