"""The matrix of guarantees: every cell run again."""
