"""Rewrites that authors of kernels make, and what they look like when numbers are bad."""
