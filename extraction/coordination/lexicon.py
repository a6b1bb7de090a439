"""How people ask, take, refuse and move duties in English, Spanish and German. Patterns run over folded text (no accents)."""

import re


def _any(*parts: str) -> re.Pattern[str]:
    """One alternation on word borders; each part in verbose form without spaces that count."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(parts)})(?![\w'])")


_WHOM = r"(?:him|her|them|you|u|ya|me|us|everyone|everybody|y'?all)"

# ── duties: what somebody does for somebody ──────────────────────────────────────────────────────────────────────────
TRANSPORT = _any(
    r"pick(?:s|ed|ing)?[ -]?(?:up|them up|him up|her up|me up|us up|you up|u up)|pick(?:s|ing)? \w+ up|"
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
)
CARE = _any(
    r"(?:babysit|babysits|babysitting|babysitter|sitter|nanny|look(?:ing)? after|childcare|(?:watch|mind|"
    r"sit)(?:ing)? (?:him|her|them|you|the (?:kids|boys|girls|baby|twins|little \w+)))",
    r"(?:sit|sitting|stay|staying) (?:with|w|for)",
    r"(?:stay|stays|staying|be|hang) (?:home |here )?with|keep (?:an eye on|him|her|them)|have (?:him|her|"
    r"them|the kids)|cover(?:s|ing|age)?(?: for)?",
    r"(?:ready|work|home) by|(?:be|someone) home (?:for|when)|bridge",
    r"cuid(?:ar|o|a|as|an|arl[aoe]s?|as?)|(?:quedarse|quedarme|quedarte|quedo|queda|quedas|quedan) con|"
    r"ninera|canguro|cubr(?:o|e|es|ir)",
    r"aufpass\w*|pass(?:e|t|st)? .{0,20}\bauf|betreu\w*|babysitt\w*|bleib(?:e|st|t|en)? bei|einspring\w*|"
    r"spring(?:e|st|t)? .{0,12}ein",
)
CHANGE = _any(
    r"(?:cancel|cancels|cancelled|canceled|cancled|canceling|cancelling|called off|reschedul\w*|"
    r"postpon\w*|move|moved|moving|push(?:ed)?(?: back)?|bump(?:ed)?)",
    r"(?:swap|swapp\w*|switch|switched|switching|trade|instead|change|changed|changing|shift(?:ed)?|"
    r"earlier|later|running late|late|early release|early dismissal|delayed|half day)",
    r"(?:is|are|\w+'?s) off|no (?:practice|school|class|lesson|training|rehearsal|game)|cancellation|snow day",
    r"cancel(?:o|an|ado|ada|aron|ar|amos)|cambi(?:o|a|ar|ado|amos|aron|amos)|mueve|movieron|pas(?:a|o) al|"
    r"aplaz\w*|suspend\w*|adelant\w*|retras\w*|no hay (?:clase|entreno|entrenamiento|cole|escuela)|"
    r"salgo tarde|voy tarde|llego tarde",
    r"(?:fallt|faellt) .{0,24}aus|ausgefallen|entfallt|entfaellt|abgesagt|absag\w*|versch(?:oben|ieben|"
    r"iebt)|verleg(?:t|en)|tausch\w*|gestrichen|spater|frueher|fruher|verspat\w*|kein(?:e|"
    r"en)? (?:training|unterricht|schule|kita|probe)",
)
# ── who is to do it ──────────────────────────────────────────────────────────────────────────────────────────────────
WHO = _any(
    r"who(?:'?s|se| is| are| can| could| will| wants| has| had|'?ll| wanna| gets| takes| picks| drives| does|'?d)?",
    r"any(?:one|body|1)|some(?:one|body|1)|which (?:one )?of (?:us|you)|whose turn",
    r"quien(?:es)?|algui?en|a quien|cual de|wer|jemand(?:en|em)?|jmd|irgendwer|irgendjemand|wem",
)
# `who's on pick-up`: asks for somebody without a verb of duty.
WHO_ON = _any(
    r"who(?:'?s|se| is| are| has|'?ll be)? (?:on|got|doing|has|free|around|closer|closest|available|near|"
    r"nearest|up for|in charge|home|handling|able)",
    r"(?:quien|alguien) (?:esta|anda|tiene|se encarga|puede|va|le toca|se queda)|a quien le toca|"
    r"wer (?:ist|hat|kann|macht|ware|waere|geht|ubernimmt|kommt|fahrt|hat zeit)",
)
NEED = _any(
    r"(?:i |we )?(?:need|needs|gonna need) (?:a (?:ride|lift|sitter|pick ?up)|some(?:one|body)|help|you|"
    r"picking up|picked up|collecting|to (?:be|get) (?:picked|dropped|there|home))",
    r"(?:can'?t|cannot|can not|won'?t|not gonna|no way i|unable to|not going to) (?:make|be able|get|do|"
    r"pick|cover|take|drive)(?: it)?",
    r"stuck (?:at|in|w|with|on)|(?:running|gonna be|going to be|going to run|i'?ll be) late",
    r"necesit(?:o|amos|a)|hace falta|no (?:llego|alcanzo|me da tiempo)|falta quien",
    r"brauch(?:e|en|t|st)?|schaff(?:e|s|en)?(?:'?s)?(?: es| das)?.{0,12}nicht|komm(?:e)? nicht|stecke? .{0,16}fest",
)
YOU_ASK = _any(
    r"(?:can|could|would|will|do|did|are|r|were|have) (?:you|u|ya|y'?all|yall)|(?:can|could|will|would|"
    r"does|did|is|has) (?!i\b)(?:someone|somebody|anyone|anybody|one of you)",
    r"(?:you|u) (?:get|got|pick|take|have|free|around|able|still|want|coming|ok|good|down|mind|wanna|"
    r"guys)\w*|still (?:good|ok|okay|on|able|coming|free|up) (?:to|for|with)?",
    r"(?:please|pls|plz|plss+|por ?favor|porfa|porfi|bitte)|(?:any chance|mind|are you|r u) ",
    r"(?:me |nos |l[aoe]s? )?(?:puedes|puede|podrias|podria|podeis|pueden|podes|quieres|te importa|"
    r"tu puedes)|(?:vas|llevas|recoges|vienes|pasas|traes|tienes|haces|cuidas)(?: tu| vos)?|te toca",
    r"(?:kannst|konntest|koenntest|konnt|koennt|konnten|wurdest|wuerdest|magst|willst|holst|bringst|"
    r"nimmst|fahrst|faehrst|gehst|machst|passt|kommst|schaffst|hast|bist|springst) (?:du|ihr|sie)?",
)
MODAL_ME = _any(
    r"(?:can|could|may|am|do|should) i|i (?:want|wanna|would like) to|is it ok|would it be ok|puedo|"
    r"podemos|me dejas|me das|kann ich|darf ich|konnte ich|durfen wir|can we|could we|shall we"
)
# ── answers ──────────────────────────────────────────────────────────────────────────────────────────────────────────
YES = re.compile(
    r"(?:yes+|yeah+|yea|yep+|yup+|yess+|sure(?: thing)?|ok(?:ay|ie|ey)?|k+|of course|ofc|absolutely|"
    r"definitely|def|totally|no prob(?:lem)?s?|np|no worries"
    r"|bet|deal|done|copy(?: that)?|roger|got it|got (?:you|u|ya|him|her|them)|gotcha|on it|you got it|"
    r"will do|can do|sounds good|fine|that works|works for me|happy to|glad to|gladly"
    r"|cool|great|perfect|confirmed|noted|blocked|all good|i'?m (?:in|on it|free|good|there|down|"
    r"up for it)|count me in|aye|alright|(?:looks|sounds) (?:good|fine|great)|(?:that|it)(?:'?d|"
    r" would) be (?:great|lovely|amazing|perfect|good|nice)|please do|yes please"
    r"|(?:in|right|ya|ye|va|done|cool|me too)(?=\W*$)"
    r"|si+|sip|claro(?: que si)?|vale|dale|venga|trato(?: hecho)?|esta bien|va bien|me parece(?: bien)?|"
    r"seria genial|porfa|listo|hecho|de acuerdo|sin problema|por supuesto|perfecto|bueno|ok(?:a|i)|sale|"
    r"orale|descuida|genial|desde luego|cuenta con(?:migo)?|no te preocupes|faltaba mas"
    r"|ja+|jo|jep|jup|jawohl|klar(?: doch)?|gern(?:e)?|passt(?: schon)?|geht(?: klar)?|alles klar|"
    r"in ordnung|kein problem|kein ding|naturlich|logo|trato|das (?:war|ware|waere|wär) (?:super|toll|"
    r"lieb|nett|prima|ein traum)|ist gut|super gern(?:e)?|sehr gern(?:e)?|machen wir|ja besser|"
    r"mach(?: ich)?|abgemacht|einverstanden|genau|super|supi|okidoki|okay?|selbstverstandlich|"
    r"wird gemacht)"
    r"(?!\w)"
)
NO = _any(
    r"(?:no|nope|nah|naw|sorry|can'?t|cant|cannot|can not|couldn'?t|won'?t|not (?:me|today|this time|"
    r"possible|before|free|available|able|gonna)|unfortunately|wish i could|i wish|unable|"
    r"i don'?t (?:drive|see|think)|impossible)",
    r"(?:no (?:puedo|llego|me da|alcanzo|podre|voy a poder)|imposible|lo siento|yo no|me es imposible|"
    r"lastima|tengo (?:turno|guardia|junta|reunion|clase|cita|trabajo))",
    r"(?:nein|ne|nee|leider|kann (?:ich )?(?:leider )?nicht|geht (?:bei mir )?nicht|"
    r"schaff(?:e)?.{0,14}nicht|unmoglich|ich nicht|da hab(?:e)? ich|hab(?:e)? da|muss arbeiten)",
    r"(?:i have|i've got|i got|i'?m (?:at|in|on)) (?:a |the )?(?:meeting|work|shift|class|court|call|"
    r"appointment|parents'? evening|demo|surgery|duty|night shift|late shift)\w*",
)
# A line that takes it on, by itself or as an answer.
FIRST = _any(
    r"i(?:'?ll| will|'?m gonna|'?m going to|'?ma|mma| can| could| got| get|'?ve got| take| do| pick|"
    r" drive| bring| go| come| cover| stay| watch)",
    r"ill (?:get|go|grab|take|do|pick|drive|drop|bring|be|have|cover|scoop|swing|run|stay|watch|leave|"
    r"handle|sort|ask|come|meet|collect|fetch|head|send|call|make|text|book|pop|nip|walk|sit)",
    r"(?:i am|i'?m|im) (?:on it|getting|picking|taking|driving|dropping|bringing|covering|going|coming|"
    r"leaving|heading|free|here|there|around|closer|close|in|down|doing|watching|staying|near|nearby|five|"
    r"ten|\d+ min\w*)",
    r"(?:let me|lemme|my turn|both of us|we'?ll|we will|we can|on my way|omw|on it|got it|i got|"
    r"leaving now|already (?:left|on|there|here)|heading)",
    r"(?:me toca|me encargo|me ofrezco|me apunto|ya voy|voy|voy yo|vamos|lo hago|la hago|recojo|llevo|"
    r"traigo|paso|busco|cuido|me quedo|cubro|puedo|salgo|compro|ya estoy|estoy|corro|pido|ire|recogere|"
    r"llevare)",
    r"(?:mach ich|mache ich|ich (?:mach|ubernehm|hol|bring|fahr|nehm|komm|geh|pass|spring|bleib|kann|"
    r"hab sie|hab ihn)e?|ubernehm(?:e)?|uebernehme|hol(?:e)?|bring(?:e)?|fahr(?:e)?|nehm(?:e)?|komm(?:e)?|"
    r"geh(?:e)?|pass(?:e)? auf|spring(?:e)? ein|kummer(?:e)?|bleib(?:e)?|(?:geh|fahr|hol|nehm|mach|bring|"
    r"komm|kann|ubernehm|pass|spring|bleib|wurd|werd)e? ich|bin (?:da|gleich|in|schon|unterwegs|"
    r"auf dem weg)|besorg(?:e)?|kann ich|hab sie|hab ihn)",
)
EMOJI_TAKES = frozenset("👍🙋✋🫡💪👌🤝✅☑✔🚗🚙🏃")
EMOJI_ACK = frozenset("👍👌✅☑✔🫡🤝🙏❤💛👏😘😍🥰💙")
THANKS = re.compile(
    r"(?:thanks?(?: you+)?|thx|tysm|ty|tyty|thank u|cheers|ta|gracias|mil gracias|graciass*|"
    r"danke(?:schon)?|danke dir|merci|dankee*|lifesaver|you'?re (?:the best|a star|a saint)|you star|"
    r"love (?:you|u)|te amo|te quiero|legend|hero|bless you|appreciated)(?!\w)"
)
SAME = _any(
    r"same (?:time|place|day)|(?:a la )?misma hora|(?:zur )?(?:gleichen|selben) (?:zeit|uhrzeit)|"
    r"gleiche (?:zeit|uhrzeit)"
)
WILL_BE = _any(
    r"can (?:bring|take|pick|get|drive|drop|watch|do)|will (?:bring|take|pick|get|drive|drop|watch|do|be)|"
    r"'?s (?:bringing|taking|picking|getting|driving|dropping|watching|doing|on|got|going)|(?:is|"
    r"are) (?:bringing|taking|picking|getting|driving|dropping|watching|doing|on|going)",
    r"(?:brings|takes|picks|gets|drives|drops|watches|does|has|got|takes over|covers)",
    r"(?:l[aoe]s? )?(?:recoge|lleva|trae|busca|cuida|puede|pasa|va|tiene|se queda|recogera|llevara)(?:n)?|"
    r"(?:l[aoe]s )?(?:recoja|lleve|cuide|traiga|busque)",
    r"(?:holt|bringt|nimmt|fahrt|faehrt|passt|macht|ubernimmt|uebernimmt|kann|geht|kommt|bleibt|springt|abholt|hat)",
)
YOU_DO = _any(
    r"(?:you|u)(?:'?ve got|'?ll| have| got| get| do| take| pick| drive| bring| drop| cover|'?re (?:on|"
    r"getting|picking|taking|driving|doing))",
    r"tu (?:recoges|llevas|traes|vas|cuidas|te quedas|te encargas|pasas|haces)|te toca|(?:lleva|recoge|"
    r"trae|cuida)(?:l[aoe]s?|tel[aoe]s?)|llevatel[aoe]s?",
    r"du (?:holst|bringst|nimmst|fahrst|faehrst|machst|gehst|passt|ubernimmst)|(?:holst|bringst|nimmst|"
    r"fahrst|machst|gehst|passt|abholen|hinbringen) (?:musst )?du|nimmst du mit",
)
# `getting Noor then shopping`: who says it leaves "I am" out.
SUBJECTLESS = re.compile(
    r"(?:^|[,.;:]\s+|\b(?:ok|k|yes|yeah|sure|already|just|and)\s+)(?:getting|grabbing|picking|taking|"
    r"driving|dropping|bringing|collecting|fetching|heading|leaving|watching|covering|moving|booking)\b"
)
BEFORE_A_CHILD = re.compile(
    r"\b(get|gets|getting|got|grab|grabs|grabbing|take|takes|taking|bring|brings|bringing|run|walk|drop|"
    r"hol(?:e|st|t)?|nehm(?:e)?|nimmst|nimmt|recojo|llevo|traigo|bring(?:e|st|t)?)(?: the| a| up| off|"
    r" sie| den| die)? $"
)
CARE_OF_A_CHILD = re.compile(
    r"\b(have|has|keep|keeps|watch|watches|sit|stay|hab|habe|tengo|cuido)(?: the| a| with| on)? $"
)
# A question that offers: `shall I get her?`
OFFERS = _any(
    r"(?:shall|should|can|could) i (?:get|pick|grab|take|drive|bring|drop|watch|cover|help|do|come)|"
    r"(?:do you )?want me to|need me to|soll(?:en|te)? (?:ich|wir)|quieres que|queres que|puedo (?:ir|"
    r"llevar|recoger|pasar|traer)\w*"
)
# `I mean 12`, `no wait, Friday`: what stands before it is taken back.
CORRECTS = _any(
    r"i mean|i meant|no wait|wait no|scratch that|correction|quiero decir|quise decir|digo|perdon|"
    r"mejor dicho|ich mein(?:e|te)?|ne warte|nein warte|doch erst|quatsch|sorry,? i mean"
)
SAID_BEFORE = _any(
    r"(?:i|we) (?:told|said|already told|already said)|told you|like i said|as i said|"
    r"(?:ya )?te (?:lo )?dije|ya dije|hab(?:e)? (?:ich )?(?:dir|euch|doch|schon) .{0,20}gesagt|sagte ich"
)
NEXT_ONE = _any(
    r"(?:no,? )?(?:the )?(?:next|following)(?: one| week)?|(?:no,? )?(?:l[oa]|el|la) (?:proxim[oa]|"
    r"siguiente)|(?:nein,? )?(?:die |den |der )?nachste[nrs]?(?: woche)?"
)
PARENT = _any(
    r"mom|mum|mommy|mummy|mama|mami|ma|dad|daddy|papa|papi|pa|baba|tata|vati|mutti|your (?:mom|mum|dad|"
    r"father|mother)|tu (?:padre|madre|papa|mama)|(?:der|die|dein|deine) (?:papa|mama|vater|mutter)"
)
# Alone, or with hardly a word beside it, it is an answer; within a sentence it says nothing.
BARE_ME = _any(r"me|myself|mine|i|yo|ich|conmigo|a mi|wir|nosotros|both of us")
CONDITION = _any(
    r"if|unless|could|might|maybe|perhaps|podria|si (?:quieres|puedo|hace falta)|a lo mejor|quiza|quizas|"
    r"konnte|falls|wenn|vielleicht"
)

# ── what it is about ─────────────────────────────────────────────────────────────────────────────────────────────────
# English name of an activity: how it is said in the three languages. Nouns of everyday life, longest first.
ACTIVITIES: dict[str, str] = {
    "soccer": r"soccer|socer|football|futbol|fussball(?:training)?|fußball(?:training)?|futsal",
    "swimming": r"swim(?:ming|s)?(?: team| meet| practice| lessons?)?|schwimm\w*|natacion|piscina|seepferdchen",
    "ballet": r"ballet|balet|ballett\w*", "dance": r"danc(?:e|ing)|tanz\w*|danza|baile|tap|hip ?hop|flamenco",
    "piano": r"piano|klavier\w*", "guitar": r"guitar|guitarra|gitarre\w*", "violin": r"violin|geige\w*|cello|flute|flote|blockflote|flauta|trumpet|trompete|trompeta|drums|schlagzeug|"
    r"bateria|saxophone|clarinet",
    "chess": r"chess|schach\w*|ajedrez", "karate": r"karate|judo|taekwondo|tkd|jiu ?jitsu|bjj|aikido|martial arts|kickbox\w*|capoeira|fencing|fechten|"
    r"esgrima|boxing|boxen",
    "gymnastics": r"gymnastics|gym class|turn(?:en|training)|gimnasia|tumbling|trampolin\w*|cheer(?:leading)?|"
    r"kinderturnen|leichtathletik|atletismo|cross ?country|track",
    "hockey": r"(?:ice |field )?hockey|lacrosse|lax|rugby|handball|balonmano|wrestling|floorball|waterpolo|"
    r"eishockey|skating|patinaje|skate|skatepark",
    "basketball": r"basketball|bball|baloncesto|basquet\w*|hoops|basket", "baseball": r"baseball|softball|t-?ball|little league|beisbol|cricket",
    "volleyball": r"volley(?:ball)?|voleibol|voley", "tennis": r"tennis|tenis|padel|badminton|squash|ping ?pong|tischtennis",
    "climbing": r"climbing|kletter\w*|escalada|boulder\w*|sailing|vela|rowing|rudern|remo|golf|archery|surf\w*",
    "riding": r"riding|reiten|reitstunde|equitacion|horse ?(?:back)?|hipica",
    "choir": r"choir|chor(?:probe)?|coro|band|orchestra|orchester(?:probe)?|orquesta|music(?: lesson)?|musik\w*|"
    r"musica|jazz band",
    "theatre": r"drama|theat(?:er|re)(?:gruppe|-ag)?|teatro|rehearsal|(?:theater)?probe|ensayo|debate",
    "robotics": r"robotics|robotica|robotik|coding|programacion|lego (?:league|club)|science fair|math ?(?:club|"
    r"letes)|mathe-?ag",
    "art": r"art(?: class| club)?|kunst\w*|pottery|toepfern|topfern|ceramica|pintura|malen|dibujo",
    "scouts": r"(?:boy |girl |cub )?scouts?|pfadfinder\w*|brownies|guides", "tutoring": r"tutor(?:ing)?|nachhilfe\w*|refuerzo|clases? particulares?|kumon|homework club|speech|logopad\w*|"
    r"logopedia|logopeda",
    "dentist": r"dentist\w*|dentista|zahnarzt\w*|ortho\w*|ortodoncia|ortodoncista|kieferorthopad\w*|braces",
    "doctor": r"(?:doctor|doc|dr|pediatrician|peds|checkup|check-up|physio|allergist|eye (?:doctor|exam)|vaccin\w*|"
    r"shots)(?:'?s)?|kinderarzt\w*|arzt\w*|impf\w*|medico|pediatra|doctora|vacuna|oculista|augenarzt\w*|"
    r"therap\w*|terapia|ergo",
    "vet": r"vet|tierarzt|veterinari[oa]", "haircut": r"haircut|friseur\w*|peluqueri[ao]|hair appt",
    "daycare": r"day ?care|kita|kindergarten|preschool|kiga|krippe|guarderia|kinder|hort|after ?(?:school )?care|"
    r"aftercare|infantil|nursery|tagesmutter",
    "bus": r"(?:school )?bus|autobus|bus stop", "party": r"party|partys?|(?:kinder)?geburtstag\w*|birthday|bday|b-day|cumple(?:anos)?|fiesta|sleepover|"
    r"playdate|play date|ubernachtung|pijamada|invited|movie|cine|kino",
    "recital": r"recital|concert|konzert\w*|concierto|auffuhrung|ballettauffuhrung|vorspiel|audicion|festival|show|"
    r"performance|school play|funcion|schulfest|sommerfest|graduation",
    "conference": r"(?:parent[- ]?)?teacher conference\w*|parents'? evening|pta|elternabend|elternsprechtag|sprechtag|"
    r"tutoria|junta(?: de (?:la escuela|padres))?|reunion de padres|open (?:house|day)|info(?:abend|"
    r" night)|back to school night|elterngesprach",
    "camp": r"camp|ferienlager|campamento|field trip|klassenfahrt|ausflug|excursion|wandertag|class trip",
    "game": r"game|match|partido|spiel|turnier|tournament|torneo|scrimmage|meet|punktspiel|wettkampf",
    "practice": r"practice|practise|pratice|training|entreno|entrenamiento|entrene|lesson|class|clase|unterricht|kurs|"
    r"course|club|session|tryouts?",
    "exam": r"exam|test|examen|prufung|klassenarbeit",
    "appointment": r"appointment|appt|termin|cita|visit|meeting",
    "school": r"school|schule|cole|colegio|escuela|instituto|schulschluss|early release|early dismissal|pickup line",
}  # fmt: skip
ACTIVITY = re.compile(r"(?<!\w)(?:" + "|".join(f"(?P<{name}>{said})" for name, said in ACTIVITIES.items()) + r")(?!\w)")
# These name no particular thing when a more particular one stands beside them ("soccer practice", "ballet class").
VAGUE = frozenset({"practice", "game", "appointment", "school", "bus", "exam", "party", "recital"})

HER_HIM = _any(
    r"him|her|them|he|she|they|hers|his|l[aoe]s?|el|ella|ell[ao]s|ihn|sie|ihm|ihr|er|ihnen|"
    r"recogerl[aoe]s?|llevarl[aoe]s?|traerl[aoe]s?|llevatel[aoe]s?|cuidarl[aoe]s?|llevál[aoe]s?"
)
ME = _any(r"me|my|i|us|mich|mir|ich|mi|yo|por mi|nos|m'")
PLACE = re.compile(
    r"(?:\bat|\bfrom|\bto|@|\bin|\ben|\bdel?|\ba la|\bal|\bim|\bin der|\baus der|\bvon der|\bvom|\bzur|"
    r"\bzum|\bbeim)\s+(?:the |la |el |los |las |der |dem |den )?"
    r"(?P<place>(?:[A-ZÄÖÜÁÉÍÓÚ][\w'’.-]+(?: (?:[A-ZÄÖÜÁÉÍÓÚ][\w'’.-]+|de|der|la))*?(?= |$|[.,;!?)]))"
    r"|(?:gym|pool|park|library|studio|field(?: \d+)?|rink|court|mall|station|airport|church|barn|dojo|"
    r"office|clinic|stop|daycare|school|kita|schule|cole|colegio|escuela|turnhalle|halle|schwimmbad|"
    r"bahnhof|sportplatz|parque|pabellon|cancha|biblioteca|plaza)\b)"
)
CLAUSES = re.compile(r"[.;!?\n]+\s+|,\s+|\s+(?:and|but|then|und|aber|dann|y|e|pero|luego|so)\s+|\s[-–—]\s")
