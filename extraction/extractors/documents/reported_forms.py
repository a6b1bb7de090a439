"""How minutes report that something was decided: who, by which verb, and what takes it out again. Patterns for `reported.py`."""

import re
from functools import cache
from typing import Final

from extraction.extractors.documents.patterns import any_of

# Who decides at a meeting.
_BODY: Final = any_of(
    """group, committee, sub-?committee, board, council, team, wg, working group, tsc, tc, tac, toc, tob, sc, pmc, gb, cpc, sig,
    chapter, meeting, members?, attendees, participants, room, community, chairs?, editors, maintainers, trustees, assembly, club,
    directors, plenary, panel, task ?force, commission, jury, senate, parents, staff, faculty, cabinet, crew, society, association,
    workshop, owners, residents, voters, shareholders, officers, stewards, quorum, majority, everyone, everybody"""
)
_PRESENT: Final = "(?: (?:members|present|on the call|in the room|as a whole))?"
_WHO: Final = (
    rf"(?:(?:the |our |this )?(?:[\w&’'-]+ ){{0,4}}?{_BODY}{_PRESENT}|the (?-i:[A-Z]{{2,6}})|we(?:['’]ve)?(?: all)?"
    r"|all(?: (?:present|members|parties|attendees|were|of us))?|those present|both(?: sides| teams)?)"
)
_BY: Final = r"by (?:a )?(?:(?:unanimous|general|lazy) )?(?:consensus|consent|vote|majority|acclamation)"
_MANNER: Final = any_of(
    f"""all, both, also, then, therefore, thus, so, unanimously, collectively, generally, informally, formally, finally, jointly,
    mutually, eventually, ultimately, together, {_BY}, in principle, has, have, is, are, were"""
)
_HOW: Final = rf"(?:{_MANNER},? ){{0,3}}"
_SETTLED: Final = any_of(
    """agreed, decided, resolved, voted, concluded, determined, opted, elected, chose, consented, agrees?, decides?, resolves?,
    votes, concludes"""
)
_TAKEN: Final = any_of(
    """approved, adopted, accepted, ratified, endorsed, rejected, declined, confirmed, appointed, elected, selected, passed,
    dismissed, approves?, adopts?, accepts?, ratifies, endorses, rejects, declines, appoints, elects, selects, settled on,
    decided on, agreed on, went with, chose"""
)
# What follows where something was settled; `agreed to disagree` and `agreed on this` settle nothing.
_IDLE: Final = any_of(
    r"disagree, think, consider, look into, see\b, talk, try to (?:find|reach), the\b, this\b, that\b, it\b"
)
_ABOUT: Final = any_of("this, that, it, most, many, how, what, which")
_ASIDE: Final = (
    rf"(?:,? (?:{_BY}|unanimously|in principle|as a group|after (?:some |a |much )?(?:discussion|vote|debate)),?)?"
)
_TO: Final = rf"{_ASIDE},? (?:(?:not )?to (?!{_IDLE})\w|that\b|against \w+ing\b|(?:in favou?r of|(?<!voted )on) (?!{_ABOUT}\b)\w)"
_ACCORD: Final = r"(?:con[sc]en[sc]us|agreement|accord)"
_SORTS: Final = any_of(
    "general, rough, broad, clear, strong, group, unanimous, full, overall, wide, final, common, team, meeting"
)
_SORT: Final = rf"(?:(?:a |the |some )?{_SORTS} )"
_AMONG: Final = r"(?: (?:among|in|within|of|from|by|at) [^.,;:\n]{1,40}?)?"
_CONTENT: Final = (
    r"(?:,? (?:to (?!be (?:reached|found|sought)\b)\w|that \w|(?:on|for|around) \w+ing\b|not to\b)| ?[:–—-]+ ?\S)"
)
_PAPER: Final = any_of(
    """minutes, agenda, motion, resolution, proposal, budget, request, amendment, recommendation, application, nomination,
    charter, policy, accounts, report, treasurer['’]s report, plan, schedule, change, item, bylaw, by-law, draft"""
)
_CARRIED: Final = any_of(
    "approved, adopted, accepted, ratified, carrie[sd], passe[sd], rejected, defeated, declined, agreed(?: to| upon)?, confirmed"
)
_WAS: Final = any_of("was, were, is, are, has been, have been, stands?")
_COUNT: Final = r",? \(?\d{1,3} ?[-–:/] ?\d{1,3}[^.\n%]{0,20}"
# `After some discussion, …`, `So …`
_AFTER: Final = any_of(
    "after, following, based on, given, upon, due to, in, at, during, since, because of, as, for, with, on, sobre, tras,"
    "en cuanto a, nach, bezüglich, concernant, après, quant à, dopo, após, na, over"
)
_GIVEN: Final = rf"{_AFTER}\b[^.,;:!?\n]{{2,120}}+,"
_LINKS: Final = any_of(
    """so, also, then, therefore, thus, hence, and, however, finally, in the end, in conclusion, overall, ultimately, instead,
    otherwise, here, additionally, furthermore, moreover, as a result, again, next, meanwhile, nevertheless, subsequently,
    to conclude, in summary, voted, result, outcome, update, for now, at this point, now"""
)
_LEAD: Final = rf"[*_\"“(•]*+(?:(?:{_GIVEN}|{_LINKS}\b,?:?) ){{0,2}}[*_\"“(•]*+"
_ENGLISH: Final = (
    rf"{_WHO},? {_HOW}{_SETTLED}{_TO}",
    rf"{_WHO},? {_HOW}(?:agreed|decided) (?:we|it|this|these|there|the|an?|no)\b(?! (?:other|following))",
    rf"{_WHO},? {_HOW}(?:(?:reviewed|discussed),? and )?{_TAKEN} (?:the|an?|(?-i:[A-Z\"“`'\[#\d]))",
    # `The board thanked Ann and agreed to …`, where no day or year tells of another time; `A long talk, with a consensus to …`
    rf"{_WHO}\b[^.,;:!?\n\d]{{2,160}} and (?:then |also |unanimously )?(?:agreed|decided|resolved|voted){_TO}",
    rf"[^.;:!?\n]{{10,200}},? (?:with|led to|leading to|resulted in|resulting in) (?:a |an )?{_SORT}?"
    rf"(?:{_ACCORD} (?:to (?!be (?:reached|found|sought)\b)\w|that\b)|vote in favou?r of \w)",
    rf"it (?:was|is|has been|['’]s) {_HOW}(?:{_SETTLED}|settled|moved and (?:agreed|carried)){_TO}",
    rf"(?:agreed|decided|resolved|voted|opted){_TO}",
    r"(?:agreed|decided) on (?:an?|the|\w+ing)\b",
    # `Resolved, Ann Lee is appointed as …`
    r"(?:(?:be it |now,? therefore,? be it )?(?:further )?)resolved, (?-i:[A-Z]\w*)(?: \w+){0,6} (?:is|are|be|shall)\b",
    rf"there (?:is|was|were|(?:seem|appear)(?:s|ed)? to be) (?:a |an )?{_SORT}?{_ACCORD}{_AMONG}{_CONTENT}",
    rf"{_WHO} (?:has|have|had|reached|came to|got) (?:a |an )?{_SORT}?{_ACCORD}{_AMONG}{_CONTENT}",
    rf"(?:{_SORT}|the )?{_ACCORD}{_AMONG}(?: (?:was|is|seems? to be|appears? to be|reached))?{_CONTENT}",
    rf"(?:the |this |that |all |both )?(?:[\w’'-]+ ){{0,5}}?{_PAPER}s?(?: (?:of|from|for|on|to) [^.;:!?\n]{{2,80}}?)? {_WAS}"
    rf" {_HOW}{_CARRIED}\b",
    r"(?:the )?(?:motion|resolution|vote|proposal|amendment)s? (?:to [^.;:!?\n]{2,120} )?"
    r"(?:carrie[sd]|passe[sd]|fail(?:s|ed)|is lost)\b(?! (?:at|in|on)\b)",
    rf"(?:unanimously |formally )?{_CARRIED}(?: unanimously| {_BY}| as (?:written|presented|proposed|amended)"
    rf"|,? with (?:no|one|\d) [^.\n]{{2,60}}|{_COUNT})?[.!]?\)?\Z",
    r"(?:(?:all|everyone|everybody) (?:agreed?|agrees|in favou?r)|unanimous(?:ly)?(?: (?:approved|agreed|consent))?)"
    r"[.!]?\)?\Z",
    r"(?:(?:unanimously )?(?:passed|carried|adopted|settled)|(?:all|everyone|everybody) in favou?r) ?[:–—] ?\S",
    r"the (?:chair|president|moderator)\w* (?:has |have )?(?:ruled|directed|determined) that\b",
    rf"(?:this|that|these|both) (?:was|were) (?:all |also )?{_CARRIED}[.!]?\Z",
    r"(?:minutes|agenda)\b[^.;:!?\n]{0,60} approved[.!]?\Z",
    r"(?:approved for|accepted (?:pep|rfc|proposal|#?\d)|(?:appointed|elected) (?-i:[A-Z])[\w.]+ [^.]{0,60}\b(?:as|to)\b)",
    rf"(?-i:[A-Z][\w.]+(?:, [A-Z][\w.]+){{0,4}},? and [A-Z][\w.]+) (?:have |both )?(?:agreed|decided){_TO}",
    r"no (?:one )?objections? (?:were |was )?(?:raised )?(?:to|against) (?:\w+ing|adding|the)\b",
    r"we(?:['’]ll| will|['’]re| are|['’]re going to| are going to) "
    r"(?:go(?:ing)? (?:ahead |forward )?with|stick(?:ing)? (?:with|to)|proceed(?:ing)? with) \S",
)  # fmt: skip
_GERMAN: Final = (
    rf"(?:es )?(?:wird|wurde|ist)\b[^.!?\n]{{0,60}}? {any_of('beschlossen, vereinbart, entschieden, festgelegt')}\b",
    r"(?:der|die|das|wir|alle)\b(?: [\w-]+){0,4}? "
    + any_of(
        """beschließ(?:t|en), beschloss(?:en)?, einig(?:en|ten?|t) sich, entscheide[nt], entschied(?:en)?, vereinbar(?:t|en),
        genehmig(?:en|ten?|t)"""
    )
    + r"\b",
    r"(?:der|die|das|wir|alle)\b(?: [\w-]+){0,4}? (?:hat|haben)\b[^.!?\n]{0,120}? "
    rf"{any_of('beschlossen, entschieden, vereinbart, geeinigt, genehmigt')}\b",
    r"(?:der|die|das) (?:[\w-]+ )?(?:antrag|beschluss|vorschlag|protokoll|haushalt)\b[^.!?\n]{0,40}? "
    rf"{any_of('angenommen, abgelehnt, genehmigt, verabschiedet')}\b",
    rf"(?:einstimmig|mehrheitlich) {any_of('angenommen, beschlossen, abgelehnt, genehmigt')}\b",
)
_ROMANCE: Final = (
    # Spanish, Portuguese
    rf"se {any_of('acordó, decidió, resolvió, aprobó, acuerda, decide, resuelve, aprueba, ha (?:acordado|decidido|aprobado)')}\b",
    r"se concluy(?:ó|e) que\b",
    r"(?:el|la|los|las)(?: \w+){1,5}? "
    rf"{any_of('acordó, acordaron, decidió, decidieron, resolvió, aprobó, aprobaron, acuerda, resuelve')}\b",
    r"(?:hemos|han) (?:acordado|decidido|aprobado|resuelto)\b",
    r"(?:ficou|foi) (?:\w+ )?(?:decidid|acordad|aprovad|resolvid|definid)[oa]\b|(?:decidiu|aprovou|acordou|resolveu)-se\b",
    rf"[oa]s?(?: \w+){{1,5}}? {any_of('decidiu, decidiram, aprovou, aprovaram, deliberou, resolveu')}\b",
    # Italian, French
    r"(?:si (?:decide|è deciso|è stabilito|delibera|approva)|è stat[oa] (?:deciso|decisa|approvat[oa]|stabilito))\b",
    r"(?:(?:il|la|lo|i|gli) |l['’])\w+(?: \w+){0,4}? "
    rf"{any_of('delibera, approva, decide, ha (?:deciso|approvato|deliberato)')}\b",
    r"il (?:a été|est|fut) (?:décidé|convenu|résolu|arrêté)\b",
    r"(?:(?:le|la|les) |l['’])[\w’'-]+(?: [\w’'-]+){0,4}? "
    rf"{any_of('décide(?:nt)?, adopte(?:nt)?, approuve(?:nt)?, (?:a|ont) (?:décidé|adopté|approuvé|convenu|voté)')}\b",
    r"(?:(?:le|la|les) |l['’])[\w’'-]+(?: [\w’'-]+){0,4}? vote(?:nt)? à l['’]unanimité\b",
    rf"(?:(?:le|la|les) |l['’])[\w’'-]+(?: [\w’'-]+){{0,6}}? (?:est|sont|a été|ont été) "
    rf"{any_of('(?:approuv|adopt|élu|valid|accept|rejet)[ée]?e?s?')}\b(?= (?:à|par|avec|sans) |[.!]?\Z)",
    rf"(?:nous|on) (?:(?:a|ont|avons) )?{any_of('décidé, décidons, décide, convenu, convenons, adopté, adoptons')}\b",
)
_DUTCH: Final = (
    rf"er (?:is|werd|wordt)\b[^.!?\n]{{0,40}}? {any_of('besloten, afgesproken, overeengekomen')}\b",
    r"(?:het|de|we|wij)(?: [\w-]+){0,4}? "
    r"(?:besluit(?:en)?|besloot|besloten|spreken af|(?:heeft|hebben)\b[^.!?\n]{0,80}? (?:besloten|afgesproken))\b",
)


@cache
def decides() -> re.Pattern[str]:
    """How a decision is reported; compiled when the first is looked for, since it takes a tenth of a second."""
    return re.compile(rf"{_LEAD}(?:{'|'.join((*_ENGLISH, *_GERMAN, *_ROMANCE, *_DUTCH))})", re.I)


# No sentence without one of these reports anything: in lower case, anywhere in it.
MENTIONS: Final = tuple(
    stem.strip()
    for stem in """agree, decid, decis, resolv, resolu, conclud, consensus, concensus, consencus, concencus, accord, voted, votes,
    carrie, passe, approv, adopt, accept, ratif, endors, reject, declin, appoint, elect, objection, go with, going with,
    go ahead with, going ahead with, go forward with, going forward with, stick, proceed, chose, determined, opted, settled, fail,
    lost, beschl, verein, entsch, einig, genehm, angenommen, abgelehnt, acord, acuerd, resuelv, aprob, aprueb, aprov, definid,
    deliber, concluy, unanim, stabilit, élu, validé, rejeté, adopté, décid, conven, approuv, beslo, beslu, afgesproken,
    favour:, favor:, favour –, ruled that, directed that""".split(",")
)
# What was decided elsewhere or before is news.
_OTHER: Final = any_of("other, another, their, his, her, its own, neighbou?ring, rival")
_BODIES: Final = any_of("club, committee, board, council, team, group, wg, project, compan, communit, meeting")
_THEM: Final = rf"{_OTHER}(?: \w+){{0,2}} {_BODIES}"
_LAST: Final = any_of("last, previous, prior, earlier, past, preceding")
_TIME: Final = any_of("week, month, year, time, meeting, call, session, quarter, spring, summer, fall, autumn, winter")
_BEFORE: Final = any_of(
    "previously, already, recently, earlier, originally, historically, once, long ago, yesterday, back in, used to"
)
NOT_THIS_MEETING: Final = re.compile(
    rf"\b{_THEM}|\b(?:at|in|during|from|since) (?:the |our |a |an )?{_LAST}\b|\b(?:last|previous|prior) {_TIME}\b|\b{_BEFORE}\b"
    r"|\b(?:years?|months?|weeks?|days) ago\b|\A\W*(?:in|since) (?:\w+ )?(?:19|20)\d\d\b|\bhad (?:agreed|decided|voted)\b"
    r"|\b(?:agreed|decided|voted|resolved|approved|adopted) (?:on |in |during )?(?:\w+ )?(?:19|20)\d\d\b"
    r"|\b(?:letztes|voriges|vergangenes) \w+|\b(?:bereits|früher|damals|gestern)\b|\bya (?:se )?había\b|\bdéjà\b"
    r"|\bl['’]anno scorso\b|\b(?:año|semana|mes|reunión) (?:pasad[oa]|anterior)\b|\b(?:année|semaine|mois) (?:dernière?"
    r"|passée?)\b"
    r"|\b(?:vorige?|afgelopen) \w+|\bno ano passado\b",
    re.I,
)
# What leaves it open: denials, conditions, doubts, and what was merely put forward.
_UNSURE: Final = any_of(
    r"""if, whether, unless, should we, would have, could be, might, may have, perhaps, maybe, not yet, yet to,
    still (?:needs?|have|to be), has to be, have to (?:be|agree|decide), must be, once, pending,
    tentative(?:ly)?, cannot, never, nobody, suggest(?:s|ed|ing)?, propos(?:e|es|ed|ing), recommends?, wondered, asked, hopes?,
    wish, plans? to (?:vote|decide), (?:i|we) (?:don['’]t )?(?:think|guess|believe|thought|hear),
    nicht, ob, falls, wenn, vorgeschlagen, si se, propuso, proposé, propôs, proposto, voorgesteld, noch offen,
    sollten?, könnten?, würden?, hätten?, deber[ií]a\w*, podr[ií]a\w*, devrait, devraient, devrions, deveria\w*,
    dovre\w*, zou(?:den)?"""
)
_DECIDED: Final = any_of("agreed, decided, resolved, approved, confirmed, determined, discussed")
_LACK: Final = any_of(
    """no, without, lack of, needs?, seek(?:ing)?, build(?:ing)?, reach(?:ing)?, towards?, find(?:ing)?, calls? for,
    ask(?:ing)? for, lazy, any"""
)
LEFT_OPEN: Final = re.compile(
    rf"\A\W*had (?:i|we|they|it|the)\b|\b{_UNSURE}\b|\b(?:to|will) be {_DECIDED}\b|\bwill (?:vote|decide|discuss)\b"
    rf"|\b{_LACK} (?:\w+ )?consensus\b"
    r"|\bno (?:formal |final )?(?:decision|agreement|conclusion)\b"
    r"|\b(?:did|do|does|was|were|has|have|had|could|can|is|are)(?:n['’]t| not)(?: been| be| yet)? "
    r"(?:agree|decide|resolve|vote|approve|reach|accept|adopt|conclude)",
    re.I,
)
