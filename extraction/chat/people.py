"""The people of a household, or of any scope that talks."""

from dataclasses import dataclass

CHILD, BOT, GUARDIAN, HELPER = "child", "bot", "guardian", "helper"
# A thing that people share stands in the roster too.
RESOURCE = "resource"


@dataclass(frozen=True, slots=True)
class HouseholdMember:
    """One person. `role` is guardian, helper, child, bot or whatever the scope calls it."""

    name: str
    aliases: tuple[str, ...] = ()
    role: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return self.name, *self.aliases

    def has_role(self, *roles: str) -> bool:
        return self.role.casefold() in roles

    @property
    def is_child(self) -> bool:
        return self.has_role(CHILD)

    @property
    def is_grown(self) -> bool:
        """Neither a child nor a bot nor a thing: somebody who can be asked to do something."""
        return not self.has_role(CHILD, BOT, RESOURCE)
