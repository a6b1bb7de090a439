"""Vectors of the tokens of sources, for the optional encoder: written in the background, forgotten with a purge.

A row of 2.2 kB stays in its page: what is read by the hundred would otherwise be fetched from beside the table.
"""

from django.db import migrations

VECTORS = """
CREATE TABLE ledger_tokenvectors (source_id bigint PRIMARY KEY, vectors bytea STORAGE EXTERNAL NOT NULL)
    WITH (toast_tuple_target = 4080);
GRANT SELECT, DELETE ON ledger_tokenvectors TO countersign_purger;

CREATE FUNCTION ledger_vectors_are_forgotten() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    DELETE FROM ledger_tokenvectors WHERE source_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER vectors_are_forgotten AFTER UPDATE OF purged_at ON ledger_source FOR EACH ROW
    WHEN (NEW.purged_at IS NOT NULL) EXECUTE FUNCTION ledger_vectors_are_forgotten();
"""
GONE = """
DROP TRIGGER vectors_are_forgotten ON ledger_source;
DROP FUNCTION ledger_vectors_are_forgotten();
DROP TABLE ledger_tokenvectors;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0019_erasure")]

    operations = [migrations.RunSQL(VECTORS, GONE)]
