"""One command per module; each has a click command named `command`."""
