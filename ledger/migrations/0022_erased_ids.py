"""An erasure blanks the sender's own ids of its texts, whatever they are: they may hold a name and a number in one word."""

from django.db import migrations

LAWS = r"""
DO $$
DECLARE
    migrating text := current_user;
    body text := pg_get_functiondef('ledger_erase(bigint, bigint[], bigint[], bigint[], text[], text[])'::regprocedure);
    without text := regexp_replace(body, '(external_id|reply_to) = CASE WHEN ledger_names_in\(\1, any_case, exact\) THEN '''' ELSE \1 END',
                                   '\1 = ''''', 'g');
BEGIN
    IF without = body OR without ~ 'CASE WHEN' THEN
        RAISE EXCEPTION 'the erasure is not the one that was expected';
    END IF;
    GRANT CREATE ON SCHEMA public TO countersign_purger;
    SET LOCAL ROLE countersign_purger;
    EXECUTE without;
    EXECUTE format('SET LOCAL ROLE %I', migrating);
    REVOKE CREATE ON SCHEMA public FROM countersign_purger;
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("ledger", "0021_notices")]

    operations = [migrations.RunSQL(LAWS, migrations.RunSQL.noop)]
