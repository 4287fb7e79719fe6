"""One seed is one run: a cluster, its work and its faults on a virtual clock, and what it leaves on disk.

`plan` says what a run is to be and `run` runs it: `cluster` with its `controller_node`s, `workload` for administrators,
`faults` of the `fault_kinds`; `script` is the run without arguments. `watch` looks for broken promises,
`story` prints the run, `written` and `output` write its files.
"""
