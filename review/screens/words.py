"""How the screens call what verbs did."""

DONE = {
    "approve": "approved. Another person must countersign.",
    "promote": "promoted", "reject": "rejected", "edit": "edited", "defer": "deferred", "merge": "merged",
    "reopen": "back in the queue", "withdraw": "withdrawn", "archive": "archived", "restore": "restored",
    "supersede": "superseded", "graduate": "proposed as an entity", "dispute": "disputed", "recheck": "rechecked",
    "propose": "proposed", "undo": "undone", "resolve": "holds, the conflict is resolved",
    "dismiss": "conflict dismissed", "curate": "is trusted", "retract": "retracted",
}  # fmt: skip
