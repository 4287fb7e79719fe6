"""fencepost: the Kafka controller protocol as transition tables, and the engines that hold it to account.

```python
import fencepost
from fencepost import explore, find
print(explore(find("kraft").explored, "tiny").distinct)
print(fencepost.health("__cluster_metadata-0").status)
```
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False  # as that of typing, whose import is the longest part of the first moments of a command
__version__ = "0.1.0"

if __name__ != "fencepost":
    raise ImportError("this package is fencepost: write `import fencepost`; the folder src is no package")

if TYPE_CHECKING:
    from fencepost.checkers.api.answers import Health, Redacted, Story, Why
    from fencepost.checkers.api.causes import why
    from fencepost.checkers.api.conforming import conform
    from fencepost.checkers.api.designs import diff, whatif
    from fencepost.checkers.api.health import health
    from fencepost.checkers.api.redacting import redact
    from fencepost.checkers.api.story import story
    from fencepost.checkers.check import Check, check
    from fencepost.checkers.comparing.differences import Differences
    from fencepost.checkers.comparing.whatif import WhatIf
    from fencepost.checkers.conformance.results.results import ConformResult
    from fencepost.checkers.counterexample import Trace
    from fencepost.checkers.exploration import Exploration, explore
    from fencepost.checkers.proof import Proof, prove
    from fencepost.checkers.stepping import replay_run
    from fencepost.checkers.tlc import TlcResult, run_tlc
    from fencepost.checkers.verdicts import ExitCode, Refusal, Verdict
    from fencepost.model.language import (
        Bound,
        Event,
        Property,
        Protocol,
        Row,
        Table,
        TableError,
        event,
        protocol,
        table,
    )
    from fencepost.model.registry import Family, UnknownProtocol, find
    from fencepost.traces import MetadataLog, TraceError, find_logs, read_log

_HOMES = {
    "fencepost.checkers.api.answers": ("Health", "Redacted", "Story", "Why"),
    "fencepost.checkers.api.causes": ("why",),
    "fencepost.checkers.api.conforming": ("conform",),
    "fencepost.checkers.api.designs": ("diff", "whatif"),
    "fencepost.checkers.api.health": ("health",),
    "fencepost.checkers.api.redacting": ("redact",),
    "fencepost.checkers.api.story": ("story",),
    "fencepost.checkers.check": ("Check", "check"),
    "fencepost.checkers.comparing.differences": ("Differences",),
    "fencepost.checkers.comparing.whatif": ("WhatIf",),
    "fencepost.checkers.conformance.results.results": ("ConformResult",),
    "fencepost.checkers.counterexample": ("Trace",),
    "fencepost.checkers.exploration": ("Exploration", "explore"),
    "fencepost.checkers.proof": ("Proof", "prove"),
    "fencepost.checkers.stepping": ("replay_run",),
    "fencepost.checkers.tlc": ("TlcResult", "run_tlc"),
    "fencepost.checkers.verdicts": ("ExitCode", "Refusal", "Verdict"),
    "fencepost.model.language": (
        "Bound", "Event", "Property", "Protocol", "Row", "Table", "TableError", "event", "protocol", "table",
    ),
    "fencepost.model.registry": ("Family", "UnknownProtocol", "find"),
    "fencepost.traces": ("MetadataLog", "TraceError", "find_logs", "read_log"),
}  # fmt: skip
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Bound",
    "Check",
    "ConformResult",
    "Differences",
    "Event",
    "ExitCode",
    "Exploration",
    "Family",
    "Health",
    "MetadataLog",
    "Proof",
    "Property",
    "Protocol",
    "Redacted",
    "Refusal",
    "Row",
    "Story",
    "Table",
    "TableError",
    "TlcResult",
    "Trace",
    "TraceError",
    "UnknownProtocol",
    "Verdict",
    "WhatIf",
    "Why",
    "__version__",
    "check",
    "conform",
    "diff",
    "event",
    "explore",
    "find",
    "find_logs",
    "health",
    "protocol",
    "prove",
    "read_log",
    "redact",
    "replay_run",
    "run_tlc",
    "story",
    "table",
    "whatif",
    "why",
]


def __getattr__(name: str) -> object:
    """Import a name of the API when it is first used, so that `import fencepost` loads no engine."""
    if name not in _HOME:
        raise AttributeError(f"module 'fencepost' has no attribute {name!r}")
    found: object = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
