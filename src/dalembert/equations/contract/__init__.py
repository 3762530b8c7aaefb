"""The contract in the middle: equations, their programs, and what is derived from them."""
