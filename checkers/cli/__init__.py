"""The command line: one file a command, each thin over the Python API; one place prints, another handles errors."""
