"""Records and batches before rows are evaluated: their binding to the tables, and forms that no controller writes."""
