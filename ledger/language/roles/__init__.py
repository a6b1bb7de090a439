"""What stands in one place of two statements, read in four languages: who does it, where it is, by what means (D12)."""
