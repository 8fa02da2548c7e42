"""The config, which files there are, and the neighbours of an agent."""
