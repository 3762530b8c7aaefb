"""Railway vehicles: contacts of wheels and rails as elements of a model, wheelsets, what is measured on them."""
