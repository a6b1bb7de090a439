"""Words that tell a plan from a tale, a swap from a clash, and who has a shared thing. English, Spanish,
German, French; folded text."""

from typing import Final

from extraction.chat.commitments.lexicon import over_folded, phrase

# Told of what is over.
PAST: Final = phrase(
    r"yesterday|last (?:night|week|year|time|\w+day)|ago|used to|remember (?:when|that)|was(?! (?:going to|gonna|hoping to|"
    r"planning to|thinking of|wondering|about to|frei|los|neu\w*|ist|fur|"
    r"zu|macht|ich|du|wir|ihr|sie|es|anderes|hat|kommt|steht|gibt|mit|im|am)(?!\w))|were|went|did|had|got (?:back|"
    r"home)|"
    r"woke|came|left",
    r"ayer|anoche|antier|hace (?:\w+ )?(?:dias?|semanas?|anos?)|acuerd\w+ (?:de )?cuando|fue|fui|fuimos|estuvo|era|habia|"
    r"desperto|"
    r"paso (?:ayer|anoche)",
    r"gestern|vorgestern|letzte[nrs]? \w+|vorhin|damals|war|waren|hatte[nt]?|ging|kam|gewesen|weisst du noch",
    r"hier (?:soir|matin|midi|a \d|apres|on|il|elle|j\'\w+)|avant-hier|(?:la semaine|l'annee|le mois|\w+di) derni(?:er|"
    r"ere)|il y a (?:\w+ )?(?:jours?|ans?|semaines?|"
    r"mois)|etait|etaient|avait|avaient|(?:tu )?te (?:souviens|rappelles)",
)
# Something takes place: an occasion, a visit, an outing, a ticket.
OCCASION: Final = phrase(
    r"(?:check-?ups?|scans?|x-?rays?|mri|blood (?:test|work|draw)|(?:flu|booster) (?:shot|jab)s?|jabs?|vaccin\w*|"
    r"eye tests?|hearing tests?|fittings?|interviews?|auditions?|orthodontist|optician|physio\w*|photo ?shoots?|"
    r"(?:class |school )?photos?|films?|movies?|cinema|shows?|plays?|gigs?|(?:\w+ )?tickets?|first pitch|kick-?off|tip-?off|"
    r"zoo|museum|aquarium|planetarium|circus|fair|funfair|theme park|picnic|barbecue|bbq|cook-?out|brunch|lunch|tea party|"
    r"dinner (?:with|for)|(?:family|birthday) (?:dinner|lunch)|name day|wedding|baptism|christening|funeral|mass|ceremony|"
    r"parade|assembly|workshops?|open day|trip|hike|fishing|"
    r"bowling|mini ?golf|laser tag|go-?karts?|karting|paintball|trampolin\w*|play ?dates?|sleep ?overs?|hair ?cuts?|nails|"
    r"shopping|fair|market|(?:com(?:e|es|ing)|are|ha(?:ve|s|ving) \w+(?: \w+){0,2}) (?:over|round)|for (?:dinner|supper|"
    r"lunch|brunch|drinks)|"
    r"hayride|puck drop|recitals?|(?:table|reservations?) (?:at|for)|guests|visitors)",
    r"(?:chequeo|revision|consulta|control|analisis|radiografia|resonancia|vacuna\w*|entrevista|audicion|sesion|fotos?|"
    r"peli(?:cula)?s?|funcion|obra|entradas|boletos|partido|zoologico|museo|acuario|circo|feria|picnic|asado|parrillada|"
    r"carne asada|almuerzo con|comida con|cena con|boda|bautizo|misa|ceremonia|desfile|taller de|paseo|excursion|pesca\w*|"
    r"boliche|bolos|compras|(?:vien\w+|cae\w*) (?:\w+ ){0,3}a (?:cenar|comer|casa|la casa|vernos)|visitas|invitados|"
    r"rosario|posada|peluqueria|dermatologo|oculista|ortodoncista|psicologa?|visita)",
    r"\w*(?:kontrolle|untersuchung|impfung|termin|kino|konzert|theater|feier|fest|turnier|treffen|besuch|ausflug|"
    r"wanderung|fuhrung|umzug|sprechstunde|gesprach|aufnahme|anprobe|premiere|auffuhrung|flohmarkt)|"
    r"(?:film|zoo|museum|zirkus|messe|hochzeit|taufe|grillen|picknick|bowlen|kegeln|minigolf|shoppen|einkaufen|"
    r"komm\w* (?:\w+ ){0,4}(?:zu besuch|zum (?:essen|kaffee|grillen|abendessen|fruhstuck)|vorbei)|kaffee (?:gibt|trinken)|gaste|"
    r"friseur\w*|karten fur|tickets?|fototermin)",
    r"seance|spectacle|rdv|rendez-?vous|controle(?! technique)|visite|concert|cinema|cine|match|fete|anniversaire|"
    r"resto|restaurant|musee|zoo|piscine|parc|mariage|bapteme|sortie (?:au|a la|en)|vaccin\w*|irm|prise de sang|"
    r"essayage|reunion|entretien|audition|guignol|theatre|kermesse|brocante|pique-?nique|les courses|shopping|coiffeur|"
    r"coiffeuse|opticien|places (?:pour|de)|gouter (?:chez|d'anniversaire)|(?:a|pour) (?:diner|dejeuner|gouter)|"
    r"diner (?:chez|avec)|dejeuner (?:chez|avec)",
)
# Somebody is brought to a place that is neither home nor what they have that day.
DESTINATION: Final = over_folded(
    r"(?<!\w)(?:to|into|over to|a|al|zu[mr]?|in[s]?|nach|auf(?:s| den| die)?|au|aux|chez|en|dans)"
    r"(?: (?:the|a|an|my|our|el|la|los|las|un|una|mi|der|die|das|den|dem|einen?|meiner?|le|du|une?|mon|"
    r"ma))? (?:l')?(?P<place>[^\W\d_]{2,})"
)
# What stands behind `to` without being a place.
NO_DESTINATION: Final = frozenset(
    "home school work bed sleep it us me my him her them you get pick take drop bring drive fetch collect grab buy see make "
    "have meet help watch cover sort ask tell say call text leave come class practice training lessons casa colegio escuela "
    "cole trabajo clase entreno entrenamiento recoger llevar buscar traer dejar comprar ver hacer comer dormir cenar las "
    "los una pie hause schule arbeit haus bett fuss "
    "maison ecole sortie heure pied travail boulot lit place moi nous vous toi lui eux fois fait train avance retard route faire "
    "manger dormir chercher prendre recuperer emmener voiture".split()
)
_SOMEBODY = (
    r"(?:teacher|coach|trainer|tutor|principal|mums?|moms?|mams?|dads?|parents?|nans?|gran\w*|godmother|godfather|aunt\w*|uncle|"
    r"friends?|mates?|classmates?|boss|\w*lehrer\w*|trainerin|eltern|mama|papa|oma|opa|gotti|gotte|pat(?:e|in)|freund\w*|chefin?|"
    r"maestr[oa]|profes?\w*|entrenador\w*|madre|padre|padres|abuel[oa]|tia|tio|padrino|madrina|amig[oa]s?|"
    r"maitresse|maitre|entraineu\w+|parrain|marraine|copains?|copines?|parents)"
)
# Behind a name, or before one: not the person, but somebody of theirs.
SOMEBODY_OF: Final = over_folded(rf"\W{{1,2}}(?:\w+ )?{_SOMEBODY}(?![\w-])")
SOMEBODY_OF_BEFORE: Final = over_folded(rf"(?<!\w){_SOMEBODY} (?:de |d'|von |of )$")
SPOKEN_OF: Final = over_folded(
    r"(?<!\w)(?:about|regarding|concerning|re:?|wegen|uber|betreffs?|bezuglich|sobre|acerca de|"
    r"a proposito de|au sujet de|concernant) $"
)
# All that week.
ONE_WEEK: Final = over_folded(
    r"\b(?:(?:this|next) week|(?:diese|nachste|kommende) woche|esta semana|la semana que viene|"
    r"cette semaine|la semaine prochaine)\b"
)
# Whoever says it is there with those who are named.
TOGETHER: Final = phrase(
    r"(?:and|n|with) (?:i|me|him|her|them)|me and|we(?:'(?:re|ll|ve))?|us",
    r"y yo|conmigo|con (?:el|ella|ell[ao]s)|nos|nosotr[oa]s",
    r"und ich|mit (?:mir|ihm|ihr|ihnen)|wir|uns",
    r"(?:et|avec) moi|avec (?:lui|elle|eux)|on (?:va|part|sera|a (?:rdv|le|la|les|une?|des|prevu)|ira)|nous|ensemble",
)
DELIVERY: Final = phrase(
    r"parcels?|packages?|deliver(?:y|ed|ies)|arrives?",
    r"paquetes?|pedido|entrega",
    r"pakete?|lieferung|geliefert",
    r"colis|livraison|livreur",
)
# What is known does not take place, or not for them.
OFF: Final = phrase(
    r"(?:is|are|'?s|was|been|got|gets) (?:\w+ )?(?:off|cancel\w*|called off|rained off|closed|shut)|cancel\w*|cancled|skip\w*|"
    r"called off|no (?:\w+ ){1,2}(?:today|tonight|this week|tomorrow|on \w+day)|(?:not|isn'?t) (?:on|happening|going(?: to)?)|"
    r"(?:can'?t|cannot|won'?t|not) (?:do|go|make it)(?: to)?|staying home|sick|(?:is|'?s|are|feels?|been|was|so) ill",
    r"no hay|no (?:habra|va|ira|puede ir|tiene)|cancel\w*|suspend\w*|cerr(?:o|aron|ado)|falta a|se salta|enferm[ao]",
    r"kein(?:e|en)? \w+|fallt|faellt|ausgefallen|entfallt|entfaellt|abgesagt|gestrichen|geschlossen|krank|geht nicht|"
    r"kann nicht",
    r"annul\w*|supprim\w*|(?:n'y a|y a|n'a) pas|pas (?:de |d')\w+ (?:aujourd'hui|ce|demain|cette)|malade|ferme\w*|"
    r"seche\w*|ne (?:peut|va) pas",
)
ON_IF: Final = phrase(
    r"if(?! (?:that|it|this)(?:'?s| is)? (?:ok|okay|fine|cool|good|alright|works?))|unless|in case",
    r"si (?:no|hace|quieres|puedo)",
    r"wenn|falls",
    r"si (?:tu|vous|on|je|il|elle|ca(?! (?:te|vous) (?:va|dit|arrange))|jamais)|au cas ou",
)
# The hour is that of something before or after it.
BESIDE: Final = phrase(
    r"(?<!quarter )(?<!half )after(?:wards)?|before|(?:bus|train|coach|flight|ferry|doors|gates|warm[ -]?up)(?: (?:is|at|"
    r"is at|leaves(?: at)?|goes|opens?))?(?= \d)|despues de(?:l)?|antes de(?:l)?|luego de(?:l)?|"
    r"(?<!viertel )(?<!funf )(?<!zehn )nach \w+|vor (?:dem|der)|danach|davor",
    r"(?:juste )?apres(?! ?-?midi) (?:le|la|l'\w+|les|\w+)|avant (?:le|la|l'\w+|les)|ensuite",
)
# The clause says that something is at an hour.
HAPPENS: Final = phrase(
    r"is|'?s|are|starts?|begins?|opens?|kicks? off",
    r"es|son|esta|empieza|comienza|hay|toca|tiene|tienen|abre",
    r"ist|sind|beginnt|startet|gibt(?: es|s)?|hat|haben",
    r"est|c'est|sont|commence\w*|debute\w*|y a|a lieu|ont",
)
# It is known to be at another hour this time, or from now on: whoever runs it said so.
SAID_TO_MOVE: Final = phrase(
    r"(?:coach|teacher|school|club|studio|office|instructor|trainer|sensei|mr|mrs|ms)(?: \w+)? "
    r"(?:just )?(?:says?|said|wrote|texted|emailed|called|messaged|told|posted)|just (?:this|for) (?:once|today|week)|"
    r"this \w+ only|(?:note|letter|e-?mail|text|message|msg|word) (?:home )?from|for once|from now on|new time|"
    r"starts? (?:later|earlier)|earlier|later|brought forward|"
    r"put back|pushed (?:back|to)|moved|changed|rescheduled|bumped|not the usual|instead of",
    r"(?:dice|dijo|escribi\w+|avis[oa]|mando|llamo) (?:la |el )?(?:profe\w*|maestr[oa]|entrenador\w*|mister|escuela|academia)|"
    r"(?:la |el )?(?:profe\w*|maestr[oa]|entrenador\w*|mister|escuela|colegio|academia|secretaria) (?:\w+ )?"
    r"(?:dice|dijo|escribi\w+|aviso|mando|llamo)|acaba\w* de (?:escribir|avisar|llamar|mandar)|"
    r"(?:l[aoe]s? )?(?:cambi\w+|movieron|pasaron|adelant\w+|atras\w+|retras\w+|recorrieron)|solo por (?:hoy|esta vez)|"
    r"a partir de ahora|mas (?:tarde|temprano)|en vez de|en lugar de",
    r"(?:der |die )?(?:trainer\w*|lehrer\w*|schule|verein|leitung|kursleit\w*) (?:\w+ )?(?:hat|sagt|schreibt|meint)|"
    r"hat (?:der|die) \w+ (?:geschrieben|gesagt|angerufen|gemailt)|erst um|erst ab|diesmal|ausnahmsweise|ab jetzt|"
    r"neue (?:uhr)?zeit|spater|fruher|verlegt|verschoben|vorverlegt|statt um|schon fertig",
    r"(?:le |la |les |l')(?:profs?|professeur|coach|entraineur\w*|ecole|club|maitresse|maitre|"
    r"secretariat)(?: \w+)? (?:dit|vient de|ecrit|previent|propose|a (?:dit|ecrit|prevenu|appele|decale|avance))|"
    r"plus (?:tot|tard)|exceptionnellement|cette fois|desormais|decal(?:e|ee|er|es)|avance\w* (?:a|au|de)|report\w+|deplace\w+|"
    r"au lieu de|(?:est|a ete) pass\w+ a",
)
# Being late is spoken of, not a change of plan.
NOT_LATE: Final = phrase(
    r"(?:don'?t|dont|do not|never|not|no|won'?t|cant|can'?t)(?: \w+){0,2} late|on time",
    r"no (?:\w+ )?lleg\w+ tarde|sin retraso|puntual\w*",
    r"nicht (?:wieder |zu )?(?:spat|verspat\w*)|punktlich",
    r"(?:pas|jamais) (?:\w+ )?en retard|a l'heure",
)
# A thing is had from then on, with no word of when it is back.
OPEN_END: Final = phrase(
    r"from \S+ (?:on(?:wards?)?|till? (?:late|whenever|evening))|all (?:day|morning|afternoon|evening|night|weekend)|"
    r"(?:the )?(?:whole|entire) (?:day|morning|afternoon|evening|weekend)|the rest of the (?:day|afternoon)|onwards?|"
    r"for the (?:day|afternoon|morning|evening)",
    r"a partir de|todo el (?:dia|fin)|toda la (?:manana|tarde|noche)|desde las (?!.{0,12}hasta)(?!.{0,8} a las)\S+",
    r"ab \S+|den ganzen \w+|ganztags|den rest des|uber nacht|von \S+ an",
    r"toute la (?:journee|matinee|soiree)|tout(?:e)? l'(?:apres-midi|aprem)|a partir de|le reste de",
)
# Somebody takes a thing for themselves, whatever else is said of it.
TAKES_THING: Final = phrase(
    r"need(?:s|ing)?|tak(?:e|es|ing)|borrow\w*|book(?:ed|ing)|reserv\w*|us(?:e|es|ing)|mine",
    r"necesit\w+|ocup(?:o|ar|amos|are)|uso|usar\w*|me llevo|llevo|llevar\w*|tomo|agarro|cojo|coger\w*|pillo|reserv\w+|presta\w*",
    r"brauch\w*|nehm\w*|nimmt|benutz\w*|leih\w*|reservier\w*",
    r"prends?|prendre|prendrai|besoin|emprunt\w*|reserve\w*|utilis\w*",
)
# It is known that something else gives way, or that it is over by then.
GIVES_WAY: Final = phrase(
    r"skip\w*|miss(?:es|ing)?|instead|cancel\w*|moved?|after|before|late for|early from|leav\w+ early|then|swap\w*|drop(?:s|"
    r"ping)? out",
    r"falt\w+|salt\w+|en vez|en lugar|cancel\w*|despues|antes|luego|sin ir|no va\w*|no ir\w*|cambi\w+|sal\w* antes",
    r"statt\w*|aus(?:fallen|lassen)|lasst|lass\w*|faellt|fallt|danach|davor|(?<!viertel )(?<!funf )(?<!zehn )nach|"
    r"vor(?:her)?|verschieb\w*|verpasst|"
    r"schwanz\w*|fruher weg",
    r"(?:juste )?apres(?! ?-?midi)|a la place|annul\w*|rat(?:er|era)|saut(?:e|er|era)|seche\w*|decal(?:e|ee|er)|plus tot|ensuite|"
    r"ira pas|n'ira",
)
# Who uses a shared thing.
USES: Final = phrase(
    r"need\w*|tak(?:e|es|ing)|took|steal|snag|nick|hijack|leav\w+ (?:with|in)|have|has|having|us(?:e|es|ing)|borrow\w*|want\w*|"
    r"driv(?:e|es|ing)|book\w*|got|get(?:ting)?|"
    r"grab\w*|"
    r"keep\w*|reserv\w*|in the|with the|i'?ve|bring\w*|run\w*|mine",
    r"necesit\w+|ocup\w+|uso|usar|usamos|usa|llevo|llevar\w*|llevamos|lleva|cojo|coger\w*|coge|tomo|tomar|agarr\w+|quiero|"
    r"pido|me quedo|"
    r"en (?:el|la)|con (?:el|la)|tengo|reserv\w+",
    r"brauch\w*|nehm\w*|nimm\w*|fahr\w*|benutz\w*|nutz\w*|hab\w*|leih\w*|mit dem|mit der|im(?! \w+ing)(?= [^\W\d_]{3,})|"
    r"reservier\w*|will (?:den|die|das|mit)|mocht\w*",
    r"prends?|prendre|prendrai|besoin|emprunt\w*|avoir (?:la|le)|avec (?:la|le)|utilis\w*|reserve\w*|il me faut",
)
# A shared thing that is spoken of for its own sake: it is being mended, cleaned, sold.
ABOUT_THING: Final = phrase(
    r"shop|garage(?! sale)|mechanic|repair\w*|wash\w*|clean\w*|inspection|insurance|tyre|tire|broke\w*|sold|sell\w*|fix\w*|"
    r"fuel|gas|"
    r"petrol|keys?",
    r"taller|mecanico|lav\w+|seguro|gasolina|descompus\w*|llaves|limpi\w+",
    r"werkstatt|wasch\w*|versicherung|tank\w*|kaputt|reparier\w*|schlussel|putz\w*",
    r"vidange|essence|assurance|cles?|faire le plein|pneus?",
)
# A shared thing cannot be had: it is being mended, or lent.
BROKEN: Final = phrase(
    r"mechanic (?:at|today|tomorrow|on)|(?:in|at|to) (?:the )?(?:shop|garage(?! sale)|mechanic\w*|body ?shop|workshop|"
    r"dealer\w*)|gearbox|clutch|transmission|"
    r"alternator|brakes|brok\w+ down|broken|won'?t start|wont start|(?:is|'?s) dead|dead battery|towed|flat (?:tire|tyre)|"
    r"(?:getting|being|in for) (?:an? |its )?(?:repair\w*|fix\w*|service\w*|mot|inspect\w*)|off the road|fail\w+ (?:its|"
    r"the) mot|stay\w* at \w+|out of (?:action|service)|"
    r"lent (?:it|the|him|her|out)|on loan|making (?:that|a|the) \w*noise|check engine|drop\w* (?:it|\w+) (?:off )?at \w+'s",
    r"taller|mecanic[oa]|descompus\w*|averi\w+|no (?:arranc[ao]|prend\w+)|grua|ponch\w+|itv|prestad[oa]",
    r"werkstatt|kaputt|springt nicht an|tuv|inspektion|abgeschleppt|panne|reparatur|verliehen",
    r"(?:au|chez le) (?:garage|garagiste)|en (?:panne|reparation)|controle technique|ne demarre pas|prete[er]? a",
)
# It is so now: a day that is named is that of its return.
BROKEN_DOWN: Final = phrase(
    r"won'?t start|wont start|dead|towed|brok\w+|flat|gearbox|clutch|transmission|fail\w+",
    r"no (?:arranc[ao]|prend\w+)|grua|descompus\w*|averi\w+",
    r"kaputt|springt nicht an|abgeschleppt|panne",
    r"en panne|ne demarre pas",
)
# It is there again then.
BACK_THEN: Final = phrase(
    r"till?|until|thru|through|'til|back|earliest|ready|not before|by(?= (?:\d|noon|half|tonight|tomorrow|then|the|\w+day))",
    r"hasta|lista?|de vuelta|antes del?",
    r"bis|zuruck|fertig|fruhestens|erst|wieder",
    r"jusqu'\w+|prete?|avant|retour|au plus tot",
)
# Whoever says it is not sure, and asks to be told they are right.
TAG: Final = over_folded(
    r"(?:\b(?:no|right|yeah|correct|isn'?t it|wasn'?t it|or|oder|gell?|nicht wahr|stimmt'?s|ne|verdad|cierto|hein|non|"
    r"n'est[- ]ce pas|c'est (?:bien )?ca)) ?\?"
)
# `aren't you at the dentist then?`: whoever asks knows of it.
REMINDS: Final = over_folded(
    r"\b(?:are|do|is|have|was|does|has|did)n'?t (?:you|u|he|she|they|we|it|that|[^\W\d_]+)\b|\b(?:bist|hast|ist|hat) (?:du|er|sie) "
    r"(?:da |dann )?nicht\b|\bno (?:tienes|tenias|tiene|estas)\b|\bt(?:u n)?'(?:es|as|avais) pas\b"
)
# Its subject is what was spoken of.
ABOUT_IT: Final = over_folded(
    r"(?:(?:and|so|but|ok|wait|think|i think|maybe|prob\w*),? )*(?:it(?:'?s| is| starts| begins)|es ist|ist (?:um|erst)|es a las|"
    r"empieza|c'est|ca commence)(?!\w)"
)
# All of them are to be there.
EVERYBODY: Final = phrase(
    r"all (?:of )?(?:you|us|ye)|(?:all|the) (?:three|four|five|six) of (?:you|us)|every(?:one|body)|all come|"
    r"(?:the )?whole (?:family|crew|team|gang|lot)|you lot",
    r"tod[oa]s",
    r"(?:wir|ihr) alle|alle (?:zusammen|miteinander)",
    r"tout le monde|(?:nous|vous) tous",
)
BOTH_PARENTS: Final = phrase(
    r"both of (?:us|you)", r"(?:nosotr|vosotr)[oa]s dos|l[oa]s dos", r"wir beide|euch beide", r"(?:nous|tous les) deux"
)
# Nobody knows for which of the children it is.
WHICH_CHILD: Final = phrase(
    r"(?:for )?which (?:one )?(?:of )?(?:the |our )?(?:kids?|child\w*|girls?|boys?|twins?|two|three|them)|for which(?: one)?|"
    r"(?:didn'?t|doesn'?t|don'?t) say (?:who|which)(?: it'?s| it is| one)?(?: for)?",
    r"(?:para|de) (?:cual|quien)(?: de (?:los|las) \w+)?(?= (?:es|era|de)|\W*$)|cual de (?:los|las) (?:ninos|ninas|dos|"
    r"tres|chicos|nenes|peques)",
    r"fur (?:wen|welches)(?: \w+)? (?:es|das|der|die|ist)|welches (?:kind|von)|wer von (?:den )?(?:beiden|dreien|kindern)",
    r"pour (?:lequel|laquelle|qui)(?: des \w+)?|(?:lequel|laquelle) des (?:deux|trois|enfants|filles|garcons)",
)
# What one shared thing is called besides its name.
THINGS: Final = (
    frozenset(
        "car auto wagen coche carro kombi karre van minivan suv truck camioneta furgoneta vehicle voiture bagnole kangoo "
        "caisse".split()
    ),
    frozenset("bike bicycle rad fahrrad bici bicicleta velo".split()),
    frozenset("room zimmer cuarto habitacion sala chambre salle".split()),
    frozenset("laptop computer ordenador compu rechner portatil ordi ordinateur".split()),
)
# The hour that follows is that of its end.
UNTIL: Final = phrase(
    r"'?till?|until|ends?|ending|by(?= (?:\d|noon|half|quarter|one|two|three|four|five|six|seven|eight|nine|ten|eleven|"
    r"twelve)(?:\W|\d|$))|(?<!come )(?<!coming )over (?:at|by)|done (?:at|by)|(?:lets|gets|get|out|"
    r"finish\w*) (?:out )?(?:at|by)|before",
    r"hasta|termin\w+|acab\w+|sal(?:e|en|go|imos) (?:a|de)|antes de",
    r"bis|aus um|end\w+|fertig um|vor|schluss",
    r"jusqu'\w+|finir?|finis|finit|finissent|termin\w*|(?:a|de) la sortie|sors?|sort(?:ent|ie|ir)?|avant",
)
# A place was found for somebody: it takes place, whatever verb tells it.
BOOKED: Final = phrase(
    r"got \w+ in (?:w|with|at|for|to)|booked|squeez\w+|fit (?:\w+ )?in|fitted|slot|opening|appointment|appt|sign(?:ed|"
    r"ing) \w+ up|registered|scheduled|"
    r"grabbed|can see|reschedul\w+|moved (?:it |\w+ )?to|is (?:now )?at|starts? at|invited",
    r"cita|hueco|turno|apunt\w+|reserv\w+|nos dan|nos da|me dieron|le dieron|quedo para|empieza|invit\w+",
    r"termin|angemeldet|zugesagt|gebucht|platz|einschieben|dazwischen\w*|reinschieben|eingetragen|beginnt|eingeladen|"
    r"ausgemacht",
    r"rdv|rendez-?vous|reserve\w*|inscri\w+|invite\w*|creneau|decroche\w*|j'ai (?:pris|eu)|(?:nous|le|la|"
    r"l') ?(?:prend|voit|recoit)",
)
# The hour is that at which something ends, or somebody is back.
ENDS_THEN: Final = phrase(
    r"(?:done|(?<!come )(?<!coming )over|ends?|out|finish\w*|off|home|back)(?: \w+){0,3}? (?:at|by|around)|ends \d|"
    r"(?:until|till?|'til) \w+|(?:lets|gets|get) out|"
    r"lands?|(?:leave|leaves|leaving) (?:at|by)|before \w+|clock in",
    r"(?:sal[eg]\w*|termin\w+|acab\w+|vuelv\w+|llega\w*) (?:\w+ ){0,2}?(?:a|hasta|sobre)|hasta|antes de",
    r"(?:aus|fertig|vorbei|schluss|zuruck|daheim|zuhause|heim) (?:um|gegen|ab)?|bis|vor",
    r"(?:finir?|finis|finit|finissent|termin\w*|sors?|sort(?:ent|ie|ir)?|rentr\w*|quitt\w*|libre|de retour)(?: \w+){0,3} (?:a|"
    r"vers|avant)(?= \d)|"
    r"jusqu'\w+|avant \d\w*",
)
# The clause is of whoever says it.
OWN: Final = phrase(
    r"i(?:'(?:m|ve|ll|d))?|im (?:\w+ing|at|in|on|stuck|out|off|late|busy|free|here)|ive|my|we|our",
    r"yo|mi|mis|llego|salgo|entro|vuelvo|trabajo|tengo|estoy|voy|me|nos|tenemos|nuestr\w+",
    r"ich|i|mein\w*|wir|"
    r"unser\w*|hab|bin|muss",
    r"je|j'\w+|mes|on (?:va|est|a (?:rdv|le|la|les|une?|des|prevu)|sera|part|passe|fait|dine|mange)|nous|notre|nos|moi",
)
