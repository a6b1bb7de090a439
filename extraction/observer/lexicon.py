"""Words that tell a plan from a tale, a swap from a clash, and who has a shared thing. English, Spanish, German; folded text."""

from typing import Final

from extraction.chat.commitments.lexicon import over_folded, phrase

# Told of what is over.
PAST: Final = phrase(
    r"yesterday|last (?:night|week|year|time|\w+day)|ago|used to|remember (?:when|that)|was|were|went|did|had|got (?:back|"
    r"home)|"
    r"woke|came|left",
    r"ayer|anoche|antier|hace (?:\w+ )?(?:dias?|semanas?|anos?)|acuerd\w+ (?:de )?cuando|fue|fui|fuimos|estuvo|era|habia|"
    r"desperto|"
    r"paso (?:ayer|anoche)",
    r"gestern|vorgestern|letzte[nrs]? \w+|vorhin|damals|war|waren|hatte[nt]?|ging|kam|gewesen|weisst du noch",
)
# Something takes place: an occasion, a visit, an outing, a ticket.
OCCASION: Final = phrase(
    r"(?:check-?ups?|scans?|x-?rays?|mri|blood (?:test|work|draw)|(?:flu|booster) (?:shot|jab)s?|jabs?|vaccin\w*|"
    r"eye tests?|hearing tests?|fittings?|interviews?|auditions?|orthodontist|optician|physio\w*|photo ?shoots?|"
    r"(?:class |school )?photos?|films?|movies?|cinema|shows?|plays?|gigs?|(?:\w+ )?tickets?|first pitch|kick-?off|tip-?off|"
    r"zoo|museum|aquarium|planetarium|circus|fair|funfair|theme park|picnic|barbecue|bbq|cook-?out|brunch|lunch|tea party|"
    r"dinner with|wedding|baptism|christening|funeral|mass|ceremony|parade|assembly|workshops?|open day|trip|hike|fishing|"
    r"bowling|mini ?golf|laser tag|go-?karts?|karting|paintball|trampolin\w*|play ?dates?|sleep ?overs?|hair ?cuts?|nails|"
    r"shopping|fair|market)",
    r"(?:chequeo|revision|consulta|control|analisis|radiografia|resonancia|vacuna\w*|entrevista|audicion|sesion|fotos?|"
    r"peli(?:cula)?s?|funcion|obra|entradas|boletos|partido|zoologico|museo|acuario|circo|feria|picnic|asado|parrillada|"
    r"carne asada|almuerzo con|comida con|cena con|boda|bautizo|misa|ceremonia|desfile|taller de|paseo|excursion|pesca\w*|"
    r"boliche|bolos|compras|peluqueria|dermatologo|oculista|ortodoncista|psicologa?|visita)",
    r"\w*(?:kontrolle|untersuchung|impfung|termin|kino|konzert|theater|feier|fest|turnier|treffen|besuch|ausflug|"
    r"wanderung|fuhrung|umzug|sprechstunde|gesprach|aufnahme|anprobe|premiere|auffuhrung|flohmarkt)|"
    r"(?:film|zoo|museum|zirkus|messe|hochzeit|taufe|grillen|picknick|bowlen|kegeln|minigolf|shoppen|einkaufen|"
    r"friseur\w*|karten fur|tickets?|fototermin)",
)
# Somebody is brought to a place that is neither home nor what they have that day.
DESTINATION: Final = over_folded(
    r"(?<!\w)(?:to|into|over to|a|al|zu[mr]?|in[s]?|nach|auf(?:s| den| die)?)"
    r"(?: (?:the|a|an|my|our|el|la|los|las|un|una|mi|der|die|das|den|dem|einen?|meiner?))? (?P<place>[^\W\d_]{2,})"
)
# What stands behind `to` without being a place.
NO_DESTINATION: Final = frozenset(
    "home school work bed sleep it us me my him her them you get pick take drop bring drive fetch collect grab buy see make "
    "have meet help watch cover sort ask tell say call text leave come class practice training lessons casa colegio escuela "
    "cole trabajo clase entreno entrenamiento recoger llevar buscar traer dejar comprar ver hacer comer dormir cenar las "
    "los una pie hause schule arbeit haus bett fuss".split()
)
# Whoever says it is there with those who are named.
TOGETHER: Final = phrase(
    r"(?:and|n|with) (?:i|me)|me and|we(?:'(?:re|ll|ve))?|us",
    r"y yo|conmigo|nos|nosotr[oa]s",
    r"und ich|mit mir|wir|uns",
)
# Somebody says that it is theirs to do, whatever verb tells it.
TAKES_ON: Final = phrase(
    r"(?:is|are|'?s|be|stays?) (?:on |with )?(?:me|mine)|(?:is|are|'?s) my (?:job|turn|shift|run|day|round)|"
    r"leave (?:it|that|this|him|her|them|(?:the )?\w+(?: \w+){0,3}) (?:to|with) me|my (?:turn|treat)(?=\W*$)|dibs|"
    r"(?:i'?m |im |i am )?(?:down|up|in|on|signed up) for|on (?:\w+ ){1,2}(?:duty|watch)|count on me|"
    r"(?:comes?|goes|rides?|travels?|stays?|walks?|coming|going|riding)(?: \w+){0,2} with me|"
    r"i'?ll be (?:outside|at|there|waiting|by|in front)|(?:popping|swinging|passing|dropping|nipping|pop|swing|nip|stop|"
    r"stopping) "
    r"(?:by|past|over|in|round)|(?:i )?(?:can|could|will|'?ll) nip|happy to|glad to|no problem(?=\W*$)",
    r"me (?:toca|encargo|ocupo|apunto|ofrezco|hago cargo)|corre por mi cuenta|por mi cuenta|deja(?:dme|nme|me)l[aoe]s?|"
    r"(?:va|vienen?|van|se viene|se va|se queda) conmigo|cuent(?:a|en) conmigo|ahi estare|yo (?:le caigo|paso|voy|puedo)|"
    r"va,? yo",
    r"ubernehm\w*|uebernehm\w*|(?:ist|sind|war) (?:meins?|meiner?|mein \w+)|lass (?:das |mich )+|(?:das )?mach(?:e)? ich|"
    r"kummer\w* (?:ich )?mich|(?:kommt|fahrt|faehrt|geht|lauft) (?:\w+ ){0,2}mit mir|bei mir|ich bin dran|"
    r"sammel\w* (?:ich )?(?:\w+ ){0,4}ein",
)
# Who is not of the household does it.
OTHERS_DO: Final = phrase(
    r"\w+'?s (?:mum|mom|mam|dad|parents|mother|father|gran\w*|sister|brother|family) (?:is|are|can|will|has|'?ll|said|offered|"
    r"could)|(?:the )?(?:neighbou?r\w*|carpool|bus|taxi|uber|coach|sitter|babysitter) (?:is|are|can|will|has|'?ll|takes|"
    r"brings)",
    r"(?:la |el |los )?(?:mama|mami|madre|papa|padre|papas|tia|tio|abuel[ao]) de \w+ (?:l[aoe]s? |me |nos )?\w+|"
    r"(?:la |el )?vecin[ao] (?:l[aoe]s? |me |nos )?\w+",
    r"(?:die |der )?(?:mama|mutter|papa|vater|eltern|oma|opa) von \w+ \w+|(?:die |der )?nachbar\w* \w+t",
)
# What is known does not take place, or not for them.
OFF: Final = phrase(
    r"(?:is|are|'?s|was|been|got|gets) (?:\w+ )?(?:off|cancel\w*|called off|rained off|closed|shut)|cancel\w*|cancled|skip\w*|"
    r"called off|no (?:\w+ ){1,2}(?:today|tonight|this week|tomorrow|on \w+day)|(?:not|isn'?t) (?:on|happening|going(?: to)?)|"
    r"(?:can'?t|cannot|won'?t|not) (?:do|go|make it)(?: to)?|staying home|sick|ill",
    r"no hay|no (?:habra|va|ira|puede ir|tiene)|cancel\w*|suspend\w*|cerr(?:o|aron|ado)|falta a|se salta|enferm[ao]",
    r"kein(?:e|en)? \w+|fallt|faellt|ausgefallen|entfallt|entfaellt|abgesagt|gestrichen|geschlossen|krank|geht nicht|"
    r"kann nicht",
)
# The hour is that of something before or after it.
BESIDE: Final = phrase(
    r"after(?:wards)?|before|despues de(?:l)?|antes de(?:l)?|luego de(?:l)?|nach (?:dem|der|\w+)|vor (?:dem|der)|danach|davor"
)
# The clause says that something is at an hour.
HAPPENS: Final = phrase(
    r"is|'?s|are|starts?|begins?|opens?|kicks? off",
    r"es|son|esta|empieza|comienza|hay|toca|tiene|tienen|abre",
    r"ist|sind|beginnt|startet|gibt(?: es|s)?|hat|haben",
)
# It is known to be at another hour this time, or from now on: whoever runs it said so.
SAID_TO_MOVE: Final = phrase(
    r"(?:coach|teacher|school|club|studio|office|instructor|trainer|they|she|he|sensei|mr|mrs|ms)(?: \w+)? "
    r"(?:just )?(?:says?|said|wrote|texted|emailed|called|messaged|told|posted)|just (?:this|for) (?:once|today|week)|"
    r"this time only|for once|from now on|new time|starts? (?:later|earlier)|earlier|later|brought forward|"
    r"put back|pushed (?:back|to)|moved|changed|rescheduled|bumped|not the usual|instead of",
    r"(?:la |el )?(?:profe\w*|maestr[oa]|entrenador\w*|mister|escuela|colegio|academia|secretaria) (?:\w+ )?"
    r"(?:dice|dijo|escribi\w+|aviso|mando|llamo)|acaba\w* de (?:escribir|avisar|llamar|mandar)|"
    r"(?:l[aoe]s? )?(?:cambi\w+|movieron|pasaron|adelant\w+|atras\w+|retras\w+|recorrieron)|solo por (?:hoy|esta vez)|"
    r"a partir de ahora|mas (?:tarde|temprano)|en vez de|en lugar de",
    r"(?:der |die )?(?:trainer\w*|lehrer\w*|schule|verein|leitung|kursleit\w*) (?:\w+ )?(?:hat|sagt|schreibt|meint)|"
    r"hat (?:der|die) \w+ (?:geschrieben|gesagt|angerufen|gemailt)|erst um|erst ab|diesmal|ausnahmsweise|ab jetzt|"
    r"neue (?:uhr)?zeit|spater|fruher|verlegt|verschoben|vorverlegt|statt um|schon fertig",
)
# Being late is spoken of, not a change of plan.
NOT_LATE: Final = phrase(
    r"(?:don'?t|dont|do not|never|not|no|won'?t|cant|can'?t)(?: \w+){0,2} late|on time",
    r"no (?:\w+ )?lleg\w+ tarde|sin retraso|puntual\w*",
    r"nicht (?:wieder |zu )?(?:spat|verspat\w*)|punktlich",
)
# A thing is had from then on, with no word of when it is back.
OPEN_END: Final = phrase(
    r"from \S+ (?:on(?:wards?)?|till? (?:late|whenever|evening))|all (?:day|morning|afternoon|evening|night|weekend)|"
    r"(?:the )?(?:whole|entire) (?:day|morning|afternoon|evening|weekend)|the rest of the (?:day|afternoon)|onwards?|"
    r"for the (?:day|afternoon|morning|evening)",
    r"a partir de|todo el (?:dia|fin)|toda la (?:manana|tarde|noche)|desde las (?!.{0,12}hasta)(?!.{0,8} a las)\S+",
    r"ab \S+|den ganzen \w+|ganztags|den rest des|uber nacht|von \S+ an",
)
# Somebody takes a thing for themselves, whatever else is said of it.
TAKES_THING: Final = phrase(
    r"need(?:s|ing)?|tak(?:e|es|ing)|borrow\w*|book(?:ed|ing)|reserv\w*|us(?:e|es|ing)|mine",
    r"necesit\w+|ocup(?:o|ar|amos|are)|uso|usar\w*|me llevo|llevo|llevar\w*|tomo|agarro|reserv\w+|presta\w*",
    r"brauch\w*|nehm\w*|nimmt|benutz\w*|leih\w*|reservier\w*",
)
# It is known that something else gives way, or that it is over by then.
GIVES_WAY: Final = phrase(
    r"skip\w*|miss(?:es|ing)?|instead|cancel\w*|moved?|after|before|late for|early from|leav\w+ early|then|swap\w*|drop(?:s|"
    r"ping)? out",
    r"falt\w+|salt\w+|en vez|en lugar|cancel\w*|despues|antes|luego|sin ir|no va\w*|no ir\w*|cambi\w+|sal\w* antes",
    r"statt\w*|aus(?:fallen|lassen)|lasst|lass\w*|faellt|fallt|danach|davor|nach|vor(?:her)?|verschieb\w*|verpasst|"
    r"schwanz\w*|fruher weg",
)
# Whoever says this has heard that another was going, and goes in their place or with them.
YIELDS: Final = phrase(
    r"after(?:wards)?(?=\W*$)|stay (?:in|there|here|home|put)|^(?:(?:ok|and) )?(?:then|so(?= i\b| i'| ill\b| we\b| you\b|"
    r",? you))|instead|don'?t worry|no worries|"
    r"no need|let me|i'?ll (?:do it|take over)|then i|so i|(?:you|u) (?:stay|rest|relax|go home|can)|"
    r"together|both of us|we both|too|as well|with (?:you|u)|come along|swap|trade|actually|sorted|ok|okay|fine",
    r"^(?:entonces|pues)|despues|en vez|no te preocupes|dejame|mejor (?:yo|voy)|entonces (?:yo|voy)|juntos|los dos|tambien|"
    r"contigo|te acompano|ya no|vale|va|bueno",
    r"^(?:dann|also)|danach|stattdessen|lass mich|keine sorge|dann (?:ich|hol|fahr|mach|geh)|zusammen|beide|auch|mit dir|"
    r"komm(?:e)? mit|doch ich|passt|gut",
)
# Said by somebody who is already doing it.
ON_THE_SPOT: Final = phrase(
    r"(?:i'?m |im |am )?already (?:at|here|there|parked|outside|waiting|with|w|got|picked|have|in (?:the )?(?:line|lot|car))|"
    r"(?:i'?m |im )?(?:outside|parked|waiting|here|at the \w+) (?:for|with|w|waiting)|"
    r"(?:have|got|picked) (?:her|him|them)(?: up)?(?: already| now)?|(?:she|he|they)(?:'s|'re| is| are)? (?:is )?(?:with|w) me",
    r"ya (?:estoy|la tengo|lo tengo|los tengo|la recogi|lo recogi|l[aoe]s? traigo|voy con)|(?:la|lo|los) tengo (?:yo|"
    r"conmigo|en el coche)|"
    r"ya (?:la|lo|los) (?:llevo|recojo)|aqui (?:estoy|ando) (?:con|esperando|afuera)",
    r"(?:bin|steh|stehe|wart|warte)e? (?:schon|bereits|gerade|grad) (?:da|dort|bei[mn]?|vor|an|am|in|im|auf)|"
    r"hab(?:e)? (?:sie|ihn|die|den|beide)? ?(?:schon|bereits|grad|gerade)|(?:sie|er) (?:ist|sitzt) (?:schon )?(?:bei|"
    r"neben) mir",
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
)
# Who uses a shared thing.
USES: Final = phrase(
    r"need\w*|tak(?:e|es|ing)|have|has|having|us(?:e|es|ing)|borrow\w*|want\w*|driv(?:e|es|ing)|book\w*|got|get(?:ting)?|"
    r"grab\w*|"
    r"keep\w*|reserv\w*|in the|with the|i'?ve|bring\w*|run\w*|mine",
    r"necesit\w+|ocup\w+|uso|usar|usamos|usa|llevo|llevar\w*|llevamos|lleva|cojo|coger\w*|coge|tomo|tomar|agarr\w+|quiero|"
    r"pido|me quedo|"
    r"en (?:el|la)|con (?:el|la)|tengo|reserv\w+",
    r"brauch\w*|nehm\w*|nimm\w*|fahr\w*|benutz\w*|nutz\w*|hab\w*|leih\w*|mit dem|mit der|im|reservier\w*|will|mocht\w*",
)
# A shared thing that is spoken of for its own sake: it is being mended, cleaned, sold.
ABOUT_THING: Final = phrase(
    r"shop|garage(?! sale)|mechanic|repair\w*|wash\w*|clean\w*|inspection|insurance|tyre|tire|broke\w*|sold|sell\w*|fix\w*|"
    r"fuel|gas|"
    r"petrol|keys?",
    r"taller|mecanico|lav\w+|seguro|gasolina|descompus\w*|llaves|limpi\w+",
    r"werkstatt|wasch\w*|versicherung|tank\w*|kaputt|reparier\w*|schlussel|putz\w*",
)
# What one shared thing is called besides its name.
THINGS: Final = (
    frozenset("car auto wagen coche carro kombi karre van minivan suv truck camioneta furgoneta vehicle".split()),
    frozenset("bike bicycle rad fahrrad bici bicicleta".split()),
    frozenset("room zimmer cuarto habitacion sala".split()),
    frozenset("laptop computer ordenador compu rechner portatil".split()),
)
TO_IT: Final = phrase(
    r"(?:take|takes|taking|drive|drives|driving|drop\w*|run|runs|running|bring|brings|bringing|walk|get|gets|getting|"
    r"grab\w*|ride|lift) "
    r"(?:\w+ ){0,4}?(?:to|for|over to)|drop\w*(?:[ -]?offs?)?|to (?:the )?\w+ (?:run|practice)",
    r"llev\w+|dej(?:o|ar|arl[ao])|acerc\w+",
    r"hin(?:bring|fahr)\w*|bring\w*|fahr\w*|(?:nehm|nimm)\w* .{0,40}mit|fuhr\w*",
)
FROM_IT: Final = phrase(
    r"pick\w*(?: \w+){0,2} up|pick[ -]?ups?|collect\w*|fetch\w*|(?:get|gets|getting|grab\w*|scoop\w*|"
    r"bring\w*) (?:\w+ ){0,4}?(?:from|after|home)|"
    r"home from",
    r"recog\w+|recoj\w+|buscar\w*|busco|paso por|pasas por|pasa por|voy (?:a )?por|traer\w*|traigo",
    r"(?:ab|ge|abge)?hol\w*|ab(?:hol|zuhol)\w*|nach hause",
)
# The hour that follows is that of its end.
UNTIL: Final = phrase(
    r"'?till?|until|ends?|ending|over (?:at|by)|done (?:at|by)|(?:lets|gets|get|out|finish\w*) (?:out )?(?:at|by)|by|before",
    r"hasta|termin\w+|acab\w+|sal(?:e|en|go|imos) (?:a|de)|antes de",
    r"bis|aus um|end\w+|fertig um|vor|schluss",
)
# A duty that needs no object: `Tuesday pickup`.
DUTY_NOUN: Final = phrase(
    r"pick[ -]?ups?|drop[ -]?offs?|school run|carpool|\w+ run",
    r"recogida",
    r"abhol\w*|abholung|fahrdienst",
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
    r"wish i could|would if i could|not me|til \d|till \d|until \d",
    r"(?:ando|estoy|sigo|toy) (?:en|con|fuera|lejos|malo|mala|enferm[oa]|liad[oa]|ocupad[oa]|atascad[oa]|atorad[oa]|hasta|"
    r"trabajando|"
    r"(?!lleg|sal|yendo|esper)\w+(?:ando|iendo))|"
    r"imposible|me duele|sin coche|sin carro|"
    r"no (?:puedo|llego|alcanzo|manejo|conduzco|tengo|estoy|ando|voy a estar)|en (?:el trabajo|la oficina|una junta|"
    r"una reunion|turno|guardia|"
    r"clase)|hasta las \w+|"
    r"de (?:guardia|viaje|turno)|trabajo hasta|salgo (?:hasta|a) las?",
    r"(?:bin|steh|sitz|steck|hang|hock)e? (?:\w+ )?(?:in|im|beim|auf|bis|am|an|noch|krank|weg|unterwegs nach)|"
    r"hab(?:e)? (?:\w+ )?(?:kein\w*|termin|dienst|schicht|sitzung|nachtschicht|spatdienst|fruhdienst|fieber|selber|selbst)|"
    r"kein auto|im stau|krank|"
    r"tut \w+ weh|weh|leider|geht (?:\w+ )?nicht|kann (?:\w+ ){0,2}nicht|muss (?:\w+ )?(?:arbeiten|hackeln|zu[mr]?|nach|"
    r"bis)|bis \d",
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
)
# A place was found for somebody: it takes place, whatever verb tells it.
BOOKED: Final = phrase(
    r"got \w+ in (?:w|with|at|for|to)|booked|squeez\w+|fit (?:\w+ )?in|fitted|slot|opening|appointment|appt|sign(?:ed|"
    r"ing) \w+ up|registered|scheduled|"
    r"grabbed|can see|reschedul\w+|moved (?:it |\w+ )?to|is (?:now )?at|starts? at|invited",
    r"cita|hueco|turno|apunt\w+|reserv\w+|nos dan|nos da|me dieron|le dieron|quedo para|empieza|invit\w+",
    r"termin|angemeldet|zugesagt|gebucht|platz|einschieben|dazwischen\w*|reinschieben|eingetragen|beginnt|eingeladen|"
    r"ausgemacht",
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
)
HOME: Final = phrase(
    r"(?:bring|take|drive|walk|run|get)\w* (?:\w+ ){1,3}?(?:back )?home|a casa|nach hause|heim(?:bring\w*|fahr\w*|hol\w*)?"
)
# `me, I'm home`, `me 8 sharp`.
ME_FIRST: Final = over_folded(
    r"(?:ok )?(?:me|yo|ich)(?=\s*(?:$|[,.!:]|\d|then|at|today|tonight|can|hoy|heute|dann|um))"
)
# Somebody is nearly there.
COMING: Final = phrase(
    r"\d+ ?min\w*|on (?:my|the) way|omw|coming|leaving (?:now|in)|(?:be )?there (?:now|in|soon|already)|at the (?:door|gate|"
    r"corner)|on the corner|"
    r"round the corner|in the area|near ?by|close by|passing (?:by|there)|there anyway|(?:2|two|few|three|3) (?:blocks|"
    r"streets) away",
    r"me queda (?:cerca|de paso|de camino)|por (?:ahi|alli|la zona)|ahi estare|en camino|ya (?:voy|llego|estoy|salgo)|"
    r"llego en|voy (?:para|saliendo)|salgo (?:ya|ahora)|a la vuelta|en \d+ ?min\w*|"
    r"a dos cuadras",
    r"in der (?:gegend|nahe|naehe|ecke)|ums? (?:die )?eck\w*|eh (?:da|dort|in)|sowieso (?:da|dort|in)|unterwegs|"
    r"bin (?:gleich|in \d+ \w+|schon|um \w+) .{0,12}da|komm(?:e)? (?:gleich|sofort|schon)|fahr(?:e)? (?:gleich|"
    r"jetzt|sofort) los|in \d+ ?min\w*",
)
# The hour is that at which something ends, or somebody is back.
ENDS_THEN: Final = phrase(
    r"(?:done|over|ends?|out|finish\w*|off|home|back)(?: \w+){0,3}? (?:at|by|around)|ends \d|"
    r"(?:until|till?|'til) \w+|(?:lets|gets|get) out|"
    r"lands?|(?:leave|leaves|leaving) (?:at|by)|before \w+|clock in",
    r"(?:sal[eg]\w*|termin\w+|acab\w+|vuelv\w+|llega\w*) (?:\w+ ){0,2}?(?:a|hasta|sobre)|hasta|antes de",
    r"(?:aus|fertig|vorbei|schluss|zuruck|daheim|zuhause|heim) (?:um|gegen|ab)?|bis|vor",
)
# The clause is of whoever says it.
OWN: Final = phrase(
    r"i(?:'(?:m|ve|ll|d))?|im (?:\w+ing|at|in|on|stuck|out|off|late|busy|free|here)|ive|my|we|our",
    r"yo|mi|mis|llego|salgo|entro|vuelvo|trabajo|tengo|estoy|voy|me|nos|tenemos|nuestr\w+",
    r"ich|i|mein\w*|wir|"
    r"unser\w*|hab|bin|muss",
)
# Whoever leaves out who does it: they do.
SETS_OUT_TO: Final = phrase(
    r"(?:^|(?<=[.!,:;] )|(?<=all! )|(?<=and ))(?:just )?(?:leaving|heading|going|driving|swinging|stopping|grabbing|getting|"
    r"picking|taking|dropping|"
    r"bringing|collecting|walking|fetching|scooping|parking|waiting)",
    r"(?:^|(?<=[.!,:;] ))(?:voy|paso|busco|llevo|recojo|salgo|saliendo|yendo|traigo|estoy yendo)",
    r"(?:^|(?<=[.!,:;] ))(?:hol|bring|nehm|fahr|geh|komm|lauf)e?(?= (?!du|ihr|mir|mich|bitte))",
)
