"""Events: as users write them, and the search for their roots within a step."""
