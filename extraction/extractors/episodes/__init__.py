"""What an agent's episode shows without a model: which attempts failed."""
