"""The lab: runs real harnesses offline, and records what they do with agent files."""
