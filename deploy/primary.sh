#!/bin/bash
# Run once by the image in a new data folder: an owner that is no superuser, the extensions, a role to copy by.
set -eu
psql -v ON_ERROR_STOP=1 -v owner="$COUNTERSIGN_DB_PASSWORD" -v copier="$COUNTERSIGN_REPLICATION_PASSWORD" --username postgres <<'SQL'
CREATE ROLE countersign LOGIN CREATEROLE PASSWORD :'owner';
ALTER ROLE countersign SET createrole_self_grant = 'set';
CREATE ROLE copier LOGIN REPLICATION PASSWORD :'copier';
CREATE DATABASE countersign OWNER countersign;
\connect countersign
CREATE EXTENSION pg_trgm;
CREATE EXTENSION unaccent;
CREATE EXTENSION btree_gin;
-- No commit is answered before a standby has it. One that is away holds commits up: see docs/failover.md.
ALTER SYSTEM SET synchronous_standby_names = '*';
SQL
echo "host replication copier all scram-sha-256" >> "$PGDATA/pg_hba.conf"
