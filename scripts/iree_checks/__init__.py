"""What scripts/check-iree.py and scripts/check-iree-cuda.py have in common."""
