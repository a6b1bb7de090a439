"""What a statement means, as far as words tell: read in four languages by tables, and compared with another one (D12)."""
