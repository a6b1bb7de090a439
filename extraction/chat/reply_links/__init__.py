"""Which earlier message a message answers (D7, O4). Pure: messages in, indexes out; no database.

    link(messages) -> list[list[int]]
        For each message the indexes of those it answers; its own index where it starts something new.
    answers(message, before) -> list[Scored]
        For one message the candidates among the last `WINDOW` of `before`, best first. `index` points into `before`; it is
        `len(before)` for "answers nobody, starts something new". `score` is a probability over all candidates (sums to 1).

A message is anything with `external_id`, `reply_to`, `sender`, `text` and `sent_at`: a `ledger.models.Source` as it is, or the
`Message` of this room. A message without a sender is a line of the system. An explicit `reply_to` wins with score 1.
`aliases` says what else people are called here: other name -> sender.
"""

from extraction.chat.reply_links.linking import WINDOW, Scored, answers, link
from extraction.chat.reply_links.messages import Message, Said

__all__ = ["WINDOW", "Message", "Said", "Scored", "answers", "link"]
