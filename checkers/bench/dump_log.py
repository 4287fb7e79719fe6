"""kafka-dump-log of the published jars of Kafka, for measuring beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fencepost.checkers.verdicts import ExitCode, Refusal

from .published_jars import jars, program

POM = Path(__file__).with_name("dump-log.pom.xml")
"""Names the jars of the release of Kafka whose tool is run."""
MAIN = "org.apache.kafka.tools.DumpLogSegments"


def dump_command(files: Sequence[Path]) -> list[str]:
    """Return the command line that prints files as text, with the heap that Kafka's own script gives the tool.

    Raises `Refusal` where Java or the jars are missing.
    """
    java = program("java")
    if java is None:
        raise Refusal("Java is not on the PATH: install version 17 or later", ExitCode.INCONCLUSIVE)
    names = ",".join(map(str, files))
    return [java, "-Xmx256M", "-cp", f"{jars(POM)}/*", MAIN, "--cluster-metadata-decoder", "--files", names]
