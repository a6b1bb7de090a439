-- The sealer, the verifier and the purge.

-- What a digest covers: the event and its changes, in an order and a form that never vary.
CREATE FUNCTION ledger_payload(event bigint) RETURNS bytea LANGUAGE sql STABLE
    SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT convert_to(jsonb_build_object(
        'id', e.id, 'at', extract(epoch FROM e.at)::text, 'verb', e.verb, 'actor_kind', e.actor_kind, 'actor_name', e.actor_name,
        'user', e.user_id, 'token', e.token_id, 'door', e.door, 'scope', e.scope_id, 'ref', e.ref, 'reason', e.reason,
        'request', e.request_id, 'batch', e.batch, 'undoes', e.undoes_id,
        'changes', (SELECT coalesce(jsonb_agg(jsonb_build_array(c.id, c.noun, c.row, c.before, c.after, c.implicit)
                                              ORDER BY c.id), '[]')
                    FROM ledger_journalchange c WHERE c.event_id = e.id))::text, 'UTF8') || e.salt
    FROM ledger_journalevent e WHERE e.id = event
$$;

-- Event ids become visible out of order. Everything below the snapshot's horizon is settled, so sealing stops there
-- and starts from the horizon of the last pass: each event is numbered once and none is missed (law 3).
CREATE TABLE ledger_sealhorizon (one boolean PRIMARY KEY DEFAULT true CHECK (one), horizon xid8 NOT NULL);
INSERT INTO ledger_sealhorizon VALUES (true, '0');
CREATE FUNCTION ledger_seal(most integer DEFAULT 10000) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    since xid8;
    horizon_now xid8;
    last bytea;
    payload bytea;
    e record;
    done integer := 0;
    capped boolean := false;
BEGIN
    IF NOT pg_try_advisory_xact_lock(4711, 1) THEN
        RETURN 0;
    END IF;
    SELECT horizon INTO since FROM ledger_sealhorizon;
    horizon_now := pg_snapshot_xmin(pg_current_snapshot());
    SELECT digest INTO last FROM ledger_seal ORDER BY number DESC LIMIT 1;
    last := coalesce(last, sha256('countersign'::bytea));
    FOR e IN SELECT j.id, j.xid FROM ledger_journalevent j
             WHERE j.xid >= since AND j.xid < horizon_now
               AND NOT EXISTS (SELECT FROM ledger_seal s WHERE s.event_id = j.id)
             ORDER BY j.xid, j.id LIMIT most LOOP
        -- What a purge redacted before it was sealed has no salt any more, and so no payload.
        payload := sha256(coalesce(ledger_payload(e.id), convert_to('redacted ' || e.id, 'UTF8')));
        last := sha256(last || payload);
        INSERT INTO ledger_seal (event_id, payload_digest, digest) VALUES (e.id, payload, last);
        done := done + 1;
        IF done = most THEN
            horizon_now := e.xid;
        END IF;
    END LOOP;
    IF horizon_now > since AND done > 0 THEN
        UPDATE ledger_sealhorizon SET horizon = horizon_now;
    END IF;
    RETURN done;
END $$;

-- Recomputes every digest. A redacted event keeps its digest in the chain, and a purge event must account for it.
CREATE FUNCTION ledger_verify_journal(OUT ok boolean, OUT events bigint, OUT sealed bigint, OUT root text,
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
                           WHERE r.event_id = e.event_id AND p.verb = 'purge') THEN
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

CREATE TABLE ledger_redaction (event_id bigint PRIMARY KEY, purge_event_id bigint NOT NULL);
CREATE TRIGGER redaction_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_redaction
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_always('a redaction is for good');

-- Purge: the text goes, hash and tombstone stay. It walks every column that can hold words of the source; the list
-- here and ledger.rules.text_columns are compared by a test with the columns the database really has.

-- The claims that a purge leaves without words of their own: nothing else supports them, what they repeat was said there
-- only (the context of a confirmation), or they wait for a place in that text to be chosen.
CREATE FUNCTION ledger_purge_reach(which bigint) RETURNS SETOF bigint LANGUAGE sql STABLE
    SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT c.id FROM ledger_claim c
     WHERE c.id IN (SELECT e.claim_id FROM ledger_evidence e WHERE e.source_id = which)
       AND (NOT EXISTS (SELECT FROM ledger_evidence e WHERE e.claim_id = c.id AND e.source_id <> which
                          AND NOT e.redacted AND e.stance = 'supports')
            OR (EXISTS (SELECT FROM ledger_evidence e WHERE e.claim_id = c.id AND e.source_id = which
                          AND e.stance = 'context')
                AND NOT EXISTS (SELECT FROM ledger_evidence e WHERE e.claim_id = c.id AND e.source_id <> which
                          AND NOT e.redacted AND e.stance = 'context')))
       -- Who only objects does not speak for the claim.
       AND EXISTS (SELECT FROM ledger_evidence e WHERE e.claim_id = c.id AND e.source_id = which AND e.stance <> 'opposes')
    UNION
    SELECT c.id FROM ledger_claim c JOIN ledger_kind k ON k.name = c.kind
     WHERE c.anchors_to_choose <> '[]'
       AND c.anchors_to_choose @> jsonb_build_array(jsonb_build_object('source', which))
       AND NOT EXISTS (SELECT FROM ledger_evidence e WHERE e.claim_id = c.id AND e.source_id <> which
                         AND NOT e.redacted AND e.stance = 'supports'
                         AND (cardinality(k.anchors) = 0 OR e.speaker = ANY (k.anchors)))
    ORDER BY 1
$$;
CREATE INDEX claim_to_anchor ON ledger_claim (id) WHERE anchors_to_choose <> '[]';

CREATE FUNCTION ledger_purge_source(which bigint, purge_event bigint) RETURNS jsonb LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    gone bigint[];
    disputed bigint[];
    clashes bigint[];
BEGIN
    IF NOT EXISTS (SELECT FROM ledger_journalevent WHERE id = purge_event AND verb = 'purge'
                   AND ref = 'source-' || which AND xid = pg_current_xact_id()) THEN
        RAISE EXCEPTION 'a purge needs its own journal event' USING ERRCODE = 'restrict_violation';
    END IF;
    PERFORM FROM ledger_source WHERE id = which FOR UPDATE;
    SELECT coalesce(array_agg(id), '{}') INTO gone FROM ledger_purge_reach(which) id;
    SELECT coalesce(array_agg(DISTINCT m.conflict_id), '{}') INTO clashes
      FROM ledger_conflictmember m WHERE m.claim_id = ANY (gone);
    SELECT coalesce(array_agg(d.id), '{}') INTO disputed
      FROM ledger_dispute d JOIN ledger_evidence e ON e.id = d.evidence_id WHERE e.source_id = which;
    UPDATE ledger_source SET text = '', title = '', purged_at = clock_timestamp() WHERE id = which;
    UPDATE ledger_section SET name = '', heading_path = '{}' WHERE source_id = which;
    UPDATE ledger_evidence SET quote = '', redacted = true WHERE source_id = which;
    UPDATE ledger_claim SET statement = '', value = NULL, value_type = '', key = '', topic = '', tags = '{}', assignee = '',
           summary = '', slot = '', dedup = 'redacted-' || id, proposed = '{"redacted": true}', names_replaced = '{}',
           downstream = '{}', anchors_to_choose = '[]', version = version + 1
     WHERE id = ANY (gone);
    -- Places in that text which other claims still offer to choose from.
    UPDATE ledger_claim SET version = version + 1, anchors_to_choose = (
               SELECT coalesce(jsonb_agg(place), '[]') FROM jsonb_array_elements(anchors_to_choose) place
               WHERE place -> 'source' <> to_jsonb(which))
     WHERE anchors_to_choose <> '[]'
       AND anchors_to_choose @> jsonb_build_array(jsonb_build_object('source', which));
    -- Their past in the journal, and everything of the source's own. What somebody gave as a reason may quote it.
    WITH touched AS (
        SELECT c.event_id FROM ledger_journalchange c
         WHERE ((c.noun = 'claim' AND c.row = ANY (gone)) OR (c.noun = 'source' AND c.row = which)
                OR (c.noun = 'conflict' AND c.row = ANY (clashes)) OR (c.noun = 'dispute' AND c.row = ANY (disputed)))
         UNION
        SELECT e.id FROM ledger_journalevent e
         WHERE e.ref <> '' AND e.ref IN (SELECT ref FROM ledger_claim WHERE id = ANY (gone))
    ), noted AS (
        INSERT INTO ledger_redaction SELECT event_id, purge_event FROM touched WHERE event_id <> purge_event
        ON CONFLICT DO NOTHING
    )
    UPDATE ledger_journalevent e SET reason = '', salt = NULL, redacted = true
      FROM touched t WHERE e.id = t.event_id AND e.id <> purge_event;
    UPDATE ledger_journalchange c SET before = NULL, after = NULL, redacted = true
     WHERE NOT c.redacted AND c.event_id <> purge_event
       AND ((c.noun = 'claim' AND c.row = ANY (gone)) OR (c.noun = 'source' AND c.row = which)
            OR (c.noun = 'conflict' AND c.row = ANY (clashes)));
    -- A slot is named by words; one that others still hold open keeps its name.
    UPDATE ledger_conflict SET slot = 'redacted-' || id, version = version + 1
     WHERE id = ANY (clashes) AND status <> 'open' AND NOT starts_with(slot, 'redacted-');
    UPDATE ledger_run SET raw_answer = '', error = '', stats = stats - 'notes_text' WHERE source_id = which;
    UPDATE ledger_runhit SET hit = NULL, why = 'redacted' WHERE run_id IN (SELECT id FROM ledger_run WHERE source_id = which);
    UPDATE ledger_gate SET patterns = '{}' WHERE source_id = which;
    UPDATE ledger_pattern SET description = ''
     WHERE claim_id = ANY (gone) OR id IN (SELECT pattern_id FROM ledger_pattern_sources WHERE source_id = which);
    UPDATE ledger_notice SET text = '' WHERE claim_id = ANY (gone);
    UPDATE ledger_priceobservation SET supplier = '' WHERE source_id = which;
    -- What is derived is dropped and rebuilt: the blocks of every scope that could show one of these claims.
    UPDATE ledger_block SET content = '{}', revision = revision + 1 WHERE scope_id IN (
        WITH RECURSIVE down AS (
            SELECT scope_id AS id FROM ledger_claim WHERE id = ANY (gone)
            UNION SELECT s.id FROM ledger_scope s JOIN down ON s.parent_id = down.id)
        SELECT id FROM down);
    -- The admin's own log keeps a row's name.
    UPDATE django_admin_log l SET object_repr = '', change_message = ''
      FROM django_content_type t
     WHERE t.id = l.content_type_id AND t.app_label = 'ledger'
       AND ((t.model = 'source' AND l.object_id = which::text)
            OR (t.model IN ('claim', 'candidate', 'entity') AND l.object_id::text = ANY (gone::text[]))
            OR (t.model = 'evidence' AND l.object_id IN (SELECT id::text FROM ledger_evidence WHERE source_id = which)));
    RETURN jsonb_build_object('claims', to_jsonb(gone));
END $$;
