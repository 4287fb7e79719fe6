"""Why a log has its state or its violation: causes, history, coverage of rows, and the tree of metadata."""
