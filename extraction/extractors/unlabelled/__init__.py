"""What no label marks: sentences of documents that decide, commit or forbid, told by weights learnt from strangers' texts."""
