"""Kernels of Mirage, a superoptimizer for tensor programs, in PyTorch.

    import torch
    model = torch.compile(model, backend="mirage")

    import mirage
    mirage.explain(model, *inputs)

Subgraphs of what PyTorch traces become kernels for GPUs of NVIDIA; the rest stays
PyTorch's. docs/Embedding.md of Mirage's repository says more.
"""

from __future__ import annotations

__version__ = "0.1.0"
__all__ = ["backend", "explain", "Explanation", "Options"]


def __getattr__(name: str):
    # PyTorch is imported when it is needed, since that takes seconds.
    if name in ("backend", "Options"):
        from . import torch_backend as module
        return getattr(module, name)
    if name in ("explain", "Explanation"):
        from . import explanation
        return getattr(explanation, name)
    raise AttributeError(f"module mirage has no attribute {name}")
