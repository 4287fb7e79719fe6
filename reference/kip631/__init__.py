"""The quorum's controller as KIP-631 drew it, twice: with leases (`v1`), and with brokers' wishes (`v2`).

What both share is here: the metadata log (`log`), who of the quorum is active (`quorum`), what is done to partitions
and when it is committed (`controller`), the life of a broker's process (`broker`), and the simulated cluster with its
work and its faults (`simulation`).

One heartbeat, from arrival to effect: `ControllerNode.serve` (`quorum`) gives it to the active controller's `serve` and
`_heartbeat` (`v1.controller`, `v2.controller`), which changes cells and gathers records; `Controller.done` appends them
as one batch, reports the step, and waits for the commit; `Controller.answer` holds the answer until then. The broker
obeys it in `obey` (`v1.broker`, `v2.broker`), and learns of the new metadata by its own fetches (`Broker._fetch`).
"""
