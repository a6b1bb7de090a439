"""English statements whose words differ: aligned by form and by meaning, and compared by what is left to each (D12)."""
