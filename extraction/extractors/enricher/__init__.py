"""What adds to what is known, and changes nothing of it (T9)."""
