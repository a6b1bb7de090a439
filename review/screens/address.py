"""What a list's address says: the parameters of a URL as the fields of a dataclass, and back."""

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Self

from django.utils.http import urlencode

if TYPE_CHECKING:
    from _typeshed import DataclassInstance as Base
else:
    Base = object


class Address(Base):
    """For frozen dataclasses whose fields are texts, empty by default; `cursor` tells where in the list one is."""

    __slots__ = ()

    @classmethod
    def read(cls, parameters: Mapping[str, str]) -> Self:
        return cls(**{one.name: parameters.get(one.name, "").strip() for one in fields(cls)})

    def query(self, **more: str) -> str:
        """The parameters that are not empty, with `more` in place of its own, as they stand in a URL."""
        values = {one.name: getattr(self, one.name) for one in fields(self)} | more
        return urlencode({name: value for name, value in values.items() if value})

    @property
    def narrowed(self) -> bool:
        """Whether something is left out."""
        return any(getattr(self, one.name) for one in fields(self) if one.name != "cursor")
