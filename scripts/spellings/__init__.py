"""Programs of mirage_kernel as graphs in Python, and other ways to spell them."""
