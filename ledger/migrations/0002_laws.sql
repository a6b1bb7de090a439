-- The laws of the house (design section 5), held where no caller can walk around them.

-- Every function here that reads a table fixes its search path with pg_temp last: a caller's temporary table must not
-- stand in for the ledger's own.

-- Law 1, 2, 3: what never changes. Only the purge function, which runs as its own role, may blank text: in the
-- transaction of a purge event, and only the columns that a trigger names after its reason.
CREATE FUNCTION ledger_purge_at_work() RETURNS boolean LANGUAGE plpgsql STABLE
    SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    RETURN current_user = 'countersign_purger' AND EXISTS (
        SELECT FROM ledger_journalevent WHERE verb = 'purge' AND xid = pg_current_xact_id());
END $$;

CREATE FUNCTION ledger_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    before jsonb;
    after jsonb;
    name text;
BEGIN
    IF current_user = 'countersign_purger' AND ledger_purge_at_work() THEN
        before := to_jsonb(OLD);
        after := to_jsonb(NEW);
        FOREACH name IN ARRAY TG_ARGV[1:] LOOP
            IF after -> name IN ('""', '[]', 'null', 'true') OR name = 'purged_at' THEN
                before := before - name;
                after := after - name;
            END IF;
        END LOOP;
        IF before = after THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION '% of % is refused: %', lower(TG_OP), TG_TABLE_NAME, TG_ARGV[0]
        USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION ledger_refuse_always() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: %', lower(TG_OP), TG_TABLE_NAME, TG_ARGV[0]
        USING ERRCODE = 'restrict_violation';
END $$;

-- A statement that matches no row fires no row trigger, so updates are refused as statements as well.
CREATE FUNCTION ledger_refuse_update_statement() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_user = 'countersign_purger' AND ledger_purge_at_work() THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'update of % is refused: %', TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER source_never_changes BEFORE UPDATE ON ledger_source
    FOR EACH ROW EXECUTE FUNCTION ledger_refuse('a source never changes', 'text', 'title', 'purged_at');
CREATE TRIGGER source_update_statement BEFORE UPDATE ON ledger_source
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_update_statement('a source never changes');
CREATE TRIGGER source_never_goes BEFORE DELETE OR TRUNCATE ON ledger_source
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_always('a source never goes away');
CREATE TRIGGER section_never_changes BEFORE UPDATE ON ledger_section
    FOR EACH ROW EXECUTE FUNCTION ledger_refuse('a section never changes', 'name', 'heading_path');
CREATE TRIGGER section_update_statement BEFORE UPDATE ON ledger_section
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_update_statement('a section never changes');
CREATE TRIGGER section_never_goes BEFORE DELETE OR TRUNCATE ON ledger_section
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_always('a section never goes away');
CREATE TRIGGER evidence_never_changes BEFORE UPDATE ON ledger_evidence
    FOR EACH ROW EXECUTE FUNCTION ledger_refuse('evidence never changes', 'quote', 'redacted');
CREATE TRIGGER evidence_update_statement BEFORE UPDATE ON ledger_evidence
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_update_statement('evidence never changes');
CREATE TRIGGER evidence_never_goes BEFORE DELETE OR TRUNCATE ON ledger_evidence
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_always('evidence never goes away');
CREATE TRIGGER journal_event_never_changes BEFORE UPDATE ON ledger_journalevent
    FOR EACH ROW EXECUTE FUNCTION ledger_refuse('the journal only grows', 'reason', 'salt', 'redacted');
CREATE TRIGGER journal_event_update_statement BEFORE UPDATE ON ledger_journalevent
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_update_statement('the journal only grows');
CREATE TRIGGER journal_event_never_goes BEFORE DELETE OR TRUNCATE ON ledger_journalevent
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_always('the journal only grows');
CREATE TRIGGER journal_change_never_changes BEFORE UPDATE ON ledger_journalchange
    FOR EACH ROW EXECUTE FUNCTION ledger_refuse('the journal only grows', 'before', 'after', 'redacted');
CREATE TRIGGER journal_change_update_statement BEFORE UPDATE ON ledger_journalchange
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_update_statement('the journal only grows');
CREATE TRIGGER journal_change_never_goes BEFORE DELETE OR TRUNCATE ON ledger_journalchange
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_always('the journal only grows');
CREATE TRIGGER seal_never_changes BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_seal
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_always('a seal is for good');
CREATE TRIGGER claim_never_goes BEFORE DELETE OR TRUNCATE ON ledger_claim
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_always('a claim is withdrawn, never deleted');
CREATE TRIGGER trusted_never_goes BEFORE DELETE OR TRUNCATE ON ledger_trustedstate
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_always('trusted state is retracted, never deleted');
CREATE TRIGGER conflict_never_goes BEFORE DELETE OR TRUNCATE ON ledger_conflict
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_always('a conflict is closed, never deleted');
CREATE TRIGGER dispute_never_goes BEFORE DELETE OR TRUNCATE ON ledger_dispute
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_always('a dispute is void, never deleted');

-- A source is what its hash says, and knows the transaction it was built in.
ALTER TABLE ledger_source ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id();
CREATE FUNCTION ledger_source_hash() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.xid := pg_current_xact_id();
    IF NEW.sha256 <> encode(sha256(convert_to(NEW.text, 'UTF8')), 'hex') THEN
        RAISE EXCEPTION 'sha256 is not that of the text' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.purged_at IS NOT NULL THEN
        RAISE EXCEPTION 'a source is not born purged' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER source_hash BEFORE INSERT ON ledger_source FOR EACH ROW EXECUTE FUNCTION ledger_source_hash();

-- Sections are written with their source, lie within it and do not overlap: a section added later, or laid over another,
-- could put words into somebody else's mouth.
CREATE FUNCTION ledger_section_fits() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE bad bigint;
BEGIN
    SELECT s.id INTO bad FROM ledger_source s
    WHERE s.id IN (SELECT source_id FROM new_rows) AND s.xid <> pg_current_xact_id() LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'source % is complete: it takes no more sections', bad USING ERRCODE = 'restrict_violation';
    END IF;
    SELECT n.source_id INTO bad
    FROM (SELECT source_id, max("end") AS "end" FROM new_rows GROUP BY source_id) n
    JOIN ledger_source s ON s.id = n.source_id WHERE n."end" > char_length(s.text) LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'a section of source % ends beyond its text', bad USING ERRCODE = 'check_violation';
    END IF;
    SELECT x.source_id INTO bad
    FROM (SELECT source_id, "end", lead(start) OVER (PARTITION BY source_id ORDER BY start) AS next
          FROM ledger_section WHERE source_id IN (SELECT source_id FROM new_rows)) x
    WHERE x."end" > x.next LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'two sections of source % overlap', bad USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER section_fits AFTER INSERT ON ledger_section REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_section_fits();

-- Law 2: evidence is true. One read of each source for all its quotes; the share lock keeps a purge out meanwhile, and
-- takes the owner's rights, since no serving role may update a source.
CREATE FUNCTION ledger_evidence_is_true() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    s record;
    e record;
    rest text;
    near text;
    said text;
    base integer;
    width integer;
BEGIN
    FOR s IN SELECT source_id, count(*) AS quotes FROM new_rows GROUP BY source_id ORDER BY source_id LOOP
        SELECT text INTO rest FROM ledger_source WHERE id = s.source_id AND purged_at IS NULL FOR SHARE;
        IF NOT FOUND THEN
            RAISE EXCEPTION 'source % is purged: it cannot be cited', s.source_id USING ERRCODE = 'check_violation';
        END IF;
        width := greatest(1024, ceil(char_length(rest) / sqrt(s.quotes)))::integer;
        base := 0;
        near := substr(rest, 1, 2 * width);
        FOR e IN SELECT n.*, x.source_id AS section_source, x.speaker AS section_speaker,
                        x.start AS section_start, x."end" AS section_end
                 FROM new_rows n LEFT JOIN ledger_section x ON x.id = n.section_id WHERE n.source_id = s.source_id
                 ORDER BY n.start LOOP
            IF e.start >= base + width THEN
                rest := substr(rest, e.start - base + 1);
                base := e.start;
                near := substr(rest, 1, 2 * width);
            END IF;
            said := substr(CASE WHEN e."end" <= base + 2 * width THEN near ELSE rest END,
                           e.start - base + 1, e."end" - e.start);
            IF e.redacted THEN
                RAISE EXCEPTION 'evidence is not born redacted' USING ERRCODE = 'check_violation';
            END IF;
            IF said <> e.quote OR char_length(e.quote) <> e."end" - e.start THEN
                RAISE EXCEPTION 'false evidence: source % does not say that at % to %', s.source_id, e.start, e."end"
                    USING ERRCODE = 'check_violation';
            END IF;
            IF e.quote_sha256 <> encode(sha256(convert_to(e.quote, 'UTF8')), 'hex') THEN
                RAISE EXCEPTION 'the hash of a quote is wrong' USING ERRCODE = 'check_violation';
            END IF;
            IF e.section_source IS DISTINCT FROM e.source_id OR e.section_speaker IS DISTINCT FROM e.speaker
               OR e.start < e.section_start OR e.start >= e.section_end THEN
                RAISE EXCEPTION 'evidence names a section that does not hold it' USING ERRCODE = 'check_violation';
            END IF;
            -- A quote may run on into the next section only while the same speaker speaks.
            IF e."end" > e.section_end AND EXISTS (
                SELECT FROM ledger_section x WHERE x.source_id = e.source_id AND x.speaker <> e.speaker
                  AND x.start < e."end" AND x."end" > e.start) THEN
                RAISE EXCEPTION 'a quote cannot join the words of two speakers' USING ERRCODE = 'check_violation';
            END IF;
        END LOOP;
    END LOOP;
    RETURN NULL;
END $$;
CREATE TRIGGER evidence_is_true AFTER INSERT ON ledger_evidence REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_evidence_is_true();

-- Origin is frozen, versions only rise.
CREATE FUNCTION ledger_claim_origin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_user = 'countersign_purger' AND ledger_purge_at_work() THEN
        RETURN NEW;
    END IF;
    IF (NEW.ref, NEW.run_id, NEW.rule, NEW.extractor, NEW.extractor_version, NEW.hand_authored, NEW.proposed,
        NEW.created_at) IS DISTINCT FROM
       (OLD.ref, OLD.run_id, OLD.rule, OLD.extractor, OLD.extractor_version, OLD.hand_authored, OLD.proposed,
        OLD.created_at) THEN
        RAISE EXCEPTION 'the origin of claim % is frozen', OLD.ref USING ERRCODE = 'restrict_violation';
    END IF;
    IF NEW.version < OLD.version THEN
        RAISE EXCEPTION 'the version of claim % only rises', OLD.ref USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER claim_origin BEFORE UPDATE ON ledger_claim FOR EACH ROW EXECUTE FUNCTION ledger_claim_origin();

-- The journal knows its own transaction: the laws below and the sealer read it.
ALTER TABLE ledger_journalevent ADD COLUMN xid xid8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX journal_by_xid ON ledger_journalevent (xid);
CREATE FUNCTION ledger_journal_stamp() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.xid := pg_current_xact_id();
    NEW.at := clock_timestamp();
    NEW.redacted := false;
    IF NEW.salt IS NULL OR length(NEW.salt) < 16 THEN
        RAISE EXCEPTION 'a journal event needs a salt of 16 bytes' USING ERRCODE = 'check_violation';
    END IF;
    -- The process that reads strangers' text speaks for no person, whatever it was talked into.
    IF current_user = 'countersign_worker' AND NEW.actor_kind NOT IN ('system', 'policy') THEN
        RAISE EXCEPTION 'the worker cannot act as a %', NEW.actor_kind USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER journal_stamp BEFORE INSERT ON ledger_journalevent
    FOR EACH ROW EXECUTE FUNCTION ledger_journal_stamp();
-- A change joins its event in the event's own transaction, so that no later hand can add to it.
CREATE FUNCTION ledger_journal_change_is_timely() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF EXISTS (SELECT FROM new_rows WHERE redacted) THEN
        RAISE EXCEPTION 'a change is not born redacted' USING ERRCODE = 'check_violation';
    END IF;
    IF EXISTS (SELECT FROM (SELECT DISTINCT event_id FROM new_rows) n JOIN ledger_journalevent e ON e.id = n.event_id
               WHERE e.xid <> pg_current_xact_id()) THEN
        RAISE EXCEPTION 'an event takes no more changes once it is committed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER journal_change_is_timely AFTER INSERT ON ledger_journalchange REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_journal_change_is_timely();

-- Law 4: trusted state rests on a person's own curate or retract in the same transaction. The demo's door is
-- accepted from the database's owner only.
CREATE FUNCTION ledger_trusted_by_hand() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
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
CREATE CONSTRAINT TRIGGER trusted_by_hand AFTER INSERT OR UPDATE ON ledger_trustedstate
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_trusted_by_hand();

-- Law 5: a claim becomes active by a person, or by a policy that its scope (or one above) has turned on.
CREATE FUNCTION ledger_active_by_decision() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE at_commit record;
BEGIN
    -- A deferred trigger sees the row as it was; what counts is the row at commit.
    SELECT scope_id, high_risk INTO at_commit FROM ledger_claim WHERE id = NEW.id;
    IF NOT EXISTS (
        SELECT FROM ledger_journalchange c JOIN ledger_journalevent e ON e.id = c.event_id
        WHERE c.noun = 'claim' AND c.row = NEW.id AND c.after ->> 'status' = 'active'
          AND e.xid = pg_current_xact_id()
          AND ((e.actor_kind = 'human'
                AND (e.door <> 'demo' OR pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')))
               OR (e.actor_kind = 'policy' AND NOT NEW.high_risk AND NOT at_commit.high_risk AND EXISTS (
                    WITH RECURSIVE up AS (
                        SELECT id, parent_id, policies FROM ledger_scope WHERE id = at_commit.scope_id
                        UNION ALL SELECT s.id, s.parent_id, s.policies FROM ledger_scope s JOIN up ON s.id = up.parent_id)
                    SELECT FROM up WHERE policies ? substring(e.actor_name from '^policy:([^@]+)@'))))
    ) THEN
        RAISE EXCEPTION 'claim % becomes active only by a person''s decision or a policy that is on', NEW.ref
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER claim_born_active AFTER INSERT ON ledger_claim DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.status = 'active') EXECUTE FUNCTION ledger_active_by_decision();
CREATE CONSTRAINT TRIGGER claim_turned_active AFTER UPDATE OF status ON ledger_claim DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.status = 'active' AND OLD.status IS DISTINCT FROM 'active')
    EXECUTE FUNCTION ledger_active_by_decision();

-- Law 8, and that nothing is without evidence: a claim rests on somebody's words, a norm on the right person's.
CREATE FUNCTION ledger_claim_is_anchored() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    allowed varchar[];
    undecided boolean;
BEGIN
    -- A deferred trigger sees the row as it was; what counts is the row at commit. Nothing active waits for its anchor.
    SELECT k.anchors, c.status <> 'active' AND jsonb_array_length(c.anchors_to_choose) > 0
           OR (TG_OP = 'UPDATE' AND c.proposed = '{"redacted": true}')  -- a purge took its words; the origin is frozen else
      INTO allowed, undecided
      FROM ledger_claim c JOIN ledger_kind k ON k.name = c.kind WHERE c.id = NEW.id;
    IF NOT undecided AND NOT EXISTS (
        SELECT FROM ledger_evidence e WHERE e.claim_id = NEW.id AND e.stance = 'supports'
          AND (cardinality(allowed) = 0 OR e.speaker = ANY (allowed))
    ) THEN
        RAISE EXCEPTION 'claim % (%) rests on no words of %', NEW.ref, NEW.kind,
            CASE WHEN cardinality(allowed) = 0 THEN 'anybody' ELSE array_to_string(allowed, ' or ') END
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER claim_is_anchored AFTER INSERT OR UPDATE OF kind, anchors_to_choose ON ledger_claim
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_claim_is_anchored();
CREATE CONSTRAINT TRIGGER active_is_anchored AFTER UPDATE OF status ON ledger_claim
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.status = 'active' AND OLD.status <> 'active')
    EXECUTE FUNCTION ledger_claim_is_anchored();

-- References: prefix, UTC day, number. One sequence serves all prefixes, so a ref is unique over all tables without
-- a lock that promotions would queue for; the first use on a day writes down where the day begins.
CREATE SEQUENCE ledger_ref_seq CACHE 1;
CREATE TABLE ledger_refday (day date PRIMARY KEY, base bigint NOT NULL);
CREATE FUNCTION ledger_next_refs(prefixes text[]) RETURNS SETOF text LANGUAGE plpgsql SECURITY DEFINER
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
    today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
    first bigint;
    prefix text;
BEGIN
    SELECT base INTO first FROM ledger_refday WHERE day = today;
    IF NOT FOUND THEN
        INSERT INTO ledger_refday VALUES (today, nextval('ledger_ref_seq')) ON CONFLICT DO NOTHING;
        SELECT base INTO first FROM ledger_refday WHERE day = today;
    END IF;
    FOREACH prefix IN ARRAY prefixes LOOP
        RETURN NEXT prefix || '-' || to_char(today, 'YYYYMMDD') || '-'
            || lpad((nextval('ledger_ref_seq') - first)::text, greatest(3, length((currval('ledger_ref_seq') - first)::text)), '0');
    END LOOP;
END $$;
