"""What the signs of a message amount to for the observer: its utterance's, the phrases of the lexicon that it holds, and what is
known of it, read by tables. A sign may build on those above it."""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from extraction.chat.commitments.dialogue_acts import DialogueAct
from extraction.chat.commitments.lexicon import WHO, YOU_ASK
from extraction.chat.commitments.replies import YES
from extraction.chat.decision_tables import sign_rules, signs_among, with_meanings
from extraction.observer import duty_words, lexicon

# Looked for in a whole message and in the clause that names its hour.
_PHRASES: Final[Mapping[str, Callable[[str], re.Match[str] | None]]] = {
    "past": lexicon.PAST.search,
    "gives_way": lexicon.GIVES_WAY.search,
    "yields": duty_words.YIELDS.search,
    "says_there_already": duty_words.ON_THE_SPOT.search,
    "settles": duty_words.SETTLES.search,
    "uses": lexicon.USES.search,
    "about_thing": lexicon.ABOUT_THING.search,
    "to_it": duty_words.TO_IT.search,
    "from_it": duty_words.FROM_IT.search,
    "home": duty_words.HOME.search,
    "until": lexicon.UNTIL.search,
    "duty_noun": duty_words.DUTY_NOUN.search,
    "unavailable": duty_words.UNAVAILABLE.search,
    "asks_anybody": duty_words.ASKS_ANYBODY.search,
    "booked": lexicon.BOOKED.search,
    "calls_for_help": duty_words.CALLS_FOR_HELP.search,
    "cannot": duty_words.CANNOT.search,
    "me_first": duty_words.ME_FIRST.match,
    "coming": duty_words.COMING.search,
    "ends_then": lexicon.ENDS_THEN.search,
    "of_self": lexicon.OWN.search,
    "occasion": lexicon.OCCASION.search,
    "takes_on_duty": duty_words.TAKES_ON.search,
    "others_do": duty_words.OTHERS_DO.search,
    "doing_it": duty_words.DOING_IT.search,
    "gives_thing": duty_words.GIVES_THING.search,
    "delivery": lexicon.DELIVERY.search,
    "at_school": duty_words.AT_SCHOOL.search,
    "on_if": lexicon.ON_IF.search,
    "off": lexicon.OFF.search,
    "beside": lexicon.BESIDE.search,
    "together": lexicon.TOGETHER.search,
    "happens": lexicon.HAPPENS.search,
    "said_to_move": lexicon.SAID_TO_MOVE.search,
    "not_late": lexicon.NOT_LATE.search,
    "open_end": lexicon.OPEN_END.search,
    "takes_thing": lexicon.TAKES_THING.search,
    "yes_first": YES.match,
    "sets_out_to": duty_words.SETS_OUT_TO.search,
    "asks_you_there": YOU_ASK.search,
    "asks_who_there": WHO.search,
    "must_be_done": duty_words.MUST_BE_DONE.search,
    "must_be_there": duty_words.MUST_BE_THERE.search,
    "not_me": duty_words.NOT_ME.search,
    "intended": duty_words.INTENDED.search,
    "broken": lexicon.BROKEN.search,
    "broken_down": lexicon.BROKEN_DOWN.search,
    "back_then": lexicon.BACK_THEN.search,
    "tag": lexicon.TAG.search,
    "asks_assent": duty_words.ASKS_ASSENT.search,
    "everybody": lexicon.EVERYBODY.search,
    "both_parents": lexicon.BOTH_PARENTS.search,
    "reminds": lexicon.REMINDS.search,
    "about_it": lexicon.ABOUT_IT.match,
    "which_child": lexicon.WHICH_CHILD.search,
}
_MEANT: Final = sign_rules("""
    to_it !home                                                                  -> towards
    from_it|home                                                                 -> away
    named_here|speaks_of                                                         -> explicit
    named_here                                                                   -> names_known
    known at_place !activity                                                     -> names_known
    days|doing_it ahead                                                          -> still_to_come
    past|began !still_to_come !tag                                               -> over
    away|duty|until|told_end|ends_then                                           -> may_name_its_end

    says_there_already explicit|pronoun|names_known !question !asks_you !who     -> on_the_spot
    on_the_spot|duty_noun !question !yes !no !thanks !you_do !on_condition       -> says_itself
    duty|towards|away explicit|pronoun !question !yes !no !thanks !you_do !on_condition -> says_itself
    duty|towards|away first speaks_of !upto_4 !question !yes_first !declined !thanks !you_do !on_condition -> says_itself
    duty explicit first asks_assent !no !asks_you !who !declined !thanks !on_condition     -> says_itself
    takes_child !question !no !asks_you !who !declined !thanks !you_do !on_condition          -> says_itself
    takes_on_duty speaks_of|duty_noun|known !question !no !thanks !you_do !on_condition -> says_itself
    people|known|duty_noun|on_the_spot                                           -> says_which

    unavailable|asks_anybody|has_own                                             -> out_of_reach
    yes|takes_by_sign|nods_by_sign|bare_me|me_first                              -> says_yes
    on_the_spot|shares                                                           -> accepts
    first explicit                                                               -> accepts
    first pronoun|can !out_of_reach                                              -> accepts
    takes_on_duty !no !question                                                  -> accepts
    says_yes !declined !silent                                                   -> accepts
    declined coming !says_yes !no                                                -> accepts
    !out_of_reach                                                                -> may_come
    coming                                                                       -> may_come
    !guess                                                                       -> means_it
    first|can                                                                    -> means_it
    committed|offered may_come means_it !says_yes                                -> accepts

    conditional !takes_on_duty                                                   -> takes_nothing
    open somebody_must|who                                                       -> takes_nothing
    on_condition|on_if|somebody_must|asks_anybody|gives_thing                         -> takes_nothing
    committed|offered assigned says_itself !takes_nothing                        -> assignees_take_it
    committed|offered assigned accepts !guess !takes_nothing                     -> assignees_take_it
    on_the_spot by_grown !takes_nothing !assignees_take_it                       -> sender_takes_it
    takes_child says_itself by_grown !subject !over !conditional !takes_nothing !assignees_take_it -> sender_takes_it
    takes_on_duty says_itself by_grown !subject !takes_nothing !assignees_take_it -> sender_takes_it
    doing_it duty|away|towards says_itself by_grown !subject !takes_nothing !assignees_take_it -> sender_takes_it
    first duty|away|towards says_itself silent by_grown !subject !question !takes_nothing -> sender_takes_it
    sets_out_to says_itself by_grown !subject !takes_nothing !assignees_take_it  -> sender_takes_it

    names_thing broken !question                                                 -> thing_away
    uses clocks|known|days !over !about_thing !thing_away                                  -> wants_thing
    takes_thing clocks !over                                                     -> wants_thing
    names_thing clocks !over !about_thing !thing_away !by_bot                    -> wants_thing
    names_thing told_end !over !thing_away                                       -> wants_thing
    change !not_late                                                             -> says_moved
    said_to_move                                                                 -> says_moved
    silent !question                                                             -> unasked
    at_place|about_it known !activity !from_it towards|about_it                           -> spoken_of
    clocks named_here|spoken_of !says_moved !over !declined !ack !beside !off !unasked -> may_be_unusual
    off|called_off known !question                                               -> frees
    says_moved known named_here|spoken_of|change !question                       -> frees
    asks_anybody !over                                                           -> asks_for_help
    cannot !child_cannot                                                         -> needs_help
    you_do requested !question                                                   -> tells_whom
    question|who|who_on|asks_you|somebody_must|you_must|needs_help open !faint !over !tells_whom -> asks_for_help
    asks_for_help names_known|clocks|days|explicit|place|away towards|away|duty|names_known|care -> needs_somebody
    asks_for_help by_child calls|calls_home|trouble open                         -> needs_somebody
    asks_for_help clocks at_school                                               -> needs_somebody
    calls_for_help names_known|clocks|days|explicit !over !takes_child !assignees_take_it   -> needs_somebody
    somebody_must explicit clocks !over                                          -> needs_somebody
    must_be_done clocks|days|names_known|at_school !over !assignees_take_it !sender_takes_it -> needs_somebody
    names_child says_moved clocks out_of_reach of_self cannot|no !committed !question !over !takes_on -> needs_somebody
    trouble open names_child unavailable|out_of_reach|must_be_done               -> needs_somebody
    needs_help names_child clocks|days|known !committed !question !over !takes_on -> needs_somebody
    must_be_there|not_me names_child|names_known clocks|known unavailable|trouble|not_me !question !over !takes_on -> needs_somebody
    intended duty clocks|known !question !assignees_take_it !sender_takes_it     -> needs_somebody
    which_child clocks|days !over                                                -> asks_which_child
    asks_which_child                                                             -> needs_somebody
""")


@lru_cache(maxsize=4096)
def phrases_in(folded: str) -> frozenset[str]:
    return frozenset(name for name, find in _PHRASES.items() if find(folded))


def signs_of(act: DialogueAct, folded: str, facts: Mapping[str, object]) -> frozenset[str]:
    """`facts`: what is known besides, of the calendar and of the people."""
    of_act = signs_among(
        {
            act.status or "silent": True,
            "open": act.is_open,
            "guess": act.guess,
            "faint": act.faint,
            "shares": act.shares,
            "assigned": act.assignees,
            "by_grown": act.sender.is_grown,
            "place": act.utterance.place,
            "care": act.type == "care_coverage",
        }
    )
    return frozenset(with_meanings(_MEANT, act.utterance.signs | phrases_in(folded) | of_act | signs_among(facts)))
