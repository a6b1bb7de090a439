"""Questions and where they are answered. Nothing here writes.

queue/       what waits, in which order, how much, and what belongs together
claims, rivals, duplicates       one claim with its evidence; what it would meet; whether it is known already
why, why_not, history, as_of     why a value is there or is not; what happened to it; what held at a time
journal, replay, undoable, verify   events by pages; rows as the journal tells them; what can be taken back; whether all is true
state, conflicts, thread, waves, outcomes_by_rule   what is known of a scope; what contradicts; what was said; what came of it
policies/    which policies are on, what they would take, what they would have done
insights/    how good extractors are, whether people keep up, whether what holds can be trusted
scopes, packs, page    what a caller sees, what is in force there, keyset pages
"""
