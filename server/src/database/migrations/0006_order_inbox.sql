-- The inbox a counter can live in: who changed what, notes, saved views, texts for replies, files of orders,
-- and orders that are made here.

-- origin is where an order came from, changed_* who last changed its status and from where: written with the
-- change itself, so that the trigger below can keep its history whoever makes it.
alter table pharmacy_orders
  add column origin text not null default 'store',
  add column made_by uuid,
  add column made_in uuid,
  add column changed_from text not null default 'system',
  add column changed_by uuid,
  add column changed_in uuid,
  -- Which picture the order has: its address changes although it is the same one.
  add column image_ref text,
  add constraint pharmacy_orders__origin_known check (origin in ('store', 'api', 'person')),
  add constraint pharmacy_orders__changed_from_known
    check (changed_from in ('person', 'airtable', 'api', 'system'));
-- What was changed lately stands first.
create index pharmacy_orders__last_changed
  on pharmacy_orders (pharmacy_id, airtable_last desc, id desc);

-- What happened to an order since it came in; that it came in its own row says. Kept by record id, not by
-- row: the history and the notes of an order that is gone from its store, and comes back, are still its own.
-- 'gone' is told to nobody: it says since when what is kept is without its order.
-- user_id and session_id are of who did it, columns of the store that changed.
create table order_events (
  id bigint generated always as identity primary key,
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  record_id text not null,
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  source text not null,
  user_id uuid,
  session_id uuid,
  from_status text,
  to_status text,
  columns text[] not null default '{}',
  constraint order_events__kind_known
    check (kind in ('status', 'content', 'refused', 'conflict', 'gone')),
  constraint order_events__source_known check (source in ('person', 'airtable', 'api', 'system'))
);
create index order_events__of_order on order_events (pharmacy_id, record_id, id desc);
create index order_events__gone on order_events (at) where kind = 'gone';

create table order_notes (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  record_id text not null,
  text text not null,
  user_id uuid,
  session_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz
);
create index order_notes__of_order on order_notes (pharmacy_id, record_id, created_at);

create table order_views (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  name text not null,
  search jsonb not null,
  created_at timestamptz not null default now()
);
create unique index order_views__name_taken on order_views (pharmacy_id, lower(name));

create table reply_texts (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  title text not null,
  text text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index reply_texts__of_pharmacy on reply_texts (pharmacy_id, created_at);

-- Files of orders that were asked for. sought is which orders and in which order; it goes with the row, soon.
create table order_exports (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  format text not null,
  sought jsonb not null,
  state text not null default 'ready',
  total integer not null,
  done integer not null default 0,
  created_at timestamptz not null default now(),
  moved_at timestamptz not null default now(),
  constraint order_exports__format_known check (format in ('csv', 'xlsx')),
  constraint order_exports__state_known
    check (state in ('ready', 'running', 'done', 'cancelled', 'failed'))
);
create index order_exports__of_pharmacy on order_exports (pharmacy_id, created_at);
create index order_exports__old on order_exports (created_at);

-- Of a key only a hash is kept. One that was revoked stays, so that what it did can be told.
create table api_keys (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  name text not null,
  start text not null,
  key_hash bytea not null,
  made_by uuid,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  constraint api_keys__hash_taken unique (key_hash)
);
create index api_keys__of_pharmacy on api_keys (pharmacy_id, created_at desc);
-- A key that is revoked counts no more, in any process: it ends as a session does.
create function tell_of_revoked_key() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', json_build_array(new.id)::text);
  return null;
end
$$;
create trigger api_keys__revoked after update of revoked_at on api_keys
  for each row when (old.revoked_at is distinct from new.revoked_at)
  execute function tell_of_revoked_key();

-- What was asked for under an Idempotency-Key, by the hash of its body, and the order it came to.
create table order_requests (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  key_hash bytea not null,
  body_hash bytea not null,
  record_id text,
  created_at timestamptz not null default now(),
  primary key (pharmacy_id, key_hash)
);
create index order_requests__old on order_requests (created_at);

-- Orders that were made here and are not in the order store, or not yet. Until they are they have a record
-- id of our own; afterwards the store's, and under the other they are found by order_aliases.
create table order_creations (
  order_id bigint primary key references pharmacy_orders (id) on delete cascade,
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  -- It stays here: the store does not take it, or there is none.
  kept_here boolean not null default false,
  -- Whoever made it knows that it is there: it is not taken away any more, and new to the pharmacy if it is.
  answered boolean not null default false,
  claimed_until timestamptz,
  -- When the store was last asked without answering: it may have the order since.
  unsure_at timestamptz,
  created_at timestamptz not null default now()
);
create index order_creations__of_pharmacy on order_creations (pharmacy_id);
create index order_creations__waiting on order_creations (pharmacy_id) where not kept_here;
-- An order number that is taken is found among many orders, also where it is no number.
create index pharmacy_orders__worded on pharmacy_orders (pharmacy_id, order_number)
  where order_seq is null and order_number is not null;
create table order_aliases (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  alias text not null,
  record_id text not null,
  created_at timestamptz not null default now(),
  primary key (pharmacy_id, alias)
);
create index order_aliases__of_order on order_aliases (pharmacy_id, record_id);

alter table order_notices drop constraint order_notices__kind_known;
alter table order_notices add constraint order_notices__kind_known
  check (kind in ('refused', 'conflict', 'gone', 'not_created'));

-- A status that is another than before is history, whoever wrote it; and so are the columns that a reading of
-- the store brings, by name. That an order is given its number is no change; of a picture that nothing is
-- known of it counts that it came or went. Never by a nested loop: the plan is kept from small changes, and
-- must do for large ones.
create function keep_order_history() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  insert into order_events (
    pharmacy_id, record_id, kind, source, user_id, session_id, from_status, to_status
  )
  select n.pharmacy_id, n.airtable_order_id, 'status', n.changed_from, n.changed_by, n.changed_in,
    o.status, n.status
  from removed o join added n using (id)
  where o.status is distinct from n.status;
  insert into order_events (pharmacy_id, record_id, kind, source, columns)
  select pharmacy_id, airtable_order_id, 'content', 'airtable', columns
  from (
    select n.pharmacy_id, n.airtable_order_id, array_remove(array[
      case when o.order_number <> n.order_number then 'ID Ordine' end,
      case when o.customer_name is distinct from n.customer_name then 'Cliente' end,
      case when o.customer_phone is distinct from n.customer_phone then 'Phone Number' end,
      case when o.address is distinct from n.address then 'Indirizzo' end,
      case when o.order_details is distinct from n.order_details then 'Ordine' end,
      case when (o.image_url is null) <> (n.image_url is null) or o.image_ref <> n.image_ref
        then 'Image' end
    ], null) as columns
    from removed o join added n using (id)
  ) changed
  where cardinality(columns) > 0;
  return null;
end
$$;
create trigger pharmacy_orders__history after update on pharmacy_orders
  referencing old table as removed new table as added
  for each statement execute function keep_order_history();
create function keep_gone_orders() returns trigger language plpgsql as $$
begin
  insert into order_events (pharmacy_id, record_id, kind, source)
  select gone.pharmacy_id, gone.airtable_order_id, 'gone', 'system'
  from removed gone join pharmacies on pharmacies.id = gone.pharmacy_id;
  return null;
end
$$;
create trigger pharmacy_orders__gone after delete on pharmacy_orders
  referencing old table as removed
  for each statement execute function keep_gone_orders();

-- Notes are shown on all screens that have the order open.
create function tell_of_notes() returns trigger language plpgsql as $$
begin
  perform tell_of_orders(
    coalesce(new.pharmacy_id, old.pharmacy_id), 'changed',
    array[coalesce(new.record_id, old.record_id)]
  );
  return null;
end
$$;
create trigger order_notes__changed after insert or update or delete on order_notes
  for each row execute function tell_of_notes();
