"""Reading, writing and finding untrusted files; knows nothing of agents."""
