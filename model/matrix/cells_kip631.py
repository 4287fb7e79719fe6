"""Cells of the matrix for KIP-631 (S2)."""

from __future__ import annotations

from .cell import Cell, Finding

KIP631_CELLS: tuple[Cell, ...] = (
    Cell(
        "M1",
        "kip631-v1",
        Finding.PROVED,
        "The partitions move first, then the broker is fenced: after every record no fenced broker leads.",
        claim="M1",
    ),
    Cell(
        "M2",
        "kip631-v1",
        Finding.PROVED,
        "Every change of the leader raises the leader epoch. No two brokers serve in one leader epoch either (M2,"
        " proved).",
        claim="M2w",
    ),
    Cell(
        "M3",
        "kip631-v1",
        Finding.VIOLATED,
        "A lease keeps a fenced broker from serving (M3f, proved), but a live leader that is moved serves until "
        "it hears.",
        claim="M3",
        bound="moved",
        length=4,
    ),
    Cell(
        "M4",
        "kip631-v1",
        Finding.PROVED,
        "A broker does not serve beyond its lease, and only answers make it longer: if no broker sleeps over its end.",
        claim="M4",
        assumes=("VA6",),
    ),
    Cell(
        "M5",
        "kip631-v1",
        Finding.SILENT,
        "S2 has no logs, and leaves to KIP-497 how a broker joins the ISR: here nothing is checked (DG6, 16 rows). Of what "
        "spec/data-evidence.md asks of a controller DG1 to DG5 and DG8 are proved: a leader comes from an ISR that is never empty (M5, M5e). But a "
        "fence changes the ISR in the same leader epoch (DG7, 6 rows), so that a leader epoch alone does not tell an old proposal.",
    ),
    Cell(
        "M6",
        "kip631-v1",
        Finding.PROVED,
        "Another process begins fenced and leads nothing. Its epoch may be its predecessor's (S-e): both took the "
        "last committed offset.",
        claim="M6",
    ),
    Cell(
        "M7",
        "kip631-v1",
        Finding.VIOLATED,
        "A heartbeat that asks for a lease needs no record, so that a controller that was replaced goes on giving leases, of which the "
        "active one knows nothing: it fences a broker that serves still. No metadata changes (M7w, proved).",
        claim="M7",
        protocol="kip631-v1+failovers",
        bound="claimants",
        length=9,
    ),
    Cell(
        "M8",
        "kip631-v1",
        Finding.PROVED,
        "What is committed outlives a failover that loses the rest (M8c, proved), and a handshake that was lost is begun again, if "
        "no broker is answered before its registration is committed (S2:20): a process that asks runs, if controllers cease to fail or "
        "to be replaced, one process at a time has the id, which sends one heartbeat after another (VA9), of these and their answers some "
        "arrive, again and again (strong fairness), within the shortest lease (VA8), and the rest happens (weak fairness).",
        claim="M8",
        protocol="kip631-v1+failovers",
        assumes=("VA1", "VA3", "VA5", "VA7"),
    ),
    Cell(
        "M9",
        "kip631-v1",
        Finding.PROVED,
        "A lease that ends fences the broker, if controllers cease to fail, one takes office, leases that are over are ended, by "
        "controller and brokers, and time passes (weak fairness of these).",
        claim="M9",
        assumes=("VA1", "VA3"),
    ),
    Cell("M1", "kip631-v2", Finding.PROVED, "The partitions move first, then the broker is fenced.", claim="K9"),
    Cell(
        "M2",
        "kip631-v2",
        Finding.PROVED,
        "Every change of the leader raises the leader epoch. No two brokers serve in one leader epoch either (M2,"
        " proved).",
        claim="P9",
    ),
    Cell(
        "M3",
        "kip631-v2",
        Finding.VIOLATED,
        "A leader that is moved serves until it applies the record; the epochs differ, so followers and controller "
        "refuse it.",
        claim="M3",
        bound="leaders",
        length=6,
    ),
    Cell(
        "M4",
        "kip631-v2",
        Finding.VIOLATED,
        "Only the controller fences (S2:62): a broker that is cut off serves on. The lease of version 1 is gone.",
        claim="M4",
        bound="late",
        length=4,
    ),
    Cell(
        "M5",
        "kip631-v2",
        Finding.SILENT,
        "S2 has no logs, and says of alterIsr only what becomes of reassignments. Proved are DG1 to DG4, DG6 and DG8 of spec/data-evidence.md: a leader "
        "comes from an ISR that is never empty (M5, P3). A fence changes the ISR in the same leader epoch (DG7, 3 rows), so that a "
        "proposal needs a version, which S2 leaves to KIP-497: without one a record is lost "
        "(kraft-data+ignores-partition-epochs, 14 rows).",
    ),
    Cell(
        "M6",
        "kip631-v2",
        Finding.PROVED,
        "Another incarnation begins fenced, without leaderships, with an epoch of its own: the next offset.",
        claim="M6",
    ),
    Cell(
        "M7",
        "kip631-v2",
        Finding.PROVED,
        "A controller that was replaced changes no metadata. It may still answer that a broker is unfenced which the active one has "
        "fenced (M7a, 15 rows at the bound claimants); no lease hangs on it.",
        claim="M7",
        protocol="kip631-v2+failovers",
    ),
    Cell(
        "M8",
        "kip631-v2",
        Finding.PROVED,
        "What is committed outlives a failover that loses the rest (M8c, M8p, proved); wishes and contacts are reported again, and a "
        "registration that was lost is requested again, as no broker is answered before it is committed (S2:20): a process that "
        "starts runs, if controllers cease to fail or to be replaced, one process at a time has the id, which sends one heartbeat after another, no operator unregisters it "
        "(MA8), answers come again and again (strong fairness), and the rest happens (weak fairness).",
        claim="M8",
        protocol="kip631-v2+failovers",
        assumes=("MA1", "MA5", "MA6", "MA7"),
    ),
    Cell(
        "M9",
        "kip631-v2",
        Finding.PROVED,
        "A broker that is silent for longer than a session is fenced in the end, however often controllers fail, if one takes "
        "office and ends each session that is over (weak fairness of both); within a tick of it while a controller is active "
        "(K10, proved).",
        claim="M9",
    ),
)
