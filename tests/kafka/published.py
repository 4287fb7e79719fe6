"""Published Kafka jars run with Java; a test is skipped where they, or Java, are not to be had."""

import contextlib
import os
import subprocess
import threading
from base64 import b64decode
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pytest

from fencepost.checkers.bench import published_jars
from fencepost.checkers.bench.published_jars import program
from fencepost.checkers.verdicts import Refusal

HERE = Path(__file__).parent
SECONDS = 120

QUICK = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")
"""Options of a compiler that runs for a second: it compiles little of itself, and collects on one thread."""


def unavailable(reason: str) -> NoReturn:
    """Skip with a reason, or fail with it where everything must be there: in continuous integration."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def jars(pom: str | Path) -> Path:
    """Return the folder of the jars that a pom names, in this folder or at a path; fetched if it is not there whole."""
    try:
        return published_jars.jars(HERE / pom)
    except Refusal as refused:
        unavailable(f"needs published Kafka jars: {refused}")


def compiled(folder: Path, sources: Sequence[Path], classes: Path) -> Path:
    """Compile Java sources beside the jars in a folder; return the folder of their classes."""
    compiler = program("javac") or unavailable("needs a Java development kit (javac), which is not on the PATH")
    classes.mkdir(exist_ok=True)
    command = [compiler, *QUICK, "-d", str(classes), "-cp", str(folder / "*"), *map(str, sources)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert said.returncode == 0, said.stderr
    return classes


def java(folder: Path, main: str, *arguments: str | Path, classes: Path | None = None) -> list[str]:
    """Return the command line that runs a class of the jars in a folder, or of `classes` beside them."""
    found = program("java") or unavailable("needs Java 17 or later, which is not on the PATH")
    return [
        found,
        "-Xmx512m",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
        "-cp",
        str(folder / "*") if classes is None else f"{classes}:{folder / '*'}",
        main,
        *(str(argument) for argument in arguments),
    ]


class Kept:
    """A class of the jars in a folder that answers line by line, which starts once for all that it is asked."""

    def __init__(self, folder: Path, main: str, classes: Path, errors: Path) -> None:
        self._errors = errors
        with errors.open("wb") as stream:
            self._process = subprocess.Popen(
                java(folder, main, classes=classes),
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stream, encoding="utf-8",
            )  # fmt: skip

    def answers(self, lines: Sequence[str]) -> list[str]:
        """Return a line for each of some lines."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # What it answers is read while it is asked: neither pipe has room for everything.
        asking = threading.Thread(target=self._ask, args=(lines,))
        asking.start()
        found = [self._process.stdout.readline() for _ in lines]
        asking.join()
        assert all(found), self._errors.read_text(errors="replace")
        return [one.removesuffix("\n") for one in found]

    def _ask(self, lines: Sequence[str]) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.writelines(f"{line}\n" for line in lines)
            self._process.stdin.flush()

    def tool(self, main: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run a tool of Kafka to its end in the process, which is `Kept.java`."""
        [line] = self.answers(["\t".join((main, *map(str, arguments)))])
        code, out, err = line.split("\t")
        return subprocess.CompletedProcess(main, int(code), *(b64decode(one).decode() for one in (out, err)))

    def close(self) -> None:
        """End the process."""
        self._process.communicate(timeout=SECONDS)
