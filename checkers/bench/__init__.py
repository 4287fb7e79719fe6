"""Costs of the engines and the simulation, for `fencepost bench`: seconds, memory, and seeds until a bug is found.

`measured` has the parameters of a benchmark and its results, `benchmarks` the table of all by name. `simulation`,
`engines` (proofs), `explore` (with `peers` beside it), `zk`, `conform` (with `conform_case`, `conform_logs`, and
Kafka's own `dump_log` from `published_jars` beside it) and `spark` (with `spark_parts`) are the benchmarks; `taking`
measures processes. The models and queries of other checkers are in a checkout only, under `tests/peers` and
`tests/oracles`: an installed benchmark leaves them out and says so.
"""
