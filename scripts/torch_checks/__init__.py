"""What scripts/check-torch.py and scripts/check-torch-cuda.py are made of."""
