"""German words of time. Umlauts may be spelled ae, oe, ue; see `lexicon.py` for the classes."""

WORDS = """
weekday 0 | montag
weekday 1 | dienstag
weekday 2 | mittwoch
weekday 3 | donnerstag
weekday 4 | freitag
weekday 5 | samstag sonnabend
weekday 6 | sonntag
weekdays 0 | montags
weekdays 1 | dienstags
weekdays 2 | mittwochs
weekdays 3 | donnerstags
weekdays 4 | freitags
weekdays 5 | samstags
weekdays 6 | sonntags
weekdays weekday | werktags wochentags
month 1 | januar jänner
month 2 | februar feber
month 3 | märz
month 5 | mai
month 6 | juni
month 7 | juli
month 10 | oktober okt
month 12 | dezember dez
day_word 0 | heute
day_word 1 | morgen
day_word -1 | gestern
day_word 2 | übermorgen
day_word -2 | vorgestern
tonight night | heute_nacht
tonight evening | heute_abend
tonight morning | heute_morgen heute_früh
tonight afternoon | heute_nachmittag
tonight noon | heute_mittag
part morning | früh vormittag vormittags morgens früh_morgens
part afternoon | nachmittag nachmittags
part evening | abend abends
part night | nachts
part noon | mittags
part nacht | nacht
now | jetzt sofort gerade_eben
noon 12 | mittag
noon 24 | mitternacht
unit day | tag tage tagen
unit week | woche wochen
unit month | monat monate monaten monats
unit year | jahr jahre jahren jahres
unit weekend | wochenende
clock_unit hour | stunde stunden std
clock_unit minute | minute minuten
clock_unit second | sekunden
week_number kw | kw kalenderwoche
this this | diese dieser diesen dieses diesem
next next | nächste nächster nächsten nächstes nächstem
next coming | kommende kommenden kommender kommendes
last last | letzte letzten letzter letztes vergangene vergangenen vorige vorigen
the | der die das den dem des
of | von
at | um
in in | im
on on | am ab_dem
from from | vom
between between | zwischen
to until | bis bis_zum
aged | alt
and | und
or | oder
before before | vor_dem vor_der
before by | bis_spätestens spätestens bis_zum bis_am
after since | seit seit_dem ab
about approx | gegen ungefähr etwa ca
every | jeden jede jedes alle
other 2 | zweite zweiten
past nach | nach
ago_first ago | vor
half halb | halb
half half | halbe halben halber
quarter viertel | viertel
quarter dreiviertel | dreiviertel
later later | später
a 1 | ein eine einen einem einer
some 3 | paar ein_paar einige einigen
oclock | uhr
often FREQ=DAILY | täglich jeden_tag
often FREQ=WEEKLY | wöchentlich jede_woche
often FREQ=MONTHLY | monatlich jeden_monat
often FREQ=YEARLY | jährlich jedes_jahr
phase begin | anfang
phase mid | mitte
phase end | ende
then | guten_morgen guten_tag guten_abend gute_nacht
then | mit geht passt bitte gut und für beim bei
holiday 12-25 | weihnachten
holiday 12-24 | heiligabend
holiday 12-31 | silvester
holiday 1-1 | neujahr
holiday easter+0 | ostern ostersonntag
holiday easter+1 | ostermontag
holiday easter-2 | karfreitag
holiday easter+50 | pfingstmontag
"""

HINTED = """
weekday 0 | mo
weekday 1 | di
weekday 2 | mi
weekday 3 | do
weekday 4 | fr
weekday 5 | sa
weekday 6 | so
on on | am
"""
HINTS = frozenset(
    """
    der das den dem ist ich du wir ihr um uhr und nicht bis morgen heute kann kannst für mit treffen termin ein
    eine einen auch noch zum beim jeden
""".split()
)

_UNITS = """
    null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn
    siebzehn achtzehn neunzehn
""".split()
_TENS = {"zwanzig": 20, "dreißig": 30, "vierzig": 40, "fünfzig": 50}
_ORDINALS = """
    nullt erst zweit dritt viert fünft sechst siebt acht neunt zehnt elft zwölft dreizehnt vierzehnt fünfzehnt
    sechzehnt siebzehnt achtzehnt neunzehnt zwanzigst
""".split()
_COMPOUNDS = {
    f"{one}und{ten}": value + number
    for ten, value in _TENS.items()
    for number, one in enumerate(["ein", *_UNITS[2:10]], start=1)
}
NUMBERS = {**{word: number for number, word in enumerate(_UNITS)}, **_TENS, **_COMPOUNDS}
ORDINALS = {
    stem + ending: number
    for stem, number in [
        *((stem, number) for number, stem in enumerate(_ORDINALS) if number),
        *((f"{word}st", number) for word, number in [("dreißig", 30), *_COMPOUNDS.items()] if number <= 31),
    ]
    for ending in ("e", "en", "er", "es", "em")
}
