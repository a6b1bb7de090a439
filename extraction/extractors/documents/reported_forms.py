"""How minutes report that something was decided: who, by which verb, and what takes it out again. Patterns for `reported.py`."""

import re
from typing import Final

# Who decides at a meeting.
_BODIES: Final = (
    r"(?:group|committee|sub-?committee|board|council|team|wg|working group|tsc|tc|tac|toc|tob|sc|pmc|gb|cpc|sig|chapter|meeting"
    r"|members?|attendees|participants|room|community|chairs?|editors|maintainers|trustees|assembly|club|directors|plenary|panel"
    r"|task ?force|commission|jury|senate|parents|staff|faculty|cabinet|crew|society|association|workshop|owners|residents|voters"
    r"|shareholders|officers|stewards|quorum|majority|everyone|everybody)"
)
_WHO: Final = (
    rf"(?:(?:the |our |this )?(?:[\w&’'-]+ ){{0,4}}?{_BODIES}(?: (?:members|present|on the call|in the room|as a whole))?"
    r"|the (?-i:[A-Z]{2,6})|we(?: all)?|all(?: (?:present|members|parties|attendees|were|of us))?|those present|both(?: sides| teams)?)"
)
_HOW: Final = (
    r"(?:(?:all|both|also|then|therefore|thus|so|unanimously|collectively|generally|informally|formally|finally|jointly|mutually"
    r"|eventually|ultimately|together|by (?:consensus|vote|a vote of [\w -]{1,20}|majority|acclamation)|in principle|has|have|had then"
    r"|is|are|were),? ){0,3}"
)
_SETTLED: Final = r"(?:agreed|decided|resolved|voted|concluded|determined|opted|elected|chose|consented|agrees?|decides?|resolves?|votes|concludes)"
_TAKEN: Final = (
    r"(?:approved|adopted|accepted|ratified|endorsed|rejected|declined|confirmed|appointed|elected|selected|passed|dismissed"
    r"|approves?|adopts?|accepts?|ratifies|endorses|rejects|declines|appoints|elects|selects|settled on|decided on|agreed on"
    r"|went with|chose)"
)
# `agreed to disagree`, `agreed to think about it`: what is not settled by it.
_TO: Final = (
    r"(?:,? (?:by consensus|unanimously|in principle|as a group|after (?:some |a |much )?(?:discussion|vote|debate)),?)?"
    r",? (?:(?:not )?to (?!(?:disagree|think|consider|look into|see\b|talk|try to (?:find|reach)|the\b|this\b|that\b|it\b|a\b))\w"
    r"|that\b|against \w+ing\b|(?:in favou?r of|(?<!voted )on) (?!this\b|that\b|it\b|most\b|many\b|how\b|what\b|which\b)\w)"
)
_ACCORD: Final = r"(?:con[sc]en[sc]us|agreement|accord)"
_KIND: Final = r"(?:(?:a |the |some )?(?:general|rough|broad|clear|strong|group|unanimous|full|overall|wide|final|common|team|meeting) )"
_CONTENT: Final = r"(?:,? (?:to (?!be (?:reached|found|sought)\b)\w|that \w|on \w+ing\b|for \w+ing\b|not to\b|around \w+ing\b)| ?[:–—-]+ ?\S)"
_PAPERS: Final = (
    r"(?:minutes|agenda|motion|resolution|proposal|budget|request|amendment|recommendation|application|nomination|charter|policy"
    r"|accounts|report|treasurer['’]s report|plan|schedule|change|item|bylaws|by-laws|draft)s?"
)
_BECAME: Final = (
    r"(?:approved|adopted|accepted|ratified|carried|passed|rejected|defeated|declined|agreed(?: to| upon)?|confirmed)"
)
_LEAD: Final = (
    r"(?:[*_\"“(•]*+(?:(?:after|following|based on|given|upon|due to|in|at|during|since|because of|as|for|with|on)\b[^.,;:!?\n]{2,120}+,"
    r"|(?:so|also|then|therefore|thus|hence|and|however|finally|in the end|in conclusion|overall|ultimately|instead|otherwise|here"
    r"|additionally|furthermore|moreover|as a result|again|next|meanwhile|nevertheless|subsequently|to conclude|in summary|result"
    r"|outcome|update|for now|at this point|now)\b,?:?) ){0,2}[*_\"“(•]*+"
)
_ENGLISH: Final = (
    rf"{_WHO},? {_HOW}{_SETTLED}{_TO}",
    rf"{_WHO},? {_HOW}(?:agreed|decided) (?:we|it|this|these|there|the|an?|no)\b(?! (?:other|following))",
    rf"{_WHO},? {_HOW}{_TAKEN} (?:the|an?|(?-i:[A-Z\"“`'\[#\d]))",
    rf"it (?:was|is|has been|['’]s) {_HOW}(?:agreed|decided|resolved|determined|concluded|settled|moved and (?:agreed|carried)){_TO}",
    rf"(?:agreed|decided|resolved|voted|opted){_TO}",
    r"(?:agreed|decided) on (?:an?|the|\w+ing)\b",
    rf"(?:there (?:is|was|seems? to be|appears? to be|were)|we (?:have|had|reached|came to|got)|(?:the )?(?:group|room|meeting|team|wg|committee)"
    rf" (?:has|had|reached|came to)) (?:a |an )?{_KIND}?{_ACCORD}(?: (?:among|in|within|of|from|by|at) [^.,;:\n]{{1,40}}?)?{_CONTENT}",
    rf"(?:{_KIND}|the )?{_ACCORD}(?: (?:in|of|among|from|within) (?:the |those )?[\w ]{{1,25}}?)?(?: (?:was|is|seems? to be|appears? to be|reached))?{_CONTENT}",
    rf"(?:the |this |that |all |both )?(?:[\w’'-]+ ){{0,5}}?{_PAPERS}(?: (?:of|from|for|on|to) [^.;:!?\n]{{2,80}}?)? (?:was|were|is|are|has been|have been|stands?)"
    rf" {_HOW}{_BECAME}\b",
    r"(?:the )?(?:motion|resolution|vote|proposal|amendment)s? (?:to [^.;:!?\n]{2,120} )?(?:carrie[sd]|passe[sd]|fail(?:s|ed)|is lost)\b(?! (?:at|in|on)\b)",
    r"(?:unanimously |formally )?(?:approved|adopted|accepted|ratified|rejected|declined|carried|passed)(?: unanimously| by (?:unanimous |general |lazy )?(?:consensus|consent|vote|acclamation|majority)| as (?:written|"
    r"presented|proposed|amended)|,? with (?:no|one|\d) [^.\n]{2,60}|,? \(?\d{1,3} ?[-–:/] ?\d{1,3}[^.\n%]{0,20})?[.!]?\)?\Z",
    r"no (?:one )?objections? (?:were |was )?(?:raised )?(?:to|against) (?:\w+ing|adding|the)\b",
    r"we(?:['’]ll| will|['’]re going to| are going to| decided to|['’]re| are) (?:go(?:ing)? (?:with|ahead with|forward with)|stick(?:ing)? (?:with|to)"
    r"|proceed(?:ing)? with) \S",
)  # fmt: skip
_OTHERS: Final = (
    # German
    r"(?:es )?(?:wird|wurde|ist)\b[^.!?\n]{0,60}? (?:beschlossen|vereinbart|entschieden|festgelegt)\b",
    r"(?:der|die|das|wir|alle)\b(?: [\w-]+){0,4}? (?:beschließ(?:t|en)|beschloss(?:en)?|einig(?:t|en|te|ten) sich|entscheide[nt]|entschied(?:en)?"
    r"|vereinbar(?:t|en)|genehmig(?:t|en|te|ten))\b",
    r"(?:der|die|das|wir|alle)\b(?: [\w-]+){0,4}? (?:hat|haben)\b[^.!?\n]{0,120}? (?:beschlossen|entschieden|vereinbart|geeinigt|genehmigt)\b",
    r"(?:der|die|das) (?:[\w-]+ )?(?:antrag|beschluss|vorschlag|protokoll|haushalt)\b[^.!?\n]{0,40}? (?:angenommen|abgelehnt|genehmigt|verabschiedet)\b",
    r"(?:einstimmig|mehrheitlich) (?:angenommen|beschlossen|abgelehnt|genehmigt)\b",
    # Spanish, Portuguese, Italian
    r"se (?:acordó|decidió|resolvió|aprobó|acuerda|decide|resuelve|aprueba|ha (?:acordado|decidido|aprobado))\b",
    r"(?:el|la|los|las)(?: \w+){1,5}? (?:acordó|acordaron|decidió|decidieron|resolvió|aprobó|aprobaron|acuerda|resuelve)\b",
    r"(?:ficou|foi) (?:\w+ )?(?:decidid|acordad|aprovad|resolvid|definid)[oa]\b|(?:decidiu|aprovou|acordou|resolveu)-se\b",
    r"[oa]s?(?: \w+){1,5}? (?:decidiu|decidiram|aprovou|aprovaram|deliberou|resolveu)\b",
    r"(?:si (?:decide|è deciso|è stabilito|delibera|approva)|è stat[oa] (?:deciso|decisa|approvat[oa]|stabilito))\b",
    r"(?:(?:il|la|lo|i|gli) |l['’])\w+(?: \w+){0,4}? (?:delibera|approva|decide|ha (?:deciso|approvato|deliberato))\b",
    # French, Dutch
    r"il (?:a été|est|fut) (?:décidé|convenu|résolu|arrêté)\b",
    r"(?:(?:le|la|les) |l['’])[\w’'-]+(?: [\w’'-]+){0,4}? (?:décide(?:nt)?|adopte(?:nt)?|approuve(?:nt)?|(?:a|ont|avons) (?:décidé|adopté|approuvé|convenu|voté))\b",
    r"(?:nous|on) (?:(?:a|ont|avons) )?(?:décidé|décidons|décide|convenu|convenons|adopté|adoptons)\b",
    r"er (?:is|werd|wordt)\b[^.!?\n]{0,40}? (?:besloten|afgesproken|overeengekomen)\b",
    r"(?:het|de|we|wij)(?: [\w-]+){0,4}? (?:besluit(?:en)?|besloot|besloten|spreken af|(?:heeft|hebben)\b[^.!?\n]{0,80}? (?:besloten|afgesproken))\b",
)  # fmt: skip
DECIDES: Final = re.compile(rf"{_LEAD}(?:{'|'.join((*_ENGLISH, *_OTHERS))})", re.I)
# Without one of these no sentence reports anything: most texts are left after one search.
MENTIONS: Final = re.compile(
    r"agree|decid|resol[vu]|conclud|consensus|accord|vote[ds]|carrie|passe|approv|adopt|accept|ratif|endors|reject|declin|appoint|elect"
    r"|objection|go(?:ing)? with|stick|proceed|chose|determined|opted|settled|beschl|beschloss|verein|entsch|einig|genehm|angenommen"
    r"|abgelehnt|acord|acuerd|resuelv|aprob|aprueb|aprov|definid|deliber|stabilit|décid|conven|adopt|approuv|beslo|besluit|afgesproken",
    re.I,
)
# What was decided elsewhere or before is news.
NOT_THIS_MEETING: Final = re.compile(
    r"\b(?:other|another|their|his|her|its own|neighbou?ring|rival)(?: \w+){0,2} (?:club|committee|board|council|team|group|wg|project|compan|communit|meeting)"
    r"|\b(?:at|in|during|from|since) (?:the |our |a |an )?(?:last|previous|prior|earlier|past|preceding)\b|\b(?:last|previous|prior) (?:week|month|year|time"
    r"|meeting|call|session|quarter|spring|summer|fall|autumn|winter)\b|\b(?:previously|already|recently|earlier|originally|historically|once|long ago)\b"
    r"|\bback in\b|\b(?:years?|months?|weeks?|days) ago\b|\byesterday\b|\A\W*(?:in|since) (?:\w+ )?(?:19|20)\d\d\b|\b(?:agreed|decided|voted|resolved|approved|adopted) (?:on |in |during )?(?:\w+ )?(?:19|20)\d\d\b|\bused to\b|\bhad (?:already )?(?:agreed|decided|voted|approved)\b"
    r"|\b(?:letztes|voriges|vergangenes) \w+|\b(?:bereits|früher|damals|gestern)\b|\b(?:el|la) (?:año|semana|mes|reunión) (?:pasad[oa]|anterior)\b|\bya (?:se )?había\b"
    r"|\b(?:l['’]an(?:née)?|la semaine|le mois) (?:dernière?|passée?)\b|\bdéjà\b|\b(?:vorig[e]?|afgelopen) \w+|\bno ano passado\b|\bl['’]anno scorso\b",
    re.I,
)
# What leaves it open: denials, conditions, doubts, and what was merely put forward.
LEFT_OPEN: Final = re.compile(
    r"\b(?:if|whether|unless|should we|would have|could be|might|may have|perhaps|maybe|not yet|yet to|still (?:need|have|to be)|needs? (?:to|more)|has to be"
    r"|have to (?:be|agree|decide)|must be|to be (?:agreed|decided|resolved|approved|confirmed|determined|discussed)|once|before (?:we|it)|pending|tentative\w*"
    r"|(?:no|without|lack of|needs?|need|seek(?:ing)?|build(?:ing)?|reach(?:ing)?|towards?|find(?:ing)?|calls? for|ask(?:ing)? for|lazy|any) (?:\w+ )?consensus"
    r"|no (?:formal |final )?(?:decision|agreement|conclusion)|(?:did|do|does|was|were|has|have|had|could|can|is|are)(?:n['’]t| not)(?: been| be| yet)? "
    r"(?:agree|decide|resolve|vote|approve|reach|accept|adopt|conclude)\w*|cannot|never|nobody|suggest\w*|propos(?:e|es|ed|ing)\b|recommends?|wondered|asked|(?:i|we) (?:don['’]t )?(?:think|guess|believe|thought|hear)"
    r"|hopes?|wants?|wish|plans? to (?:vote|decide)|will (?:vote|decide|discuss|be (?:decided|agreed|discussed|approved))"
    r"|nicht|ob|falls|wenn|vorgeschlagen|si se|propuso|proposé|propôs|proposto|voorgesteld|noch offen)\b",
    re.I,
)
