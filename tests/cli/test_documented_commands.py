"""The commands in README and the other pages: each is one that the command line takes, with names that there are."""

import re
import shlex
from pathlib import Path

from typer.main import get_command

from fencepost.checkers.cli.application import app
from fencepost.model.registry import find
from tests.cases import each

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "spec").rglob("*.md")]
SETTINGS = [ROOT / "action.yml", ROOT / ".pre-commit-hooks.yaml", *(ROOT / "docs" / "ci").iterdir()]
"""What other programs read, with commands that they run."""
GROUP = get_command(app)
COMMANDS: dict[str, object] = GROUP.commands  # type: ignore[attr-defined]
WORKED = re.compile(r"^## Six changes, worked\n.*?(?=^## )", re.DOTALL | re.MULTILINE)
"""Commands of changed sources, which `tests/examples/test_contributing.py` runs with the change."""
BEFORE = r"\$ ?|exec |entry: |\"command\": \""
"""What is before a command on its line."""
PLACEHOLDER = re.compile(r"[A-Z]{3,}|\.py\b|/|\.\.\.|…|^requirements$|^matrix$|^fork$")


def commands(page: Path) -> list[str]:
    """Return the command lines of a page, without the files that they write to: between backticks, or in a block."""
    text = WORKED.sub("", page.read_text(encoding="utf-8"))
    names = "|".join(COMMANDS)
    found = re.findall(rf"`(fencepost (?:{names})\b[^`]*)`", text)
    found += re.findall(rf"^ *(?:{BEFORE})?(fencepost (?:{names})\b(?!:).*?)(?:\",)?$", text, re.MULTILINE)
    return list(dict.fromkeys(" ".join(re.split("  #| > ", one)[0].split()) for one in found))


@each("page", sorted(PAGES + SETTINGS), ids=lambda one: str(one.relative_to(ROOT)))
def test_the_commands_of_a_page_are_those_that_there_are(page: Path) -> None:
    """Each command has only options that exist; its protocol, bound and properties are found by their names."""
    for line in commands(page):
        words = shlex.split(line.replace("$(fencepost storage random-uuid)", "UUID"))[1:]
        command, rest = COMMANDS[words[0]], words[1:]
        if hasattr(command, "commands"):
            if not rest:
                continue
            command, rest = command.commands[rest[0]], rest[1:]
        context = command.context_class(command, info_name=words[0])  # type: ignore[attr-defined]
        options, arguments, _ = command.make_parser(context).parse_args(list(rest))  # type: ignore[attr-defined]
        first = (arguments or [""])[0]
        if words[0] in ("check", "explore", "prove", "tlc", "show") and first and not PLACEHOLDER.search(first):
            family, bound = find(first), options.get("bound")
            assert bound is None or bound in family.bounds, line
            known = {one.id for one in (family.bounds[bound] if bound else family.whole).properties}
            asked = options.get("property_") or ()
            assert set([asked] if isinstance(asked, str) else asked) <= known, line


def test_there_are_commands_to_hold() -> None:
    """The pages do have commands, and docs/commands.md names every command that there is."""
    assert sum(len(commands(page)) for page in PAGES) > 100
    assert {line.split()[1] for line in commands(ROOT / "docs" / "commands.md")} == set(COMMANDS)
    assert {page.name: len(commands(page)) for page in SETTINGS} == {
        "action.yml": 1, ".pre-commit-hooks.yaml": 1, "fencepost.yml": 0, "pre-commit": 1, "tasks.json": 1,
    }  # fmt: skip
