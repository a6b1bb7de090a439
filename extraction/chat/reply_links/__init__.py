"""Which earlier message a message answers (D7, O4). Pure: messages in, indexes out; no database.

    link(messages) -> list[list[int]]
        For each message the indexes of those it answers; its own index where it starts something new.
    answers(message, before) -> list[ScoredAnswer]
        For one message the candidates among the last `WINDOW` of `before`, best first. `index` points into `before`; it is
        `len(before)` for "answers nobody, starts something new". `score` is a probability over all candidates (sums to 1).

A message is any `LinkedLine`: a `ledger.models.Source` as it is, or a `ChatMessage`. A message without a sender is a line of the
system. An explicit `reply_to` wins with score 1. `aliases` says what else people are called here: other name -> sender.
"""

from extraction.chat.reply_links.linking import WINDOW, ScoredAnswer, answers, link, link_chances
from extraction.chat.reply_links.traits import ChatWindow, traits_of

__all__ = ["WINDOW", "ChatWindow", "ScoredAnswer", "answers", "link", "link_chances", "traits_of"]
