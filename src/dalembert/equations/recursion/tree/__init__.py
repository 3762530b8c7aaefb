"""Trees of joints: links, their kinds of joints, where their numbers stand."""
