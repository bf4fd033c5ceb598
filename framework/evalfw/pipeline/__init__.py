"""The stages of a run: generate, judge, profile, measure. Data flows one way, through the store."""
