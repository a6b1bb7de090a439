-- Roles are cluster-wide, and several databases (or test runs) may migrate at once: one lock, and who comes second finds them.
DO $$
DECLARE name text;
BEGIN
    PERFORM pg_advisory_xact_lock(4711, 2);
    FOREACH name IN ARRAY ARRAY['countersign_web', 'countersign_worker', 'countersign_purger'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN', name);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL;
            END;
        END IF;
        -- Since PostgreSQL 16 being a member and being allowed to take the role on are two things.
        IF current_setting('server_version_num')::integer < 160000 THEN
            IF NOT pg_has_role(current_user, name, 'MEMBER') THEN
                EXECUTE format('GRANT %I TO %I', name, current_user);
            END IF;
        ELSIF NOT pg_has_role(current_user, name, 'SET') THEN
            EXECUTE format('GRANT %I TO %I WITH SET TRUE', name, current_user);
        END IF;
        EXECUTE format('GRANT USAGE ON SCHEMA public TO %I', name);
    END LOOP;
END $$;

GRANT SELECT ON ALL TABLES IN SCHEMA public TO countersign_purger;
GRANT UPDATE ON ledger_source, ledger_section, ledger_evidence, ledger_claim, ledger_journalevent, ledger_journalchange,
    ledger_conflict, ledger_run, ledger_runhit, ledger_gate, ledger_pattern, ledger_notice, ledger_block,
    ledger_priceobservation TO countersign_purger;
GRANT INSERT ON ledger_redaction TO countersign_purger;
-- While the function is still the owner's: once it is the purger's, a revocation by anybody else is only a warning.
REVOKE EXECUTE ON FUNCTION ledger_purge_source(bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_purge_source(bigint, bigint) TO countersign_web;
-- A function's new owner must be allowed to create in its schema at that moment.
GRANT CREATE ON SCHEMA public TO countersign_purger;
ALTER FUNCTION ledger_purge_source(bigint, bigint) OWNER TO countersign_purger;
REVOKE CREATE ON SCHEMA public FROM countersign_purger;
-- The owner purges from the command line; only the new owner of the function can allow it.
DO $$
DECLARE migrating text := current_user;
BEGIN
    SET LOCAL ROLE countersign_purger;
    EXECUTE format('GRANT EXECUTE ON FUNCTION ledger_purge_source(bigint, bigint) TO %I', migrating);
    EXECUTE format('SET LOCAL ROLE %I', migrating);
END $$;
