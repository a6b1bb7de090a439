"""What waits for people: the lists, how much there is, and what belongs together."""
