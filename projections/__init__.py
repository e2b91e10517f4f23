"""Read models: pure folds of shared facts; no game is known here by name."""
