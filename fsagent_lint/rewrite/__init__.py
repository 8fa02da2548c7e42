"""render(policy, harness), written into a file's text and proven."""
