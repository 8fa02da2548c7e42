"""VS Code in a headless browser: a harness that is started once, and asked about one probe after another."""
