"""The report: a folder of pages that opens from disk, without a server or a network."""
