"""Published Kafka jars: fetched by Maven into the user's cache folder once, and run with Java."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SECONDS = 120
FETCHING = 600


def program(name: str) -> str | None:
    """Return the path of a program, in JAVA_HOME or on the PATH."""
    home = os.environ.get("JAVA_HOME")
    inside = shutil.which(name, path=str(Path(home, "bin"))) if home else None
    return inside or shutil.which(name)


def unavailable(reason: str) -> None:
    """Skip with a reason, or fail with it where everything must be there: in continuous integration."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


def jars(pom: str) -> Path:
    """Return the folder of the jars that a pom names; fetched if it is not there whole."""
    text = (HERE / pom).read_bytes()
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fencepost" / "kafka"
    folder = base / f"{pom.partition('.')[0]}-{hashlib.sha256(text).hexdigest()[:16]}"
    if folder.is_dir():
        return folder
    maven = program("mvn")
    if maven is None:
        unavailable("needs Maven (mvn), which is not on the PATH, to fetch published Kafka jars")
    base.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=base) as scratch:
        found = Path(scratch) / "jars"
        said = subprocess.run(
            [
                str(maven),
                "-q",
                "-B",
                "-f",
                str(HERE / pom),
                "dependency:copy-dependencies",
                f"-DoutputDirectory={found}",
            ],
            capture_output=True,
            text=True,
            timeout=FETCHING,
            check=False,
            cwd=scratch,
        )
        if said.returncode or not found.is_dir():
            errors = [line for line in said.stdout.splitlines() if "ERROR" in line]
            unavailable(f"Maven could not fetch published Kafka jars: {errors[0] if errors else said.stderr.strip()}")
        try:
            found.rename(folder)
        except OSError:
            # Another run was faster, and left the same jars.
            assert folder.is_dir()
    return folder


def java(folder: Path, main: str, *arguments: str | Path) -> list[str]:
    """Return the command line that runs a class of the jars in a folder."""
    found = program("java")
    if found is None:
        unavailable("needs Java 17 or later, which is not on the PATH")
    return [
        str(found),
        "-Xmx512m",
        "-XX:TieredStopAtLevel=1",
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
        "-cp",
        str(folder / "*"),
        main,
        *(str(argument) for argument in arguments),
    ]


def run(folder: Path, main: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a class of the jars in a folder to its end."""
    return subprocess.run(java(folder, main, *arguments), capture_output=True, text=True, timeout=SECONDS, check=False)
