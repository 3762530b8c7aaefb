"""From a description to equations: tree, coordinates, frames, builders."""
