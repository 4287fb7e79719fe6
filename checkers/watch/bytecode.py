"""The methods of compiled classes as text that is the same in two releases where the compiler was given the same.

`javap -v` prints a class with numbers of its constant pool, offsets of instructions and numbers of lambdas, which
change with any line of the file. Without them, without the packages of classes, which are moved at times, and with the
bodies of its lambdas a method reads the same until it is changed.
"""

from __future__ import annotations

import re
import subprocess
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fencepost.checkers.bench.published_jars import program
from fencepost.checkers.verdicts import ExitCode, Refusal

SECONDS: Final = 300
"""The seconds that javap may take."""

_INSTRUCTION: Final = re.compile(r"^ +(\d+): ([a-z_0-9]+)(?: +(.*))?$")
_JUMP: Final = re.compile(r"^(?:if.*|goto|goto_w|jsr)$")
_CASE: Final = re.compile(r"^ +(-?\d+|default): (\d+)$")
_POOL: Final = re.compile(r"#\d+(?:, +\d+)? *// ")
_LAMBDA: Final = re.compile(r"lambda\$(\w+)\$\d+")
_DYNAMIC: Final = re.compile(r"InvokeDynamic #(\d+):")
_CAUGHT: Final = re.compile(r"^ +(\d+) +(\d+) +(\d+) +(.*)$")
_CALLED: Final = re.compile(r"// (?:Interface)?Method (?:([\w/$]+)\.)?\"?([\w<>$]+)\"?:")
_PACKAGE: Final = re.compile(r"(?:\b[a-z]\w*|(?<=[L(\[])[a-z]\w*)(?:[/.][a-z]\w*)*[/.](?=[A-Z])")
"""The package in front of a class's name: a class that was moved is the same one."""
_REFERRED: Final = re.compile(r"REF_\w+ ([\w/$]+)\.\"?([\w<>$]+)\"?:")


@dataclass(frozen=True)
class Method:
    """A method with the lambdas in it: its instructions, and the methods that it calls, each as (class, name)."""

    name: str
    lines: tuple[str, ...]
    calls: frozenset[tuple[str, str]]


def classes_below(jar: Path, package: str) -> dict[str, list[str]]:
    """Return the top-level classes of a package and those below it by their simple names, each with all its classes.

    `package` is written with slashes; classes that are within a class belong to it.
    """
    found: dict[str, list[str]] = {}
    with zipfile.ZipFile(jar) as archive:
        for entry in archive.namelist():
            if entry.startswith(f"{package}/") and entry.endswith(".class"):
                path = entry.removesuffix(".class")
                found.setdefault(path.rpartition("/")[2].partition("$")[0], []).append(path)
    return found


def methods(jar: Path, classes: Iterable[str]) -> dict[str, dict[str, Method]]:
    """Return the methods of classes of a jar, by class and by name; methods of one name are one.

    Raises `Refusal` where javap is missing or fails.
    """
    javap = program("javap")
    if javap is None:
        raise Refusal("javap is not on the PATH: install a Java development kit", ExitCode.INCONCLUSIVE)
    named = sorted(classes)
    # It runs for seconds: to compile much and to collect on several threads takes longer than it saves.
    quick = ("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC")
    command = [javap, *quick, "-p", "-v", "-cp", str(jar), *(one.replace("/", ".") for one in named)]
    said = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if said.returncode:
        raise Refusal(f"javap cannot read {jar.name}: {said.stderr.strip()[:300]}", ExitCode.INCONCLUSIVE)
    parts = re.split(r"^Classfile ", said.stdout, flags=re.MULTILINE)[1:]
    return {name: _methods(part.splitlines()) for name, part in zip(named, parts, strict=True)}


def _methods(lines: Sequence[str]) -> dict[str, Method]:
    bootstrap = _bootstrap(lines)
    bodies: dict[str, list[tuple[int, list[str]]]] = {}
    for head, body in _members(lines):
        name = _name(head)
        number = 0
        inside = re.fullmatch(r"lambda\$(\w+)\$(\d+)", name)
        if inside:
            name, number = inside[1], int(inside[2]) + 1
        bodies.setdefault({"new": "<init>", "static": "<clinit>"}.get(name, name) if inside else name, []).append(
            (number, [_LAMBDA.sub(r"lambda$\1", head), *_normalised(body, bootstrap)])
        )
    found: dict[str, Method] = {}
    for name, some in bodies.items():
        text = [line for _, body in sorted(some, key=lambda one: (one[0], one[1][0])) for line in body]
        calls = {
            (one or "", called)
            for line in text
            for pattern in (_CALLED, _REFERRED)
            for one, called in pattern.findall(line)
        }
        found[name] = Method(name, tuple(_PACKAGE.sub("", line) for line in text), frozenset(calls))
    return found


def _name(head: str) -> str:
    """Return the name of a method from the line that declares it; that of a constructor is `<init>`."""
    if head.startswith("static {}"):
        return "<clinit>"
    before = head.partition("(")[0].split()
    return "<init>" if "." in before[-1] or len(before) == 1 or before[-1][:1].isupper() else before[-1]


def _members(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the methods that have code, each with the line that declares it and the lines of its code."""
    head, body, reads = "", list[str](), False
    for line in lines:
        if line.startswith("  ") and not line.startswith("   ") and line.rstrip().endswith(";"):
            if body:
                yield head, body
            head, body, reads = line.strip().rstrip(";"), [], False
        elif line == "    Code:":
            reads = True
        elif reads and (line.startswith("      LineNumberTable") or not line.startswith("      ")):
            reads = False
        elif reads:
            body.append(line)
        if line.startswith("}"):
            break
    if body:
        yield head, body


def _bootstrap(lines: Sequence[str]) -> dict[int, str]:
    """Return what calls that are linked at run time stand for, by their numbers: lambdas, references, texts."""
    found: dict[int, str] = {}
    at = 0
    starts = [number for number, line in enumerate(lines) if line == "BootstrapMethods:"]
    for line in lines[starts[0] + 1 :] if starts else ():
        head = re.match(r"^  (\d+): #\d+ (.*)$", line)
        if head:
            at = int(head[1])
            found[at] = head[2].partition(":")[0].rpartition("/")[2]
        elif re.match(r"^      #\d+ ", line):
            found[at] += " " + _LAMBDA.sub(r"lambda$\1", line.strip().partition(" ")[2])
        elif line.strip() != "Method arguments:":
            break
    return found


def _normalised(body: Sequence[str], bootstrap: Mapping[int, str]) -> Iterator[str]:
    """Yield instructions without numbers that other parts of the class decide."""
    order = {int(found[1]): at for at, found in enumerate(filter(None, map(_INSTRUCTION.match, body)))}
    here, in_switch, in_table = 0, False, False
    for line in body:
        found = _INSTRUCTION.match(line)
        case = _CASE.match(line)
        caught = _CAUGHT.match(line)
        if in_switch and case:
            yield f"case {case[1]} +{order.get(int(case[2]), 0) - here}"
        elif in_switch and line.strip() == "}":
            in_switch = False
        elif found:
            here = order[int(found[1])]
            name, rest = found[2].removesuffix("_w"), found[3] or ""
            in_switch = rest.startswith("{")
            if _JUMP.match(name) and rest.isdigit():
                rest = f"{order[int(rest)] - here:+}"
            rest = _DYNAMIC.sub(lambda one: f"{bootstrap.get(int(one[1]), '')} ", _POOL.sub("// ", rest))
            yield _LAMBDA.sub(r"lambda$\1", f"{name} {rest}".rstrip())
        elif line.strip() == "Exception table:":
            in_table = True
        elif in_table and caught:
            first, last, target = (order.get(int(caught[number]), len(order)) for number in (1, 2, 3))
            yield f"catch {last - first} {target - first} {caught[4]}"
