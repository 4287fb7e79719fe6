"""Room for the executable reference controller, written from the documents and never from the tables; empty so far."""
