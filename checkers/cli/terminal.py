"""The terminal: pages at 100 columns or COLUMNS, verdicts in colour where there is any, progress on standard error."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, TextIO

from fencepost.checkers.plain import plain

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

WIDTH = 100
"""The columns of a page, unless COLUMNS says another number, or the terminal has fewer."""

LEAST = 40
"""The least columns that COLUMNS may ask for."""

_NAMES = (
    "answers|ask|bench|check|conform|diff|doctor|explore|health|museum|mutate|new|prove|redact|serve|show|simulate|storage|story|"
    "tlc|trace|whatif|why"
)
COMMAND = re.compile(rf"\bfencepost (?:{_NAMES})\b.*$")
"""A command in a line of a page, which it ends."""
_LABEL = 14
"""The longest label of a command that stays on its line."""


_DRAWN = re.compile("[\t\x07\x08\x0b\x0c\r]")
"""Characters that rich draws in a way of its own."""


def fold(line: str, width: int = WIDTH) -> str:
    """Return a line folded to a width in columns; further lines stand two columns deeper than the first.

    A command stays on one line, and a path in one piece, however long: both are there to be copied.
    """
    if len(line) <= width:
        return line
    indent = line[: len(line) - len(line.lstrip())]
    command = COMMAND.search(line)
    if command is not None:
        before = line[: command.start()].rstrip()
        if len(before) <= _LABEL:
            return line
        return f"{fold(before, width)}\n{indent}  {command.group()}"
    return textwrap.fill(
        line.strip(),
        width,
        initial_indent=indent,
        subsequent_indent=indent + "  ",
        break_on_hyphens=False,
        break_long_words=False,
    )


class Unfolded:
    """Text that is printed as it is: it is for other programs, whatever the width."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Write the text past the console's own wrapping."""
        console.file.write(self.text + "\n")
        return ()


def say(line: str = "") -> None:
    """Print a line as it is while a command runs."""
    print(line, flush=True)


def columns(stream: TextIO | None = None) -> int:
    """Return the width of pages on standard output, or a stream: COLUMNS if set, else 100 or the terminal's if less."""
    given = os.environ.get("COLUMNS", "")
    if given.isascii() and given.isdecimal() and int(given) >= LEAST:
        return int(given)
    return min(WIDTH, shutil.get_terminal_size().columns) if (stream or sys.stdout).isatty() else WIDTH


def _without_rich(page: Sequence[RenderableType], width: int) -> str | None:
    """Return a page as it is without colours, None where it has something to draw: to load rich takes a while."""
    lines: list[str] = []
    for item in page:
        if isinstance(item, Unfolded):
            lines.append(item.text)
        elif isinstance(item, str) and not _DRAWN.search(item):
            lines += (fold(line, width) for line in item.split("\n"))
        else:
            return None
    return "".join(f"{line}\n" for line in lines)


def show(page: Sequence[RenderableType], stream: TextIO | None = None) -> None:
    """Print a page on standard output, or a stream: strings folded to the width, anything else as rich renders it."""
    out = stream or sys.stdout
    text = None if out.isatty() else _without_rich(page, columns(out))
    if text is not None:
        out.write(text)
        out.flush()
        return
    from .colours import console

    drawn = console(out)
    for item in page:
        if isinstance(item, str):
            for line in item.split("\n"):
                drawn.print(fold(line, drawn.width), markup=False, soft_wrap=True)
        else:
            drawn.print(item)


@contextlib.contextmanager
def watching(title: str) -> Iterator[Callable[[str], None]]:
    """Show that something is under way, on standard error if that is a terminal; yields what changes the text."""
    if not sys.stderr.isatty():
        yield lambda text: None
        return
    from rich.console import Console

    with Console(stderr=True).status(plain(title)) as status:
        yield lambda text: status.update(plain(f"{title}  {text}"))


def note(line: str) -> None:
    """Print a line of progress on standard error where that is no terminal; on one, `watching` shows how far it is."""
    if not sys.stderr.isatty():
        print(plain(line), file=sys.stderr, flush=True)


@contextlib.contextmanager
def only_document(wanted: bool) -> Iterator[None]:
    """Keep standard output free for the one JSON document: whatever is printed meanwhile goes to standard error.

    Child processes inherit the file descriptor, so that it is redirected too.
    """
    if not wanted:
        yield
        return
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
