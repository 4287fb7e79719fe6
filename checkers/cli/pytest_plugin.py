"""A plugin for pytest: protocols and logs that the ini file names are collected as test items, each a command.

Nothing is imported, and no file looked at, unless the ini file has `fencepost_protocols` or `fencepost_logs`.
"""

from __future__ import annotations

import io
import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .outcome import Outcome

PROTOCOLS, LOGS, TLC = "fencepost_protocols", "fencepost_logs", "fencepost_tlc"
"""The settings of the ini file."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the settings."""
    parser.addini(PROTOCOLS, "protocols to prove and explore, a line each: tables/lock.py:LOCK", "linelist", [])
    parser.addini(LOGS, "logs to check, a line each: runs/*.ndjson tables/lock.py:LOCK", "linelist", [])
    parser.addini(
        TLC, "whether TLC counts the states of each protocol's first bound too (it needs Java)", "bool", False
    )


def pytest_configure(config: pytest.Config) -> None:
    """Collect something only where the ini file names it."""
    if config.getini(PROTOCOLS) or config.getini(LOGS):
        config.pluginmanager.register(Collecting(config), "fencepost-collecting")


class Collecting:
    """Settings of the ini file: protocols by their files, and logs by the patterns of their paths."""

    def __init__(self, config: pytest.Config) -> None:
        self.root = (config.inipath or config.rootpath / "x").parent
        self.tlc = bool(config.getini(TLC))
        self.protocols: dict[Path, list[str]] = {}
        for line in config.getini(PROTOCOLS):
            file, name = _file_and_name(PROTOCOLS, line)
            path = (self.root / file).resolve()
            if not path.is_file():
                raise pytest.UsageError(f"{PROTOCOLS}: {file}: there is no such file below {self.root}")
            self.protocols.setdefault(path, []).append(name)
        self.logs = [_log_line(line) for line in config.getini(LOGS)]
        for pattern, _ in self.logs:
            if Path(pattern).is_absolute():
                raise pytest.UsageError(
                    f"{LOGS}: {pattern}: give a path relative to {self.root}, where the ini file is"
                )
            if next(self.root.glob(pattern), None) is None:
                raise pytest.UsageError(f"{LOGS}: {pattern}: there is no such log below {self.root}")

    def pytest_collect_file(self, file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect the protocols of a file, or a log that is a file."""
        names = self.protocols.get(file_path.resolve())
        if names is None:
            return self._log(file_path, parent)
        made: pytest.Collector = ProtocolFile.from_parent(parent, path=file_path, names=names, tlc=self.tlc)
        return made

    def pytest_collect_directory(self, path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """Collect a log that is a directory, as those of Kafka are."""
        return self._log(path, parent)

    def _log(self, path: Path, parent: pytest.Collector) -> pytest.Collector | None:
        """The log that a path is, by the first line of the ini file that it matches."""
        if not path.is_relative_to(self.root):
            return None
        below = path.relative_to(self.root)
        for pattern, protocol in self.logs:
            if below.match(pattern) and len(below.parts) == len(Path(pattern).parts):
                own = str(self.root / protocol) if protocol else None
                kind = LogFolder if path.is_dir() else LogFile
                made: pytest.Collector = kind.from_parent(parent, path=path, protocol=own)
                return made
        return None


def _file_and_name(setting: str, text: str) -> tuple[str, str]:
    file, _, name = text.partition(":")
    if not file.endswith(".py") or not name:
        raise pytest.UsageError(f"{setting}: {text}: name a file and a protocol in it, as in tables/lock.py:LOCK")
    return file, name


def _log_line(line: str) -> tuple[str, str]:
    """A pattern, and the user's protocol with which matching files are checked, empty for Kafka's."""
    pattern, *more = line.split()
    if len(more) > 1:
        raise pytest.UsageError(f"{LOGS}: {line}: a line has a pattern and at most one protocol")
    if more:
        _file_and_name(LOGS, more[0])
    return pattern, more[0] if more else ""


class ProtocolFile(pytest.File):
    """The file of some protocols."""

    def __init__(self, names: Sequence[str], tlc: bool, **others: Any) -> None:
        super().__init__(**others)
        self.names, self.tlc = names, tlc

    def collect(self) -> Iterable[pytest.Collector]:
        """Yield the protocols."""
        for name in self.names:
            yield Tables.from_parent(self, name=name, tlc=self.tlc)


class Tables(pytest.Collector):
    """A protocol: its hygiene, its proof, each of its bounds, and TLC at the first."""

    def __init__(self, tlc: bool, **others: Any) -> None:
        super().__init__(**others)
        self.tlc = tlc

    def collect(self) -> Iterator[pytest.Item]:
        """Yield an item for each step; a file that defines no such protocol is an error of the collection."""
        from fencepost.checkers.named import family

        from .application import told

        named = f"{_shown(self.path)}:{self.name}"
        try:
            bounds = list(family(f"{self.path}:{self.name}").bounds)
        except Exception as error:
            raise self.CollectError(told(error)[0]) from error
        steps = [("hygiene", ["prove", named]), ("prove", ["prove", named])]
        steps += [(f"explore[{bound}]", ["explore", named, "--bound", bound]) for bound in bounds]
        steps += [(f"tlc[{bound}]", ["tlc", named, "--bound", bound]) for bound in bounds[:1] if self.tlc]
        for name, words in steps:
            yield Asked.from_parent(self, name=name, words=words)


class _Log(pytest.Collector):
    """A log, and the user's protocol with which it is checked."""

    protocol: str | None

    def collect(self) -> Iterator[pytest.Item]:
        """Yield the one item of the log."""
        words = ["conform", *(["--protocol", _shown(Path(self.protocol))] if self.protocol else []), _shown(self.path)]
        yield Asked.from_parent(self, name="conform", words=words)


class LogFile(_Log, pytest.File):
    """A log that is a file."""

    def __init__(self, protocol: str | None, **others: Any) -> None:
        super().__init__(**others)
        self.protocol = protocol


class LogFolder(_Log, pytest.Directory):
    """A log that is a directory."""

    def __init__(self, protocol: str | None, **others: Any) -> None:
        super().__init__(**others)
        self.protocol = protocol


class NotAsDeclared(Exception):
    """A command that did not end with 0: what it printed."""


class Asked(pytest.Item):
    """A command as a test: it passes where the command ends with 0, and fails with what that prints."""

    def __init__(self, words: Sequence[str], **others: Any) -> None:
        super().__init__(**others)
        self.words = list(words)

    def runtest(self) -> None:
        """Run the command."""
        text = _failure(self.name, self.words)
        if text is not None:
            raise NotAsDeclared(text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Return what the command printed, and the command."""
        if isinstance(excinfo.value, NotAsDeclared):
            return f"{excinfo.value}\n\nrepeat it with: fencepost {shlex.join(self.words)}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """Return where the item is, for the headline of its failure."""
        return self.path, None, f"{self.parent.name if self.parent else ''} {self.name}"


def _shown(path: Path) -> str:
    """A path as the command line in the current folder names it."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _failure(step: str, words: list[str]) -> str | None:
    """Do a step and return what its command prints, None where it ends as declared."""
    from fencepost.checkers.verdicts import ExitCode

    from .application import told

    try:
        found = {"hygiene": _hygiene, "prove": _proof}.get(step, _command)(words)
    except Exception as error:
        return told(error)[0]
    return None if found.code == ExitCode.AS_DECLARED else _printed(found)


def _command(words: list[str]) -> Outcome:
    """Run a command line."""
    from typer.main import get_command

    from .application import app
    from .outcome import Outcome

    found = get_command(app).main(words, "fencepost", standalone_mode=False)
    assert isinstance(found, Outcome)
    return found


def _hygiene(words: list[str]) -> Outcome:
    """Ask the tables for gaps, overlaps and rows that never apply, and nothing else."""
    from fencepost.checkers.codes import hygiene_code
    from fencepost.checkers.named import family
    from fencepost.checkers.proof import hygiene

    from .outcome import Outcome
    from .prove import hygiene_lines

    found = hygiene(family(words[1]).whole)
    return Outcome("prove", "untidy", hygiene_code(found), page=hygiene_lines(found))


def _proof(words: list[str]) -> Outcome:
    """Prove the protocol; its tables' hygiene is asked by another item."""
    from fencepost.checkers.named import family
    from fencepost.checkers.proof import prove, search

    from .prove import outcome

    named = family(words[1])
    found = outcome(search(named.whole, named.slices, prove(named.whole)), None, named.whole, ())
    return replace(found, page=[one for one in found.page if not str(one).startswith("  hygiene:")])


def _printed(found: Outcome) -> str:
    """The page of an outcome as text."""
    from rich.console import Console

    from .terminal import WIDTH, fold

    out = io.StringIO()
    console = Console(file=out, width=WIDTH)
    for one in found.page:
        if isinstance(one, str):
            out.write("".join(f"{fold(line)}\n" for line in one.split("\n")))
        else:
            console.print(one)
    return out.getvalue().rstrip()
