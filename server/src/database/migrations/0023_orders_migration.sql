-- Orders move out of Airtable in phases (contract/src/orders-migration.ts). A run copies or compares them, in a
-- process that may die at any moment: its row, the records that it has done and what it found are here.

-- use_supabase_orders is true exactly in the last two phases. Until now it meant that Airtable is not contacted.
alter table pharmacies
  add column orders_phase text not null default 'airtable',
  add column orders_phase_since timestamptz not null default now();
update pharmacies set orders_phase = 'retired' where use_supabase_orders;
alter table pharmacies
  add constraint pharmacies__orders_phase_known
    check (orders_phase in ('airtable', 'shadow', 'database', 'retired')),
  add constraint pharmacies__orders_phase_agrees
    check (use_supabase_orders = (orders_phase in ('database', 'retired')));

-- Both columns can be written, the switch or the phase, and the other one follows. A pharmacy that is switched to the
-- database keeps Airtable up to date, if it has a base; without one there is nothing to keep.
create function follow_orders_phase() returns trigger language plpgsql as $$
declare
  has_base boolean := coalesce(new.airtable_base_id <> '' and new.airtable_table_id <> '', false);
  is_switched boolean := case
    when tg_op = 'INSERT' then new.use_supabase_orders and new.orders_phase = 'airtable'
    else new.orders_phase = old.orders_phase and new.use_supabase_orders <> old.use_supabase_orders end;
begin
  if is_switched then
    new.orders_phase := case
      when not new.use_supabase_orders then 'airtable' when has_base then 'database' else 'retired' end;
  end if;
  new.use_supabase_orders := new.orders_phase in ('database', 'retired');
  if tg_op = 'INSERT' or new.orders_phase <> old.orders_phase then
    new.orders_phase_since := clock_timestamp();
  end if;
  return new;
end
$$;
create trigger pharmacies__orders_phase before insert or update on pharmacies
  for each row execute function follow_orders_phase();

-- Of the last list of all records: how many are the pharmacy's own.
alter table order_copies
  add column records integer,
  add column counted_at timestamptz;

-- While Airtable is contacted both sides know of each other's changes. After a time without it, or in another table,
-- everything has to be read again. Changes and orders made here meanwhile are sent to Airtable then: for a push to
-- recognize a change made there, it has to know the status of before, which is the first in the history since.
drop trigger pharmacies__store_switched on pharmacies;
drop function order_copies_doubted();
create function follow_order_store() returns trigger language plpgsql as $$
begin
  if (old.orders_phase = 'retired', old.airtable_base_id, old.airtable_table_id)
    is distinct from (new.orders_phase = 'retired', new.airtable_base_id, new.airtable_table_id) then
    update order_copies set changed_until = null, records = null, counted_at = null
    where pharmacy_id = new.id;
  end if;
  if old.orders_phase = 'retired' and new.orders_phase <> 'retired'
    and new.airtable_base_id <> '' and new.airtable_table_id <> '' then
    insert into order_changes (pharmacy_id, order_id, status, stored_status, stored_last)
    select o.pharmacy_id, o.id, o.status, before.from_status, o.airtable_last
    from pharmacy_orders o
    cross join lateral (
      select from_status from order_events e
      where e.pharmacy_id = o.pharmacy_id and e.record_id = o.airtable_order_id and e.kind = 'status'
        and e.at >= old.orders_phase_since
      order by e.id limit 1
    ) before
    where o.pharmacy_id = new.id and o.status_changed_at >= old.orders_phase_since
      and before.from_status <> o.status
    on conflict do nothing;
    update order_creations set kept_here = false
    where pharmacy_id = new.id and kept_here and created_at >= old.orders_phase_since;
  end if;
  -- From these phases on the poller reads also while no page is open.
  if new.orders_phase in ('shadow', 'database')
    and new.airtable_base_id <> '' and new.airtable_table_id <> '' then
    insert into order_copies (pharmacy_id, base_id, table_id)
    values (new.id, new.airtable_base_id, new.airtable_table_id)
    on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger pharmacies__store_switched after update on pharmacies
  for each row when (
    (old.orders_phase, old.airtable_base_id, old.airtable_table_id)
    is distinct from (new.orders_phase, new.airtable_base_id, new.airtable_table_id)
  ) execute function follow_order_store();

-- holder is the attempt that works on the run: of two processes that take it for theirs only one can write.
-- cursor is the time of change of the last record that was done, where Airtable lists them in that order.
create table migration_runs (
  id uuid primary key default gen_random_uuid(),
  batch_id uuid,
  retry_of uuid references migration_runs (id) on delete set null,
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  base_id text not null,
  table_id text not null,
  mode text not null,
  state text not null default 'queued',
  step text,
  status_mapping jsonb not null default '{}',
  counts jsonb not null default '{}',
  findings jsonb not null default '{}',
  verification jsonb,
  failure text,
  total integer,
  cursor timestamptz,
  recheck_at timestamptz,
  -- A sample of half a minute ago, for the speed.
  paced_at timestamptz,
  paced_read integer not null default 0,
  holder uuid,
  heartbeat_at timestamptz,
  started_by uuid,
  request jsonb not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  constraint migration_runs__mode_known check (mode in ('dry_run', 'full', 'verify', 'back')),
  constraint migration_runs__state_known check (state in (
    'queued', 'running', 'cancelling', 'completed', 'completed_with_errors', 'cancelled', 'failed'
  )),
  constraint migration_runs__ended check (
    (ended_at is null) = (state in ('queued', 'running', 'cancelling'))
  )
);
create unique index migration_runs__one_of_pharmacy on migration_runs (pharmacy_id)
  where ended_at is null;
create unique index migration_runs__one_of_base on migration_runs (base_id)
  where state in ('running', 'cancelling');
create index migration_runs__of_pharmacy on migration_runs (pharmacy_id, created_at desc);
create index migration_runs__of_batch on migration_runs (batch_id) where batch_id is not null;
create index migration_runs__newest on migration_runs (created_at desc);

-- What a run has read: the record of which the run continues, and what the comparison needs. No contents: hashes of
-- the whole and of each column. Removed when the run ends.
create table migration_records (
  run_id uuid not null references migration_runs (id) on delete cascade,
  record_id text not null,
  -- Null: it could not be read.
  hash bytea,
  columns bytea,
  month text,
  order_number text,
  primary key (run_id, record_id)
);
create index migration_records__of_month on migration_records (run_id, month);

-- Records that need attention: which, where and why, never what they contain.
create table migration_items (
  run_id uuid not null references migration_runs (id) on delete cascade,
  kind text not null,
  record_id text not null,
  order_number text,
  columns text[] not null default '{}',
  reason text not null,
  resolved_at timestamptz,
  primary key (run_id, kind, record_id),
  constraint migration_items__kind_known check (
    kind in ('refused', 'conflict', 'only_in_airtable', 'only_here', 'different', 'picture')
  )
);

-- The results that outlive the runs, and the continuous comparison in the phase `shadow`. The backup that is deleted
-- is this row's knowledge of it: the orders themselves are the copy from which pages are answered, and stay.
create table order_migrations (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  last_migration_at timestamptz,
  verified_at timestamptz,
  has_differences boolean not null default true,
  check_at timestamptz,
  checked_at timestamptz,
  checked_until timestamptz,
  clean_since timestamptz,
  checks integer not null default 0,
  compared integer not null default 0,
  mismatches integer not null default 0,
  deleted_at timestamptz,
  deleted_orders integer,
  deleted_migration_at timestamptz
);
create index order_migrations__due on order_migrations (check_at) where check_at is not null;
