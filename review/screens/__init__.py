"""The screens: where people decide. One screen a file; each view asks, calls a read or a verb, and answers."""
