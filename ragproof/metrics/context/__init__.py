"""Metrics of what the model was given: the step between what was found and what is answered."""
