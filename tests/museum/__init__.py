"""The museum: every defect is found where it must be, and only there."""
