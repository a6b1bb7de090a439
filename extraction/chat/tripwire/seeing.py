"""What the program itself sees in a message, beside the groups of a pack; a pack's pairs may name it."""

# Before the name of a group: the message begins, ends with it.
STARTS, ENDS = "starts_", "ends_"
LENGTHS = ((0, "empty"), (1, "one_word"), (3, "few_words"), (6, "some_words"), (10, "words_10"), (16, "words_16"))
LONG = "long"
SEEN = frozenset(
    {"question", "child", "person", "number", "bang", "emoji", "familiar", "strange", "stranger", "bare", "short", LONG}
) | {name for _, name in LENGTHS}
