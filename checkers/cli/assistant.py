"""The tools of an assistant: each is a command with --json, whose arguments are checked before it runs.

Paths are confined to the directories that the server was started with, and a Python file, which would be run, is
refused unless the server was started so that it may be.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from fencepost.checkers.verdicts import Refusal
from fencepost.model.registry import FAMILIES

from .application import SHORT
from .protocols import is_own

LARGEST, MOST = 1 << 30, 100_000
"""The bytes and the files that a log may have."""
_PATTERN = re.compile(r"[*?\[\]]|://|\x00")
"""Characters that make a path a pattern or an address where the command reads it."""

Kind = Literal["log", "logs", "protocol", "text"]


@dataclass(frozen=True)
class Roots:
    """The directories, resolved, below which an assistant may name files; `tables`: Python files of them may be run."""

    folders: tuple[Path, ...]
    tables: bool = False

    def log(self, given: str) -> str:
        """Return the path of a log, resolved, with all files of it; raises `Refusal` for one that is not below a root.

        A log is refused, too, that has a link to elsewhere or to a folder, or more than `LARGEST` bytes.
        """
        path = self._below(given)
        size = 0
        for number, file in enumerate(self._files(path, given), 1):
            size += file.st_size
            if size > LARGEST or number > MOST:
                said = f"more than {LARGEST >> 30} GiB or {MOST:,} files, which are too many for an assistant"
                raise Refusal(f"{given}: has {said}; name a part of it, or use the command line")
        return str(path)

    def protocol(self, given: str) -> str:
        """Return the name of a protocol, the path of a file of one's own resolved; raises `Refusal` for another."""
        if not is_own(given):
            if re.split("[@+]", given)[0] not in FAMILIES:
                raise Refusal(f"{given}: no protocol has this name; use one of {', '.join(FAMILIES)}")
            return given
        if not self.tables:
            raise Refusal(f"{given}: a table in a file is run as Python; start the server with --tables to allow it")
        file, suffix, name = given.partition(".py")
        return f"{self._below(file + suffix)}{name}"

    def _below(self, given: str) -> Path:
        if _PATTERN.search(given):
            raise Refusal(f"{given}: is a pattern or an address; name one file or folder")
        # An absolute path replaces the folder that it is joined to.
        found = [path for path in (Path(os.path.realpath(one / given)) for one in self.folders) if self._inside(path)]
        there = [path for path in found if path.exists()]
        if not found:
            raise Refusal(f"{given}: is not below a folder that this server may read: {self}")
        if not there:
            raise Refusal(f"{given}: there is no such file below {self}")
        return there[0]

    def _inside(self, path: Path) -> bool:
        return any(path.is_relative_to(one) for one in self.folders)

    def _files(self, path: Path, given: str) -> Iterator[os.stat_result]:
        """The files of a log, one or all below a folder; raises `Refusal` for a link that may not be followed."""
        if not path.is_dir():
            yield path.stat()
            return
        for folder, folders, files in os.walk(path):
            for name in (*folders, *files):
                entry = os.path.join(folder, name)
                status = os.lstat(entry)
                if stat.S_ISLNK(status.st_mode):
                    target = Path(os.path.realpath(entry))
                    if target.is_dir() or not target.exists() or not self._inside(target):
                        raise Refusal(f"{given}: {name} is a link to elsewhere or to a folder; name a log without one")
                    status = target.stat()
                yield status

    def __str__(self) -> str:
        return ", ".join(map(str, self.folders)) or "none, as it was started without --root"


@dataclass(frozen=True)
class Argument:
    """An argument of a tool: a positional one of the command, or an option by its `option`; a text unless `kind`."""

    name: str
    about: str
    option: str = ""
    kind: Kind = "text"
    required: bool = False
    choices: tuple[str, ...] = ()

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of its value."""
        text = {"type": "string", "minLength": 1, "maxLength": 4096, **({"enum": self.choices} if self.choices else {})}
        if self.kind == "logs":
            return {"type": "array", "items": text, "minItems": 1, "maxItems": 64, "description": self.about}
        return {**text, "description": self.about}


@dataclass(frozen=True)
class Tool:
    """A tool: the command that it is, what it is for, and its arguments, in the command's order."""

    name: str
    command: str
    about: str
    arguments: tuple[Argument, ...]
    fixed: tuple[str, ...] = ()

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of its arguments."""
        return {
            "type": "object",
            "properties": {one.name: one.schema() for one in self.arguments},
            "required": [one.name for one in self.arguments if one.required],
            "additionalProperties": False,
        }

    def words(self, given: Mapping[str, Any], roots: Roots) -> list[str]:
        """Return the command line for some arguments, which follow the schema; raises `Refusal` for a path or a name.

        No value is read as an option: values of options are in one word with these, all others behind `--`.
        """
        options, positional = [self.command, "--json", *self.fixed], []
        for one in self.arguments:
            if one.name not in given:
                continue
            value = given[one.name]
            read = {"log": roots.log, "logs": roots.log, "protocol": roots.protocol}.get(one.kind, str)
            values = [read(each) for each in (value if one.kind == "logs" else [value])]
            if one.option:
                options += [f"{one.option}={each}" for each in values]
            else:
                positional += values
        return [*options, "--", *positional]


_WHEN = "an offset, a time of ISO 8601, or end"
_LOG = Argument("log", "A metadata log of Kafka: its folder, a segment, or a dump's text.", kind="log", required=True)
_AT = Argument("at", f"The moment: {_WHEN}; without it the end.", "--at")
_PARTITION = Argument("partition", "Only this partition, as in orders-0.", "--partition")
_BROKER = Argument("broker", "Only this broker, by its id.", "--broker")
_PROTOCOL = Argument(
    "protocol",
    f"A protocol ({', '.join(FAMILIES)}), a release of it (kraft@4.2), a variant (kraft+J3), or file.py:NAME.",
    kind="protocol",
    required=True,
)

TOOLS = (
    Tool(
        "conform",
        "conform",
        SHORT["conform"],
        (
            Argument("logs", "Logs, each a folder, a segment, a dump's text or a trace.", kind="logs", required=True),
            Argument("release", "The release whose tables must explain the logs, as in 4.2.", "--release"),
        ),
    ),
    Tool(
        "story",
        "story",
        SHORT["story"],
        (
            _LOG,
            Argument("from", f"Where the story begins: {_WHEN}.", "--from"),
            Argument("to", f"Where it ends: {_WHEN}.", "--to"),
            _PARTITION,
            _BROKER,
            Argument("topic", "Only this topic, by its name.", "--topic"),
        ),
        ("--no-lanes",),
    ),
    Tool(
        "why",
        "why",
        SHORT["why"],
        (
            _LOG,
            Argument("what", "What is explained.", required=True, choices=("broker", "partition", "controller")),
            Argument("name", "Its id, or a partition as in orders-0.", required=True),
            _AT,
        ),
    ),
    Tool(
        "health",
        "health",
        SHORT["health"],
        (_LOG, _AT, Argument("and", f"Instead of one moment, what differs between `at` and this: {_WHEN}.", "--and")),
    ),
    Tool(
        "show_state",
        "show",
        "Show the state of a cluster at a moment of its log, and which record changed it, by which row.",
        (_LOG, Argument("at", f"The moment: {_WHEN}.", "--at", required=True), _PARTITION, _BROKER),
    ),
    Tool(
        "prove",
        "prove",
        SHORT["prove"],
        (
            _PROTOCOL,
            Argument("row", "Only this row, by its id.", "--row"),
            Argument("property", "Only this property, by its id.", "--property"),
        ),
    ),
    Tool(
        "explore",
        "explore",
        SHORT["explore"],
        (
            _PROTOCOL,
            Argument("bound", "A bound of the protocol, as in tiny; another name is answered by theirs.", "--bound"),
            Argument("property", "Only this property, by its id.", "--property"),
        ),
        # What a call may take is said by the verdict, before the server ends it.
        ("--max-seconds=300", "--max-memory=2G"),
    ),
    Tool(
        "whatif",
        "whatif",
        SHORT["whatif"],
        (
            replace(_PROTOCOL, about=f"A variant, as kraft+J3 or file.py:NAME, of {', '.join(FAMILIES)}."),
            Argument("base", "What it is compared with, if not what it was made from.", "--base", kind="protocol"),
        ),
    ),
    Tool(
        "explain_row",
        "show",
        "Explain a row of a protocol: its sentence, its reason and its sources.",
        (_PROTOCOL, Argument("row", "The id of the row, as in HB2.", "--row", required=True)),
    ),
)
"""The tools, in the order in which an assistant reads them."""

__all__ = ["TOOLS", "Argument", "Roots", "Tool"]
