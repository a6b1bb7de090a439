"""Whether what a text labels a decision stands: what says that nothing was settled yet, and what says that it was taken back.

Both are closed classes of words in each language (English, German, Spanish, French, Portuguese, Italian, Dutch, Chinese,
Japanese, Korean), and forms in which they stand: as the words themselves, in brackets or after a dash behind them, on the next
line.
"""

import re
from typing import Final

# How words begin that leave open what their label names.
_OPEN_STATES: Final = (
    r"(?:it |this |that |decision )?(?:is |was |remains |stays |still |yet |currently |to be ){0,3}"
    r"(?:tb[dac]|pending|undecided|undetermined|unresolved|deferred|delayed|postponed|tabled|adjourned|parked|stalled|deadlocked"
    r"|inconclusive|on hold|on ice|held over|carried over|up in the air|(?:under|in|for) (?:review|discussion|consideration"
    r"|debate)"
    r"|not (?:yet )?(?:been )?(?:decided|agreed|reached|resolved|final|settled|made|taken|known|determined))",
    r"(?:(?:is |was |remains |stays )?still|remains|stays|bleibt|noch|weiterhin|sigue|queda|reste|encore|ainda|ancora|nog) "
    r"(?:open|offen|abiert[oa]|ouverte?|abert[oa]|apert[oa])|(?:open|offen|abiert[oa]|ouverte?|abert[oa]|apert[oa])(?=\W*\Z)",
    r"(?:to|(?:will|shall|can) be (?=decided|made|taken|agreed|determined)) ?(?:follow|come|(?:be )?(?:made|taken|decided"
    r"|determined|discussed|confirmed|defined|announced|agreed))|see (?:next|later|follow)",
    r"awaiting|waiting (?:for|on)|no (?:\w+ )?(?:decision|agreement|consensus|resolution|conclusion|majority|quorum)"
    r"(?: (?:was|has been|were|could be))?",
    r"none (?:needed|required|necessary|made|taken|reached|recorded|at|so|for|yet|this|today)|nothing (?:decided|agreed|yet|new)",
    r"(?:we|i|they|the (?:board|team|group|committee|council)) (?:will|shall|still have to|have yet to|has yet to) "
    r"(?:decide|make (?:a|the) decision|choose (?:later|next|at|after)|(?:come back to|revisit) (?:this|it))",
    r"(?:we['’]ll|i['’]ll) (?:decide|see|choose (?:later|next|at|after))",
    r"(?:noch |weiter(?:hin)? |vorerst |bleibt )?(?:ausstehend|vertagt|verschoben|zurückgestellt|unentschieden|ungeklärt"
    r"|(?:steht |stehen )?(?:noch )?aus|keine?[rs]?(?: (?:entscheidung|einigung|beschluss|konsens))?|nicht entschieden"
    r"|(?:noch )?nicht (?:gefallen|getroffen|entschieden|gefasst)|folgt|in klärung)|(?:wird|werden) (?:\w+ ){0,4}"
    r"(?:getroffen|gefällt|entschieden|gefasst|vertagt)",
    r"(?:aún |todavía |queda |sigue )?(?:pendiente|aplazad[oa]|pospuest[oa]|ningun[oa]|sin (?:decidir|decisión|acuerdo|definir)"
    r"|por (?:decidir|definir|tomar|confirmar)|en (?:espera|estudio|discusión))"
    r"|(?:aún|todavía) no (?:se )?(?:ha )?\w+"
    r"|se (?:decidirá|tomará)",
    r"(?:encore |reste )?(?:en (?:attente|discussion|suspens)|à (?:décider|prendre|définir|confirmer|discuter|venir|suivre)"
    r"|reportée?"
    r"|ajournée?|différée?|suspendue?|aucune?|pas (?:encore )?(?:de décision|décidée?|prise?))|sera (?:prise|décidée?)",
    r"(?:ainda )?(?:pendente|adiad[oa]|nenhuma?|(?:por|a) (?:decidir|definir|tomar|confirmar)|em (?:aberto|discussão|análise"
    r"|espera)"
    r"|não (?:foi )?(?:decidid|tomad|definid)[oa])|será (?:decidid|tomad)[oa]",
    r"(?:ancora )?(?:in (?:sospeso|discussione|attesa)|(?:rinviat|rimandat|sospes)[oa]|nessun[oa]?"
    r"|da (?:decidere|definire|prendere|confermare)|non (?:ancora )?(?:decis|pres)[oa])",
    r"(?:nog )?(?:uitgesteld|aangehouden|onbeslist|niet (?:besloten|genomen)|geen(?: besluit)?|te (?:bepalen|beslissen"
    r"|nemen))|volgt",
    r"未定|待定|待议|待議|未决|未決|暂缓|無|无|なし|保留|検討中|見送り|継続審議|미정|보류|추후",
)
# What may follow, so that the words are no more than that: their end, a remark, a time or a condition.
_ONLY_THAT: Final = (
    r"(?:\Z|[ ]?[.,;:!。、()—–-]|[ ](?:yet|until|till|til|to|for|by|next|at|on|pending|after|while|as|since|because|in"
    r"|was|made|taken|reached|agreed|found|approval|review|confirmation|feedback|input|further|more|later|soon|this|today|so"
    r"|meeting|below|week|between"
    r"|bis|auf|noch|nächste\w*|por|para|hasta|jusqu\w*|à|au|en|el|la|le|op|tot|naar|al|alla|a)\b)"
)
# The same where nothing but a remark follows: `not yet, we wait for Ann`, `later`.
_NOT_NOW: Final = re.compile(
    r"\A(?:(?:not|none|nothing|no)(?: (?:yet|so far|now|for now|as yet|at present))|yet to be (?:made|taken|decided)"
    r"|later(?: on)?|soon"
    r"|open until [^.,;]{1,30}|(?:to be )?(?:made|taken|decided) (?:later|next time)"
    r"|noch (?:nicht|keine[rs]?)|bisher (?:nicht|keine[rs]?)|(?:erst )?später|demnächst"
    r"|(?:aún|todavía) (?:no|nada|ninguna)|por ahora (?:no|nada|ninguna)|más (?:tarde|adelante)|próximamente"
    r"|pas encore|(?:rien|aucune?) (?:encore|pour (?:l['’]instant|le moment))|plus tard|prochainement"
    r"|ainda (?:não|nada|nenhuma)|por enquanto (?:não|nada|nenhuma)|mais tarde|em breve"
    r"|non ancora|ancora (?:no|niente|nessuna)|più (?:tardi|avanti)|per ora (?:no|niente|nessuna)|prossimamente"
    r"|nog (?:niet|geen)|later|binnenkort|voorlopig (?:niet|geen)"
    r"|まだ|後日|次回|尚未|以后|下次(?:再议)?|稍后|아직|나중에|다음에)[ ]*(?:\Z|[.,;:!…。、，(–—-])",
    re.I,
)
# When it is to be decided, and no more.
_ONLY_WHEN: Final = re.compile(
    r"\A(?:(?:at|in|on|after|until) (?:the )?)?(?:(?:next|coming|following) (?:week|month|year|meeting|call|time|session)"
    r"|tomorrow"
    r"|(?:in |auf )?(?:der |die |das )?(?:nächste[nrms]?|kommende[nrms]?) (?:woche|sitzung|mal|treffen|monat|jahr)|morgen"
    r"|(?:en |para )?(?:la |el )?próxim[oa] (?:semana|reunión|mes|vez)|mañana|(?:à |lors de )?(?:la )?(?:prochaine"
    r"|semaine prochaine)"
    r"(?: (?:réunion|fois|séance))?|demain|(?:na |para a )?próxima (?:reunião|semana|vez)|amanhã|(?:alla |nella )?prossima"
    r" (?:riunione|settimana|volta)|domani|(?:bij |op )?(?:de )?volgende (?:vergadering|week|keer)|morgen)\W*\Z",
    re.I,
)
_LEFT_OPEN: Final = re.compile(rf"\A(?:{'|'.join(_OPEN_STATES)}){_ONLY_THAT}", re.I)
# Anywhere in a short text: `the vote was inconclusive`, `Ann and Bo still disagree`, `we need more data before we can choose`.
_CAME_TO_NOTHING: Final = re.compile(
    r"\b(?:could(?: not|n['’]t)|did(?: not|n['’]t)|cannot|can['’]t|failed to|unable to|(?:were|was|are|is) not able to)"
    r"(?: yet| really| quite)? (?:decide|agree|reach|conclude|settle|come to)\b(?!.*\b(?:so|but|therefore|instead|hence)\b)"
    r"|\b(?:konnten|haben) (?:uns |wir )?(?:\w+ )?nicht (?:einigen|entscheiden|geeinigt|entschieden)\b"
    r"|\b(?:vote|ballot|poll|motion|discussion)s? (?:(?:was|were|is|are|ended|remained|came out) )?(?:inconclusive|tied"
    r"|split|failed)\b"
    r"|\bstill (?:disagree|undecided|open|split|debat|discuss|unclear)|\b(?:nothing|none) (?:\w+ )?(?:was |is |has been )?"
    r"(?:adopted|decided|agreed|settled|resolved)\b|\bno (?:consensus|agreement|majority|decision) (?:\w+ ){0,2}(?:reached|found"
    r"|made|taken)\b"
    r"|\bneeds? (?:more|further) [\w ]{2,40}\b(?:before|to) (?:we |they |you )?(?:can )?(?:decide|choose|agree|settle|vote)\b"
    r"|\b(?:we|you)(?:['’]ll| will| shall) see\W*\Z|\bremains? to be seen\b",
    re.I | re.S,
)
_NO_SENTENCES: Final = re.compile(r"(?:no|none|nothing) ", re.I)
_MORE: Final = re.compile(r"[.!?]\s+\S")
MAX_NOTHING: Final = 60
MAX_TALK: Final = 300


def leaves_open(words: str, *, under_heading: bool = False) -> bool:
    """Whether words labelled as a decision say that none was taken. Under a heading `No consensus on the full change. The smaller
    one is agreed.` concludes something, `No consensus was reached.` does not."""
    if len(words) > MAX_TALK:
        return False
    if not under_heading:
        left = (_LEFT_OPEN, _NOT_NOW, _ONLY_WHEN, _CAME_TO_NOTHING)
        return any(pattern.search(words) for pattern in left)
    denies = _NO_SENTENCES.match(words) is not None
    if denies and _MORE.search(words):
        return False
    return _CAME_TO_NOTHING.search(words) is not None or (
        (len(words) <= MAX_NOTHING and not denies and _LEFT_OPEN.search(words) is not None)
        or (denies and _NOTHING_THEN.match(words) is not None)
    )


# What a short text says that may have left it open: it was put off, is still talked or thought of, came to nothing. A person looks
# at it first, since `we ran out of time` decides nothing and `postpone the fair` does.
_PUT_OFF: Final = (
    r"\A(?:(?:was|were|is|are|be|been|to be|left|now|item|vote|decision|motion|this|it) )*"
    r"(?:postponed|deferred|tabled|adjourned|shelved|parked|put off|pushed (?:back|to)|carried over|held over"
    r"|moved to (?:the )?next"
    r"|left (?:to|for|open|until)|sent back|referred|returned to|handed back|skipped|dropped from|reopened"
    r"|revisit(?:ed)?\b(?! \w+ \w)"
    r"|back to|subject to (?:a|an|further|more|another|review|approval)\b|depends|up (?:to|for)\b|too (?:early|soon|close)"
    r"|split\b(?! \w)|tied|hung|contested|unclear|unsure|uncertain|unknown|not (?:ready|possible|quite|clear|sure|now|today"
    r"|made|taken|put|settled|concluded|formally))(?=\W*\Z|[,;:.!(–—-]| (?:to|until|till|for|by|at|in|on|of|from|over"
    r"|pending|again|and"
    r"|as|because|since|sine|further|more|indefinitely|once|without|so|short|tie|vote|down|between)\b)",
    r"\b(?:remains?|needs?|requires?|wants?|pending|after|until|for|with) (?:to be (?:decided|discussed|seen|clarified|checked)"
    r"|(?:more|further|another|additional) \w+)",
    r"\b(?:later|next (?:time|week|month|meeting|session|call|round|board|year)|another (?:time|day|meeting|round)|sometime"
    r"|some day)\W*\Z",
    r"\b(?:wait and see|on the (?:fence|agenda|list)|in limbo|drawing board|to be continued|sine die|sleep on it"
    r"|jury is (?:still )?out)\b",
    r"\blet(?:['’]s| us) (?:think|talk|see|discuss|wait|meet|come back|keep (?:talking|thinking|looking)|look into"
    r"|have another)\b",
    r"\b(?:ran|run|running) out of time\b|\b(?:did(?: not|n['’]t)|never|could(?: not|n['’]t)|was(?: not|n['’]t)|were(?: not"
    r"|n['’]t))"
    r" (?:\w+ )?(?:get to|got to|reach|reached|come|come to|happen|take place|make|made|taken|put to|quorate|settled|finish"
    r"|vote|raised)\b",
    r"\b(?:will|shall|wants? to|is to|has to|have to|must|would like to|going to) (?:\w+ )?(?:decide|think|choose later"
    r"|make up)\b",
    r"\b(?:no|without(?: an?)?|not an?|lack of) (?:\w+ )?(?:outcome|result|decision|agreement|consensus|conclusion|majority"
    r"|quorum|vote"
    r"|verdict|winner|second|clear \w+)(?=\W*\Z|[,;.:(–—-]| (?:yet|was|could|on|about|between|among|so|until|this|today|and"
    r"|but)\b)",
    r"\b(?:nobody|no one|none of (?:us|them)|neither (?:side|party))\b(?:[ ]\w+){0,4} (?:decide|commit|agree|choose|settle"
    r"|vote|know|sure|pick)",
    r"\b(?:opinions?|views?|votes?|members?|board|group|team|committee|room|we|they|both sides)\b (?:\w+ )?(?:diverge|differ"
    r"|disagree"
    r"|split|divided|tied|torn|undecided|unsure|argue)",
    r"\bnothing (?:was |is |has been )?(?:settled|decided|agreed|concluded|final)\b",
    # German
    r"\A(?:(?:die|der|das|wird|wurde|ist|entscheidung|beschluss|abstimmung|punkt|thema|antrag) )*(?:(?:auf|in|bis|am|im|an"
    r"|zum|zur|den|die"
    r"|das|der|noch|erst|ohne|vorerst|nächste\w*) |\w+ (?=\w+\W*\Z))*(?:vertagt|verschoben|zurückgestellt|aufgeschoben|ausgesetzt"
    r"|nachgereicht|vertagen|verschieben|offen ?gelassen)\b",
    r"\b(?:steht|stehen) (?:noch )?aus\b|\bohne (?:ergebnis|beschluss|einigung|entscheidung|mehrheit)\b|\bnicht beschlussfähig\b"
    r"|\Aentfällt\b|\b(?:unklar|strittig|umstritten|ergebnisoffen)\b|\bkeine[nrs]? (?:\w+ )?(?:einigung|mehrheit|ergebnis"
    r"|entscheidung"
    r"|beschluss|konsens)\b|\b(?:später|nächstes mal|weiter (?:beraten|diskutier\w+|prüfen)|erneut (?:beraten|besprechen)"
    r"|kommt wieder)\b",
    # Spanish, French, Portuguese, Italian, Dutch
    r"\bno (?:hubo|hay|se (?:logró|alcanzó|llegó|decidió|tomó))\b|\bsin (?:\w+ )?(?:acuerdo|consenso|decisión|mayoría"
    r"|resultado|resolver|quórum)\b|\b(?:queda|quedó) (?:para|pendiente|en|sin)"
    r"|\bmás (?:tarde|adelante)\b|\b(?:otra|próxima|siguiente) (?:reunión|vez|semana|sesión|junta)\b|\A(?:se )?(?:decidi|ver"
    r"|aplaz|pospon"
    r"|posterg|retom|difier)\w+(?! (?:el|la|los|las)\b)|\bnadie\b(?:[ ]\w+){0,4} (?:decid|compromet|vot|eleg|acord)",
    r"\A(?:pas|point|aucun\w*) d[e’']|\bsans (?:\w+ )?(?:objet|suite|accord|décision|majorité|consensus|résultat|quorum)\b"
    r"|\bon (?:en )?(?:reparle"
    r"|verra|revient|rediscute)|\bplus tard\b|\b(?:prochaine|autre) (?:fois|réunion|séance|semaine)\b|\Aà (?:revoir"
    r"|rediscuter|reprendre)"
    r"|\bpersonne\b(?:[ ]\w+){0,4} (?:décid|engag|vot|chois)",
    r"\A(?:fica|ficou|passa|passou) para\b|\bsem (?:\w+ )?(?:consenso|acordo|decisão|maioria|resultado|quórum)\b"
    r"|\b(?:mais tarde|próxima (?:vez"
    r"|reunião|semana|sessão))\b|\bvolta(?:r|remos)? a (?:falar|discutir)|\A(?:decide|ver)-se\b",
    r"\bse ne (?:ri)?parl|\bsenza (?:\w+ )?(?:accordo|esito|decisione|maggioranza|risultato)\b|\b(?:più tardi|alla prossima"
    r"|prossima (?:volta"
    r"|riunione|settimana))\b|\A(?:da|si) (?:rived|decider|vedr|riprend)\w+",
    r"\A(?:doorgeschoven|uitgesteld|aangehouden|verschoven|opgeschort)\b|\b(?:zonder|geen) (?:\w+ )?(?:besluit|resultaat"
    r"|meerderheid"
    r"|overeenstemming)\b|\b(?:volgende (?:keer|vergadering|week)|komt (?:later )?terug)\b",
)
_MAY_BE_OPEN: Final = re.compile("|".join(_PUT_OFF), re.I)
# `postpone the fair`, `wait for the inspector`: who is told to do something has decided it.
_TELLS_TO: Final = re.compile(
    r"(?:(?:we|the \w+) (?:will |shall )?)?(?:postpone|defer|adjourn|wait|revisit|discuss|review|reopen|leave|keep|stay|move"
    r"|ask|take|use"
    r"|do(?: not|n['’]t)?|have|hold|send|write|make|approve|accept|reject|adopt|buy|sell|stop|start|no)\b(?! (?:and see"
    r"|later|until|on it|it"
    r"|decision|consensus|agreement|outcome|result|majority|quorum|hubo|hay|se|vote (?:was|yet))\b)",
    re.I,
)


def may_leave_open(words: str) -> bool:
    """Whether short words labelled as a decision may say that none was taken."""
    return len(words) <= MAX_TALK // 3 and not _TELLS_TO.match(words) and _MAY_BE_OPEN.search(words) is not None


_NOTHING_THEN: Final = re.compile(r"(?:none|nothing)(?: \w+)? (?:this|today|yet|so far|at this)\b", re.I)

_GONE: Final = (
    "withdrawn|retracted|rescinded|revoked|rejected|declined|superseded|superceded|overturned|overruled|reversed|annulled"
    "|void(?:ed)?|cancell?ed|abandoned|scrapped|repealed|obsolete|deprecated|invalid(?:ated)?|outdated|moot|vetoed|reverted"
    "|undone"
    "|no longer (?:valid|current|true|applicable|relevant|needed|in force|applies|holds|stands)"
    "|(?:not|n['’]t) (?:valid|current|true|applicable|relevant|in force) (?:any ?more|any longer)"
    "|(?:does not|doesn['’]t) (?:apply|hold|stand) (?:any ?more|any longer)",
    "zurückgezogen|aufgehoben|widerrufen|abgelehnt|verworfen|ungültig|hinfällig|überholt|storniert|nicht mehr (?:gültig|aktuell)"
    "|gilt nicht mehr",
    "(?:anulad|retirad|revocad|rechazad|cancelad|descartad|derogad|obsolet)[oa]|ya no (?:vale|aplica|es válid[oa]|está vigente)",
    "(?:annul|retir|révoqu|rejet|abandonn|abrog|invalid)ée?|caduque?|obsolète|n['’]est plus (?:valable|valide|en vigueur)",
    "(?:revogad|rejeitad|retirad|cancelad|descartad|anulad)[oa]|(?:já não|não) (?:vale|é válid[oa])(?: mais)?",
    "(?:annullat|ritirat|revocat|respint|abbandonat|superat)[oa]|non (?:è )?più valid[oa]",
    "ingetrokken|herroepen|afgewezen|geannuleerd|vervallen|niet meer geldig|geldt niet meer",
    "作废|作廢|撤回|已撤销|废弃|取消|撤销|無効|철회|취소|폐기",
)
_WORD: Final = rf"(?P<word>{'|'.join(_GONE)})(?!\w)"
# `this was later withdrawn by the board`
_CLAUSE: Final = (
    r"(?:(?:update|edit|edited|status|note|nachtrag|nota|maj|correction)[ \t]?[:–-]?[ \t]*)?"
    r"(?:(?:now|it|this|that|the decision|decision|which|das|dies|dieser beschluss|esto|cela|isto|questo|dit)[ \t]+)?"
    r"(?:(?:is|was|were|has been|have been|got|ist|wurde|fue|ha sido|est|a été|foi|è stat[oa]|is|werd)[ \t]+)?"
    rf"(?:(?:now|since|later|then|again|already|inzwischen|meanwhile)[ \t]+){{0,2}}{_WORD}"
    r"(?!(?:[ \t]+\w+){0,3}[ \t]*:)(?=[ \t]*(?:\Z|[\n.,;!)\]—–-]|\d|(?:by|on|in|at|for|since|because|as|after|per|vom|am|von"
    r"|el|por|le|par"
    r"|em|il|da|op|door)\b))"
)
_BEHIND: Final = re.compile(rf"(?:[(\[]|[ \t][-–—]{{1,2}}[ \t]|[.;!,][ \t]+){_CLAUSE}[^\n]{{0,60}}\Z", re.I)
_NEXT_LINE: Final = re.compile(
    r"[ \t]*\n(?:[ \t]*\n)?[ \t>*_]*(?:[-+•][ \t]+)?[(\[*_]*(?:[A-ZÀ-Þ][\w.'’-]{0,30}:[ \t]+)?" + _CLAUSE, re.I
)
_WHOLE: Final = re.compile(rf"{_CLAUSE}[^\n]{{0,60}}\Z", re.I)


def taken_back(words: str) -> str:
    """The word at the end of a statement by which it was taken back: `use oak (withdrawn)`, `use oak -- rescinded in May`."""
    found = _BEHIND.search(words, max(0, len(words) - 200))
    return " ".join(found["word"].lower().split()) if found else ""


def taken_back_below(shadow: str, end: int) -> str:
    """The same where the line below the statement says so."""
    found = _NEXT_LINE.match(shadow, end, min(len(shadow), end + 400))
    return " ".join(found["word"].lower().split()) if found else ""


def says_taken_back(words: str) -> bool:
    """Whether words beside a label (`Decision (withdrawn): …`) say that what it labels holds no more."""
    return _WHOLE.match(words.strip()) is not None
