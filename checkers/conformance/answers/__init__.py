"""Recorded answers of Kafka's own classes, each compared with that of the rows: `judge` evaluates a line."""
