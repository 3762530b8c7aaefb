"""Steps of one size: projections of dependent coordinates, and what methods for real time share."""
