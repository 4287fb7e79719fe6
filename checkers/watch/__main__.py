"""`make watch`: python -m fencepost.checkers.watch [--old VERSION] [--new VERSION] [--json]."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from fencepost.checkers.verdicts import Refusal

from .cited import cited
from .releases import fetched, newest
from .report import compared, text
from .reviewed import FILE, looks

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str] | None = None) -> int:
    """Compare two releases of Kafka, print what is new, and return an exit code."""
    parser = argparse.ArgumentParser(prog="make watch", description=__doc__)
    parser.add_argument("--new", default="", help="the release that is looked at: the newest that Maven has")
    parser.add_argument("--old", default="", help="the release it is compared with: the newest one below it")
    parser.add_argument("--json", action="store_true", help="print what was found as JSON")
    given = parser.parse_args(arguments)
    try:
        new = given.new or newest()
        old = given.old or newest(new)
        found = compared((old, fetched(old)), (new, fetched(new)), cited(), looks(ROOT / FILE))
    except Refusal as refused:
        print(f"error: {refused}", file=sys.stderr)
        return refused.code
    print(json.dumps(found.as_json(), indent=2) if given.json else "\n".join(text(found)))
    return found.code


if __name__ == "__main__":
    sys.exit(main())
