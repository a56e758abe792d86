"""Random programs of linalg on tensors; see ../fuzz-linalg.py."""
