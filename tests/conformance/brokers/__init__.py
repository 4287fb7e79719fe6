"""Brokers' log directories checked against metadata log and ledger."""
