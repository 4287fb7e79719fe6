"""The executable reference controllers and their simulated clusters, written from the documents, never from the tables.

`timeline` holds reversible collections, `simulator` what any simulated cluster needs, and each design has a folder of
its own: `kraft` is the controller of today, `zk` that of the ZooKeeper era, `kip343`, `kip46` and `kip631` (in two
versions) are the designs between them, never built as written. They share these two, and record a run
as steps: `traces.steps`, `traces.zk.steps`, `traces.design_steps`.
Nothing here imports `model` or `checkers`: that both agree is evidence.
"""

if __name__ != "fencepost.reference":
    raise ImportError("this package is fencepost.reference: write `import fencepost.reference`, not `import reference`")
