"""What the shipped weights and trees are learnt from, and the programs that learn them. Nothing that serves imports it.

`chats.py` reads the labelled chats that stand packed in `chats/`; `tripwire.py`, `assignees.py` and `reply_links.py` fit.
`gold.py` reads where marked sentences stand in strangers' files (`gold/`), and `unlabelled.py` fits on them.
How each is run, and what came out, is told in docs/benchmarks.md.
"""
