"""Where wrong tries at signing in are counted: hashed keys, and numbers."""

from django.db import migrations

TABLE = """
CREATE TABLE review_signins (
    cache_key varchar(255) PRIMARY KEY, value text NOT NULL, expires timestamptz NOT NULL
);
CREATE INDEX signins_by_end ON review_signins (expires);
"""


class Migration(migrations.Migration):
    dependencies = [("review", "0005_views_and_digests")]

    operations = [migrations.RunSQL(TABLE, "DROP TABLE review_signins")]
