"""Maximum of every window."""
