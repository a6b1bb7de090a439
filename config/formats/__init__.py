"""How times are written where no template says it: short, the same everywhere, and in the order they sort."""
