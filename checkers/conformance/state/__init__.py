"""The state of a log, replayed record by record, and the properties evaluated in it."""
