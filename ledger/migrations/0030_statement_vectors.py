"""What statements mean, of claims and trusted values, as a vector of the optional encoder.

A row without one waits for it: a new statement's, and one whose words were changed or taken away. `wanted` counts these changes, so
that nothing is written of words that are no longer there.
"""

from django.db import migrations

VECTORS = """
CREATE TABLE ledger_statementvector (
    ref text PRIMARY KEY, wanted integer NOT NULL DEFAULT 0, meaning bytea STORAGE PLAIN
);
CREATE INDEX statement_waits ON ledger_statementvector (ref) WHERE meaning IS NULL;
GRANT SELECT, INSERT, UPDATE ON ledger_statementvector TO countersign_purger;

CREATE FUNCTION ledger_statement_waits() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    INSERT INTO ledger_statementvector AS v (ref) VALUES (NEW.ref)
        ON CONFLICT (ref) DO UPDATE SET meaning = NULL, wanted = v.wanted + 1;
    RETURN NULL;
END $$;
CREATE TRIGGER new_statement_waits AFTER INSERT ON ledger_claim FOR EACH ROW EXECUTE FUNCTION ledger_statement_waits();
CREATE TRIGGER other_statement_waits AFTER UPDATE OF statement, subject, key ON ledger_claim FOR EACH ROW
    WHEN ((OLD.statement, OLD.subject, OLD.key) IS DISTINCT FROM (NEW.statement, NEW.subject, NEW.key))
    EXECUTE FUNCTION ledger_statement_waits();
CREATE TRIGGER new_statement_waits AFTER INSERT ON ledger_trustedstate FOR EACH ROW EXECUTE FUNCTION ledger_statement_waits();
CREATE TRIGGER other_statement_waits AFTER UPDATE OF statement, key ON ledger_trustedstate FOR EACH ROW
    WHEN ((OLD.statement, OLD.key) IS DISTINCT FROM (NEW.statement, NEW.key)) EXECUTE FUNCTION ledger_statement_waits();
INSERT INTO ledger_statementvector (ref) SELECT ref FROM ledger_claim UNION ALL SELECT ref FROM ledger_trustedstate;
"""
GONE = """
DROP TRIGGER new_statement_waits ON ledger_claim;
DROP TRIGGER other_statement_waits ON ledger_claim;
DROP TRIGGER new_statement_waits ON ledger_trustedstate;
DROP TRIGGER other_statement_waits ON ledger_trustedstate;
DROP FUNCTION ledger_statement_waits();
DROP TABLE ledger_statementvector;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0029_second_factor")]

    operations = [migrations.RunSQL(VECTORS, GONE)]
