"""Words inside runs: Chinese, Japanese, Korean and Arabic texts are found by what stands inside them.

No table is rewritten and no writer waits: two partial indexes, built beside the work, over the rows in such scripts alone. One
that was cut off is dropped and begun again.
"""

import django.contrib.postgres.indexes
import django.db.models.functions.text
import django.db.models.lookups
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

RUNNING = (
    "[\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\uff66-\uff9f\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3\u0e01-\u0e4e\u0e81-\u0ecd\u1000-\u104f\u1780-\u17d3]"
)
ARABIC = "[\u0621-\u064a\u0671-\u06d3]"
INSIDE = f"{RUNNING[:-1]}{ARABIC[1:]}"

# Each pair of neighbours in a run, and the last letter of it, so that every letter begins a lexeme; of Arabic the words
# without article, particles and endings.
FUNCTIONS = f"""
CREATE OR REPLACE FUNCTION ledger_words_inside(words text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
    SELECT array_to_tsvector(array(
        SELECT CASE WHEN following ~ '{RUNNING}' THEN letter || following ELSE letter END
          FROM (SELECT letter, lead(letter) OVER (ORDER BY place) AS following
                  FROM unnest(string_to_array(normalize(words, NFKC), NULL)) WITH ORDINALITY AS u(letter, place)) AS pairs
         WHERE letter ~ '{RUNNING}'
        UNION
        SELECT regexp_replace(
                   regexp_replace(found[1], '^(?:[وف]?(?:[بك]?ال|لل)|و)(?=...)', ''),
                   '(?<=...)(?:تنا|تها|تهم|ات|ان|ون|ين|ها|هم|نا|يه|ه|ي)$', '')
          FROM regexp_matches(
                   translate(regexp_replace(normalize(words, NFKC), '[\u064b-\u0652\u0670\u0640]', '', 'g'),
                             'أإآٱىةؤئ', 'اااايهوي'),
                   '{ARABIC}{{2,40}}', 'g') AS m(found)
    ))
$$;

-- A letter alone begins what it stands for; a piece is in what holds all its pairs.
CREATE OR REPLACE FUNCTION ledger_query_inside(piece text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT AS $$
    SELECT string_agg(quote_literal(lexeme) || CASE WHEN char_length(piece) = 1 THEN ':*' ELSE '' END, ' & ')::tsquery
      FROM unnest(tsvector_to_array(ledger_words_inside(piece))) AS t(lexeme)
     WHERE char_length(lexeme) > 1 OR char_length(piece) = 1
$$;
"""
CLAIM_WORDS = models.Func(
    models.F("key"), models.F("topic"), models.F("statement"),
    template="%(expressions)s", arg_joiner=" || ' ' || ", output_field=models.TextField(),
)  # fmt: skip
SOURCE_WORDS = django.db.models.functions.text.Left("text", 100000)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("ledger", "0013_subjects")]

    operations = [
        migrations.RunSQL(
            FUNCTIONS, "DROP FUNCTION IF EXISTS ledger_query_inside(text), ledger_words_inside(text) CASCADE;"
        ),
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS claim_search_inside", migrations.RunSQL.noop),
        AddIndexConcurrently(
            "claim",
            django.contrib.postgres.indexes.GinIndex(
                models.F("scope"),
                models.Func(CLAIM_WORDS, function="ledger_words_inside"),
                name="claim_search_inside",
                condition=models.Q(django.db.models.lookups.Regex(CLAIM_WORDS, INSIDE)),
            ),
        ),
        migrations.RunSQL("DROP INDEX CONCURRENTLY IF EXISTS source_search_inside", migrations.RunSQL.noop),
        AddIndexConcurrently(
            "source",
            django.contrib.postgres.indexes.GinIndex(
                models.Func(SOURCE_WORDS, function="ledger_words_inside"),
                name="source_search_inside",
                condition=models.Q(django.db.models.lookups.Regex(SOURCE_WORDS, INSIDE)),
            ),
        ),
    ]
