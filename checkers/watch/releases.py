"""Releases of Kafka as Maven has them: the newest ones, and their jars."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

from fencepost.checkers.bench import published_jars

ARTIFACTS: Final = ("kafka-metadata", "kafka-server-common", "kafka-raft", "kafka-clients", "kafka-server")
"""Artifacts with the controller, its records, and both sides of its requests."""

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

    Raises `Refusal` where Maven is missing or fetches none.
    """
    with tempfile.TemporaryDirectory() as scratch:
        pom = Path(scratch, "newest.pom.xml")
        pom.write_text(_pom(ARTIFACTS[:1], f"[{_FIRST},{below})"), encoding="utf-8")
        [jar] = published_jars.fetched(pom, Path(scratch), "-U").iterdir()
        return jar.stem.removeprefix(f"{ARTIFACTS[0]}-")


def fetched(version: str) -> dict[str, Path]:
    """Return the jars of a release by artifact, from the user's cache or by Maven.

    Raises `Refusal` where they cannot be fetched.
    """
    with tempfile.TemporaryDirectory() as scratch:
        pom = Path(scratch, f"watch-{version.replace('.', '-')}.pom.xml")
        pom.write_text(_pom(ARTIFACTS, version), encoding="utf-8")
        folder = published_jars.jars(pom)
    return {artifact: folder / f"{artifact}-{version}.jar" for artifact in ARTIFACTS}


def _pom(artifacts: tuple[str, ...], version: str) -> str:
    return _POM.format("".join(_DEPENDENCY.format(artifact, version) for artifact in artifacts))
