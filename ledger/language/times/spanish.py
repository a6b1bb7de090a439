"""Spanish words of time. Accents may be left out, as chats do; see `lexicon.py` for the classes."""

WORDS = """
weekday 0 | lunes
weekday 1 | martes
weekday 2 | miércoles
weekday 3 | jueves
weekday 4 | viernes
weekday 5 | sábado
weekday 6 | domingo
weekdays 0 | los_lunes
weekdays 1 | los_martes
weekdays 2 | los_miércoles
weekdays 3 | los_jueves
weekdays 4 | los_viernes
weekdays 5 | los_sábados
weekdays 6 | los_domingos
weekdays weekend | los_fines_de_semana
month 1 | enero ene
month 2 | febrero
month 3 | marzo
month 4 | abril abr
month 5 | mayo
month 6 | junio
month 7 | julio
month 8 | agosto
month 9 | septiembre setiembre
month 10 | octubre
month 11 | noviembre
month 12 | diciembre dic
day_word 0 | hoy
day_word 1 | mañana
day_word -1 | ayer
day_word 2 | pasado_mañana
day_word -2 | anteayer antier
tonight night | esta_noche
tonight morning | esta_mañana
tonight afternoon | esta_tarde
part_phrase morning | por_la_mañana en_la_mañana de_la_mañana
part_phrase afternoon | por_la_tarde en_la_tarde de_la_tarde
part_phrase night | por_la_noche en_la_noche de_la_noche
now | ahora ahorita ahora_mismo
noon 12 | mediodía al_mediodía
noon 24 | medianoche
unit day | día días
unit week | semana semanas
unit month | mes meses
unit year | año años
unit weekend | fin_de_semana finde
clock_unit hour | hora horas
clock_unit minute | minuto minutos
clock_unit second | segundos
this this | este esta
next next | próximo próxima siguiente
coming_after next | que_viene
last last | último última pasado pasada
the | el la los
of | de del
at las | a_las a_la
in in | en dentro_de
on on | el_día
from from | desde de_las desde_las
the las | las
between between | entre entre_las
to until | hasta hasta_las
to to | a al
aged | de_edad
and | y
or | o
before before | antes_de antes_del antes_de_las antes_de_la
before by | para_el
after after | después_de después_del después_de_las a_partir_de a_partir_de_las a_partir_del
after since | desde_el
about approx | sobre sobre_las hacia hacia_las
every | cada todos_los todas_las
half media | media
quarter cuarto | cuarto
minus menos | menos
ago_first ago | hace
later later | más_tarde después
a 1 | un una
some 3 | unos unas varios varias algunos algunas
oclock | en_punto
often FREQ=DAILY | todos_los_días cada_día diariamente a_diario
often FREQ=WEEKLY | semanalmente todas_las_semanas
often FREQ=MONTHLY | mensualmente todos_los_meses
often FREQ=YEARLY | anualmente todos_los_años
phase begin | principios_de principios_del comienzos_de inicios_de
phase mid | mediados_de mediados_del
phase end | finales_de finales_del fin_de fines_de
then | buenos_días buenas_tardes buenas_noches buen_día
then | con porque por si está vale bien favor
holiday 12-25 | navidad día_de_navidad
holiday 12-24 | nochebuena
holiday 12-31 | nochevieja fin_de_año
holiday 1-1 | año_nuevo
holiday 1-6 | día_de_reyes
"""

# Short forms that are words of their own elsewhere: only read in a text that is Spanish.
HINTED = """
weekday 0 | lun
weekday 1 | mar
weekday 2 | mié mie mier miérc
weekday 3 | jue juev
weekday 4 | vie vier
weekday 5 | sáb sab
weekday 6 | dom
word_num 11 | once
"""
HINTS = frozenset(
    """
    el los del que qué por para con mañana hoy está tengo puedo puedes quedamos nos vemos cita cada pero una un las lunes
    martes miércoles jueves viernes sábado domingo menos cuarto media tarde noche y
""".split()
)

# `once` is English here unless a Spanish text says it.
_COUNTING = """
    cero uno dos tres cuatro cinco seis siete ocho nueve diez - doce trece catorce quince dieciséis diecisiete
    dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete
    veintiocho veintinueve
""".split()
_TENS = {"treinta": 30, "cuarenta": 40, "cincuenta": 50}
NUMBERS = {
    **{word: number for number, word in enumerate(_COUNTING) if number != 11},
    **_TENS,
    **{f"{ten}_y_{_COUNTING[one]}": value + one for ten, value in _TENS.items() for one in range(1, 10)},
    "veintiún": 21,
}
ORDINALS = {"primero": 1}
