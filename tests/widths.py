"""Which lines of a page are wider than it may be, whatever the path of this clone."""

import re

from fencepost.checkers.cli.terminal import COMMAND, WIDTH

_LABEL = re.compile(r"^ *(again|next:|log:|trace:|story:) +")


def too_wide(page: str) -> list[str]:
    """Return the lines over the width, but for those that hold one command or one path: neither is ever folded."""
    return [line for line in page.splitlines() if len(line) > WIDTH and not _whole(line)]


def _whole(line: str) -> bool:
    rest = _LABEL.sub("", line).strip()
    return COMMAND.match(rest) is not None or ("/" in rest and " " not in rest)
