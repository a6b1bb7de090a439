"""What households do every week, and the occasions beside it: how it is said in English, Spanish, German and French."""

from extraction.chat.commitments.lexicon import over_folded

# English name of an activity: how it is said. Nouns of everyday life, longest first.
ACTIVITIES: dict[str, str] = {
    "soccer": r"soccer|socer|football|futbol|fussball(?:training)?|futsal|footy|gaelic|hurling|camogie",
    "swimming": (
        r"swim(?:ming|s)?(?: team| meet| practice| lessons?)?|schwimm\w*|piscina|seepferdchen|nat(?:ation|acion)|"
        r"pool lesson"
    ),
    "ballet": r"ballet|balet|ballett\w*",
    "dance": (
        r"danc(?:e|ing)|tanz\w*|danza|baile|tap|hip ?hop|flamenco|danse\w*|bharatanatyam|kathak|marinera|salsa|sevillanas|"
        r"folklore|ballroom|jazz dance|irish dancing|kapa haka|hula"
    ),
    "piano": r"piano|klavier\w*",
    "guitar": r"guitar|guitarra|gitarre\w*|guitare|ukulele|banjo",
    "violin": (
        r"violin|geige\w*|cello|flute|flote|blockflote|flauta|trumpet|trompete|trompeta|drums|schlagzeug|bateria|"
        r"saxophone|clarinet|violon\w*|fagott|klarinette|saxophon|oboe|tuba|posaune|harfe|harp|recorder|solfege|batterie"
    ),
    "chess": r"chess|schach\w*|ajedrez|echecs",
    "karate": (
        r"karate|taekwondo|tkd|jiu ?jitsu|bjj|aikido|martial arts|kickbox\w*|capoeira|fencing|fechten|esgrima|boxing|"
        r"boxen|escrime|lucha|judo\w*|krav maga|mma"
    ),
    "gymnastics": (
        r"gymnastics|gym class|turn(?:en|training)|gimnasia|tumbling|trampolin\w*|cheer(?:leading)?|kinderturnen|"
        r"leichtathletik|atletismo|cross ?country|track|gymnastique|athletisme"
    ),
    "hockey": (
        r"(?:ice |field )?hockey|lacrosse|lax|rugby|handball|balonmano|wrestling|floorball|waterpolo|eishockey|skating|"
        r"skate|skatepark|netball|water polo|hurley|patin\w*"
    ),
    "basketball": r"basketball|bball|baloncesto|basquet\w*|hoops|basket",
    "baseball": r"baseball|softball|t-?ball|little league|beisbol|cricket",
    "volleyball": r"volley(?:ball)?|voleibol|voley",
    "tennis": r"tennis|tenis|padel|badminton|squash|ping ?pong|tischtennis",
    "climbing": r"climbing|kletter\w*|escalada|boulder\w*|sailing|vela|rowing|rudern|remo|golf|archery|surf\w*",
    "riding": r"riding|reiten|reitstunde|equitacion|horse ?(?:back)?|hipica|equitation|poney|pony|voltigieren",
    "choir": (
        r"choir|chor(?:probe)?|coro|band|orchestra|orchester(?:probe)?|orquesta|music(?: lesson)?|musik\w*|musica|"
        r"jazz band|chorale|orchestre|musique|jazz|kapelle|blaskapelle|marching band"
    ),
    "theatre": r"drama|theat(?:er|re)(?:gruppe|-ag)?|teatro|rehearsal|(?:theater)?probe|ensayo|debate",
    "robotics": (
        r"robotics|robotica|robotik|coding|programacion|lego (?:league|club)|science fair|math ?(?:club|letes)|mathe-?ag"
    ),
    "art": (
        r"art(?: class| club)?|kunst\w*|pottery|toepfern|topfern|ceramica|pintura|malen|dibujo|dessin|peinture|poterie|"
        r"atelier"
    ),
    "scouts": r"(?:boy |girl |cub )?scouts?|pfadfinder\w*|brownies|guides",
    "tutoring": (
        r"tutor(?:ing)?|nachhilfe\w*|refuerzo|clases? particulares?|kumon|homework club|speech|logopad\w*|logopedia|"
        r"logopeda|soutien|orthophon\w*|occupational therapy"
    ),
    "dentist": (
        r"dentist\w*|zahnarzt\w*|ortho\w*|ortodoncia|ortodoncista|kieferorthopad\w*|braces|zahn\w*|dientes|muelas"
    ),
    "doctor": (
        r"(?:doctor|doc|dr|pediatrician|peds|checkup|check-up|physio|allergist|eye (?:doctor|exam)|vaccin\w*|shots)(?:'?s)?|"
        r"kinderarzt\w*|arzt\w*|impf\w*|medico|pediatra|doctora|vacuna|oculista|augenarzt\w*|therap\w*|terapia|ergo|"
        r"medecin|pediatre|docteur|kine|orthopad\w*|cardiolog\w*|kardiolog\w*|allergologue|ophtalmo|oculiste|eyes? tests?|"
        r"blood test"
    ),
    "vet": r"vet|tierarzt|veterinari[oa]",
    "haircut": r"haircut|friseur\w*|peluqueri[ao]|hair appt|coiffeur|coiffeuse|hairdresser|barber",
    "daycare": (
        r"day ?care|kita|kindergarten|preschool|kiga|krippe|guarderia|kinder|hort|after ?(?:school )?care|infantil|"
        r"nursery|tagesmutter"
    ),
    "bus": r"(?:school )?bus|autobus|bus stop",
    "party": (
        r"partys?|(?:kinder)?geburtstag\w*|birthday|bday|b-day|cumple(?:anos)?|fiesta|sleepover|playdate|play date|"
        r"ubernachtung|pijamada|invited|movie|cine|kino|anniversaire|anniv|fete|boum"
    ),
    "recital": (
        r"recital|concert|konzert\w*|concierto|auffuhrung|ballettauffuhrung|vorspiel|audicion|festival|show|performance|"
        r"school play|funcion|schulfest|sommerfest|graduation|spectacle|representation"
    ),
    "conference": (
        r"(?:parent[- ]?)?teacher conference\w*|parents'? evening|pta|elternabend|elternsprechtag|sprechtag|tutoria|"
        r"junta(?: de (?:la escuela|padres))?|reunion de padres|open (?:house|day)|info(?:abend| night)|"
        r"back to school night|elterngesprach|reunion parents?\w*|rencontre parents?\w*"
    ),
    "camp": (
        r"camp|ferienlager|campamento|field trip|klassenfahrt|ausflug|excursion|wandertag|class trip|sortie scolaire|colo"
    ),
    "game": r"game|match|partido|spiel|turnier|tournament|torneo|scrimmage|meet|punktspiel|wettkampf|tournoi",
    "practice": (
        r"practice|practise|pratice|training|entreno|entrenamiento|entrene|lesson|class|clase|unterricht|kurs|curso|cours|"
        r"(?<!of )course|club|session|tryouts?|entrainement|repetition|lecon|cours de \w+|ubung"
    ),
    "exam": r"exam|test|examen|prufung|klassenarbeit",
    "appointment": r"appointment|appt|termin|cita|visit|meeting|rendez-?vous|rdv",
    "school": (
        r"school|schule|cole|colegio|escuela|instituto|schulschluss|early release|early dismissal|pickup line|ecole|lycee|"
        r"maternelle"
    ),
}
ACTIVITY = over_folded(
    r"(?<!\w)(?:" + "|".join(f"(?P<{name}>{said})" for name, said in ACTIVITIES.items()) + r")(?!\w)"
)
# These name no particular thing when a more particular one stands beside them ("soccer practice", "ballet class").
VAGUE = frozenset({"practice", "game", "appointment", "school", "bus", "exam", "party", "recital"})
