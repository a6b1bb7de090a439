"""How orders that hold for good begin, by language: patterns over the start of a sentence, for `instructions.py`.

Each list holds closed classes of words and the forms in which verbs order; what is ordered is left open. In languages whose order
looks like a report (Spanish `siempre ejecuta`), only verbs of work count.
"""

from typing import Final

# When from: `from now on`, `ab sofort`.
FROM_NOW: Final = (
    r"(?:from (?:now|here|today|this point) (?:on(?:wards?)?|forward)|(?:going|moving) forward|hence ?forth|in (?:the )?future"
    r"|starting (?:now|today)|at all times|(?:ab|von) (?:jetzt|sofort|heute|nun)(?: an)?|(?:zu)?künftig|in zukunft"
    r"|(?:a partir de|desde) (?:ahora|hoy|agora|hoje)|(?:de (?:ahora|agora|hoy|hoje) )?e[nm] (?:adelante|diante)"
    r"|à partir de maintenant|à l['’]avenir|désormais|dorénavant|(?:d['’]|da )ora in (?:poi|avanti)|da (?:adesso|oggi)|in futuro"
    r"|vanaf (?:nu|vandaag)|voortaan|in het vervolg)"
)
# What is about this once: words that point at something just spoken of, or say when.
POINTING: Final = (
    r"(?:yet|now|just yet|right away|today|tonight|tomorrow|here|for the moment|at the moment|so far|either|anymore"
    r"|this (?:time|one|week|file|branch|pr|version|change|message|task|step)|noch|jetzt|heute|dies|todavía|aún"
    r"|ahora|hoy|esto|eso|encore|maintenant|ça|cela|ancora|adesso|oggi|questo|ainda|agora|hoje|isso|isto|nog|nu|vandaag)"
)
INSTEAD: Final = (
    r"(?:instead of|rather than|in place of|in preference to|, not|(?:an)?statt|anstelle von|en lugar de|en vez de|au lieu de"
    r"|plutôt que|em vez de|ao invés de|invece di|al posto di|in plaats van)"
)
_ONCE: Final = rf"(?!.*\b{POINTING}\b)"
# Verbs of work as one orders them.
_GERMAN: Final = (
    r"(?:verwende|benutze?|nutze?|nimm|führe?|schreibe?|antworte|prüfe?|teste?|lösche?|ändere|rühre?|fasse?|mache?|achte|frage?"
    r"|halte?|gib|sprich|sage?|committe|pushe?|starte|stelle?|setze?|lasse?|beachte|füge?|lies|arbeite|bleibe?|formatiere"
    r"|installiere|importiere|kommentiere|erstelle|erzeuge|rufe?|öffne|schließe?|entferne|ersetze|behalte|zeige?|denke?|merke?)"
)
_DUTCH: Final = (
    r"(?:gebruik|schrijf|antwoord|voer|raak|zet|maak|vraag|doe|verwijder|wijzig|test|draai|houd|geef|commit|laat|noem)"
)
_SPANISH: Final = (
    r"(?:usa|utiliza|ejecuta|escribe|responde|comprueba|prueba|pregunta|haz|pon|añade|revisa|verifica|mantén|crea)"
)
_SPANISH_NOT: Final = (
    r"(?:toques?|uses?|utilices?|borres?|modifiques?|hagas?|escribas?|subas?|añadas?|agregues?|cambies?|elimines?|crees|ejecutes?"
    r"|pongas?|instales?|envíes?|respondas?|hables?|comentes?|publiques?|edites?|muevas?|llames?)"
)
_PORTUGUESE: Final = (
    r"(?:use|execute|escreva|responda|teste|verifique|pergunte|faça|mantenha|rode|crie|adicione|confirme)"
)
_PORTUGUESE_NOT: Final = (
    r"(?:toque|use|utilize|apague|modifique|faça|escreva|envie|adicione|mude|altere|elimine|crie|execute|instale|responda"
    r"|comente|publique|edite|mova|remova|mexa)"
)
_ITALIAN: Final = r"(?:esegui|scrivi|rispondi|controlla|chiedi|usa|verifica|mantieni|aggiungi|crea|fai)"
_FRENCH: Final = (
    r"(?:utilise|exécute|écris|réponds|teste|vérifie|demande|lance|fais|garde|mets|ajoute|crée|utilisez|exécutez|écrivez"
    r"|répondez|testez|vérifiez|demandez|lancez|faites|gardez|mettez|ajoutez|créez)"
)
OTHER_RULES: Final = (
    # German: `Niemals direkt auf main pushen`, `Verwende nie print`, `Du darfst nicht …` (`Du musst nicht` leaves it open).
    r"(?:immer|nie(?:mals)?|stets|auf keinen fall)\s+[^.!?\n]{3,140}?(?:en|ern|eln)\s*[.!]*\Z",
    rf"{_GERMAN}\b[^.!?\n]{{0,80}}?\b(?:immer|nie(?:mals)?|stets|keinesfalls)\b",
    rf"(?:du|ihr|sie)\s+(?:darfst|dürft|dürfen|sollst|sollt|sollen)\b{_ONCE}[^.!?\n]{{0,60}}?\b(?:nicht|nie(?:mals)?|nur|kein\w*)\b",
    r"(?:du|ihr|sie)\s+(?:musst|müsst|müssen|sollst|sollt)\s+[^.!?\n]{0,60}?\b(?:immer|stets|nur)\b",
    r"hör(?:e|t)? (?:bitte )?(?:damit )?auf\b[^.!?\n]{0,10}?,?\s+\S.*\bzu\b",
    # Dutch
    r"(?:altijd|nooit)\s+[^.!?\n]{3,140}?en\s*[.!]*\Z",
    rf"{_DUTCH}\b[^.!?\n]{{0,80}}?\b(?:altijd|nooit)\b",
    rf"(?:je|jij|u|jullie)\s+(?:mag|moet|mogen|moeten)\b{_ONCE}[^.!?\n]{{0,60}}?\b(?:niet|nooit|altijd|geen|alleen)\b",
    r"(?:stop|hou op)\s+(?:alsjeblieft\s+)?met\s+(?:het\s+)?\w+en\b",
    # Spanish, Portuguese, Italian
    rf"(?:nunca|jamás)\s+{_SPANISH_NOT}\s+\S",
    rf"no\s+{_SPANISH_NOT}\b{_ONCE}\s+\S",
    rf"(?:siempre\s+{_SPANISH}|{_SPANISH}\s+siempre)\s+\S",
    r"(?:deja|dejad|deje) de \w+r\b\s+\S",
    rf"(?:nunca|jamais)\s+{_PORTUGUESE_NOT}\s+\S",
    rf"não\s+{_PORTUGUESE_NOT}\b{_ONCE}\s+\S",
    rf"(?:sempre\s+{_PORTUGUESE}|{_PORTUGUESE}\s+sempre)\s+\S",
    r"(?:pare|para|deixe) de \w+r\b\s+\S",
    rf"(?:sempre\s+{_ITALIAN}|{_ITALIAN}\s+sempre)\s+\S",
    rf"(?:non\s+\w+(?:are|ere|ire|rre)\b{_ONCE}\s+\S|mai\s+\w+(?:are|ere|ire)\b\s+\S)",
    r"(?:smetti|smettila) di \w+re\b\s+\S",
    r"(?:tú |usted |você |tu )?(?:no (?:debes|debe|puedes)|não (?:deve|deves|pode)|non (?:devi|deve|puoi))\s+(?:nunca\s+|mai\s+)?"
    r"\w+(?:ar|er|ir|are|ere|ire)\b",
    # French: a verb without its subject between `ne` and `jamais` orders.
    r"n(?:e\s+|['’])\w+(?:[ -]\w+){0,2}?\s+(?:plus )?jamais\b",
    r"(?:toujours|ne\s+(?:jamais|pas))\s+\w+(?:er|ir|re)\b\s+\S",
    rf"{_FRENCH}\s+toujours\b\s+\S",
    r"(?:tu|vous)\s+ne\s+(?:dois|devez|peux|pouvez)\s+(?:pas|jamais)\s+\w+(?:er|ir|re)\b",
    r"(?:arrête|arrêtez|cesse)\s+(?:de\s+|d['’])\w+\s+\S",
)
OTHER_CHOICES: Final = (
    rf"(?:{_GERMAN}|{_DUTCH}|{_SPANISH}|{_FRENCH}|{_ITALIAN}|{_PORTUGUESE})\s+[^.!?\n]{{2,120}}?{INSTEAD}\s+\S",
    r"bevorzuge?\s+\S",
    r"gib\b.{2,60}\bden vorzug\b",
    r"prefiere\s+\S.*\b(?:a|al|sobre|antes que|en lugar de)\s",
    r"(?:préfère[sz]?\s+\S.*\b(?:à|aux?|plutôt)\s|préférez\s+\S)",
    r"prefira\s+\S",
    r"preferisci\s+\S.*\b(?:a|ai|agli|al|alla|alle|allo|rispetto)\s",
    r"geef (?:de )?voorkeur aan\s+\S",
)
