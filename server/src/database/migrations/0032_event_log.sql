-- Events without NOTIFY in every commit: commits that notify wait for each other. All functions of triggers call
-- notify_event, which either notifies, as before, or adds a row to a table that one process reads for all.
-- Locks: none but those of the new tables; functions are replaced.

-- Which of the two: 'notify' or 'table'. A constant that PostgreSQL puts into the plans of its callers, and that is the
-- same for all connections at once. The server replaces it when EVENTS says otherwise (platform/event-log.ts).
create function events_way() returns text immutable language sql as $$ select 'notify' $$;

-- Events of the last minutes. Unlogged: a crash empties the table, and breaks all connections that listen.
-- pharmacy_id: zeros for what concerns no single pharmacy. xid: of the transaction, by which readers find what has been
-- committed since they last read.
create unlogged table event_log (
  pharmacy_id uuid not null,
  id bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  channel text not null,
  payload text not null,
  primary key (pharmacy_id, id)
);
-- By the payload too, by which a transaction finds what it has added already.
create index event_log__by_transaction on event_log (xid, hashtextextended(payload, 0));

-- One row: who notifies the others of new rows. log is the id of the table's contents: another one says that rows were
-- lost (in a crash, or on a standby, this table is empty too). Rows of transactions before cleared are deleted.
create unlogged table event_log_leader (
  one boolean primary key default true,
  log uuid not null default gen_random_uuid(),
  holder uuid,
  leased_until timestamptz not null default '-infinity',
  cleared xid8 not null default '0',
  constraint event_log_leader__one check (one)
);

-- Like NOTIFY, a transaction tells the same only once.
create function notify_event(of_pharmacy uuid, on_channel text, content text) returns void language plpgsql as $$
begin
  if events_way() = 'notify' then
    perform pg_notify(on_channel, content);
    return;
  end if;
  insert into event_log (pharmacy_id, channel, payload)
  select coalesce(of_pharmacy, '00000000-0000-0000-0000-000000000000'), on_channel, content
  where not exists (
    select from event_log as same
    where same.xid = pg_current_xact_id() and hashtextextended(same.payload, 0) = hashtextextended(content, 0)
      and same.channel = on_channel and same.payload = content
  );
end
$$;

-- As before, but for the call of notify_event.
create or replace function tell_of_orders(pharmacy uuid, kind text, ids text[]) returns void language plpgsql as $$
begin
  perform notify_event(pharmacy, 'order_events', json_build_object(
    'pharmacy', pharmacy, 'kind', kind, 'ids', case when cardinality(ids) <= 100 then ids end
  )::text);
end
$$;

create or replace function tell_of_ended_sessions() returns trigger language plpgsql as $$
begin
  perform notify_event(
    null, 'session_ended', case when count(*) <= 150 then json_agg(id)::text else '[]' end
  )
  from removed having count(*) > 0;
  return null;
end
$$;

create or replace function tell_of_changed_account() returns trigger language plpgsql as $$
declare
  changed jsonb := coalesce(to_jsonb(new), to_jsonb(old));
begin
  perform notify_event(
    (changed ->> case tg_table_name when 'pharmacies' then 'id' when 'pharmacy_members' then 'pharmacy_id' end)::uuid,
    'account_changed',
    changed ->> tg_argv[0]
  );
  return null;
end
$$;

create or replace function tell_of_arrived_colleague() returns trigger language plpgsql as $$
begin
  perform notify_event(pharmacy_id, 'account_changed', pharmacy_id::text) from pharmacy_members
  where user_id = new.id and removed_at is null;
  return null;
end
$$;

create or replace function tell_of_revoked_key() returns trigger language plpgsql as $$
begin
  perform notify_event(new.pharmacy_id, 'session_ended', json_build_array(new.id)::text);
  return null;
end
$$;

create or replace function tell_of_offers() returns trigger language plpgsql as $$
declare
  pharmacy uuid := coalesce(new.pharmacy_id, old.pharmacy_id);
begin
  perform notify_event(pharmacy, 'offers_changed', pharmacy::text);
  return null;
end
$$;

create or replace function tell_of_public_pharmacy() returns trigger language plpgsql as $$
declare
  pharmacy uuid := coalesce(new.id, old.id);
begin
  perform notify_event(pharmacy, 'offers_changed', pharmacy::text);
  return null;
end
$$;

create or replace function tell_of_categories() returns trigger language plpgsql as $$
begin
  perform notify_event(null, 'offers_changed', '');
  return null;
end
$$;

create or replace function tell_of_setting() returns trigger language plpgsql as $$
begin
  perform notify_event(null, 'settings_changed', new.key);
  return null;
end
$$;

create or replace function priority_visit_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.ended_at is not null and (tg_op = 'DELETE' or new.ended_at is not null) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform notify_event(old.pharmacy_id, 'priority_changed', old.pharmacy_id::text);
    return null;
  end if;
  if tg_op = 'INSERT' or new.status <> old.status then
    insert into priority_events (visit_id, from_status, to_status, source, user_id, desk)
    values (
      new.id, case when tg_op = 'UPDATE' then old.status end, new.status, new.changed_from, new.changed_by, new.called_by
    );
  end if;
  perform notify_event(new.pharmacy_id, 'priority_changed', new.pharmacy_id::text);
  return null;
end
$$;
