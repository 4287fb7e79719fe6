"""Messages that libraries and programs below this process write to its standard error."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_messages() -> Iterator[None]:
    """Keep from the terminal what is written to standard error until the end of the block, also by what it starts: what
    Graphviz says of fonts, and Spark's Java process of itself."""
    with tempfile.TemporaryFile() as kept:
        before = os.dup(2)
        try:
            os.dup2(kept.fileno(), 2)
            yield
        finally:
            os.dup2(before, 2)
            os.close(before)
