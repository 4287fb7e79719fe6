"""Pages that show changes of files and what commands print: their blocks, and whether the print is what is shown."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

LEFT_OUT = "…"
"""On a page: lines that are not shown, or a part of one."""


@dataclass(frozen=True)
class Hunk:
    """Lines of a file, and those that stand there after the change."""

    file: str
    old: str
    new: str

    def applied(self, text: str) -> str:
        """Return a file's text with the hunk in the only place where it fits."""
        assert self.old != self.new, self
        count = text.count(self.old)
        assert count == 1, f"{self.file}: {count} times\n{self.old}"
        return text.replace(self.old, self.new)


def blocks(text: str, language: str) -> list[str]:
    """Return the blocks of a language in a text."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def hunks(patch: str) -> Iterator[Hunk]:
    """Yield the hunks of a patch whose files begin with `---` and whose hunks begin with `@@`."""
    for part in re.split(r"^--- ", patch, flags=re.MULTILINE)[1:]:
        file, _, rest = part.partition("\n")
        for body in re.split(r"^@@\n", rest, flags=re.MULTILINE)[1:]:
            lines = body.splitlines()
            old, new = ("".join(f"{one[1:]}\n" for one in lines if one[:1] != sign) for sign in "+-")
            yield Hunk(file, old, new)


def commands(shown: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a block with the output that is shown for it."""
    for part in re.split(r"^\$ fencepost ", shown, flags=re.MULTILINE)[1:]:
        command, _, printed = part.partition("\n")
        yield command, printed


def shows(printed: str, shown: str) -> bool:
    """Whether what was printed is what the page shows, some of it left out."""
    lines = (
        "(?:.*\n)*?" if line == LEFT_OUT else re.escape(line).replace(re.escape(LEFT_OUT), ".*") + "\n"
        for line in shown.rstrip("\n").splitlines()
    )
    return re.fullmatch("".join(lines), printed) is not None
