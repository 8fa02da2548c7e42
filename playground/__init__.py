"""The playground of the documentation site: our own package, in the browser."""
