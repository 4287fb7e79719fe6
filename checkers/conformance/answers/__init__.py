"""Recorded answers of Kafka's own classes, each asked of the tables: `judge` asks, the adapters say what a name is."""
