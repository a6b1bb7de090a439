"""Names of lands and parts of the world, as four languages write them: what lies in one of them is no other place. Pure."""

from typing import Final

from ledger.language.fold import fold

_LANDS: Final = frozenset(
    (
        "europe europa asia asie africa afrika afrique america amerika america amerique australia australien australie eu "
        "germany deutschland alemania allemagne france frankreich francia spain spanien espana espagne italy italien italia "
        "italie portugal england scotland schottland escocia ecosse wales ireland irland irlanda irlande uk britain "
        "grossbritannien austria osterreich autriche switzerland schweiz suiza suisse belgium belgien belgica belgique "
        "netherlands niederlande holland holanda pays-bas luxembourg luxemburg denmark danemark dinamarca norway norwegen "
        "noruega norvege sweden schweden suecia suede finland finnland finlandia finlande iceland island islandia islande "
        "poland polen polonia pologne czechia tschechien chequia tchequie slovakia hungary ungarn hungria hongrie romania "
        "rumanien rumania roumanie bulgaria bulgarien bulgarie greece griechenland grecia grece turkey turkei turquia turquie "
        "croatia kroatien croacia croatie slovenia slowenien serbia serbien ukraine ucrania russia russland rusia russie "
        "estonia lithuania latvia usa canada kanada canada mexico mexiko mexique brazil brasilien brasil bresil argentina "
        "argentinien argentine chile chili peru perou colombia kolumbien colombie china chine japan japon japon india indien "
        "india inde korea corea coree singapore israel egypt agypten egipto egypte morocco marokko marruecos maroc kenya "
        "nigeria scandinavia skandinavien escandinavia scandinavie bavaria bayern baviera baviere saxony sachsen bretagne "
        "britany normandie provence andalucia cataluna galicia california texas"
    ).split()
)


def is_land(name: str) -> bool:
    """`in Portugal` and `in Porto` are one place, told more or less closely."""
    return not _LANDS.isdisjoint(fold(name).split())
