"""effect(document, harness): what a harness does with a file."""
