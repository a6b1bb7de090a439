"""The index of words: a posting for each term of a source and of its sender's name.

It replaces the partial index over words inside runs; what is there is indexed some thousand sources at a time.
"""

from typing import Any

from django.contrib.postgres.operations import RemoveIndexConcurrently
from django.db import migrations

POSTINGS = """
CREATE TABLE IF NOT EXISTS ledger_posting (
    source_id bigint NOT NULL, scope_id bigint NOT NULL, term integer NOT NULL, times smallint NOT NULL, length smallint NOT NULL,
    PRIMARY KEY (term, scope_id, source_id) INCLUDE (times, length)
);
-- A source's postings are written together: a purge finds them by the pages that hold them.
CREATE INDEX IF NOT EXISTS posting_by_source ON ledger_posting USING brin (source_id)
    WITH (pages_per_range = 32, autosummarize = on);
GRANT SELECT, DELETE ON ledger_posting TO countersign_purger;

CREATE OR REPLACE FUNCTION ledger_words_are_forgotten() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM ledger_posting WHERE source_id = NEW.id;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER words_are_forgotten AFTER UPDATE OF purged_at ON ledger_source FOR EACH ROW
    WHEN (NEW.purged_at IS NOT NULL) EXECUTE FUNCTION ledger_words_are_forgotten();
"""
GONE = """
DROP TRIGGER words_are_forgotten ON ledger_source;
DROP FUNCTION ledger_words_are_forgotten();
DROP TABLE ledger_posting;
"""


def fill(apps: Any, schema_editor: Any) -> None:
    from ledger.actions.index_words import rebuild_words

    rebuild_words(apps.get_model("ledger", "Source").objects.all())


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("ledger", "0015_about_and_amounts")]

    operations = [
        migrations.RunSQL(POSTINGS, GONE),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
        RemoveIndexConcurrently("source", "source_search_inside"),
    ]
