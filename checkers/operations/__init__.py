"""What an operator asks of a metadata log: how the cluster is at an offset or a time, and why it came to that."""
