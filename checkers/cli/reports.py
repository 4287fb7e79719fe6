"""The options that write reports: files beside the page, and what standard output has in place of it."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fencepost.checkers.verdicts import Refusal
from fencepost.files import open_regular, write_whole

from .outcome import Outcome
from .streams import command
from .terminal import say

if TYPE_CHECKING:
    from fencepost.checkers.reports import Report
    from fencepost.checkers.reports.stepping import Stepping
    from fencepost.model.registry import Family

Junit = Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Write JUnit's XML, a case a property.")]
Sarif = Annotated[
    Path | None, typer.Option("--sarif", metavar="FILE", help="Write SARIF 2.1.0: problems at their rows, with runs.")
]
Markdown = Annotated[Path | None, typer.Option("--markdown", metavar="FILE", help="Write a page of Markdown.")]
Html = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Write one HTML file: what is at fault, runs, verdicts, coverage."),
]
Picture = Annotated[
    Path | None,
    typer.Option("--html", metavar="PAGE", help="Write one HTML file: lanes over time of brokers and partitions."),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="Print problems alone, the page on standard error: gcc, a line each, which editors parse; github, "
        "annotations, and a page in the summary of the step; sarif, one document.",
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Let a report replace a file that is no report.")]

FORMATS = ("gcc", "github", "sarif")
"""Formats that standard output may have in place of the page."""

SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable that names the file of a step's summary."""


@dataclass(frozen=True)
class Reports:
    """The requested reports."""

    junit: Path | None = None
    sarif: Path | None = None
    markdown: Path | None = None
    format: str | None = None
    html: Path | None = None
    force: bool = False

    @property
    def files(self) -> dict[str, Path]:
        """The files that are to be written, by their options."""
        given = {"--junit": self.junit, "--sarif": self.sarif, "--markdown": self.markdown, "--html": self.html}
        return {option: path for option, path in given.items() if path is not None}

    def refuse(self) -> None:
        """Raise `Refusal` for a format that there is not or a file that cannot be written, before anything runs."""
        if self.format is not None and self.format not in FORMATS:
            raise Refusal(f"--format {self.format}: there is no such format; use one of {', '.join(FORMATS)}")
        for option, path, library in (("--junit", self.junit, "junitparser"), ("--html", self.html, "jinja2")):
            if path is not None and importlib.util.find_spec(library) is None:
                raise Refusal(
                    f"{option}: {library} is missing, which writes it; install it, as in pip install {library}"
                )
        for option, path in self.files.items():
            refuse_file(option, path, self.force)
        paths = [path.resolve() for path in self.files.values()]
        if len(set(paths)) < len(paths):
            raise Refusal(f"{', '.join(self.files)}: name one file twice; give each report its own")

    def write(self, document: Mapping[str, Any], stepping: Stepping | None = None) -> None:
        """Write what is asked for of a command's document, in the page with a state graph where one is given."""
        if not self.files and self.format is None:
            return
        from fencepost.checkers import reports

        def html(of: Report) -> str:
            from fencepost.checkers.reports.html import html as page

            return page(of, stepping)

        found = reports.report(document)
        made: dict[str, Callable[[Report], bytes]] = {
            "--junit": reports.junit,
            "--sarif": lambda of: reports.sarif_text(of).encode(),
            "--markdown": lambda of: reports.markdown(of).encode(),
            "--html": lambda of: html(of).encode(),
        }
        for option, path in self.files.items():
            write_file(option, path, made[option](found))
        if self.format == "gcc":
            for line in reports.gcc_lines(found):
                say(line)
        elif self.format == "sarif":
            print(reports.sarif_text(found), end="", flush=True)
        elif self.format == "github":
            for line in reports.workflow_commands(found):
                command(line)
            _summarize(reports.markdown(found))


def _summarize(page: str) -> None:
    """Add a page to the summary of the step, in a workflow; raises `Refusal` where that cannot be written."""
    path = os.environ.get(SUMMARY)
    if not path:
        return
    try:
        with open(path, "a", encoding="utf-8") as summary:
            summary.write(page)
    except OSError as error:
        said = f"--format github: {path} cannot be written ({error.strerror}); unset {SUMMARY}"
        raise Refusal(said) from error


_BEGINNINGS = {
    "--html": (b"<!DOCTYPE html>", (b"<title>fencepost ",)),
    "--junit": (b"<?xml", (b'name="fencepost ',)),
    "--sarif": (b"{", (b'"name": "fencepost"',)),
    "--markdown": (b"## fencepost ", (b"",)),
    "--svg": (b"", (b"<title>Rows that explain ", b"<title>The worst run ")),
}
"""The beginning of each report, and the texts of which one is within its first bytes."""


def refuse_file(option: str, path: Path, force: bool) -> None:
    """Raise `Refusal` for a file that an option cannot write, or may not replace without `force`."""
    if path.is_dir():
        raise Refusal(f"{option}: {path} is a directory; name a file in it")
    if not path.absolute().parent.is_dir():
        raise Refusal(f"{option}: {path.parent} is no directory; make it, or name a file in another")
    if not all(os.access(one, os.W_OK) for one in (path.absolute().parent, path) if one.exists()):
        raise Refusal(f"{option}: {path} cannot be written; name another file")
    if not force and not _of_ours(option, path):
        raise Refusal(f"{option}: {path} is there and is no report of fencepost; name another file, or say --force")


def write_file(option: str, path: Path, content: bytes | str) -> None:
    """Write the file of an option whole; raises `Refusal` where that fails."""
    try:
        write_whole(path, content)
    except OSError as error:
        raise Refusal(f"{option}: {path} cannot be written ({error.strerror}); name another file") from error


def _of_ours(option: str, path: Path) -> bool:
    """Whether a report may replace what is there: nothing, an empty file, an earlier report of its kind, or no file."""
    if not path.is_file():
        return True
    with open_regular(path) as file:
        begin = file.read(2048)
    first, within = _BEGINNINGS[option]
    return not begin or (begin.startswith(first) and any(one in begin for one in within))


def refuse_html(html: Path | None, force: bool, **others: bool) -> None:
    """Raise `Refusal` for a page that cannot be written, or that an option leaves nothing for, named by its word."""
    Reports(html=html, force=force).refuse()
    for option, given in others.items():
        if html is not None and given:
            raise Refusal(f"--html: there is no such page of --{option}; leave out either")


def with_page(
    outcome: Outcome,
    html: Path | None,
    name: str,
    families: Sequence[Family],
    seconds: float,
    stepping: Callable[[], Stepping] | None = None,
) -> Outcome:
    """Write the page of one engine's outcome, if it is asked for, and return the outcome.

    `name` is what was asked; `families` are the protocols of which it speaks, the one that matters most first.
    `stepping` makes the state graph of the page.
    """
    if html is not None:
        from fencepost.checkers.check import places, texts
        from fencepost.checkers.reports.single import as_check

        found = [(places(one), texts(one)) for one in families]
        at, read = ({}, {}) if not found else found[0]
        for others in found[1:]:
            for mine, more in zip((at, read), others, strict=True):
                for kind, ones in more.items():
                    mine[kind] = {**ones, **mine[kind]}
        made = None if stepping is None else stepping()
        Reports(html=html).write(as_check(outcome.document(seconds), name, at, read), made)
    return outcome


def write_picture(
    html: Path | None, story: Mapping[str, Any], state: Mapping[str, Any] | None = None, page: Sequence[str] = ()
) -> None:
    """Write the page of a story's document, if it is asked for, with document and lines of `health` where given."""
    if html is not None:
        from fencepost.checkers.reports.picture import picture

        write_file("--html", html, picture(story, state, page).encode())


__all__ = [
    "Force",
    "Format",
    "Html",
    "Junit",
    "Markdown",
    "Picture",
    "Reports",
    "Sarif",
    "refuse_file",
    "refuse_html",
    "with_page",
    "write_file",
    "write_picture",
]
