"""Tools, policies, findings and results."""
