"""Results as data frames and files."""
