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
    r"after(?:wards)?(?=\W*$)|stay (?:in|there|here|home|put)|^(?:(?:ok|and) )?(?:then|so)|instead|don'?t worry|no worries|"
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
    r"never ?mind|n/?m|nvm|sorted|all good|forget it|no need|found (?:some(?:one|body)|a \w+)|it'?s (?:fine|ok|off|handled|"
    r"covered)|"
    r"(?:we|i)'?(?:ll|ve)? (?:manage|figured)|work(?:ed)? it out|not anymore",
    r"olvid\w+|dejalo|ya no|resuelto|listo|ya quedo|ya esta|da igual|me apano|ya encontre|no hace falta",
    r"egal|erledigt|hat sich|passt schon|vergiss es|vergesst es|nicht (?:mehr )?notig|geregelt|hab (?:schon )?jemand\w*|"
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
    r"shop|garage|mechanic|repair\w*|wash\w*|clean\w*|inspection|insurance|tyre|tire|broke\w*|sold|sell\w*|fix\w*|fuel|gas|"
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
    r"(?:ando|estoy|sigo|toy) (?:en|con|fuera|lejos|malo|mala|enferm[oa]|liad[oa]|ocupad[oa]|atascad[oa]|atorad[oa])|"
    r"imposible|me duele|sin coche|sin carro|"
    r"no (?:puedo|llego|alcanzo|manejo|conduzco|tengo)|en (?:el trabajo|la oficina|una junta|una reunion|turno|guardia|"
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
    r"round the corner|(?:2|two|few|three|3) (?:blocks|streets) away",
    r"en camino|ya (?:voy|llego|estoy|salgo)|llego en|voy (?:para|saliendo)|salgo (?:ya|ahora)|a la vuelta|en \d+ ?min\w*|"
    r"a dos cuadras",
    r"unterwegs|bin (?:gleich|in \d+ \w+|schon|um \w+) .{0,12}da|komm(?:e)? (?:gleich|sofort|schon)|fahr(?:e)? (?:gleich|"
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
    r"i(?:'?m|'?ve|'?ll|'?d)?|im|ive|my|we|our",
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
