"""Words cut to their room."""


def shortened(text: str, most: int) -> str:
    """At most `most` characters; where more was said, the last of them is an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"
