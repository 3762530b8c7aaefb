"""What all implicit methods share: residuals, Jacobians, Newton matrices, renewal, judgement."""
