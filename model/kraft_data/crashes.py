"""How brokers stop: uncleanly, with the loss of any part of the log that was not flushed, or so that nothing is lost."""

from __future__ import annotations

from fencepost.model.language import BOOL, TRUE, assume, event, every, table, when

from .state import b, crashed, known_high_watermark, log, log_end, n, o, partition_epoch

noticed = BOOL.var("noticed")
stop = event("Stop", b, n, noticed, environment=True, source="KIP-966", code="LogManager.scala, BrokerLifecycleManager")
ASSUMED = (
    assume(
        "DA2",
        noticed | n.is_(log_end[b]),
        "A broker that has lost records registers as one that stopped uncleanly.",
        "KIP-966",
        event="Stop",
    ),
)
_running = ~crashed[b] & (n <= log_end[b]) & (partition_epoch > 0)
_cut = (
    log_end[b].becomes(n),
    every(o, o >= n, log[b, o].becomes(0)),
    known_high_watermark[b].becomes(when(n < known_high_watermark[b], n, known_high_watermark[b])),
)

CRASHES = table(
    "crashes",
    stop("DX1", _running & noticed, crashed[b].becomes(TRUE), _cut),
    stop("DX2", _running & ~noticed, _cut),
    why={
        "DX1": "Any suffix of the log may be lost, acknowledged records too: nothing is assumed of what is flushed.",
        "DX2": "A clean stop, or a crash after which the broker's last epoch is found on its disk: a pause.",
    },
)
