-- The audit log: who acted, in which role and for which pharmacy, whether the action was done or refused, and what it
-- changed.
--
-- The role of the running server may add events and nothing else (see runtime-role.ts). What has to be deleted or sealed
-- goes through the functions below, which run as the owner of the schema.

-- pharmacy_id: for which pharmacy it was done. role: of the actor at that moment; null for what concerns an account
-- alone, such as a sign-in. person_id: the actor; for what concerns an account alone, without an actor, its user.
-- target: the type and the id of what was changed, 'offer:…'. changes: per field {"before", "after"}, or null where the
-- values must not be stored.
alter table audit_events
  add column pharmacy_id uuid,
  add column role text,
  add column outcome text not null default 'done',
  add column request_id text,
  add column target text,
  add column changes jsonb,
  add column person_id uuid generated always as
    (case when role is null then coalesce(actor_id, user_id) else actor_id end) stored,
  add constraint audit_events__role_known check (role in ('admin', 'owner', 'staff', 'key', 'system')),
  add constraint audit_events__outcome_known check (outcome in ('done', 'refused'));
update audit_events set outcome = 'refused' where action like '%\_failed';
create index audit_events__of_pharmacy on audit_events (pharmacy_id, at desc, id desc)
  where pharmacy_id is not null;
create index audit_events__of_person on audit_events (person_id, at desc, id desc);
create index audit_events__of_action on audit_events (action, at desc, id desc);
drop index audit_events__at;
create index audit_events__newest on audit_events (at desc, id desc);

-- The chain of hashes over all events with a role: each is the SHA-256 of the one before and the event. A job appends to
-- it, so that concurrent events do not wait for each other. The events that it has not sealed yet are in audit_unsealed.
create table audit_seals (
  position bigint generated always as identity primary key,
  event_id bigint not null,
  hash bytea not null,
  sealed_at timestamptz not null default now(),
  constraint audit_seals__once unique (event_id)
);
create table audit_unsealed (event_id bigint primary key);

-- Administrators also act outside the endpoints of pharmacies: then the pharmacy is that of the account concerned.
create function prepare_audit_event() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.role is null then return new; end if;
  if new.pharmacy_id is null and new.user_id is not null then
    new.pharmacy_id = coalesce(
      (select id from pharmacies where id = new.user_id),
      (select pharmacy_id from pharmacy_members
       where user_id = new.user_id and removed_at is null limit 1)
    );
  end if;
  insert into audit_unsealed (event_id) values (new.id);
  return new;
end $$;
create trigger audit_events__prepare before insert on audit_events
  for each row execute function prepare_audit_event();

-- What is sealed of an event. jsonb has one text for one value.
create function audit_event_text(event audit_events) returns text
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select jsonb_build_array(
    event.id, to_char(event.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), event.action,
    event.user_id, event.actor_id, event.address, event.agent, event.details, event.pharmacy_id,
    event.role, event.outcome, event.request_id, event.target, event.changes
  )::text
$$;

create function audit_hash(previous bytea, event audit_events) returns bytea
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select sha256(previous || convert_to(audit_event_text(event), 'UTF8'))
$$;

-- Appends at most so many events to the chain. Returns their number; 0 while another process appends.
create function seal_audit_events(most integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  event audit_events;
  previous bytea;
  sealed integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('audit_seals')) then return 0; end if;
  previous := coalesce((select hash from audit_seals order by position desc limit 1), '');
  for event in
    select each.* from audit_unsealed waiting join audit_events each on each.id = waiting.event_id
    order by each.id limit most
  loop
    previous := audit_hash(previous, event);
    insert into audit_seals (event_id, hash) values (event.id, previous);
    delete from audit_unsealed where event_id = event.id;
    sealed := sealed + 1;
  end loop;
  return sealed;
end $$;

-- Deletes what has been kept long enough: events with a role after 24 months, those of accounts after 180 days, and after
-- 30 days the calls without a session that concern no account. Returns the number of events.
--
-- Of the chain a beginning goes. Its last seal stays, because the next one continues from it.
create function delete_expired_audit_events() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  ending bigint;
  gone integer;
  more integer;
begin
  delete from audit_events where role is null and (
    at < now() - interval '180 days'
    or at < now() - interval '30 days' and user_id is null and action <> 'files_administered'
  );
  get diagnostics gone = row_count;
  perform pg_advisory_xact_lock(hashtext('audit_seals'));
  ending := (select max(position) from audit_seals where sealed_at < now() - interval '24 months');
  if ending is null then return gone; end if;
  delete from audit_events using audit_seals as seal
    where seal.position <= ending and audit_events.id = seal.event_id;
  get diagnostics more = row_count;
  delete from audit_seals where position < ending;
  return gone + more;
end $$;

-- Compares a part of the chain with its events.
--   after: the position after which to begin; null: at the beginning
--   previous: the hash at that position
-- Returns the last position that was read, its hash, how many seals were compared, and the event at which the chain is
-- broken: one that was changed, or that is missing.
create function check_audit_seals(
  after bigint, previous bytea, most integer,
  out last bigint, out hash bytea, out compared integer, out broken bigint
)
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
declare
  seal audit_seals;
  event audit_events;
begin
  last := after;
  hash := coalesce(previous, '');
  compared := 0;
  for seal in
    select * from audit_seals each where after is null or each.position > after
    order by each.position limit most
  loop
    select * into event from audit_events where id = seal.event_id;
    if event.id is null then
      -- Only the first seal outlives its event, and only when that was old.
      if last is not null or seal.sealed_at > now() - interval '24 months' then
        broken := seal.event_id;
        return;
      end if;
    elsif seal.hash <> audit_hash(hash, event) then
      broken := seal.event_id;
      return;
    end if;
    last := seal.position;
    hash := seal.hash;
    compared := compared + 1;
  end loop;
end $$;
