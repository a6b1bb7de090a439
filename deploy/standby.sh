#!/bin/bash
# A copy of db1 that follows it, made where there is none yet.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    install -d -o postgres -g postgres -m 0700 "$PGDATA"
    until PGPASSWORD="$COUNTERSIGN_REPLICATION_PASSWORD" gosu postgres pg_basebackup -h db1 -U copier -D "$PGDATA" -R -c fast; do sleep 2; done
fi
# Once promoted it has no standby of its own to wait for.
exec gosu postgres postgres -c synchronous_standby_names= -c log_error_verbosity=terse -c log_min_error_statement=panic
