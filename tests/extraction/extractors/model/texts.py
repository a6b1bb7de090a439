"""A few texts of each kind, written for trying a model by hand: (kind, text, its sections where the text was built)."""

from datetime import UTC, datetime

from ledger.rules.bundles import episode, turn
from ledger.rules.bundles.episode import EpisodeEvent
from ledger.rules.bundles.turn import Turn, TurnAnswer, TurnItem, TurnQuestion
from ledger.rules.sections import SectionSpan

type Text = tuple[str, str, tuple[SectionSpan, ...] | None]

THREADS = (
    (
        "Marta: Where do we stand with the stage for the harvest fair?",
        "Jonas: The platform is 8 m wide and 5 m deep. I measured it on Sunday.",
        "Marta: Fine. We decided to rent the white tent, not the striped one. It costs 420 EUR for the weekend.",
        "Jonas: Somebody has to call the power company. I will do it by Thursday.",
        "Marta: And please, no nails in the old floor. The owner does not allow it.",
        "Pavel: Should we perhaps hire a second sound desk? I am not sure that we need one.",
        "Jonas: Correction: the platform is 7.5 m wide. I had counted the stairs.",
    ),
    (
        "Ines: The reading room opens at 9:00 from March on. The board agreed yesterday.",
        "Tom: Good. I prefer the oak shelves, they last longer.",
        "Ines: The shelves may carry at most 60 kg each.",
        "Tom: Then let us not put the atlases on them.",
    ),
)
DOCUMENTS = (
    """# Cold store, second hall

## Decision

We will insulate the roof with 180 mm of mineral wool. Foam boards were rejected because of the fire rules.

## Constraints

- The floor must not carry more than 2,500 kg per square metre.
- Work in the hall is allowed between 22:00 and 05:00 only.

## Costs

The offer of the roofing company is 38,400 EUR, valid until 2026-03-15.

## Open

Whether the loading ramp gets a roof of its own has not been decided.
""",
    """# Handbook of the seed library

Members borrow up to 12 packets a year. Packets are returned in October.
The cellar is kept at 6 °C. The dehumidifier draws 240 W and is emptied on Mondays.
We do not lend hybrid seed.
""",
)
MINUTES = (
    """Minutes of the pump group, 12 February 2026
Present: Ruth, Olek, Sana

1. Well 4
Olek reports that the new pump delivers 14 L/s at full load. The cable is 85 m long.
RESOLVED: Well 4 goes back into service on 1 March.
ACTION: Sana to order the spare seal.

2. Meters
Ruth proposes to read the meters weekly. No agreement was reached.
Straw poll: 2 for weekly, 1 against.
""",
    """Trail crew, notes

- Bridge at mile 3: decided to replace both beams with larch, 22 cm x 22 cm.
- Budget for timber is 3,150 USD.
- ModelQuestion from Dee: can we close the upper path in May? Left for next time.
- Ken takes the permit request.
""",
)
TURNS = (
    Turn(
        id="b-71",
        stage="planning",
        at=datetime(2026, 2, 3, 10, 15, tzinfo=UTC),
        items=(TurnItem("counter", "Bar counter"), TurnItem("arch", "Entrance arch")),
        selected=("counter",),
        questions=(
            TurnQuestion("q1", "How long is the bar counter?"),
            TurnQuestion("q2", "May we drill into the floor?"),
        ),
        answers=(
            TurnAnswer("q1", "", "It has to be 320 cm long and 110 cm high."),
            TurnAnswer("q2", "NO", "no drilling at all"),
        ),
        free_chat="Delivery is on 14 March. We have 6,500 EUR for everything. Maybe brass edges, I am not sure yet.",
        agent_output="I suggest a counter of 340 cm with a marble top. The estimated cost is 7,200 EUR.",
    ),
    Turn(
        id="b-72",
        stage="ideation",
        at=datetime(2026, 2, 4, 9, 0, tzinfo=UTC),
        free_chat="The client wants nothing plastic. The arch should stand free, 260 cm inside. Colours: copper and dark green.",
        agent_output="Noted. A copper arch of 260 cm could weigh about 90 kg.",
    ),
)
EPISODES = (
    (
        EpisodeEvent("user", "The import of large files fails. Find out why, and never touch the production bucket."),
        EpisodeEvent("model", "I will try a larger buffer first."),
        EpisodeEvent("tool", "$ ./import big.csv --buffer 64M\nout of memory after 212 s", tool="shell", exit_code=137),
        EpisodeEvent("model", "A larger buffer does not help. I read the file in pieces of 4 MB instead."),
        EpisodeEvent(
            "tool", "$ ./import big.csv --pieces 4M\nimported 1204331 rows in 96 s", tool="shell", exit_code=0
        ),
        EpisodeEvent("user", "Good. From now on we always read in pieces. The limit for one job is 300 s."),
    ),
    (
        EpisodeEvent("user", "Rename the table and keep the old name as a view for 30 days."),
        EpisodeEvent("tool", "ERROR: view depends on column status", tool="psql", exit_code=1),
        EpisodeEvent("model", "The view has to be dropped first and made again after the rename."),
    ),
)


def everything() -> dict[str, list[Text]]:
    """By kind of source. The messages of a thread are texts of their own, in their order."""
    return {
        "message thread": [("message", line.partition(": ")[2], None) for thread in THREADS for line in thread],
        "document": [("document", text, None) for text in DOCUMENTS],
        "minutes": [("document", text, None) for text in MINUTES],
        "turn": [("turn", *turn.build(one)) for one in TURNS],
        "episode": [("episode", *episode.build(one)) for one in EPISODES],
    }
