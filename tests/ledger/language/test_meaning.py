"""German, Spanish and French statements in other words: which cannot both hold (D12)."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.language.contradiction import Statement, contradicts
from ledger.language.meaning.amounts import amounts_in
from ledger.language.meaning.opposition import opposed
from ledger.language.meaning.vocabulary import language, language_of, stem

CONTRADICTING = [
    ("Hunde sind im Lokal erlaubt.", "Im Lokal sind Hunde verboten."),
    ("Das Tor bleibt nachts offen.", "Nachts bleibt das Tor geschlossen."),
    ("Der Server speichert die Protokolle.", "Der Server speichert keine Protokolle."),
    ("Die Sitzung beginnt um 9 Uhr.", "Die Sitzung beginnt um halb elf."),
    ("Die Kiste wiegt 4 Kilo.", "Die Kiste wiegt 6 kg."),
    ("Der Kurs kostet höchstens 40 Euro.", "Der Kurs kostet 55 Euro."),
    ("La puerta del garaje está abierta.", "La puerta del garaje está cerrada."),
    ("Guardamos las facturas en la nube.", "No guardamos las facturas en la nube."),
    ("El almacén abre a las 8.", "El almacén abre a las 10."),
    ("La caja pesa 4 kilos.", "La caja pesa 6 kg."),
    ("Les vélos sont autorisés dans le hall.", "Les vélos sont interdits dans le hall."),
    ("La réunion commence à 9 h.", "La réunion commence à 11 h."),
    ("Le colis pèse 4 kilos.", "Le colis pèse 6 kg."),
    ("Le serveur garde les journaux.", "Le serveur ne garde pas les journaux."),
]
BOTH_HOLD = [
    ("Die Sitzung dauert 90 Minuten.", "Die Sitzung dauert 1,5 Stunden."),
    ("Das Tor ist nachts geschlossen.", "Nachts ist das Tor nicht offen."),
    ("Der Laden öffnet montags um 9 Uhr.", "Der Laden öffnet samstags um 10 Uhr."),
    ("Der rote Kran hebt 500 kg.", "Der gelbe Kran hebt 800 kg."),
    ("Wenn es regnet, bleibt das Fenster geschlossen.", "Wenn es nicht regnet, bleibt das Fenster offen."),
    ("Hunde sind im Lokal erlaubt.", "Hunde sind im Garten verboten."),
    ("La sesión empieza a las 20:30.", "La sesión empieza a las ocho y media de la tarde."),
    ("La oficina de Lugo abre a las 9.", "La oficina de Vigo abre a las 10."),
    ("No es necesario firmar el recibo.", "Se puede firmar el recibo."),
    ("La boutique est fermée le mardi.", "Le mardi, la boutique n'ouvre pas."),
    ("Le cours dure une heure et demie.", "Le cours dure 90 minutes."),
    ("Les vélos sont interdits dans le hall.", "Les vélos sont autorisés dans la cour."),
]


@pytest.mark.parametrize(("one", "other"), CONTRADICTING)
def test_what_cannot_both_hold_is_told_with_a_reason(one, other):
    assert contradicts(Statement("A", one), Statement("B", other))


@pytest.mark.parametrize(("one", "other"), BOTH_HOLD)
def test_what_can_both_hold_is_not_accused(one, other):
    assert contradicts(Statement("A", one), Statement("B", other)) == ""


@pytest.mark.parametrize(("one", "other"), CONTRADICTING + BOTH_HOLD)
def test_the_order_makes_no_difference_and_nothing_opposes_itself(one, other):
    assert bool(opposed(one, other)) == bool(opposed(other, one))
    assert opposed(one, one) == opposed(other, other) == ""


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Wir treffen uns am Freitag im Büro.", "de"),
        ("La reunión es el viernes en la oficina.", "es"),
        ("La réunion est vendredi dans le bureau.", "fr"),
        ("We meet in the office on Friday.", None),
        ("timeout: 90 s", None),
        ("", None),
    ],
)
def test_a_text_is_read_in_the_language_of_its_words(text, code):
    assert language_of(text) is (language(code) if code else None)


@pytest.mark.parametrize(
    ("text", "code", "what", "low", "high"),
    [
        ("mindestens 15 kinder", "de", "count", 15, float("inf")),
        ("hochstens zwei stunden", "de", "time", float("-inf"), 7200),
        ("um viertel nach 9", "de", "clock", 555, 555),
        ("unos 20 euros", "es", "EUR", 18, 22),
        ("de 2 a 4 dias", "es", "time", 172800, 345600),
        ("le 2 septembre", "fr", "date", 802, 802),
        ("1.500 litres", "fr", "l", 1500, 1500),
        ("une demi-heure", "fr", "time", 1800, 1800),
    ],
)
def test_an_amount_has_its_unit_and_bound(text, code, what, low, high):
    assert [(one.what, one.low, one.high) for one in amounts_in(text, language(code))] == [(what, low, high)]


@given(st.text(max_size=200), st.sampled_from(["de", "es", "fr"]))
def test_any_text_is_read_without_failing(text, code):
    amounts_in(text, language(code))
    opposed(f"der die das {text}", f"das ist nicht {text}")
    opposed(f"la que es {text}", f"no es {text}")


@pytest.mark.parametrize("piece", ["nicht ", "no de ", "pas plus de ", "1 ", "1.000", "eine halbe ", "sin ", "wenn ,"])
def test_no_text_holds_the_comparator_up(piece):
    started = time.process_time()
    opposed(f"der die das {piece * 20_000}", f"das ist {piece * 20_000}")
    assert time.process_time() - started < 2


def test_threads_stem_side_by_side():
    words = [
        f"{start}{end}"
        for start in ("geöffn", "schließ", "bestell", "verkauf")
        for end in ("en", "et", "ung", "ungen", "te") * 200
    ]
    stem.cache_clear()
    with ThreadPoolExecutor(8) as threads:
        together = list(threads.map(lambda word: stem.__wrapped__(word, "de"), words))
    assert together == [stem(word, "de") for word in words]
