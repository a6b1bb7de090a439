-- Erasure of a person or a source: what purge does for each text, and beside it the names. One function does it, as the purger.

CREATE OR REPLACE FUNCTION ledger_purge_at_work() RETURNS boolean LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN current_user = 'countersign_purger' AND EXISTS (
        SELECT FROM ledger_journalevent WHERE verb IN ('purge', 'erase') AND xid = pg_current_xact_id());
END $$;

-- A tombstone may lose its sender's name too, and ids that hold it.
DROP TRIGGER source_never_changes ON ledger_source;
CREATE TRIGGER source_never_changes BEFORE UPDATE ON ledger_source FOR EACH ROW EXECUTE FUNCTION
    ledger_refuse('a source never changes', 'text', 'title', 'purged_at', 'sender', 'external_id', 'reply_to');

-- Recomputes every digest. A redacted event keeps its digest in the chain, and a purge or an erasure must account for it.
CREATE OR REPLACE FUNCTION ledger_verify_journal(OUT ok boolean, OUT events bigint, OUT sealed bigint, OUT root text,
                                                 OUT redacted bigint, OUT broken bigint[]) LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    last bytea := sha256('countersign'::bytea);
    e record;
BEGIN
    broken := '{}';
    redacted := 0;
    sealed := 0;
    SELECT count(*) INTO events FROM ledger_journalevent;
    FOR e IN SELECT s.number, s.event_id, s.payload_digest, s.digest, j.id, j.redacted,
                    CASE WHEN j.redacted THEN NULL ELSE sha256(ledger_payload(j.id)) END AS payload
             FROM ledger_seal s LEFT JOIN ledger_journalevent j ON j.id = s.event_id ORDER BY s.number LOOP
        sealed := sealed + 1;
        IF e.id IS NULL THEN
            broken := broken || e.event_id;
        ELSIF e.redacted THEN
            redacted := redacted + 1;
            IF NOT EXISTS (SELECT FROM ledger_redaction r JOIN ledger_journalevent p ON p.id = r.purge_event_id
                           WHERE r.event_id = e.event_id AND p.verb IN ('purge', 'erase')) THEN
                broken := broken || e.event_id;
            END IF;
        ELSIF e.payload IS DISTINCT FROM e.payload_digest THEN
            broken := broken || e.event_id;
        END IF;
        last := sha256(last || e.payload_digest);
        IF last <> e.digest THEN
            broken := broken || e.event_id;
            last := e.digest;
        END IF;
    END LOOP;
    root := encode(last, 'hex');
    ok := cardinality(broken) = 0;
END $$;

-- What an owner took back may lose its words in an erasure; what is current never does.
CREATE OR REPLACE FUNCTION ledger_trusted_by_hand() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF NEW.statement = '' AND NEW.status <> 'current' AND EXISTS (
        SELECT FROM ledger_journalevent WHERE verb = 'erase' AND xid = pg_current_xact_id()) THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM ledger_journalchange c JOIN ledger_journalevent e ON e.id = c.event_id
        WHERE c.noun = 'trusted' AND c.row = NEW.id AND e.xid = pg_current_xact_id()
          AND e.verb IN ('curate', 'retract') AND e.actor_kind = 'human' AND e.token_id IS NULL
          AND ((e.door IN ('screen', 'admin') AND e.user_id IS NOT NULL)
               OR (e.door = 'demo' AND pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')))
    ) THEN
        RAISE EXCEPTION 'trusted state % changes only by a person''s own hand', NEW.ref
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;

-- Whether words hold one of these names. What lists, and what erases, both ask this.
CREATE FUNCTION ledger_names_in(words text, any_case text[], exact text[]) RETURNS boolean LANGUAGE sql IMMUTABLE
    SET search_path = pg_catalog, pg_temp AS $$
    SELECT coalesce(words ~* ANY (any_case) OR words ~ ANY (exact), false)
$$;
CREATE FUNCTION ledger_claim_words(c ledger_claim) RETURNS text LANGUAGE sql STABLE
    SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT concat_ws(' ', c.statement, c.value::text, c.key, c.topic, c.subject, c.tags::text, c.assignee, c.summary, c.slot,
                     c.proposed::text, c.names_replaced::text, c.downstream::text, c.anchors_to_choose::text)
$$;

CREATE FUNCTION ledger_erase(erase_event bigint, sources bigint[], claims bigint[], people bigint[],
                             any_case text[], exact text[]) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    e ledger_journalevent;
    scopes bigint[];
    asked bigint;
    retired bigint[];
    renamed text[];
BEGIN
    SELECT * INTO e FROM ledger_journalevent WHERE id = erase_event AND verb = 'erase' AND xid = pg_current_xact_id();
    IF NOT FOUND THEN
        RAISE EXCEPTION 'an erasure needs its own journal event' USING ERRCODE = 'restrict_violation';
    END IF;
    asked := substring(e.ref FROM '^erasure-([0-9]+)$')::bigint;
    IF EXISTS (
        WITH RECURSIVE up AS (
            SELECT id, parent_id, policies FROM ledger_scope WHERE id = e.scope_id
            UNION ALL SELECT s.id, s.parent_id, s.policies FROM ledger_scope s JOIN up ON s.id = up.parent_id)
        SELECT FROM up WHERE jsonb_typeof(policies -> 'four_eyes') = 'object')
       AND NOT EXISTS (
        SELECT FROM ledger_erasure r JOIN ledger_journalevent a ON a.ref = e.ref AND a.verb = 'ask_erase' AND a.user_id = r.user_id
         WHERE r.id = asked AND r.scope_id = e.scope_id AND r.status = 'waiting' AND r.user_id <> e.user_id) THEN
        RAISE EXCEPTION 'two people decide about an erasure here' USING ERRCODE = 'restrict_violation';
    END IF;
    scopes := ARRAY(
        WITH RECURSIVE down AS (
            SELECT e.scope_id AS id UNION SELECT s.id FROM ledger_scope s JOIN down ON s.parent_id = down.id)
        SELECT id FROM down);

    -- Tombstones lose the name of who sent them, and ids that hold it.
    UPDATE ledger_source SET sender = '',
           external_id = CASE WHEN ledger_names_in(external_id, any_case, exact) THEN '' ELSE external_id END,
           reply_to = CASE WHEN ledger_names_in(reply_to, any_case, exact) THEN '' ELSE reply_to END
     WHERE id = ANY (sources) AND scope_id = ANY (scopes) AND purged_at IS NOT NULL;
    UPDATE ledger_person SET name = 'erased-' || id, aliases = '{}', role = '', user_id = NULL, telegram_id = NULL
     WHERE id = ANY (people) AND scope_id = ANY (scopes);
    renamed := ARRAY(SELECT external_id FROM ledger_conversation
                      WHERE scope_id = ANY (scopes) AND ledger_names_in(external_id || ' ' || title, any_case, exact));
    UPDATE ledger_exposure SET conversation = 'erased' WHERE scope_id = ANY (scopes) AND conversation = ANY (renamed);
    UPDATE ledger_outcome SET conversation = 'erased' WHERE scope_id = ANY (scopes) AND conversation = ANY (renamed);
    UPDATE ledger_conversation SET external_id = 'erased-' || id, title = ''
     WHERE scope_id = ANY (scopes) AND external_id = ANY (renamed);
    -- Claims that other words hold up, and that name somebody all the same.
    UPDATE ledger_claim SET statement = '', value = NULL, value_type = '', key = '', topic = '', tags = '{}', assignee = '',
           summary = '', slot = '', dedup = 'redacted-' || id, proposed = '{"redacted": true}', names_replaced = '{}',
           downstream = '{}', anchors_to_choose = '[]', subject = '', version = version + 1
     WHERE id = ANY (claims) AND scope_id = ANY (scopes);
    -- What was trusted once, and is no more.
    retired := ARRAY(SELECT id FROM ledger_trustedstate
                      WHERE scope_id = ANY (scopes) AND status <> 'current'
                        AND ledger_names_in(concat_ws(' ', key, statement, value::text), any_case, exact));
    UPDATE ledger_trustedstate SET statement = '', value = NULL, key = 'erased-' || id, version = version + 1
     WHERE id = ANY (retired);
    -- Their past in the journal, and reasons that name them.
    WITH changed AS (
        SELECT c.id, c.event_id FROM ledger_journalchange c JOIN ledger_journalevent j ON j.id = c.event_id
         WHERE j.scope_id = ANY (scopes) AND NOT c.redacted AND c.event_id <> erase_event
           AND ((c.noun = 'claim' AND c.row = ANY (claims)) OR (c.noun = 'person' AND c.row = ANY (people))
                OR (c.noun = 'trusted' AND c.row = ANY (retired))
                OR (c.noun <> 'trusted' AND ledger_names_in(concat_ws(' ', c.before::text, c.after::text), any_case, exact)))
    ), touched AS (
        SELECT event_id FROM changed
         UNION
        SELECT id FROM ledger_journalevent
         WHERE scope_id = ANY (scopes) AND id <> erase_event
           AND (ledger_names_in(reason, any_case, exact)
                OR (ref <> '' AND ref IN (SELECT ref FROM ledger_claim WHERE id = ANY (claims))))
    ), noted AS (
        INSERT INTO ledger_redaction SELECT event_id, erase_event FROM touched ON CONFLICT DO NOTHING
    ), emptied AS (
        UPDATE ledger_journalchange SET before = NULL, after = NULL, redacted = true WHERE id IN (SELECT id FROM changed)
    )
    UPDATE ledger_journalevent j SET reason = '', salt = NULL, redacted = true FROM touched t WHERE j.id = t.event_id;
    -- What readers of texts noted.
    UPDATE ledger_run SET raw_answer = '', error = '', stats = stats - 'notes_text'
     WHERE scope_id = ANY (scopes) AND ledger_names_in(concat_ws(' ', raw_answer, error, stats::text), any_case, exact);
    UPDATE ledger_runhit h SET hit = NULL, why = 'redacted' FROM ledger_run r
     WHERE r.id = h.run_id AND r.scope_id = ANY (scopes) AND ledger_names_in(concat_ws(' ', h.why, h.hit::text), any_case, exact);
    UPDATE ledger_pattern SET description = ''
     WHERE scope_id = ANY (scopes) AND ledger_names_in(description, any_case, exact);
    UPDATE ledger_notice SET text = '' WHERE scope_id = ANY (scopes) AND ledger_names_in(text, any_case, exact);
    UPDATE ledger_conflict SET slot = 'redacted-' || id, version = version + 1
     WHERE scope_id = ANY (scopes) AND status <> 'open' AND ledger_names_in(slot, any_case, exact);
    UPDATE django_admin_log SET object_repr = '', change_message = ''
     WHERE ledger_names_in(concat_ws(' ', object_repr, change_message), any_case, exact);
    UPDATE ledger_erasure SET status = 'done', target = '' WHERE id = asked;
END $$;

GRANT UPDATE ON ledger_person, ledger_conversation, ledger_exposure, ledger_outcome, ledger_trustedstate, ledger_erasure
    TO countersign_purger;
GRANT SELECT ON ledger_erasure TO countersign_purger;
REVOKE EXECUTE ON FUNCTION ledger_erase(bigint, bigint[], bigint[], bigint[], text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger_erase(bigint, bigint[], bigint[], bigint[], text[], text[]) TO countersign_web;
GRANT CREATE ON SCHEMA public TO countersign_purger;
ALTER FUNCTION ledger_erase(bigint, bigint[], bigint[], bigint[], text[], text[]) OWNER TO countersign_purger;
REVOKE CREATE ON SCHEMA public FROM countersign_purger;
DO $$
DECLARE migrating text := current_user;
BEGIN
    SET LOCAL ROLE countersign_purger;
    EXECUTE format('GRANT EXECUTE ON FUNCTION ledger_erase(bigint, bigint[], bigint[], bigint[], text[], text[]) TO %I', migrating);
    EXECUTE format('SET LOCAL ROLE %I', migrating);
END $$;
