"""One log read from its first batch to its last: where it begins, its batches, snapshots and violations."""
