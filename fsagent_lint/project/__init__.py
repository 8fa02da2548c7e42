"""The config, the files of a project, and the neighbours of an agent."""
