"""Ranked lists in, one list out. Pure."""

from ragproof.fusion.combination import convex
from ragproof.fusion.normalising import NORMALISE, min_max, z_score
from ragproof.fusion.reciprocal import rrf

__all__ = ["NORMALISE", "convex", "min_max", "rrf", "z_score"]
