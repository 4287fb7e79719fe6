"""The event loop and the tables of `kraft` composed: the interface, results that are cut, and a small whole.

`interface.py` lists what each assumes of the other, with a reason for each departure. `lifting.py` reads rows of
`kraft` on a node, `state.py` has the cells of nodes, logs and snapshots, `rows.py` the rows of both.
"""
