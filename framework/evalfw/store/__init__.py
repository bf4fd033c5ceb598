"""What a run has produced, in one directory: `run.db`, `experiment.yaml`, `manifest.json`."""
