"""The event loop and the tables of `kraft` composed: the interface, results that are cut, and a small whole."""
