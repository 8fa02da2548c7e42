"""Who can do what: every agent, in every harness that reads it, with its capabilities, as plain values."""
