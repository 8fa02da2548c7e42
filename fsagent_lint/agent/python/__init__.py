"""Python modules that define agents."""
