-- Orders that tell of themselves: what has been seen, news for every process, the health of the copy,
-- pictures of our own, notifications that arrive with the page closed.

-- seen_at is null while an order is new to the pharmacy; what was there when its copy was first made is
-- not. content_hash is that of the record as the store held it when it was last read. image_kept: its
-- picture is in order_images; here, so that storing one is a change of the order like another.
-- By a default, which writes no row: of a large table that would take minutes.
alter table pharmacy_orders
  add column seen_at timestamptz default now(),
  add column content_hash bytea,
  add column image_kept boolean not null default false;
alter table pharmacy_orders alter column seen_at drop default;
create index pharmacy_orders__unseen on pharmacy_orders (pharmacy_id, id desc) where seen_at is null;
alter table pharmacy_order_counts add column unseen integer not null default 0;

-- Ids and kinds, never contents; of more than a hundred orders not even the ids.
create function tell_of_orders(pharmacy uuid, kind text, ids text[]) returns void language sql as $$
  select pg_notify('order_events', json_build_object(
    'pharmacy', pharmacy, 'kind', kind, 'ids', case when cardinality(ids) <= 100 then ids end
  )::text)
$$;

create or replace function pharmacy_orders_added() returns trigger language plpgsql as $$
begin
  insert into pharmacy_order_counts as kept (
    pharmacy_id, total, pending, confirmed, booked_today, booked_tomorrow, cancelled, unseen,
    last_order_seq, version
  )
  select
    pharmacy_id,
    count(*),
    count(*) filter (where status = 'In attesa'),
    count(*) filter (where status = 'Confermato'),
    count(*) filter (where status = 'Prenotato in Giornata'),
    count(*) filter (where status = 'Prenotato Domani'),
    count(*) filter (where status = 'Annullato'),
    count(*) filter (where seen_at is null),
    max(order_seq),
    1
  from added
  group by pharmacy_id
  on conflict (pharmacy_id) do update set
    total = kept.total + excluded.total,
    pending = kept.pending + excluded.pending,
    confirmed = kept.confirmed + excluded.confirmed,
    booked_today = kept.booked_today + excluded.booked_today,
    booked_tomorrow = kept.booked_tomorrow + excluded.booked_tomorrow,
    cancelled = kept.cancelled + excluded.cancelled,
    unseen = kept.unseen + excluded.unseen,
    last_order_seq = greatest(kept.last_order_seq, excluded.last_order_seq),
    version = kept.version + 1;
  perform tell_of_orders(pharmacy_id, 'added', array_agg(airtable_order_id))
  from added group by pharmacy_id;
  return null;
end
$$;
create or replace function pharmacy_orders_changed() returns trigger language plpgsql as $$
begin
  with sides as (
    select pharmacy_id, status, seen_at, 1 as by from added
    union all
    select pharmacy_id, status, seen_at, -1 from removed
  ), delta as (
    select
      pharmacy_id,
      coalesce(sum(by) filter (where status = 'In attesa'), 0) as pending,
      coalesce(sum(by) filter (where status = 'Confermato'), 0) as confirmed,
      coalesce(sum(by) filter (where status = 'Prenotato in Giornata'), 0) as booked_today,
      coalesce(sum(by) filter (where status = 'Prenotato Domani'), 0) as booked_tomorrow,
      coalesce(sum(by) filter (where status = 'Annullato'), 0) as cancelled,
      coalesce(sum(by) filter (where seen_at is null), 0) as unseen
    from sides
    group by pharmacy_id
  )
  update pharmacy_order_counts kept set
    pending = kept.pending + delta.pending,
    confirmed = kept.confirmed + delta.confirmed,
    booked_today = kept.booked_today + delta.booked_today,
    booked_tomorrow = kept.booked_tomorrow + delta.booked_tomorrow,
    cancelled = kept.cancelled + delta.cancelled,
    unseen = kept.unseen + delta.unseen,
    version = kept.version + 1
  from delta
  where kept.pharmacy_id = delta.pharmacy_id;
  if exists (
    select from removed o join added n using (id) where o.order_seq is distinct from n.order_seq
  ) then
    update pharmacy_order_counts kept
    set last_order_seq = (
      select max(order_seq) from pharmacy_orders o where o.pharmacy_id = kept.pharmacy_id
    )
    where kept.pharmacy_id in (select pharmacy_id from added);
  end if;
  perform tell_of_orders(pharmacy_id, 'changed', array_agg(airtable_order_id))
  from added group by pharmacy_id;
  return null;
end
$$;
create or replace function pharmacy_orders_removed() returns trigger language plpgsql as $$
begin
  update pharmacy_order_counts kept set
    total = kept.total - gone.total,
    pending = kept.pending - gone.pending,
    confirmed = kept.confirmed - gone.confirmed,
    booked_today = kept.booked_today - gone.booked_today,
    booked_tomorrow = kept.booked_tomorrow - gone.booked_tomorrow,
    cancelled = kept.cancelled - gone.cancelled,
    unseen = kept.unseen - gone.unseen,
    version = kept.version + 1,
    last_order_seq = (
      select max(order_seq) from pharmacy_orders o where o.pharmacy_id = kept.pharmacy_id
    )
  from (
    select
      pharmacy_id,
      count(*) as total,
      count(*) filter (where status = 'In attesa') as pending,
      count(*) filter (where status = 'Confermato') as confirmed,
      count(*) filter (where status = 'Prenotato in Giornata') as booked_today,
      count(*) filter (where status = 'Prenotato Domani') as booked_tomorrow,
      count(*) filter (where status = 'Annullato') as cancelled,
      count(*) filter (where seen_at is null) as unseen
    from removed
    group by pharmacy_id
  ) gone
  where kept.pharmacy_id = gone.pharmacy_id;
  perform tell_of_orders(pharmacy_id, 'removed', array_agg(airtable_order_id))
  from removed group by pharmacy_id;
  return null;
end
$$;

-- poll_at is when the store is next read by itself, watched_until until when a screen shows its orders.
-- last_error is the kind of the newest failure, null since it answered again, failures how many there were
-- since. swept_at is when the records that are gone were last looked for, sweep_at when they are next.
-- missing_columns is null while it is not known which there are.
alter table order_copies
  add column poll_at timestamptz not null default now(),
  add column watched_until timestamptz,
  add column last_error text,
  add column failures integer not null default 0,
  add column swept_at timestamptz,
  add column sweep_at timestamptz not null default now(),
  add column missing_columns text[],
  add column columns_checked_at timestamptz;
-- Hashes and pictures are known of what is read again alone.
update order_copies set changed_until = null;
create index order_copies__due on order_copies (poll_at);

-- What was changed in either while a pharmacy did not use its store is in the other with a reading of
-- everything alone.
create function order_copies_doubted() returns trigger language plpgsql as $$
begin
  update order_copies set changed_until = null where pharmacy_id = new.id;
  return null;
end
$$;
create trigger pharmacies__store_switched
  after update of use_supabase_orders, airtable_base_id, airtable_table_id on pharmacies
  for each row when (
    (old.use_supabase_orders, old.airtable_base_id, old.airtable_table_id)
    is distinct from (new.use_supabase_orders, new.airtable_base_id, new.airtable_table_id)
  ) execute function order_copies_doubted();

-- A lease is for reading a base, or for looking for the records that are gone from a table.
alter table order_source_leases rename column base_id to key;

-- One sequence for all changes: an order that is removed and comes back must not begin again at 1, or a
-- push that ends late would take a newer change for its own. attempted are the statuses that may have
-- reached the store although no reply said so: to find one there is no change by somebody else. unsure_at
-- is when a reply last failed to come: what was asked for then may still come to pass.
create sequence order_change_versions as bigint start with 1000000;
alter table order_changes
  alter column version type bigint,
  alter column version set default nextval('order_change_versions'),
  add column attempted text[] not null default '{}',
  add column unsure_at timestamptz;

-- Records of the store that could not be understood, in whole or in part. The reason names columns,
-- never what is in them.
create table order_set_aside (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  record_id text not null,
  reason text not null,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (pharmacy_id, record_id)
);

-- A change that did not come to pass, told to the pharmacy until somebody has read it. Not tied to the
-- order, which may be gone.
create table order_notices (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  airtable_order_id text not null,
  order_number text,
  kind text not null,
  wanted text not null,
  kept text,
  created_at timestamptz not null default now(),
  primary key (pharmacy_id, airtable_order_id),
  constraint order_notices__kind_known check (kind in ('refused', 'conflict', 'gone'))
);

-- The files of pictures. Written here before there is one, so that none can be forgotten: what no order
-- refers to is removed later.
create table order_image_files (
  key text primary key,
  put_at timestamptz not null default now()
);
-- Pictures of orders, copied because the store's own addresses end after hours. ref tells one picture
-- from another although its address changes. key is where the file is kept, null until it is.
create table order_images (
  order_id bigint primary key references pharmacy_orders (id) on delete cascade,
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  ref text not null,
  state text not null default 'waiting',
  tries integer not null default 0,
  key text references order_image_files (key),
  content_type text,
  bytes integer,
  width integer,
  height integer,
  reason text,
  updated_at timestamptz not null default now(),
  constraint order_images__state_known check (state in ('waiting', 'stored', 'refused')),
  constraint order_images__stored_whole check (
    state <> 'stored' or (key is not null and content_type is not null and bytes is not null)
  )
);
create index order_images__of_pharmacy on order_images (pharmacy_id);
create index order_images__kept on order_images (key) where key is not null;

-- The pace of requests to an outside service, shared by all processes. A request holds a place of each
-- pace it goes by until a while after it was answered, so that no more arrive there within that while than
-- there are places, however long each is on its way. A place of a process that died comes free by itself.
create unlogged table request_places (
  id uuid not null,
  key text not null,
  held_until timestamptz not null,
  primary key (id, key)
);
create index request_places__of_key on request_places (key, held_until);
-- Until when an outside service asked to be left alone.
create table request_silences (
  key text primary key,
  silent_until timestamptz not null
);
-- Takes a place in every pace, or in none: then it says in how many milliseconds there may be one, or
-- for how many there is silence. A pace has a place while fewer than its `most` are held.
create function take_request_place(keys text[], most integer[], hold interval)
returns table (place uuid, wait_ms integer, silent_ms integer) language plpgsql as $$
declare
  at timestamptz;
  until timestamptz;
begin
  -- In the order given, the same for everybody: nobody waits for somebody who waits for them.
  for i in 1 .. cardinality(keys) loop
    perform pg_advisory_xact_lock(hashtextextended(keys[i], 0));
  end loop;
  at := clock_timestamp();
  select max(silent_until) into until from request_silences where key = any (keys);
  if until > at then
    return query select null::uuid, null::integer, ceil(extract(epoch from until - at) * 1000)::integer;
    return;
  end if;
  delete from request_places where key = any (keys) and held_until <= at;
  select max(nth.held_until) into until
  from unnest(keys, most) as pace (key, most)
  cross join lateral (
    select held.held_until from request_places held where held.key = pace.key
    order by held.held_until desc offset pace.most - 1 limit 1
  ) nth;
  if until is not null then
    return query select null::uuid, ceil(extract(epoch from until - at) * 1000)::integer, null::integer;
    return;
  end if;
  place := gen_random_uuid();
  insert into request_places (id, key, held_until) select place, key, at + hold from unnest(keys) as key;
  return next;
end
$$;

-- The workers of the job queue that live: what one that died had taken is set free.
create table job_workers (
  worker_id text primary key,
  seen_at timestamptz not null default now()
);

-- Who is in a topic, in which process. Nothing of this outlives the processes: no need to log it.
create unlogged table realtime_nodes (
  id uuid primary key,
  seen_at timestamptz not null default now()
);
create unlogged table realtime_presences (
  node_id uuid not null references realtime_nodes (id) on delete cascade,
  topic text not null,
  key text not null,
  ref text not null,
  meta json not null,
  primary key (topic, key, ref)
);
create index realtime_presences__of_node on realtime_presences (node_id);
-- Messages that are too large for a notification.
create unlogged table realtime_messages (
  id bigint generated always as identity primary key,
  body bytea not null,
  created_at timestamptz not null default now()
);
create index realtime_messages__old on realtime_messages (created_at);

-- The key that push services know us by (VAPID, RFC 8292); its private half is encrypted.
create table push_keys (
  id boolean primary key default true,
  public_key text not null,
  private_key bytea not null,
  created_at timestamptz not null default now(),
  constraint push_keys__one check (id)
);
-- A device that wants to be told. It goes with the session that asked for it. told is up to which of the
-- arrivals of its pharmacy it was.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references auth_sessions (id) on delete cascade,
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  told bigint not null,
  failures integer not null default 0,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  constraint push_subscriptions__endpoint_taken unique (endpoint)
);
create index push_subscriptions__of_pharmacy on push_subscriptions (pharmacy_id);
create index push_subscriptions__of_session on push_subscriptions (session_id);
-- How many times new orders came to a pharmacy. Not the id of the newest: of two that are written at the
-- same time the one with the lower id may be there last, and nobody would be told of it.
create table push_arrivals (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  times bigint not null
);

-- A session ended, or an account may do other things than before: every process must know at once. An
-- empty list of sessions means that there were too many to name.
create function tell_of_ended_sessions() returns trigger language plpgsql as $$
begin
  perform pg_notify(
    'session_ended',
    case when count(*) <= 150 then json_agg(id)::text else '[]' end
  )
  from removed having count(*) > 0;
  return null;
end
$$;
create trigger auth_sessions__ended after delete on auth_sessions
  referencing old table as removed
  for each statement execute function tell_of_ended_sessions();
create function tell_of_changed_account() returns trigger language plpgsql as $$
begin
  perform pg_notify('account_changed', coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[0]);
  return null;
end
$$;
create trigger pharmacies__changed after update on pharmacies
  for each row when (old.* is distinct from new.*) execute function tell_of_changed_account('id');
create trigger pharmacies__removed after delete on pharmacies
  for each row execute function tell_of_changed_account('id');
create trigger auth_users__shut_out after update of banned_until, deleted_at on auth_users
  for each row when (
    old.banned_until is distinct from new.banned_until or old.deleted_at is distinct from new.deleted_at
  ) execute function tell_of_changed_account('id');
create trigger admin_users__changed after insert or delete on admin_users
  for each row execute function tell_of_changed_account('user_id');
