"""What must be the same on the driver and on the executors: the version of the package, and the tables."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import import_module


@cache
def here() -> tuple[str, str]:
    """Return the version of the package and a hash of the tables of all releases, as they are in this process."""
    from fencepost.model.releases import RELEASES

    hashes = "".join(f"{name}={one.for_logs.hash};" for name, one in RELEASES.items())
    # By name: the whole package imports this one, and types are made in the order of imports.
    return import_module("fencepost").__version__, hashlib.sha256(hashes.encode()).hexdigest()[:12]
