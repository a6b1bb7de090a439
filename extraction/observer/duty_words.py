"""Words by which duties are asked for, taken on, passed on and refused. English, Spanish, German,
French; folded text."""

from typing import Final

from extraction.chat.commitments.lexicon import over_folded, phrase

# Somebody says that it is theirs to do, whatever verb tells it.
TAKES_ON: Final = phrase(
    r"^(?:i|we) (?:have|do|can|will|am)(?=\W*$|[.,!;])|i(?:'?d be| am|'?m) (?:delighted|happy|glad|thrilled)|"
    r"i don'?t mind(?=\W*$)|(?:got|have|having|doing|do|on|taking) (?:the |today'?s )?"
    r"(?:\w+ )?(?:run|pick[ -]?ups?|drop[ -]?offs?)|(?:is|are|'?s|be|stays?) (?:on |with )?(?:me|mine)|(?:is|are|"
    r"'?s) my (?:job|turn|shift|run|day|round)|"
    r"leave (?:it|that|this|him|her|them|(?:the )?\w+(?: \w+){0,3}) (?:to|with) me|my (?:turn|treat)(?=\W*$)|dibs|"
    r"(?:i'?m |im |i am )?(?:down|up|in|on|signed up) for|on (?:\w+ ){1,2}(?:duty|watch)|count on me|"
    r"(?:comes?|goes|rides?|travels?|stays?|walks?|coming|going|riding)(?: \w+){0,2} with me|"
    r"i'?ll be (?:outside|at|there|waiting|by|in front)|(?:popping|swinging|passing|dropping|nipping|pop|swing|nip|stop|"
    r"stopping) "
    r"(?:by|past|over|in|round)|(?:i )?(?:can|could|will|'?ll) nip|happy to|glad to|no problem(?=\W*$)",
    r"me (?:acerco|paso|escapo|llego) (?:yo )?(?:a )?por|me (?:toca|encargo|ocupo|apunto|ofrezco|hago cargo)|"
    r"corre por mi cuenta|por mi cuenta|deja(?:dme|nme|me)l[aoe]s?|"
    r"(?:va|vienen?|van|se viene|se va|se queda) conmigo|cuent(?:a|en) conmigo|ahi estare|yo (?:le caigo|paso|voy|puedo)|"
    r"va,? yo",
    r"ubernehm\w*|uebernehm\w*|(?:ist|sind|war) (?:meins?|meiner?|mein \w+)|lass (?:das |mich )+|(?:das )?mach(?:e)? ich|"
    r"kummer\w* (?:ich )?mich|(?:kommt|fahrt|faehrt|geht|lauft) (?:\w+ ){0,2}mit mir|bei mir|(?:ich|bin) (?:\w+ )?dran|"
    r"sammel\w* (?:ich )?(?:\w+ ){0,4}ein",
    r"c'est moi qui|je (?:m'en (?:occupe|charge)|gere|y vais|passe (?:\w+ )?(?:prendre|chercher)|"
    r"vais (?:\w+ )?(?:chercher|prendre))|(?:rentre|reste|vient|viennent|part) avec moi|compt\w+ sur moi|"
    r"(?:c'est )?mon tour",
)
# `I'm grabbing Kit`: whoever speaks is about to do it.
DOING_IT: Final = phrase(
    r"(?:i'?m|i am|i'?ll be)(?: \w+)? (?!going|not|having|being|working|waiting|thinking|asking|wondering|hoping|missing|"
    r"leaving|sending|letting)\w+ing"
)
# Right before a child's name: whoever speaks is about to fetch or bring them, with or without "I".
_ING = r"(?:getting|grabbing|picking(?: up)?|taking|bringing|fetching|collecting|scooping|walking|driving|running|dropping)"
_BASE = r"(?:get|grab|pick(?: up)?|take|bring|fetch|collect|scoop|walk|drive|run|drop|nab)"
BEFORE_WHOM: Final = over_folded(
    rf"(?:(?:^|[,.;!:] |\b(?:and|then|so|just|i'?m|i am|am|now) )(?:just |now |also )?{_ING}|"
    rf"\b(?:i'?ll|i will|(?<!you )shall|(?<!you )(?<!who )will|gonna|going to|i can)(?: just| go| also| then| go and)? {_BASE})"
    r"(?: the| our| my| little)? $"
)
# Somebody is given a thing, not fetched.
GIVES_THING: Final = phrase(
    r"(?:got|get|getting|bought|buy|buying) \w+ (?:an?|some|new|another|more) \w+",
    r"(?:achet\w+) \w+ (?:une?|des) \w+",
)
# Where children wait to be fetched.
AT_SCHOOL: Final = phrase(
    r"at (?:the )?(?:school|nursery|day ?care|preschool|gate|bus stop)",
    r"en (?:la|el) (?:escuela|cole|colegio|guarderia|kinder|jardin)",
    r"(?:an|vor|in) der (?:schule|kita|haltestelle)|am (?:kindergarten|schultor)|im (?:kindergarten|hort)",
    r"(?:a|devant) (?:l'ecole|la creche|la garderie|la maternelle)|au (?:college|portail)|a la sortie",
)
# Who is not of the household does it.
OTHERS_DO: Final = phrase(
    r"\w+'?s (?:mum|mom|mam|dad|parents|mother|father|gran\w*|sister|brother|family) (?:is|are|can|will|has|'?ll|said|offered|"
    r"could)|(?:the )?(?:neighbou?r\w*|carpool|bus|taxi|uber|coach|sitter|babysitter) (?:is|are|can|will|has|'?ll|takes|"
    r"brings)",
    r"(?:la |el |los )?(?:mama|mami|madre|papa|padre|papas|tia|tio|abuel[ao]) de \w+ (?:l[aoe]s? |me |nos )?\w+|"
    r"(?:la |el )?vecin[ao] (?:l[aoe]s? |me |nos )?\w+",
    r"(?:die |der )?(?:mama|mutter|papa|vater|eltern|oma|opa) von \w+ \w+|(?:die |der )?nachbar\w* \w+t",
    r"(?:la |le |les )?(?:mere|pere|maman|papa|parents|mamie|soeur|frere) de \w+ (?:peu\w+|l[ae]s?|va|ramene\w*|"
    r"emmen\w+|recuper(?:e|ee?s?|er|es|ez|ons|erai|era))|(?:la |le )?voisine? (?:peut|l[ae]s?|va|ramene)",
)
# Whoever says this has heard that another was going, and goes in their place or with them.
YIELDS: Final = phrase(
    r"after(?:wards)?(?=\W*$)|stay (?:in|there|here|home|put)|^(?:(?:ok|and) )?(?:then|so(?= i\b| i'| ill\b| we\b| you\b|"
    r",? you))|instead|don'?t worry|no worries|"
    r"no need|let me|i'?ll (?:do it|take over)|then i|^so i|(?:you|u) (?:stay|rest|relax|go home|can)|"
    r"(?:let'?s|we(?:'ll| can| could)?) (?:\w+ ){0,2}together|both of us|we both|too|as well|with (?:you|u)|come along|swap|"
    r"trade|actually|sorted|^\W*(?:ok|okay|fine)(?! ?\?)|(?:ok|okay|fine) then",
    r"^(?:entonces|pues)|despues|en vez|no te preocupes|dejame|mejor (?:yo|voy)|entonces (?:yo|voy)|juntos|los dos|tambien|"
    r"contigo|te acompano|ya no|vale|va|bueno",
    r"^(?:dann|also)|danach|stattdessen|lass(?=[,.!])|lass mich|keine sorge|dann (?:ich|hol|fahr|mach|geh)|zusammen|beide|"
    r"auch|mit dir|"
    r"komm(?:e)? mit|doch ich|passt|gut",
    r"^(?:alors|dans ce cas|du coup)|a la place|t'inquiete|pas la peine|laisse|ensemble|tous les deux|avec toi|"
    r"d'accord|finalement|tu peux rester|aussi",
)
# Said by somebody who is already doing it.
ON_THE_SPOT: Final = phrase(
    r"(?:i'?m |im |am )?already (?:at|here|there|parked|outside|waiting|with|w|got|picked|have|in (?:the )?(?:line|lot|"
    r"car|parking lot|car park|driveway|lobby|queue))|"
    r"(?:i'?m |im )?(?:outside|parked|waiting|here|at the \w+) (?:for|with|w|waiting)|"
    r"(?:have|got|picked) (?:him|them|her(?! (?!up|already|now|with|here|home|safe|in|at|from|and)\w))"
    r"(?: up)?(?: already| now)?|(?:she|he|they)(?:'s|'re| is| are)? (?:is )?(?:with|w) me",
    r"ya (?:estoy|la tengo|lo tengo|los tengo|la recogi|lo recogi|l[aoe]s? traigo|voy con)|(?:la|lo|los) tengo (?:yo|"
    r"conmigo|en el coche)|"
    r"ya (?:la|lo|los) (?:llevo|recojo)|aqui (?:estoy|ando) (?:con|esperando|afuera)",
    r"(?:bin|steh|stehe|wart|warte)e? (?:schon|bereits|gerade|grad) (?:da|dort|bei[mn]?|vor|an|am|in|im|auf)|"
    r"hab(?:e)? (?:sie|ihn|die|den|beide)? ?(?:schon|bereits|grad|gerade)|(?:sie|er) (?:ist|sitzt) (?:schon )?(?:bei|"
    r"neben) mir",
    r"je suis (?:deja )?(?:devant|sur place|la|avec (?:elle|lui|eux))|(?:elle|il|ils|elles) (?:est|sont) avec moi|"
    r"deja recuper(?:e|ee?s?|er|es|ez|ons|erai|era)",
)
# Never mind, it is done with.
SETTLES: Final = phrase(
    r"perfect|brilliant|amazing|wonderful|lovely|(?:a |you )?(?:star|lifesaver|legend|saint|angel)|you'?re the best|"
    r"never ?mind|n/?m|nvm|sorted|all good|forget it|no need|found (?:some(?:one|body)|a \w+)|it'?s (?:fine|ok|off|handled|"
    r"covered)|"
    r"(?:we|i)'?(?:ll|ve)? (?:manage|figured)|work(?:ed)? it out|not anymore",
    r"perfecto|genial|buenisimo|eres un (?:sol|amor|angel)|olvid\w+|dejalo|ya no|resuelto|listo|ya quedo|ya esta|da igual|"
    r"me apano|ya encontre|no hace falta",
    r"super|perfekt|klasse|toll|du bist (?:ein schatz|die beste|der beste)|egal|erledigt|hat sich|passt schon|vergiss es|"
    r"vergesst es|nicht (?:mehr )?notig|geregelt|hab (?:schon )?jemand\w*|"
    r"krieg\w* das hin",
    r"parfait|genial|nickel|t'es (?:un ange|la meilleure|le meilleur)|laisse\w* tomber|c'est (?:bon|regle|gere|"
    r"arrange)|(?:pas|plus) (?:la peine|besoin)|j'ai trouve|on se debrouille\w*",
)
TO_IT: Final = phrase(
    r"(?:take|takes|taking|drive|drives|driving|drop\w*|run|runs|running|bring|brings|bringing|walk|get|gets|getting|"
    r"grab\w*|ride|lift) "
    r"(?:\w+ ){0,4}?(?:to|for|over to)|drop\w*(?:[ -]?offs?)?|to (?:the )?\w+ (?:run|practice)",
    r"llev\w+|dej(?:o|ar|arl[ao])|acerc\w+(?! a por)|acompan\w+",
    r"hin(?:bring|fahr)\w*|bring(?:e|en|st|t)|bring (?:du|ich|ihr|den|die|das|ihn|sie)|fahr\w*|(?:nehm|nimm)\w* .{0,40}mit|fuhr\w*",
    r"emmen\w+|depos(?:e|er|es|ez|ons|erai)|amene\w*|condui\w+|accompagn\w+",
)
FROM_IT: Final = phrase(
    r"pick\w*(?: \w+){0,2} up|pick(?:s|ing)? (?!up|a|an|the|some|out|one|your|our|my|any|on)\w+(?= (?:from|at|after|up|today|"
    r"now|tonight|tomorrow)|\W*$)|pick[ -]?ups?|collect\w*|fetch\w*|(?:get|gets|getting|grab\w*|scoop\w*|"
    r"bring\w*) (?:\w+ ){0,4}?(?:from|after|home|back)|"
    r"home from",
    r"recog\w+|recoj\w+|buscar\w*|busco|(?:paso|pasas|pasa|voy|vas|va|ir|vaya|vayas|acerco) (?:a )?por|traer\w*|traigo",
    r"(?:ab|ge|abge)?hol(?:e|en|st|t|te|ten|ung)?|ab(?:hol|zuhol)\w*|nach hause",
    r"recuper(?:e|ee?s?|er|es|ez|ons|erai|era)|cherch\w+|ramene\w*|a la sortie|passe\w* (?:\w+ )?prendre|"
    r"prendre (?:a la sortie|apres)",
)
# A duty that needs no object: `Tuesday pickup`.
DUTY_NOUN: Final = phrase(
    r"pick[ -]?ups?|drop[ -]?offs?|carpool|\w+ run",
    r"recogida",
    r"abhol\w*|fahrdienst",
    r"sortie d'ecole|covoiturage|trajet",
)
# Somebody is elsewhere, busy or unfit: no answer to a call for help, whatever its form.
UNAVAILABLE: Final = phrase(
    r"(?:i'?m |im |i am |still )?(?:on|at|in) (?:a |an |the |my |another )?(?:late |night |early |day )?"
    r"(?:shift|work|course|call|meeting|mtg|train|plane|airport|dentist|doctor\w*|docs|class|surgery|hospital|office|court|"
    r"traffic|bath|"
    r"bed|lecture|conference|theatre|gym|library|salon|hairdresser\w*|standup|lab|clinic|queue)|"
    r"(?:in|at|on) [a-z]\w+ (?:til|till|until)|(?:busy|working|stuck|away|out of town|travelling|traveling|flying|tied up|"
    r"booked|slammed)|"
    r"(?:my )?(?:car|van|truck)(?:'s| is| has)? (?:\w+ )?(?:in the shop|dead|broke\w*|gone|at the garage|not starting)|no car|"
    r"(?:don'?t|can'?t|cannot|won'?t|do not) (?:\w+ )?(?:drive|see|walk|make|leave|get out|do|today|tonight|tomorrow)|"
    r"(?:hurts?|sick|fever|ankle|knee|back is)|"
    r"wish i could|would if i could|not me|(?<!\d )(?:till?|until) \d|asleep|in bed|(?:before|on) nights|no (?:chance|can do|way)",
    r"(?:ando|estoy|sigo|toy) (?:en|con|fuera|lejos|malo|mala|enferm[oa]|liad[oa]|ocupad[oa]|atascad[oa]|atorad[oa]|hasta|"
    r"trabajando|"
    r"(?!lleg|sal|yendo|esper)\w+(?:ando|iendo))|"
    r"imposible|me duele|sin coche|sin carro|"
    r"no (?:puedo|llego|alcanzo|manejo|conduzco|tengo|estoy|ando|voy a estar)|en (?:el trabajo|la oficina|una junta|"
    r"una reunion|turno|guardia|"
    r"clase)|hasta las \w+|"
    r"de (?:guardia|viaje|turno)|trabajo hasta|salgo (?:\w+ )?(?:hasta|a) las?",
    r"(?:bin|steh|sitz|steck|hang|hock)e? (?:\w+ )?(?:in|im|beim|auf|bis|am|an|noch|krank|weg|unterwegs nach)|"
    r"hab(?:e)? (?:\w+ )?(?:kein\w*|termin|dienst|schicht|sitzung|nachtschicht|spatdienst|fruhdienst|fieber|selber|selbst)|"
    r"kein auto|im stau|krank|"
    r"tut \w+ weh|weh|leider|geht (?:\w+ )?nicht|kann (?:\w+ ){0,2}nicht|muss (?:\w+ )?(?:arbeiten|hackeln|zu[mr]?|nach|"
    r"bis)|bis \d",
    r"(?:je suis|on est|nous sommes) (?:deja )?(?:a|au|en|chez|sur|de|pris\w*|coince\w*|malade|dans le train)|"
    r"en (?:reunion|deplacement)|au (?:boulot|travail|lit|bureau)|je (?:bosse|travaille)|(?:peux|pourrai|peut) pas|"
    r"impossible|helas|desole\w*|pas possible|reserve depuis|j'ai (?:reunion|rdv|cours|un rendez-?vous)|nous c'est|"
    r"(?:sans|pas la|pas de) voiture|jusqu'a|jusqu'au",
)
# Anybody is asked to do something.
ASKS_ANYBODY: Final = phrase(
    r"who(?:'?s|se| is| are| can| could| will)? (?:\w+ing|going to \w+)(?! (?:the game|tonight'?s|out))",
    r"quien (?:me |nos |l[aoe]s? )?(?:puede |va a |podria )?(?:\w+[aeo]r?)(?:l[aoe]s?)? (?:a|al|por|de|con) ",
    r"wer (?:von euch )?\w+t (?:mich |den |die |das |heute |morgen )?\w+ ",
    r"(?:can|could|would|will|is|does|any chance) (?:some|any)(?:one|body|1)\w*|(?:can|could|would|will) (?:one|"
    r"either) of (?:you|ye|yous|us|u|y'?all)|"
    r"who(?:'?s|se| is| can| could| will| wants to| has| is able to)? (?:on|got|getting|gets|picks?|picking|takes?|taking|"
    r"drives?|driving|"
    r"collects?|collecting|having|has|watching|doing|free|able|minding|going|bringing|drops?|dropping|fetching|get|take|"
    r"drive|collect|bring|drop|"
    r"pick|watch|mind|cover|covering)|anyone (?:free|able|around|near|going)",
    r"(?:quien|alguien|alguno|uno de \w+) (?:me |l[aoe]s? |puede |podria |va a )*(?:puede|podria|lleva\w*|recog\w+|pasa|va|"
    r"trae\w*|cuida\w*|busca\w*|se queda|esta libre)|"
    r"(?:puede|podria|pueden) (?:alguien|alguno)",
    r"(?:kann|konnte|koennte|mag|wurde) (?:bitte )?(?:\w+ )?(?:jemand|wer|einer|irgendwer|einer von \w+)|wer (?:kann|konnte|"
    r"holt|bringt|fahrt|faehrt|nimmt|passt|geht|"
    r"ist|hat zeit|macht|ubernimmt|springt|mag|will)",
    r"(?:quelqu'un|l'une? de (?:vous|nous)) (?:peut|pourrait|pour|va|serait|est)|"
    r"(?<!moi )(?<!toi )(?<!elle )(?<!lui )qui (?:peut|pourrait|va|vient|recupere|emmene|ramene|garde|depose|"
    r"est (?:dispo|libre))",
)
# Nobody is there for it, in whatever form it is told.
CALLS_FOR_HELP: Final = phrase(
    r"how (?:is|are|does|do|will|'?s|on earth is) \w+ (?:getting|going|coming|get|go|come) (?:to|home|back|from|there)|"
    r"any (?:volunteers?|takers?|offers?)|(?:we|i)(?:'ve| have|'ve got| got) (?:nobody|no[ -]?one)|nobody (?:for|to)|"
    r"needs? (?:covering|cover)|(?:any )?ideas(?= ?\?)",
    r"como (?:va|llega|vuelve) \w+|(?:no )?(?:tenemos|hay) (?:a )?nadie",
    r"wie kommt \w+|(?:wir haben|hab\w*) (?:niemand\w*|keinen)|freiwillige",
    r"comment (?:va|rentre|vient) \w+|(?:on n'a|il n'y a|y a) personne|des volontaires",
)
# A call for help that is no question.
CANNOT: Final = phrase(
    r"(?:can'?t|cannot|can not|won'?t|unable to|not able to|not going to|not gonna)(?: be able to)? (?:make|do|get|take|"
    r"pick|drive|drop|collect|be|"
    r"cover|bring|come|fetch|watch|go)(?! up| it up)|need\w* (?:a |some(?:one|body)?|another|an )?(?:\w+ )?(?:to |ride|lift|"
    r"cover\w*|sitter|driver|pick\w*|"
    r"drop\w*|hand|help|swap|getting|collecting|fetching)|fell through|bailed|no (?:ride|sitter|driver|one to)",
    r"no (?:puedo|llego|alcanzo|podre|voy a poder|me da tiempo)|necesit\w+|hace falta|falta (?:quien|alguien)|me fallo|se cayo",
    r"(?:kann|schaff\w*|komm\w*|pack\w*) (?:\w+ ){0,4}?(?:nicht|ned|nit|net)|brauch\w* (?:\w+ ){0,2}(?:jemand\w*|wen|hilfe|"
    r"mitfahr\w*)|"
    r"jemand (?:muss|musste|sollte)|(?:muss|musste|sollte) (?:\w+ )?(?:jemand|einer|wer)|ist (?:mir )?ausgefallen|hat abgesagt",
    r"(?:peux|peut|pourrai|pourra) pas (?:aller|venir|y|etre|recuperer|emmener|deposer|garder|passer)\w*|"
    r"besoin (?:de quelqu'un|d'aide|qu'on)|(?:n')?y arriver\w* pas|il (?:me |nous )?faudrait quelqu'un",
)
# Somebody must be fetched or brought, whoever does it.
MUST_BE_DONE: Final = phrase(
    r"(?:needs?|wants?|requires?) (?:a (?:ride|lift)|picking|collecting|fetching|dropping|taking|bringing|minding|watching)|"
    r"needs? to (?:go|come|get) home|"
    r"(?:needs?|has|have|must|got|gotta)(?: to)? (?:be )?(?:picked|collected|fetched|dropped|taken|brought|minded|watched)",
    r"hay que (?:ir (?:a )?(?:por|a)|recoger|llevar|traer|buscar|cuidar|pasar)\w*|(?:falta|toca) (?:recoger|llevar|traer|"
    r"buscar)\w*",
    r"(?:muss|mussen|musste|soll|sollte)(?: \w+){0,6} (?:ab)?(?:geholt|gebracht|gefahren|betreut) werden",
    r"(?:il )?faut (?:aller )?(?:recuperer|chercher|emmener|deposer|garder|amener)|(?:doit|doivent) etre (?:recuper|depos|"
    r"emmen|gard)\w+",
)
# Somebody is expected somewhere, and it is not said who brings them.
MUST_BE_THERE: Final = phrase(
    r"(?:needs?|has|have|supposed|meant)(?: to)? (?:be (?:at|there|in|on)|(?:get|go) to)",
    r"tiene(?:n)? que (?:estar (?:en|a|ahi|alli)|ir(?:se)? al?|llegar al?)",
    r"(?:muss|mussen)(?: \w+){0,6} (?:da|dort|beim|sein|auf(?: den| die)?|in(?: die| den)?|ins|zu[mr]?|nach)",
    r"(?:doit|doivent) (?:etre|aller) (?:a|au|la|chez)",
)
# Somebody meant to do it, and something has come up.
INTENDED: Final = phrase(
    r"was (?:going|supposed|meant|planning) to (?:\w+ ){1,8}but",
    r"iba a (?:\w+ ){1,8}pero",
    r"woll?te? (?:\w+ ){1,8}aber",
    r"(?:devais|voulais) (?:\w+ ){1,8}mais",
)
# Whoever says it will not do it.
NOT_ME: Final = phrase(
    r"(?:so )?not me|count me out|(?:so )?i'?m out|can'?t be me",
    r"yo no(?=\W*$|,|\.)|conmigo no",
    r"ich nicht|ohne mich",
    r"pas moi|sans moi",
)
# Said with a plan that is made: `I'll pick her up, ok?`
ASKS_ASSENT: Final = over_folded(
    r"(?<!\w)(?:ok(?:ay)?|yeah|right|fine|cool|alright|vale|si|ja|passt|d'accord|ca va)(?: (?:with|by|for) \w+)? ?\?+\W*$"
)
HOME: Final = phrase(
    r"(?:bring|take|drive|walk|run|get)\w* (?:\w+ ){1,3}?(?:back )?home|a casa|nach hause|heim(?:bring\w*|fahr\w*|hol\w*)?",
    r"a la maison|rentr(?:er|e) a",
)
# `me, I'm home`, `me 8 sharp`.
ME_FIRST: Final = over_folded(
    r"(?:ok )?(?:me|yo|ich|moi)(?=\s*(?:$|[,.!:]|\d|then|at|today|tonight|can|hoy|heute|dann|um))"
)
# Somebody is nearly there.
COMING: Final = phrase(
    r"(?<!\d)(?:[1-9]|1\d|2[0-5]) ?min\w*|on (?:my|the) way|omw|coming|leaving (?:now|in)|(?:be )?there (?:now|in|soon|"
    r"already)|at the (?:door|gate|"
    r"corner)|on the corner|"
    r"round the corner|in the area|near ?by|close by|passing (?:by|there)|there anyway|(?:2|two|few|three|3) (?:blocks|"
    r"streets) away",
    r"me queda (?:cerca|de paso|de camino)|por (?:ahi|alli|la zona)|ahi estare|en camino|ya (?:voy|llego|estoy|salgo)|"
    r"llego en|voy (?:para|saliendo)|salgo (?:ya|ahora)|a la vuelta|en \d+ ?min\w*|"
    r"a dos cuadras",
    r"auf dem weg|in der (?:gegend|nahe|naehe|ecke)|ums? (?:die )?eck\w*|eh (?:da|dort|in)|sowieso (?:da|dort|in)|unterwegs|"
    r"bin (?:gleich|in \d+ \w+|schon|um \w+) .{0,12}da|komm(?:e)? (?:gleich|sofort|schon)|fahr(?:e)? (?:gleich|"
    r"jetzt|sofort) los|in \d+ ?min\w*",
    r"en route|j'arrive|dans le (?:coin|quartier)|sur (?:le|mon) chemin|je pars|dans \d+ ?min\w*|j'y serai|a cote",
)
# Whoever leaves out who does it: they do.
SETS_OUT_TO: Final = phrase(
    r"(?:^|(?<=[.!,:;] )|(?<=all! )|(?<=and ))(?:just )?(?:leaving|heading|going|driving|swinging|stopping|grabbing|getting|"
    r"picking|taking|dropping|"
    r"bringing|collecting|walking|fetching|scooping|parking|waiting)",
    r"(?:^|(?<=[.!,:;] ))(?:voy|paso|busco|llevo|recojo|salgo|saliendo|yendo|traigo|estoy yendo)",
    r"(?:^|(?<=[.!,:;] ))(?:hol|bring|nehm|fahr|geh|komm|lauf)e?(?= (?!du|ihr|mir|mich|bitte))",
    r"(?:^|(?<=[.!,:;] ))(?:je )?(?:pars|file|passe|recupere|emmene|vais) (?:chercher|prendre|recuperer|[a-z]+ a)",
)
