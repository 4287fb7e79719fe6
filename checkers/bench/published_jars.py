"""Published jars of Kafka: fetched by Maven into the user's cache folder once, and run with Java."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from fencepost.checkers import keeping
from fencepost.checkers.verdicts import ExitCode, Refusal

FETCHING = 600
"""The seconds that Maven may take."""
SUMS = ".sums"
"""The suffix of the file with the jars' hashes, beside their folder."""


def program(name: str) -> str | None:
    """Return the path of a program, in JAVA_HOME or on the PATH; None where it is in neither."""
    home = os.environ.get("JAVA_HOME")
    inside = shutil.which(name, path=str(Path(home, "bin"))) if home else None
    return inside or shutil.which(name)


def jars(pom: Path) -> Path:
    """Return the folder of the jars that a pom names, in the user's cache; fetched if it is not there whole.

    Raises `Refusal` where they cannot be fetched.
    """
    if not pom.is_file():
        raise Refusal(f"{pom}: is not there, it lies in the repository; run this in a checkout", ExitCode.INCONCLUSIVE)
    name = f"{pom.name.partition('.')[0]}-{hashlib.sha256(pom.read_bytes()).hexdigest()[:16]}"
    base = keeping.cache_folder("kafka")
    if base is None:
        raise Refusal("no folder for the jars can be written: set XDG_CACHE_HOME to one", ExitCode.INCONCLUSIVE)
    folder = base / name
    if folder.is_dir():
        if keeping.sealed(base / f"{name}{SUMS}", name) == _sums(folder):
            return folder
        keeping.not_believed(folder, "has other jars than Maven fetched, or nothing says which it fetched")
    with tempfile.TemporaryDirectory(dir=base) as scratch:
        found = fetched(pom, Path(scratch))
        shutil.rmtree(folder, ignore_errors=True)
        try:
            found.rename(folder)
        except OSError:
            # Another run was faster, and left the same jars.
            if not folder.is_dir():
                raise
        keeping.seal(base / f"{name}{SUMS}", name, _sums(folder))
    return folder


def fetched(pom: Path, scratch: Path, *options: str) -> Path:
    """Return a folder below `scratch` with the jars that a pom names, fetched by Maven with some more options.

    Raises `Refusal` where they cannot be fetched.
    """
    maven = program("mvn")
    if maven is None:
        raise Refusal("Maven (mvn) is not on the PATH, which fetches the jars: install it", ExitCode.INCONCLUSIVE)
    found = scratch / "jars"
    command = [
        maven,
        "-q",
        "-B",
        *options,
        "-f",
        str(pom),
        "dependency:copy-dependencies",
        f"-DoutputDirectory={found}",
    ]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=FETCHING, check=False, cwd=scratch)
    except subprocess.TimeoutExpired:
        raise Refusal(f"Maven took longer than {FETCHING} s to fetch the jars", ExitCode.INCONCLUSIVE) from None
    if said.returncode or not found.is_dir():
        errors = [line for line in said.stdout.splitlines() if "ERROR" in line]
        why = errors[0] if errors else said.stderr.strip()
        raise Refusal(f"Maven could not fetch the jars: {why}", ExitCode.INCONCLUSIVE)
    return found


def _sums(folder: Path) -> bytes:
    """Return the name and the SHA-256 of each jar in a folder, a line each."""
    return b"".join(
        f"{hashlib.sha256(one.read_bytes()).hexdigest()}  {one.name}\n".encode() for one in sorted(folder.iterdir())
    )
