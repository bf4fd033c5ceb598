"""Models behind an HTTP API: everything about asking that is the same for all of them."""
