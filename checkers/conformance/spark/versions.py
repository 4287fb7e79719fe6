"""What must be the same on the driver and on the executors: the version of the package, and the tables."""

from __future__ import annotations

import hashlib
from functools import cache

from fencepost import __version__


@cache
def here() -> tuple[str, str]:
    """Return the version of the package and a hash of the tables of all releases, as they are in this process."""
    from fencepost.model.releases import RELEASES

    hashes = "".join(f"{name}={one.for_logs.hash};" for name, one in RELEASES.items())
    return __version__, hashlib.sha256(hashes.encode()).hexdigest()[:12]
