"""What speaks for and against a message answering an earlier one, as names with amounts. The weights are in weights.json."""

from bisect import bisect_left
from collections import Counter
from functools import lru_cache

from extraction.chat.decision_tables import SignRule, all_outcomes, sign_rules, signs_among
from extraction.chat.reply_links.traits import ChatWindow, MessageTraits

Features = list[tuple[str, float]]

_DISTANCES = (1, 2, 3, 4, 6, 10, 15, 25, 40, 70)
_REACHES = (2, 6, 15, 40)
_GAPS_S = (60, 120, 300, 600, 1800, 3600)
_RARE = 2.0
_MAX_RARENESS = 15.0

# Signs of the message stand as they are, those of the line that it may answer behind `their_`.
_OWN_LINE = sign_rules("""
    unbroken                                    -> own unbroken
    unbroken continues                          -> own continues
    unbroken their_few_words !their_greeting    -> own after short
    unbroken their_greeting                     -> own after greeting
    they_address !addresses                     -> own went on from
    question their_question                     -> own asks again
    yes_no|thanks                               -> own but answers
""")
_OTHERS_LINE = sign_rules("""
    their_last                                  -> their last
    since_mine                                  -> since mine
    spoke_to_me                                 -> spoke to me last
    i_spoke_to                                  -> I spoke to last
    their_question|their_asks                   -> asked
    their_question|their_asks answered          -> asked, answered since
    their_question|their_asks !answered         -> asked, open
    their_question|their_asks yes_no            -> asked, yes or no
    their_question|their_asks !question !addresses_other -> asked, told
    question !their_question !their_asks        -> told, asked
    yes_no !question !their_question !their_asks -> told, yes or no
    greeting their_greeting                     -> greeting both
    !greeting their_greeting                    -> greeting theirs
    thanks their_thanks                         -> thanks both
    !thanks their_thanks                        -> thanks theirs
    laugh their_laugh                           -> laugh both
    !laugh their_laugh                          -> laugh theirs
    command their_command                       -> command both
    !command their_command                      -> command theirs
    thanks they_address_me                      -> thanks me
    thanks they_address !they_address_me        -> thanks other
    thanks !they_address !they_address_me       -> thanks open
    their_long                                  -> long theirs
    their_two_words                             -> short theirs
""")
_STARTING_ANEW = sign_rules(
    "\n".join(
        f"{sign} -> alone {sign}\n{sign} open -> alone open {sign}"
        for sign in ("question", "asks", "greeting", "thanks", "yes_no", "laugh", "continues", "command", "url")
    )
    + """
    new question|asks|greeting                  -> alone new asks
    long                                        -> alone long
    few_words                                   -> alone short
    spoken_to                                   -> alone but spoken to
"""
)


def candidate_features(message: MessageTraits, window: ChatWindow) -> list[Features]:
    """The features of each message of the window, oldest first, and last those of answering nobody."""
    comparison = _Comparison(message, window)
    return [*(comparison.with_line(at) for at in range(len(window))), comparison.with_nobody()]


@lru_cache(maxsize=16384)
def _told_by(rules: tuple[SignRule, ...], signs: frozenset[str]) -> Features:
    return [(name, 1.0) for name in all_outcomes(rules, signs)]


class _Comparison:
    """One message against the window before it: what holds for all candidates is reckoned once."""

    def __init__(self, message: MessageTraits, window: ChatWindow) -> None:
        self.message, self.window = message, window
        self.before = list(window)
        self.to = window.addressed(message)
        self.named = window.mentioned(message)
        self.targets = [window.addressed(one) for one in self.before]
        rarenesses = {word: window.rareness(word) for word in message.words}
        self.rare = {word: rareness for word, rareness in rarenesses.items() if rareness > _RARE}
        self._look_back()

    def _look_back(self) -> None:
        """Who spoke to whom last, and the place of each line among its sender's lines, counted from the newest."""
        me, lines = self.message.who, list(zip(self.before, self.targets, strict=True))
        mine = [at for at, one in enumerate(self.before) if one.who == me]
        self.mine = max(mine, default=-1)
        self.by_me = next(filter(None, (self.targets[at].strip("?") for at in reversed(mine))), "")
        self.to_me = next((one.who for one, target in reversed(lines) if target == me != one.who), "")
        # How many lines of its sender, and whether somebody turned to them, since each line: what was asked may be settled.
        since: list[tuple[int, bool]] = []
        counts: Counter[str] = Counter()
        spoken_to: set[str] = set()
        for one, target in reversed(lines):
            since.append((counts[one.who], one.who in spoken_to))
            counts[one.who] += 1
            spoken_to.add(target)
        self.since = since[::-1]
        self.lines_of_me = counts[me]

    def with_line(self, at: int) -> Features:
        message, one = self.message, self.before[at]
        distance = len(self.before) - at
        found: Features = [(f"distance {bisect_left(_DISTANCES, distance)}", 1.0)]
        if not one.who:
            return [*found, ("system", 1.0)]
        own, towards = one.who == message.who, self._towards(one.who)
        nth, answered = self.since[at]
        relation = f"{'own' if own else towards} {self._addressed_by(one, self.targets[at])}"
        found += [
            (relation, 1.0),
            (f"{relation} nth {min(nth, 3)}", 1.0),
            (f"{relation} reach {bisect_left(_REACHES, distance)}", 1.0),
        ]
        found += self._gap(one, own)
        facts = {
            "unbroken": own and distance < 4 and all(later.who == message.who for later in self.before[at + 1 :]),
            "addresses": self.to,
            "addresses_other": towards == "to other",
            "they_address": self.targets[at],
            "they_address_me": self.targets[at] == message.who,
            "their_last": nth == 0,
            "answered": answered,
            "since_mine": at > self.mine >= 0,
            "spoke_to_me": one.who == self.to_me,
            "i_spoke_to": one.who == self.by_me,
        }
        found += _told_by(_OWN_LINE if own else _OTHERS_LINE, message.signs | one.their_signs | signs_among(facts))
        if not own and "command" in one.signs:
            found.append((f"command nth {min(distance, 3)}", 1.0))
        return found + self._shared_words(one, "own" if own else "their")

    def _towards(self, who: str) -> str:
        """How the message turns to the sender of a line."""
        if self.to:
            return "to" if self.to == who else "to other"
        if who in self.named:
            return "names"
        return "names other" if self.named else "open"

    def _addressed_by(self, one: MessageTraits, target: str) -> str:
        """How a line turns to the sender of the message."""
        if not target:
            return "from me" if self.message.who in self.window.mentioned(one) else "plain"
        return {self.to: "same", self.message.who: "from me"}.get(target, "elsewhere")

    def _gap(self, one: MessageTraits, own: bool) -> Features:
        if self.message.at is None or one.at is None:
            return []
        gap = bisect_left(_GAPS_S, self.message.at - one.at)
        return [(f"gap {gap}", 1.0), (f"own gap {gap}", 1.0)][: 1 + own]

    def _shared_words(self, one: MessageTraits, whose: str) -> Features:
        shared = [self.rare[word] for word in self.rare.keys() & one.words]
        if not shared:
            return []
        return [(f"{whose} words", min(sum(shared), _MAX_RARENESS) / 5), (f"{whose} rarest", max(shared) / 4)]

    def with_nobody(self) -> Features:
        if not self.message.who:
            return [("alone system", 1.0)]
        spoke = ("new", "once", "often")[min(self.lines_of_me, 2)]
        whom = {"": "names" if self.named else "open", "?": "to ?"}.get(self.to, "to")
        found = [(name, 1.0) for name in ("alone", f"alone {spoke}", f"alone {whom}", f"alone {spoke} {whom}")]
        facts = {spoke: True, "open": whom == "open", "spoken_to": self.to_me}
        found += _told_by(_STARTING_ANEW, self.message.signs | signs_among(facts))
        if self.mine >= 0:
            found.append((f"alone since mine {bisect_left(_DISTANCES, len(self.before) - self.mine)}", 1.0))
        return found
