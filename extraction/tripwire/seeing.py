"""What the program itself sees in a message and in its thread; a pack gives each name its weight."""

# Before the name of a group: the message begins, ends with it; the message before it has it, and coordinates or does not.
STARTS, ENDS, AFTER, AFTER_ELSE = "starts_", "ends_", "after_", "after_else_"

# In a message by itself.
LENGTHS = ((0, "empty"), (1, "one_word"), (3, "few_words"), (6, "some_words"), (10, "words_10"), (16, "words_16"))
LONG = "long"
ALONE = frozenset(
    {"question", "child", "person", "number", "bang", "emoji", "familiar", "strange", "stranger", "bare", "short", LONG}
)
SENDER = frozenset({"from_child", "from_helper"})
# In its thread.
GAPS = ((60, "at_once"), (240, "in_minutes"), (900, "in_a_while"))
LATER = "later"
WARMTH = ((0.3, "warm"), (0.7, "hot"), (1.1, "hotter"), (1.6, "hottest"))
COOLNESS = ((0.4, "cool"), (1.0, "cooler"), (1.5, "coolest"))
LAST = ((0.35, "last_may"), (0.6, "last_does"), (0.85, "last_surely"))
SINCE = ("since_0", "since_1", "since_2", "since_3")
THREAD = frozenset(
    {
        "thread", "first", LATER, *SINCE, "in_it", "named_me", "names_them", "echo", "echo_else",
        "asked", "asked_now", "asked_me", "my_question", "goes_on", "turn", "to_child", "to_them",
        "answers_when", "answers_where", "answers_who", "answers_yes", "answers_number",
        "two_else", "tale_before", "tales_before",
    }
)  # fmt: skip
# What the thread is at: one of these in each message.
STATES = frozenset({"state_cold", "state_warm", "state_own", "state_live", "state_open"})
SEEN = (
    ALONE | SENDER | THREAD
    | {name for table in (LENGTHS, GAPS, WARMTH, COOLNESS, LAST) for _, name in table}
)  # fmt: skip
