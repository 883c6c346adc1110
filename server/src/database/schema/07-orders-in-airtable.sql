-- The copy of the orders that Airtable keeps, changes on their way to it, and the move of a pharmacy out of it.

-- One sequence for all changes: if the version of an order that is removed and comes back began again at 1, a push that
-- ends late would take a newer change for its own.
create sequence order_change_versions as bigint start with 1000000;

-- Status changes that have not reached Airtable yet. One row an order: the newest status counts,
-- version tells a push that finished whether another change came meanwhile, stored_status is what Airtable holds as far as
-- we know, stored_last when the order was last changed before the first of these changes. attempted: the statuses whose
-- sending has begun since; Airtable may have one of them, which is then no change by another user. unsure_at: when a reply
-- last failed to come; that request may still take effect.
create table order_changes (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  order_id bigint,
  status text not null,
  stored_status text not null,
  stored_last timestamptz not null,
  version bigint not null default nextval('order_change_versions'),
  claimed_until timestamptz,
  changed_at timestamptz not null default now(),
  attempted text[] not null default '{}',
  unsure_at timestamptz,
  primary key (pharmacy_id, order_id),
  constraint order_changes__order
    foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade
);

-- Orders whose moments have changed and are not yet in the columns that their pharmacy names. The push writes them as they
-- are by then.
create table order_pickup_changes (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  order_id bigint,
  version bigint not null default nextval('order_change_versions'),
  claimed_until timestamptz,
  changed_at timestamptz not null default now(),
  unsure_at timestamptz,
  primary key (pharmacy_id, order_id),
  constraint order_pickup_changes__order
    foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade
);

create function queue_changed_moments() returns trigger language plpgsql as $$
begin
  insert into order_pickup_changes (pharmacy_id, order_id)
  select new.pharmacy_id, new.id
  from order_pickup_settings settings
  join pharmacies pharmacy on pharmacy.id = settings.pharmacy_id
  where settings.pharmacy_id = new.pharmacy_id
    and num_nonnulls(settings.ready_column, settings.collected_column, settings.put_back_column) > 0
    and pharmacy.orders_phase <> 'retired' and pharmacy.airtable_base_id <> '' and pharmacy.airtable_table_id <> ''
  on conflict (pharmacy_id, order_id) do update set version = excluded.version, changed_at = now();
  return null;
end
$$;
create trigger pharmacy_orders__moments_changed after update on pharmacy_orders for each row
  when (
    (old.ready_at, old.collected_at, old.put_back_at) is distinct from (new.ready_at, new.collected_at, new.put_back_at)
  )
  execute function queue_changed_moments();

-- changed_until is where the next reading begins; read_at is when Airtable last answered, failed_at when
-- it last did not: whoever waits for another's reading sees there how it ended.
create table order_copies (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  base_id text not null,
  table_id text not null,
  changed_until timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  -- poll_at is when Airtable is next read by itself, watched_until until when a screen shows its orders.
  -- last_error is the kind of the newest failure, null since it answered again, failures how many there were
  -- since. swept_at is when the records that are gone were last looked for, sweep_at when they are next.
  -- missing_columns is null while it is not known which there are.
  poll_at timestamptz not null default now(),
  watched_until timestamptz,
  last_error text,
  failures integer not null default 0,
  swept_at timestamptz,
  sweep_at timestamptz not null default now(),
  missing_columns text[],
  columns_checked_at timestamptz,
  -- Of the last list of all records: how many are the pharmacy's own.
  records integer,
  counted_at timestamptz,
  -- When the base last reported a change.
  signalled_at timestamptz
);
create index order_copies__due on order_copies (poll_at);

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
    update order_creations creation set kept_here = false
    where creation.pharmacy_id = new.id and creation.kept_here and creation.created_at >= old.orders_phase_since
      and exists (
        select from pharmacy_orders o
        where o.pharmacy_id = creation.pharmacy_id and o.id = creation.order_id and num_nonnulls(
          o.customer_name, o.customer_phone, o.address, o.order_details, o.image_url
        ) > 0
      );
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

-- One reading a base, whoever asks and in whichever process. A lease ends by itself if its holder dies.
create table order_source_leases (
  key text primary key,
  holder uuid not null,
  leased_until timestamptz not null
);

-- Records of Airtable that could not be understood, in whole or in part. The reason names columns,
-- never what is in them.
create table order_set_aside (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  record_id text not null,
  reason text not null,
  first_seen_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  primary key (pharmacy_id, record_id)
);

create table airtable_tokens (
  base_id text primary key,
  -- Encrypted, with the key that key_id names.
  token bytea not null,
  key_id text not null,
  -- The same for bases with the same token: the beginning of its hash.
  fingerprint text not null,
  set_at timestamptz not null default now()
);

create table airtable_webhooks (
  base_id text primary key,
  -- In the address that Airtable pings.
  id uuid not null default gen_random_uuid() constraint airtable_webhooks__id_taken unique,
  state text not null default 'new'
    constraint airtable_webhooks__state check (state in ('new', 'waiting', 'active', 'no_scope', 'no_token', 'failed')),
  -- Airtable's id of it; null while there is none.
  webhook_id text,
  -- Encrypted, with the key that key_id names.
  mac_secret bytea,
  key_id text,
  -- The only table whose changes are reported; null for all of the base.
  table_id text,
  expires_at timestamptz,
  -- The next payload to be listed, and the next one at the last check.
  cursor bigint not null default 1,
  checked_cursor bigint not null default 1,
  checked_at timestamptz,
  check_at timestamptz not null default now(),
  -- When the last ping was received, and the time that Airtable gave it.
  pinged_at timestamptz,
  ping_time timestamptz
);
create index airtable_webhooks__due on airtable_webhooks (check_at);

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

-- holder is the attempt that works on the run: of two processes that take it for theirs only one can write.
-- cursor is the time of change of the last record that was done, where Airtable lists them in that order.
create table migration_runs (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id uuid default gen_random_uuid(),
  batch_id uuid,
  retry_of uuid,
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
  primary key (pharmacy_id, id),
  constraint migration_runs__mode_known check (mode in ('dry_run', 'full', 'verify', 'back')),
  constraint migration_runs__state_known check (state in (
      'queued', 'running', 'cancelling', 'completed', 'completed_with_errors', 'cancelled', 'failed'
  )),
  constraint migration_runs__ended check (
      (ended_at is null) = (state in ('queued', 'running', 'cancelling'))
  ),
  constraint migration_runs__retry_of
    foreign key (pharmacy_id, retry_of) references migration_runs (pharmacy_id, id) on delete set null (retry_of)
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
  pharmacy_id uuid not null,
  run_id uuid not null,
  record_id text not null,
  -- Null: it could not be read.
  hash bytea,
  columns bytea,
  month text,
  order_number text,
  primary key (pharmacy_id, run_id, record_id),
  constraint migration_records__run
    foreign key (pharmacy_id, run_id) references migration_runs (pharmacy_id, id) on delete cascade
);
create index migration_records__of_month on migration_records (run_id, month);

-- Records that need attention: which, where and why, never what they contain.
create table migration_items (
  pharmacy_id uuid not null,
  run_id uuid not null,
  kind text not null,
  record_id text not null,
  order_number text,
  columns text[] not null default '{}',
  reason text not null,
  resolved_at timestamptz,
  primary key (pharmacy_id, run_id, kind, record_id),
  constraint migration_items__kind_known check (
      kind in ('refused', 'conflict', 'only_in_airtable', 'only_here', 'different', 'picture')
  ),
  constraint migration_items__run
    foreign key (pharmacy_id, run_id) references migration_runs (pharmacy_id, id) on delete cascade
);
