"""kafka-dump-log of the published jars of Kafka, for measuring beside it: fetched by Maven once, run with Java."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import fencepost
from fencepost.checkers.verdicts import ExitCode, Refusal

POM = Path(fencepost.__file__).parent / "tests" / "kafka" / "dump-log.pom.xml"
MAIN = "org.apache.kafka.tools.DumpLogSegments"
FETCHING = 600
"""The seconds that Maven may take."""


def jars() -> Path:
    """Return the folder of the tool's jars, in the user's cache; raises `Refusal` where they cannot be fetched."""
    if not POM.is_file():
        raise Refusal(f"{POM}: is not there, it lies in the repository; run this in a checkout", ExitCode.INCONCLUSIVE)
    name = f"dump-log-{hashlib.sha256(POM.read_bytes()).hexdigest()[:16]}"
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fencepost" / "kafka"
    folder = base / name
    if folder.is_dir():
        return folder
    maven = shutil.which("mvn")
    if maven is None:
        raise Refusal("Maven (mvn) is not on the PATH, which fetches the jars: install it", ExitCode.INCONCLUSIVE)
    base.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=base) as scratch:
        found = Path(scratch, "jars")
        command = [maven, "-q", "-B", "-f", str(POM), "dependency:copy-dependencies", f"-DoutputDirectory={found}"]
        try:
            said = subprocess.run(command, capture_output=True, text=True, timeout=FETCHING, check=False, cwd=scratch)
        except subprocess.TimeoutExpired:
            raise Refusal(f"Maven took longer than {FETCHING} s to fetch the jars", ExitCode.INCONCLUSIVE) from None
        if said.returncode or not found.is_dir():
            errors = [line for line in said.stdout.splitlines() if "ERROR" in line]
            why = errors[0] if errors else said.stderr.strip()
            raise Refusal(f"Maven could not fetch the jars: {why}", ExitCode.INCONCLUSIVE)
        if not folder.is_dir():
            found.rename(folder)
    return folder


def dump_command(files: Sequence[Path]) -> list[str]:
    """Return the command line that prints files as text, with the heap that Kafka's own script gives the tool.

    Raises `Refusal` where Java or the jars are missing.
    """
    home = os.environ.get("JAVA_HOME")
    java = (shutil.which("java", path=str(Path(home, "bin"))) if home else None) or shutil.which("java")
    if java is None:
        raise Refusal("Java is not on the PATH: install version 17 or later", ExitCode.INCONCLUSIVE)
    names = ",".join(map(str, files))
    return [java, "-Xmx256M", "-cp", f"{jars()}/*", MAIN, "--cluster-metadata-decoder", "--files", names]
