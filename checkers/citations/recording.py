"""Records in `spec/sources` the lines of a source that are cited, from a copy of it with the lines that we cite.

Use: python -m fencepost.checkers.citations.recording S3 FILE
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from fencepost.checkers.requirements import read, sources
from fencepost.checkers.verdicts import Refusal
from fencepost.files import write_whole

from .comparing import DIGITS, digest
from .index import SPEC, Citation, Line, Text, citations, named
from .normalising import normal, unmarked

NOTE = (
    "# Recorded by `python -m fencepost.checkers.citations.recording {name} FILE`: do not edit. Of each line that is\n"
    "# cited: its first words, where it begins in the normalised text, its length there, and its SHA-256, shortened.\n"
)
CITING = ("*.md", "docs/**/*.md", "spec/*.md", "spec/findings/*.md", "spec/requirements/*.toml")
"""The pages that cite sources, below the repository; the Python files are the others."""
ROOT = SPEC.resolve().parent
ROOMS = ("model", "checkers", "reference", "traces", "tests")
LETTERS = 14
"""So many characters of a line are quoted, however short it is, and three times as many at the most."""


def citing(root: Path = ROOT) -> Iterator[tuple[Path, Citation]]:
    """Yield every citation in the pages and Python files of a checkout, with the file it is in."""
    pages = [path for pattern in CITING for path in sorted(root.glob(pattern))]
    code = [path for room in ROOMS for path in sorted((root / room).rglob("*.py"))]
    for path in (*pages, *code):
        yield from ((path, one) for one in citations(path.read_text(encoding="utf-8")))


def wanted(name: str, root: Path = ROOT) -> set[int]:
    """Return the lines of a source that a checkout cites, or that its requirements or the ends of its parts name."""
    spans = [(one.first, one.last) for _, one in citing(root) if one.source == name]
    spans += [one.lines for one in read(sources()[name]).requirements]
    ends = {end for part in named(name).parts for end in part.lines}
    return ends | {line for first, last in spans for line in range(first, last + 1)}


def first_words(line: str) -> str:
    """Return the first words of a line: six at the most, and no more than a quarter of it, unless it is a heading."""
    words = unmarked(line).split()
    some = words[:6]
    while len(some) > 1 and len(" ".join(some)) > max(LETTERS, len(line) // 4):
        some.pop()
    return " ".join(some)[: 3 * LETTERS].rstrip()


def recorded(text: Text, copy: str, numbers: set[int]) -> dict[int, Line]:
    """Return lines of a copy as they are recorded, those that are not empty.

    Raises `Refusal` where the copy has another number of lines, or a part has another hash than the index.
    """
    lines = copy.split("\n")
    if len(lines) != text.lines:
        raise Refusal(f"{text.name}: the copy has {len(lines)} lines and not {text.lines}; take the one that is cited")
    kept = [normal(line) for line in lines]
    for part in text.parts:
        first, last = part.lines
        found = digest("".join(kept[first - 1 : last]))
        if found != part.sha256:
            raise Refusal(f"{text.name}: lines {first} to {last} have the hash {found} and not {part.sha256}")
    made, offset = {}, 0
    for number, (line, each) in enumerate(zip(lines, kept, strict=True), 1):
        if each and number in numbers:
            made[number] = Line(number, first_words(line), offset, len(each), digest(each)[:DIGITS])
        offset += len(each)
    return made


def main(arguments: list[str]) -> int:
    """Write the lines of a source; return 2, with a sentence, where that cannot be done."""
    if len(arguments) != 2:
        print("say which source, and a file with its text", file=sys.stderr)
        return 2
    try:
        text = named(arguments[0])
        copy = Path(arguments[1]).read_text(encoding="utf-8")
        made = recorded(text, copy, wanted(text.name))
    except (OSError, UnicodeDecodeError, Refusal) as error:
        print(f"{arguments[1]}: {error}", file=sys.stderr)
        return 2
    entries = (
        f"{line.number} = {json.dumps([line.words, line.offset, line.length, line.digest], ensure_ascii=False)}\n"
        for line in made.values()
    )
    write_whole(SPEC / "sources" / f"{text.name}.toml", NOTE.format(name=text.name) + "".join(entries))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
