"""Releases of Kafka as Maven has them: the newest ones, and their jars."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from fencepost.checkers.bench.published_jars import FETCHING, jars, program
from fencepost.checkers.verdicts import ExitCode, Refusal

ARTIFACTS: Final = ("kafka-metadata", "kafka-server-common", "kafka-raft", "kafka-clients", "kafka-server")
"""What holds the controller, its records, and what both sides of its requests are made of."""

_FIRST: Final = "4.3.0"
"""The first release from which on all of the artifacts are published."""
_POM: Final = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>fencepost.watch</groupId>
  <artifactId>kafka</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>{}</dependencies>
</project>
"""
_DEPENDENCY: Final = """
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>{}</artifactId>
      <version>{}</version>
      <exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>
    </dependency>"""


def newest(below: str = "") -> str:
    """Return the newest release that Maven has, or the newest one below another.

    Raises `Refusal` where Maven is missing or cannot ask.
    """
    maven = program("mvn")
    if maven is None:
        raise Refusal("Maven (mvn) is not on the PATH, which knows the releases: install it", ExitCode.INCONCLUSIVE)
    with tempfile.TemporaryDirectory() as scratch:
        pom = Path(scratch, "newest.pom.xml")
        pom.write_text(_pom((ARTIFACTS[0],), f"[{_FIRST},{below})"), encoding="utf-8")
        found = Path(scratch, "found")
        command = [
            maven,
            "-q",
            "-B",
            "-U",
            "-f",
            str(pom),
            "dependency:copy-dependencies",
            f"-DoutputDirectory={found}",
        ]
        try:
            said = subprocess.run(command, capture_output=True, text=True, timeout=FETCHING, check=False, cwd=scratch)
        except subprocess.TimeoutExpired:
            raise Refusal(f"Maven took longer than {FETCHING} s to say what is newest", ExitCode.INCONCLUSIVE) from None
        names = sorted(one.name for one in found.iterdir()) if found.is_dir() else []
        match = re.fullmatch(rf"{ARTIFACTS[0]}-(\d+(?:\.\d+)+)\.jar", names[0]) if len(names) == 1 else None
        if said.returncode or match is None:
            errors = [line for line in said.stdout.splitlines() if "ERROR" in line]
            raise Refusal(
                f"Maven does not say which release is the newest: {errors[0] if errors else 'it fetched no jar'}",
                ExitCode.INCONCLUSIVE,
            )
        return match[1]


def fetched(version: str) -> dict[str, Path]:
    """Return the jars of a release by artifact, from the user's cache or by Maven.

    Raises `Refusal` where they cannot be fetched.
    """
    with tempfile.TemporaryDirectory() as scratch:
        pom = Path(scratch, f"watch-{version.replace('.', '-')}.pom.xml")
        pom.write_text(_pom(ARTIFACTS, version), encoding="utf-8")
        folder = jars(pom)
    return {artifact: folder / f"{artifact}-{version}.jar" for artifact in ARTIFACTS}


def _pom(artifacts: tuple[str, ...], version: str) -> str:
    return _POM.format("".join(_DEPENDENCY.format(artifact, version) for artifact in artifacts))
