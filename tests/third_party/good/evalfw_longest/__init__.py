"""A metric, a profiler and a hook plugin of somebody else."""
