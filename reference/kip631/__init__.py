"""The quorum's controller as KIP-631 drew it, twice: with leases (`v1`) and with brokers that say what they want (`v2`).

What both share is here: the metadata log and when it is committed (`log`), what is done to partitions (`controller`),
the life of a broker's process (`broker`), and the simulated cluster with its work and its faults (`simulation`).
"""
