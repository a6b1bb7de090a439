-- Law 5 once more: how a policy is on, and that two people stand behind what is risky where a scope asks for it.

-- What somebody approves: all that a candidate says, where it would hold, and what it would replace. Times are told in UTC,
-- so that the hash does not hang on a session's time zone.
CREATE FUNCTION ledger_claim_content(which bigint) RETURNS varchar LANGUAGE sql STABLE
    SET search_path = pg_catalog, public, pg_temp AS $$
    SELECT encode(sha256(convert_to(jsonb_build_array(
        c.scope_id, c.layer, c.kind, c.key, c.topic, to_jsonb(c.tags), c.value_type, c.value, c.statement, c.assignee,
        to_jsonb(c.downstream), c.valid_from AT TIME ZONE 'UTC', c.valid_to AT TIME ZONE 'UTC', to_jsonb(c.names_replaced),
        c.anchors_to_choose)::text, 'UTF8')), 'hex')
    FROM ledger_claim c WHERE c.id = which
$$;

CREATE FUNCTION ledger_approval_is_true() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        IF NEW.content IS DISTINCT FROM ledger_claim_content(NEW.claim_id) THEN
            RAISE EXCEPTION 'an approval is of what the claim says' USING ERRCODE = 'check_violation';
        END IF;
    ELSIF (NEW.claim_id, NEW.user_id, NEW."by", NEW.content, NEW.at)
          IS DISTINCT FROM (OLD.claim_id, OLD.user_id, OLD."by", OLD.content, OLD.at) THEN
        RAISE EXCEPTION 'an approval is withdrawn, never rewritten' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER approval_is_true BEFORE INSERT OR UPDATE ON ledger_approval
    FOR EACH ROW EXECUTE FUNCTION ledger_approval_is_true();
CREATE TRIGGER approval_never_goes BEFORE DELETE OR TRUNCATE ON ledger_approval
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_always('an approval is void, never deleted');

-- A claim becomes active by a person, or by a policy that is on where it stands: the nearest scope that names the policy
-- decides, with an object of settings for on and `false` for off. Four eyes is a setting beside them and acts for nobody.
CREATE OR REPLACE FUNCTION ledger_active_by_decision() RETURNS trigger LANGUAGE plpgsql
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
               OR (e.actor_kind = 'policy' AND e.verb = 'promote' AND NOT NEW.high_risk AND NOT at_commit.high_risk
                   AND e.actor_name !~ '^policy:four_eyes@' AND 'object' = (
                    WITH RECURSIVE up AS (
                        SELECT id, parent_id, policies, 0 AS far FROM ledger_scope WHERE id = at_commit.scope_id
                        UNION ALL SELECT s.id, s.parent_id, s.policies, up.far + 1 FROM ledger_scope s JOIN up ON s.id = up.parent_id)
                    SELECT jsonb_typeof(policies -> substring(e.actor_name from '^policy:([^@]+)@')) FROM up
                     WHERE policies ? substring(e.actor_name from '^policy:([^@]+)@') ORDER BY far LIMIT 1)))
    ) THEN
        RAISE EXCEPTION 'claim % becomes active only by a person''s decision or a policy that is on', NEW.ref
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;

-- Four eyes: what is risky becomes active only by one person, while another one's approval of the same words stands.
-- What held before comes back by one person's hand: it was countersigned when it first became active.
CREATE FUNCTION ledger_active_by_two() RETURNS trigger LANGUAGE plpgsql
    SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE at_commit record;
BEGIN
    SELECT scope_id, high_risk INTO at_commit FROM ledger_claim WHERE id = NEW.id;
    IF NOT (NEW.high_risk OR at_commit.high_risk) OR NOT EXISTS (
        WITH RECURSIVE up AS (
            SELECT id, parent_id, policies FROM ledger_scope WHERE id = at_commit.scope_id
            UNION ALL SELECT s.id, s.parent_id, s.policies FROM ledger_scope s JOIN up ON s.id = up.parent_id)
        SELECT FROM up WHERE jsonb_typeof(policies -> 'four_eyes') = 'object') THEN
        RETURN NULL;
    END IF;
    IF NOT EXISTS (
        SELECT FROM ledger_journalchange c JOIN ledger_journalevent e ON e.id = c.event_id
        WHERE c.noun = 'claim' AND c.row = NEW.id AND c.after ->> 'status' = 'active'
          AND e.xid = pg_current_xact_id() AND e.actor_kind = 'human' AND e.user_id IS NOT NULL
          AND EXISTS (
            SELECT FROM ledger_approval a
            JOIN ledger_journalchange ac ON ac.noun = 'approval' AND ac.row = a.id AND ac.before IS NULL
            JOIN ledger_journalevent ae ON ae.id = ac.event_id
            WHERE a.claim_id = NEW.id AND a.status = 'standing' AND a.content = ledger_claim_content(NEW.id)
              AND a.user_id <> e.user_id AND ae.verb = 'approve' AND ae.actor_kind = 'human' AND ae.user_id = a.user_id)
    ) THEN
        RAISE EXCEPTION 'claim % is of high risk: two people decide about it here', NEW.ref
            USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER claim_born_by_two AFTER INSERT ON ledger_claim DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.status = 'active') EXECUTE FUNCTION ledger_active_by_two();
CREATE CONSTRAINT TRIGGER claim_active_by_two AFTER UPDATE OF status ON ledger_claim DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.status = 'active' AND (OLD.status IN ('pending', 'deferred')
                       OR (OLD.status <> 'active' AND OLD.promoted_at IS NULL)))
    EXECUTE FUNCTION ledger_active_by_two();

-- What policies did is listed and undone by their names; nobody else's events are in this index.
CREATE INDEX journal_by_policy ON ledger_journalevent (actor_name varchar_pattern_ops, id) WHERE actor_kind = 'policy';

-- How far the passes of policies have come through the claims; forgotten, they begin again.
CREATE TABLE ledger_policycursor (one boolean PRIMARY KEY DEFAULT true CHECK (one), claim bigint NOT NULL);
