"""Forces and their laws, and the methods of a model that make them."""
