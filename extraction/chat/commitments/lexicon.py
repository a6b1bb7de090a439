"""How people ask, take, refuse and move duties in English, Spanish and German. Patterns run over text folded in place."""

import re


def phrase(*parts: str) -> re.Pattern[str]:
    """One alternation on word borders; each part in verbose form without spaces that count."""
    return over_folded(rf"(?<!\w)(?:{'|'.join(parts)})(?![\w'])")


def over_folded(pattern: str) -> re.Pattern[str]:
    """For text folded in place, where `ß` stands as it was written: `ss` is found in either spelling."""
    return re.compile(_DOUBLE_S.sub("(?:ss|ß)", pattern))


# `plss+` stretches a letter, `(?P<chess>` names a group.
_DOUBLE_S = re.compile(r"ss(?![+*?{]|\w*>)")
_WHOM = r"(?:him|her|them|you|u|ya|me|us|everyone|everybody|y'?all)"

# ── duties: what somebody does for somebody ──────────────────────────────────────────────────────────────────────────
TRANSPORT = phrase(
    r"pick(?:s|ed|ing)?[ -]?(?:ups?|them up|him up|her up|me up|us up|you up|u up)|pick(?:s|ing)? \w+ up|"
    r"pick(?:s|ing)? up|p/?u",
    rf"drop(?:s|ped|ping)?[ -]?offs?|drop(?:s|ping)? (?:{_WHOM}|\w+ off)|dropoffs?",
    r"(?:drive|drives|driving|drove|ferry|shuttle|collect|collecting|collects|fetch|fetching|fetches|scoop|scooping)",
    r"(?:ride|rides|lift|lifts|carpool|carpooling|(?:school|nursery|\w+) run(?! (?:out|into|away|off|late|"
    r"over|to|it|this|that|him|her|them)\b))",
    rf"(?:get|gets|getting|got|grab|grabs|grabbing|take|takes|taking|bring|brings|bringing|walk|walking|"
    rf"run|running) {_WHOM}",
    r"(?:on my way|omw|heading (?:over|out|there)|leaving now|on the way|nip(?:ping)? over|swing(?:ing)? by)",
    r"recog(?:er|e|es|emos|en|erl[aoe]s?|io|ido)|recojo|recogerl[aoe]s?|recoja[ns]?|recogeis",
    r"llev(?:ar|o|a|as|amos|an|arl[aoe]s?|al[aoe]s?|ais|e|es)|tra(?:er|igo|e|es|en|erl[aoe]s?)",
    r"(?:paso|pasa|pasas|pasar|pasan) por|busc(?:ar|o|as|arl[aoe]s?)|en camino|ya voy|voy saliendo|voy por|voy a por",
    r"(?:ab|hin|mit|vorbei)?(?:ge|zu)?(?:hol(?:e|st|t|en)?|bring(?:e|st|t|en)?|bracht|fahr(?:e|st|t|en)?|"
    r"fahrt|nehm(?:e|en)?|nimmst|nimmt|nimm)",
    r"abhol\w*|hinbring\w*|mitnehm\w*|(?:bin )?unterwegs|bring\w* vorbei|fahrdienst|los(?:fahren|gefahren)",
    r"recuper(?:e|ee?s?|er|es|ez|ons|erai|era)|emmen\w+|ramene\w*|amene\w*|depos(?:e|er|es|ez|ons|erai)|accompagn\w+|condui\w+|(?:all\w+|vais?|vas|viens?|vient|"
    r"viendra\w*|passe\w*|venir|aille)(?: \w+)? (?:chercher|prendre)|covoitur\w*|j'arrive|en route",
)
CARE = phrase(
    r"(?:babysit|babysits|babysitting|babysitter|sitter|nanny|look(?:ing)? after|childcare|(?:watch|mind|"
    r"sit)(?:ing)? (?:him|her|them|you|the (?:kids|boys|girls|baby|twins|little \w+)))",
    r"(?:sit|sitting|stay|staying) (?:with|w|for)",
    r"(?:stay|stays|staying|be|hang) (?:home |here )?with|keep (?:an eye on|him|her|them)|have (?:him|her|"
    r"them|the kids)|cover(?:s|ing|age)?(?: for)?",
    r"(?:ready|work|home) by|(?:be|someone) home (?:for|when)|bridge",
    r"cuid(?:ar|o|a|as|an|arl[aoe]s?|as?)|(?:quedarse|quedarme|quedarte|quedo|queda|quedas|quedan) con|"
    r"ninera|canguro|cubr(?:o|e|es|ir)",
    r"aufpass\w*|pass(?:e|t|st)? .{0,20}\bauf|betreu\w*|babysitt\w*|bleib(?:e|st|t|en)? (?:\w+ ){0,3}?bei|einspring\w*|"
    r"spring(?:e|st|t)? .{0,12}ein",
    r"gard(?:e|er|es|ez|erai)(?= (?!la voiture|le sac|un|une))|baby-?sit\w*|nounou|surveill\w+|rest(?:e|er|es|"
    r"erai) avec",
)
CHANGE = phrase(
    r"(?:cancel|cancels|cancelled|canceled|cancled|canceling|cancelling|called off|reschedul\w*|"
    r"postpon\w*|move|moved|moving|push(?:ed)?(?: back)?|bump(?:ed)?)",
    r"(?:swap|swapp\w*|switch|switched|switching|trade|instead|change|changed|changing|shift(?:ed)?|"
    r"earlier|later|running late|late|early release|early (?:dismissal|out)|out early|lets? out|delayed|half day)",
    r"(?:is|are|\w+'?s) off|no (?:practice|school|class|lesson|training|rehearsal|game)|cancellation|snow day",
    r"cancel(?:o|an|ado|ada|aron|ar|amos)|cambi(?:o|a|ar|ado|amos|aron|amos)|mueve|movieron|pas(?:a|o) al|"
    r"aplaz\w*|suspend\w*|adelant\w*|retras\w*|no hay (?:clase|entreno|entrenamiento|cole|escuela)|"
    r"salgo tarde|voy tarde|llego tarde",
    r"(?:fallt|faellt) .{0,24}aus|ausgefallen|entfallt|entfaellt|abgesagt|absag\w*|versch(?:oben|ieben|"
    r"iebt)|verleg(?:t|en)|tausch\w*|gestrichen|spater|frueher|fruher|verspat\w*|kein(?:e|"
    r"en)? (?:training|unterricht|schule|kita|probe)",
    r"annul\w+|report(?:e|ee|er|es)|decal(?:e|ee|er|es)|deplac\w+|avanc(?:e|ee)s? (?:a|au)|en retard|a la place|pas (?:de |"
    r"d')(?:cours|entrainement|ecole|classe)",
)
CALLED_OFF = phrase(
    r"cancel\w*|cancled|called off|(?:is|are|\w+'?s) off|no (?:practice|school|class|lesson|training|"
    r"rehearsal|game)|snow day",
    r"suspend\w*|no hay (?:clase|entreno|entrenamiento|cole|escuela)|fallt .{0,24}aus|ausgefallen|"
    r"entfallt|abgesagt|gestrichen",
    r"annul\w+|supprim\w+|pas (?:de |d')(?:cours|entrainement|ecole|classe)",
)
# The plain name of a duty that is spoken of.
TASKS = over_folded(
    r"(?P<pick_up>recuper|(?:chercher|prendre)$|pick|p/?u|get|got|grab|collect|fetch|scoop|recog|recoj|busc|pas\w* por|"
    r"voy|(?:ab)?(?:ge|zu)?hol)"
    r"|(?P<drop_off>depos|drop|hin|vorbei|dej)|(?P<take>emmen|ramen|amen|accompagn|condui|tak|driv|drov|ride|lift|run|walk|bring|carpool|llev|"
    r"tra[ei]|(?:mit)?(?:ge)?(?:fahr|bring|nehm|nimm))"
    r"|(?P<look_after>gard|watch|babysit|sit|look|mind|stay|keep|have|cuid|qued|aufpass|pass|betreu|bleib)|"
    r"(?P<cover>cover|bridge|cubr|einspring|spring)"
)
# ── who is to do it ──────────────────────────────────────────────────────────────────────────────────────────────────
WHO = phrase(
    r"who(?:'?s|se| is| are| can| could| will| wants| has| had|'?ll| wanna| gets| takes| picks| drives| does|'?d)?",
    r"any(?:one|body|1)|some(?:one|body|1)|one of us|which (?:one )?of (?:us|you)|whose turn",
    r"uno de (?:los dos|nosotros)|einer von (?:uns|euch)|quien(?:es)?|algui?en|a quien|cual de|wer|"
    r"jemand(?:en|em)?|jmd|irgendwer|irgendjemand|wem",
    r"(?<!moi )(?<!toi )(?<!lui )(?<!elle )qui (?:peut|pourrait|va|vient|recupere|emmene|ramene|garde|depose|s'occupe|"
    r"est (?:dispo|libre))|quelqu'un|l'un de (?:vous|nous)|l'une de (?:vous|nous)",
)
# `someone needs to …`, `one of us has to …`: a call for help whatever it is about.
SOMEBODY_MUST = phrase(
    r"(?:some(?:one|body)|any(?:one|body)|one of us|one of you|who)(?:'?s| is)? (?:needs?|has|have|gotta|"
    r"got|must|should|can|could|will|wants|able)"
    r"(?: to)?|(?:alguien|uno|quien) (?:tiene|tendria|debe|deberia|puede|podria)(?: que)?"
    r"|(?:jemand|einer|wer) (?:muss|musste|sollte|soll|kann|konnte|mag)|(?:muss|kann|konnte) (?:jemand|einer|wer)",
    r"quelqu'un (?:doit|peut|pourrait|devrait)|(?:il )?faut que quelqu'un|quelqu'un pour (?:gard|recuper|emmen|ramen|"
    r"depos|all)\w+",
)
# Somebody is in a fix: whoever answers that they come takes it on.
TROUBLE = phrase(
    r"locked out|lock(?:ed)? myself out|(?:i |he |she |they )?(?:forgot|left) (?:my|his|her|the|their|it)|stuck|"
    r"missed (?:the|my|his|her) (?:bus|train|ride)|"
    r"broke(?:n)? down|won'?t start|wont start|flat (?:tire|tyre)|dead battery|(?:is|was|are) cancelled|"
    r"ride (?:bailed|fell through)|"
    r"(?:has|have|got|with) (?:a )?(?:fever|temp|temperature|stomach ?ache)|threw up|throwing up|vomiting|"
    r"got sick|in sick bay|nurse(?:'s office)?|"
    r"overslept|running (?:late|behind|over)|held (?:up|over)|(?:bus|train|van|car) (?:is|was) (?:late|gone|"
    r"off)|no ride|wrong stop",
    r"(?:me|se le|se me) (?:olvido|quede|quedo)|olvid(?:e|o)|no arranca|tirad[oa]|clavad[oa]|atascad[oa]|"
    r"tiene fiebre|vomit\w+|me duele|le duele|"
    r"perdi (?:el|la)|se quedo sin|sin bateria|nos largaron|salimos antes|me torci",
    r"vergessen|ausgesperrt|schlussel (?:weg|vergessen|liegt)|bus (?:ist |is )?weg|verpasst|fallt aus|"
    r"steck\w* fest|stau|hat fieber|fieber|erbrochen|"
    r"springt nicht an|panne|verschlafen|zieht sich|komm\w* hier nicht weg|liegt flach|steht noch im",
    r"a (?:de la fievre|vomi)|(?:en panne|coince\w*|bloque\w*) (?:dans|a|au|sur)",
)
YOU_MUST = phrase(
    r"(?:you|u)(?:'?d| would|'?ll| will)? (?:have to|need to|gotta|must)|(?:tienes|tendras|tendrias|"
    r"teneis) que|(?:du|ihr) (?:musst|must|musstet)|(?:musst|mussten) (?:du|ihr)",
    r"(?:tu dois|vous devez|il faut que tu)",
)
# A child that waits: `where are you`, `venís?`.
CALLS_HOME = phrase(
    r"(?:ist|war) (?:jemand|wer|einer) (?:da|daheim|zuhause|zu hause)|is (?:anyone|anybody|"
    r"someone) (?:home|there)|hay alguien en casa",
    r"no(?:body|[ -]?one)(?:'?s| is) here|i'?m (?:done|outside|waiting)|we'?re (?:done|out)|(?:practice|"
    r"training|it'?s) (?:is )?over",
    r"no hay nadie|ya (?:he )?(?:sali|salido|acabe|acabado|termine|terminado)|(?:keiner|"
    r"niemand) (?:ist )?(?:da|hier)|bin fertig|ist aus",
    r"where (?:are|r) (?:you|u|y'?all)|(?:are|r) (?:you|u|y'?all)(?: guys| all| two)? (?:coming|"
    r"close|here|on your way)|"
    r"donde (?:estas|estais|estan)|ven[ei]s|vienes"
    r"|wo (?:bist du|bleibst du|seid ihr)|kommst du|kommt ihr|holt (?:mich|uns)|come get (?:me|us)",
)
# `what about Nan`: passes a call for help on to somebody.
WHAT_ABOUT = phrase(r"(?:what|how) about|maybe|ask|y si|que tal|y|und|wie war'?s mit|wie ware es mit|vielleicht|frag")
DID_YOU = phrase(
    r"(?:did|have|had) (?:you|u|ya)|(?:hast|habt) (?:du|ihr)|(?:has|habeis) \w+d[oa]|viste|sabes|"
    r"weisst du|do you (?:know|think|remember)|are you (?:kidding|serious)"
)
# `who's on pick-up`: asks for somebody without a verb of duty.
WHO_ON = phrase(
    r"who(?:'?s|se| is| are| has|'?ll be)? (?:on|got|doing|has|free|around|closer|closest|available|near|"
    r"nearest|up for|in charge|home|handling|able)",
    r"(?:kann|konnte|mag|will) (?:\w+ )?(?:einer|eine[rs]? von euch)",
    r"(?:can|could|would) (?:some|any)(?:one|body)|kann (?:wer|jemand|jmd|einer|mich wer)|puede alguien",
    r"(?:quien|alguien) (?:esta|anda|tiene|se encarga|puede|va|le toca|se queda)|a quien le toca|"
    r"wer (?:ist|hat|kann|macht|ware|waere|geht|ubernimmt|kommt|fahrt|hat zeit)",
)
NEED = phrase(
    r"(?:i |we )?(?:need|needs|gonna need) (?:a (?:ride|lift|sitter|pick ?up)|some(?:one|body)|help|you|"
    r"picking up|picked up|collecting|to (?:be|get) (?:picked|dropped|there|home))",
    r"(?:can'?t|cannot|can not|won'?t|not gonna|no way i|unable to|not going to) (?:make|be able|get|do|"
    r"pick|cover|take|drive)(?: it)?",
    r"no (?:puedo|podre|voy a poder) (?:ir|llegar|llevar|recoger|quedar|cuidar|pasar)\w*|"
    r"can'?t (?:come|do tomorrow|do today|make tomorrow)",
    r"kann (?:ich )?(?:heute |morgen |am \w+ )?(?:leider )?nicht (?:kommen|abholen|holen|bringen|aufpassen|hin)",
    r"(?:we |i )?need (?:cover|coverage|child ?care|pick ?ups?|drop ?offs?|backup|a hand|a driver|"
    r"eyes on)|am i (?:getting|being) \w+",
    r"(?:gonna|going to|will|'?ll|about to) (?:miss|be late|run late)|(?:steh|stehe|sitz|sitze) (?:seit|"
    r"im|in|auf|noch)",
    r"stuck (?:at|in|w|with|on)|(?:running|gonna be|going to be|going to run|i'?ll be) late",
    r"necesit(?:o|amos|a)|hace falta|no (?:llego|alcanzo|me da tiempo)|falta quien",
    r"brauch(?:e|en|t|st)?|schaff(?:e|s|en)?(?:'?s)?(?: es| das)?.{0,12}nicht|komm(?:e)? nicht|stecke? .{0,16}fest",
    r"(?:j'ai|on a|nous avons) besoin (?:de|d'|qu')\w*|(?:peux|pourrai|peut|pourra) pas (?:aller|venir|recuperer|"
    r"emmener|y|etre|passer)\w*",
)
YOU_ASK = phrase(
    r"(?:can|could|would|will|do|did|are|r|were|have) (?:you|u|ya|y'?all|yall)|(?:can|could|will|would|"
    r"does|did|is|has) (?!i\b)(?:someone|somebody|anyone|anybody|one of you)",
    r"(?:you|u) (?:get|got|pick|take|have|free|around|able|still|want|coming|ok|good|down|mind|wanna|"
    r"guys)\w*|still (?:good|ok|okay|on|able|coming|free|up) (?:to|for|with)?",
    r"(?:venis|vienes|podeis|llegais|estais|pasais|recogeis|llevais|traeis|vendrias|vendras)",
    r"(?:any chance|mind|are you|r u) |(?:tu|vos|du|you|u) [^,.!?]{0,24}\?",
    r"(?:me |nos |l[aoe]s? )?(?:puedes|puede|podrias|podria|podeis|pueden|podes|quieres|te importa|"
    r"tu puedes)|(?:vas|llevas|recoges|vienes|pasas|traes|tienes|haces|cuidas)(?: tu| vos)?|te toca",
    r"(?:kannst|konntest|koenntest|konnt|koennt|konnten|wurdest|wuerdest|magst|willst|holst|bringst|"
    r"nimmst|fahrst|faehrst|gehst|machst|passt|kommst|schaffst|hast|bist|springst) (?:du|ihr|sie)?",
    r"(?<!si )(?:tu|vous) (?:peux|pourrais|pouvez|pourriez|veux|voudrais|viens|passes|recuperes|emmenes|deposes|prends|gardes|"
    r"vas|accompagnes)|(?:peux|pourrais|pouvez|pourriez)[- ](?:tu|vous)|(?:ca )?t'embete|(?:tu es|t'es) (?:dispo|"
    r"libre)",
)
PLEASE = phrase(r"please|pls|plz|plss+|por ?favor|porfa|porfi|bitte|stp|svp|s'il (?:te|vous) plait")
MODAL_ME = phrase(
    r"(?:can|could|may|am|do|should) i|i (?:want|wanna|would like) to|is it ok|would it be ok|puedo|"
    r"podemos|me dejas|me das|kann ich|darf ich|konnte ich|durfen wir|can we|could we|shall we",
    r"je peux|puis-je|on peut|est-ce que (?:je peux|on peut)",
)
# ── what it is about ─────────────────────────────────────────────────────────────────────────────────────────────────
HER_HIM = phrase(
    r"him|her|them|he|she|they|hers|his|l[aoe]s?|el|ella|ell[ao]s|ihn|sie|ihm|ihr|er|ihnen|"
    r"recogerl[aoe]s?|llevarl[aoe]s?|traerl[aoe]s?|llevatel[aoe]s?|cuidarl[aoe]s?|llevál[aoe]s?",
    r"eux|lui|l'(?=ai|a\b|emmene|amene|accompagne|attends)",
)
YOU = phrase(
    r"you|u|ya|tu|vos|du|ihr|dich",
    r"toi|vous|t'\w+",
)
ME = phrase(
    r"me|my|i|us|mich|mir|ich|mi|yo|por mi|nos|m'",
    r"je|j'\w+|moi|nous",
)
PLACE = re.compile(
    r"(?:\bat|\bfrom|\bto|@|\bin|\ben|\bdel?|\ba la|\bal|\bim|\bin der|\baus der|\bvon der|\bvom|\bzur|"
    r"\bzum|\bbeim)\s+(?:the |la |el |los |las |der |dem |den )?"
    r"(?P<place>(?:[A-ZÄÖÜÁÉÍÓÚ][\w'’.-]+(?: (?:[A-ZÄÖÜÁÉÍÓÚ][\w'’.-]+|de|der|la))*?(?= |$|[.,;!?)]))"
    r"|(?:gym|pool|park|library|studio|field(?: \d+)?|rink|court|mall|station|airport|church|barn|dojo|"
    r"office|clinic|stop|daycare|school|kita|schule|cole|colegio|escuela|turnhalle|halle|schwimmbad|"
    r"bahnhof|sportplatz|parque|pabellon|cancha|biblioteca|plaza)\b)"
)
