"""Finding, reading and writing untrusted files, without any knowledge of agents."""
