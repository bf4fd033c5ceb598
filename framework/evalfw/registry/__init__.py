"""Which plugins are installed, and those that an experiment names, loaded and configured."""
