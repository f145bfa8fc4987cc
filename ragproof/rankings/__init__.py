"""Whole files of ranked lists in, figures out: trec_eval's conventions at bulk speed."""
