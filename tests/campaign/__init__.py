"""Random verbs from many clients while everything under them is killed, and the count of what was lost, doubled or left lying."""
