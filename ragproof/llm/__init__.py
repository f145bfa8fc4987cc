"""The one door to a model: client, retries, limiter, budget, cache."""
