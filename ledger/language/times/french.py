"""French words of time. Accents may be left out, as chats do; see `lexicon.py` for the classes."""

WORDS = """
weekday 0 | lundi
weekday 1 | mardi
weekday 2 | mercredi
weekday 3 | jeudi
weekday 4 | vendredi
weekday 5 | samedi
weekday 6 | dimanche
weekdays 0 | lundis
weekdays 1 | mardis
weekdays 2 | mercredis
weekdays 3 | jeudis
weekdays 4 | vendredis
weekdays 5 | samedis
weekdays 6 | dimanches
then | mardi_gras
month 1 | janvier
month 2 | février
month 4 | avril
month 6 | juin
month 7 | juillet
month 8 | août
month 9 | septembre
month 10 | octobre
month 12 | décembre
day_word 0 | aujourd'hui
day_word 1 | demain
day_word 2 | après_demain
day_word -2 | avant_hier
tonight evening | ce_soir
tonight morning | ce_matin
tonight noon | ce_midi
tonight afternoon | cet_après_midi cette_après_midi cet_aprem cette_aprem
tonight night | cette_nuit
part morning | matin matinée
part afternoon | après_midi aprem aprèm
part evening | soir soirée
part_phrase morning | le_matin du_matin au_matin du_mat dans_la_matinée
part_phrase afternoon | l'après_midi de_l'après_midi d'après_midi
part_phrase evening | le_soir du_soir dans_la_soirée
part_phrase night | la_nuit de_la_nuit
noon 24 | minuit
unit day | jours
unit week | semaine semaines
unit year | années
unit weekend | week_end week_ends
heure hour | heure heures
clock_unit second | secondes
this this | cette
coming_after next | prochain prochaine
last last | dernier dernière
at to | =à
in in | dans
from from | dès
between between | d'entre
to until | jusqu'à jusqu'au
before before | avant
after after | après
after since | depuis à_partir_de à_partir_du à_partir_d'
about vers | vers environ aux_alentours_de autour_de aux_environs_de
lasting | pendant durant
every | chaque tous_les toutes_les
minus moins | moins moins_le
ago_first ago | il_y_a
half demie | et_demie et_demi
quarter quart | et_quart
quarter troisquarts | trois_quarts
some 3 | quelques plusieurs
often FREQ=DAILY | tous_les_jours chaque_jour quotidiennement
often FREQ=WEEKLY | toutes_les_semaines chaque_semaine
often FREQ=MONTHLY | tous_les_mois chaque_mois
often FREQ=YEARLY | tous_les_ans chaque_année
phase begin | début_de début_du
phase mid | milieu_de milieu_du
phase end | fin_de fin_du
then | bonjour bonsoir bonne_nuit bonne_journée bonne_soirée au_plus_tard pile précises
then | avec chez pour merci oui svp stp alors
holiday 12-25 | noël
holiday 12-24 | veille_de_noël
holiday 12-31 | saint_sylvestre
holiday 1-1 | jour_de_l'an
holiday 7-14 | quatorze_juillet
"""

# Words of its neighbours too, and short forms: only read in a text that is French.
HINTED = """
month 3 | mars
month 5 | mai
month 9 | sept
month 11 | novembre nov
weekday 0 | lun
weekday 2 | mer
weekday 3 | jeu
weekday 4 | ven
weekday 5 | sam
weekday 6 | dim
day_word -1 | hier
noon 12 | midi
part night | nuit
unit day | jour
unit month | mois
unit year | an ans année
word_num 1 | une
word_num 7 | sept
the | la les l'
of | de des du d'
on le | le
in in | en
this this | ce cet
last last | passé passée
next next | suivant suivante
between between | entre
to until | au
to to | a
and | et
or | ou
quarter quart | quart
half demie | demi demie
"""
HINTS = frozenset(
    """
    à au aux je nous vous est pour avec dans chez qui pas des ce cet cette une toi suis peux peut oui mais et le les du
    soir matin midi minuit aprem heures heure vers jusqu'à avant demain hier aujourd'hui dès prochain entre mars début fin
    lundi mardi mercredi jeudi vendredi samedi dimanche
    janvier février avril juin juillet août septembre octobre novembre décembre
""".split()
)

_COUNTING = """
    zéro - deux trois quatre cinq six - huit neuf dix onze douze treize quatorze quinze seize dix_sept dix_huit
    dix_neuf vingt
""".split()
_UNITS = "- et_un deux trois quatre cinq six sept huit neuf".split()
_TENS = {"vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50}
NUMBERS = {
    **{word: number for number, word in enumerate(_COUNTING) if word != "-"},
    **_TENS,
    **{f"{ten}_{word}": value + one for ten, value in _TENS.items() for one, word in enumerate(_UNITS) if one},
}
ORDINALS = {"premier": 1}
