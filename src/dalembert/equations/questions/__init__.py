"""What can be asked of equations besides integrating them."""
