"""Files that hold a list of agents."""
