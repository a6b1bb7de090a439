"""How names of things to buy are read and compared (T12): by words in several languages, by numbers with their units, by codes."""

from ledger.rules.catalogue.index import NameIndex
from ledger.rules.catalogue.matching import CONFIDENT, Comparison, compare
from ledger.rules.catalogue.reading import ArticleName, normal_form, read_name

__all__ = ["CONFIDENT", "ArticleName", "Comparison", "NameIndex", "compare", "normal_form", "read_name"]
