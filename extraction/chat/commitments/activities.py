"""What households do every week, and the occasions beside it: how it is said in English, Spanish, German and French."""

from extraction.chat.commitments.lexicon import over_folded

# English name of an activity: how it is said. Nouns of everyday life, longest first.
ACTIVITIES: dict[str, str] = {
    "soccer": (
        r"soccer|socer|football|futbol|fussball(?:training)?|futsal|"
        r"footy|gaelic|hurling|camogie"
    ),
    "swimming": (
        r"swim(?:ming|s)?(?: team| meet| practice| lessons?)?|schwimm\w*|natacion|piscina|seepferdchen|"
        r"nat(?:ation|acion)|pool lesson"
    ),
    "ballet": r"ballet|balet|ballett\w*",
    "dance": (
        r"danc(?:e|ing)|tanz\w*|danza|baile|tap|hip ?hop|flamenco|"
        r"danse\w*|bharatanatyam|kathak|marinera|salsa|sevillanas|folklore|ballroom|jazz dance|irish dancing|kapa haka|hula"
    ),
    "piano": r"piano|klavier\w*",
    "guitar": (
        r"guitar|guitarra|gitarre\w*|"
        r"guitare|ukulele|banjo"
    ),
    "violin": (
        r"violin|geige\w*|cello|flute|flote|blockflote|flauta|trumpet|trompete|trompeta|drums|schlagzeug|"
        r"bateria|saxophone|clarinet|"
        r"violon\w*|fagott|klarinette|saxophon|oboe|tuba|posaune|harfe|harp|recorder|solfege|batterie"
    ),
    "chess": (
        r"chess|schach\w*|ajedrez|"
        r"echecs"
    ),
    "karate": (
        r"karate|judo|taekwondo|tkd|jiu ?jitsu|bjj|aikido|martial arts|kickbox\w*|capoeira|fencing|fechten|"
        r"esgrima|boxing|boxen|"
        r"escrime|lucha|judo\w*|krav maga|mma"
    ),
    "gymnastics": (
        r"gymnastics|gym class|turn(?:en|training)|gimnasia|tumbling|trampolin\w*|cheer(?:leading)?|"
        r"kinderturnen|leichtathletik|atletismo|cross ?country|track|"
        r"gymnastique|athletisme|tumbling"
    ),
    "hockey": (
        r"(?:ice |field )?hockey|lacrosse|lax|rugby|handball|balonmano|wrestling|floorball|waterpolo|"
        r"eishockey|skating|patinaje|skate|skatepark|"
        r"netball|water polo|hurley|patin\w*|handball"
    ),
    "basketball": r"basketball|bball|baloncesto|basquet\w*|hoops|basket",
    "baseball": r"baseball|softball|t-?ball|little league|beisbol|cricket",
    "volleyball": r"volley(?:ball)?|voleibol|voley",
    "tennis": r"tennis|tenis|padel|badminton|squash|ping ?pong|tischtennis",
    "climbing": (r"climbing|kletter\w*|escalada|boulder\w*|sailing|vela|rowing|rudern|remo|golf|archery|surf\w*"),
    "riding": (
        r"riding|reiten|reitstunde|equitacion|horse ?(?:back)?|hipica|"
        r"equitation|poney|pony|voltigieren"
    ),
    "choir": (
        r"choir|chor(?:probe)?|coro|band|orchestra|orchester(?:probe)?|orquesta|music(?: lesson)?|musik\w*|"
        r"musica|jazz band|"
        r"chorale|orchestre|musique|jazz|kapelle|blaskapelle|marching band"
    ),
    "theatre": (
        r"drama|theat(?:er|re)(?:gruppe|-ag)?|teatro|rehearsal|(?:theater)?probe|ensayo|debate|"
        r"theatre|teatro"
    ),
    "robotics": (
        r"robotics|robotica|robotik|coding|programacion|lego (?:league|club)|science fair|math ?(?:club|"
        r"letes)|mathe-?ag"
    ),
    "art": (
        r"art(?: class| club)?|kunst\w*|pottery|toepfern|topfern|ceramica|pintura|malen|dibujo|"
        r"dessin|peinture|poterie|atelier"
    ),
    "scouts": r"(?:boy |girl |cub )?scouts?|pfadfinder\w*|brownies|guides",
    "tutoring": (
        r"tutor(?:ing)?|nachhilfe\w*|refuerzo|clases? particulares?|kumon|homework club|speech|logopad\w*|"
        r"logopedia|logopeda|"
        r"soutien|orthophon\w*|occupational therapy"
    ),
    "dentist": (
        r"dentist\w*|dentista|zahnarzt\w*|ortho\w*|ortodoncia|ortodoncista|kieferorthopad\w*|braces|"
        r"dentiste|zahn\w*|dientes|muelas"
    ),
    "doctor": (
        r"(?:doctor|doc|dr|pediatrician|peds|checkup|check-up|physio|allergist|eye (?:doctor|exam)|vaccin\w*|"
        r"shots)(?:'?s)?|kinderarzt\w*|arzt\w*|impf\w*|medico|pediatra|doctora|vacuna|oculista|augenarzt\w*|"
        r"therap\w*|terapia|ergo|"
        r"medecin|pediatre|docteur|kine|orthopad\w*|cardiolog\w*|kardiolog\w*|allergologue|vaccin|ophtalmo|oculiste|"
        r"eyes? tests?|blood test"
    ),
    "vet": r"vet|tierarzt|veterinari[oa]",
    "haircut": (
        r"haircut|friseur\w*|peluqueri[ao]|hair appt|"
        r"coiffeur|coiffeuse|hairdresser|barber"
    ),
    "daycare": (
        r"day ?care|kita|kindergarten|preschool|kiga|krippe|guarderia|kinder|hort|after ?(?:school )?care|"
        r"aftercare|infantil|nursery|tagesmutter"
    ),
    "bus": r"(?:school )?bus|autobus|bus stop",
    "party": (
        r"party|partys?|(?:kinder)?geburtstag\w*|birthday|bday|b-day|cumple(?:anos)?|fiesta|sleepover|"
        r"playdate|play date|ubernachtung|pijamada|invited|movie|cine|kino|"
        r"anniversaire|anniv|fete|boum"
    ),
    "recital": (
        r"recital|concert|konzert\w*|concierto|auffuhrung|ballettauffuhrung|vorspiel|audicion|festival|show|"
        r"performance|school play|funcion|schulfest|sommerfest|graduation|"
        r"spectacle|concert|representation"
    ),
    "conference": (
        r"(?:parent[- ]?)?teacher conference\w*|parents'? evening|pta|elternabend|elternsprechtag|sprechtag|"
        r"tutoria|junta(?: de (?:la escuela|padres))?|reunion de padres|open (?:house|day)|info(?:abend|"
        r" night)|back to school night|elterngesprach|"
        r"reunion parents?\w*|rencontre parents?\w*"
    ),
    "camp": (
        r"camp|ferienlager|campamento|field trip|klassenfahrt|ausflug|excursion|wandertag|class trip|"
        r"sortie scolaire|colo"
    ),
    "game": (
        r"game|match|partido|spiel|turnier|tournament|torneo|scrimmage|meet|punktspiel|wettkampf|"
        r"match|tournoi"
    ),
    "practice": (
        r"practice|practise|pratice|training|entreno|entrenamiento|entrene|lesson|class|clase|unterricht|kurs|curso|cours|"
        r"(?<!of )course|club|session|tryouts?|"
        r"entrainement|repetition|lecon|cours de \w+|ubung"
    ),
    "exam": r"exam|test|examen|prufung|klassenarbeit",
    "appointment": (
        r"appointment|appt|termin|cita|visit|meeting|"
        r"rendez-?vous|rdv"
    ),
    "school": (
        r"school|schule|cole|colegio|escuela|instituto|schulschluss|early release|early dismissal|pickup line|"
        r"ecole|lycee|maternelle"
    ),
}
ACTIVITY = over_folded(
    r"(?<!\w)(?:" + "|".join(f"(?P<{name}>{said})" for name, said in ACTIVITIES.items()) + r")(?!\w)"
)
# These name no particular thing when a more particular one stands beside them ("soccer practice", "ballet class").
VAGUE = frozenset({"practice", "game", "appointment", "school", "bus", "exam", "party", "recital"})
