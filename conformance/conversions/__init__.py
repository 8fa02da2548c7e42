"""Checks conversions: by what fsagent-lint says that harnesses do with the result, and by what they do."""
