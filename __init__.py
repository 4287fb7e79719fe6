"""fencepost: the Kafka controller protocol as transition tables, and the engines that hold it to account."""

__version__ = "0.1.0"
