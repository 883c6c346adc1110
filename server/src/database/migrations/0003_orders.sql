-- The copy of the orders, their counts, the changes on their way to the order store, and how fresh it is.

-- order_seq is the order number where it is one: what 'the highest order id' means.
create table pharmacy_orders (
  id bigint generated always as identity primary key,
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  airtable_order_id text not null,
  order_number text,
  order_seq bigint generated always as (
    case when order_number ~ '^[0-9]{1,15}$' then order_number::bigint end
  ) stored,
  wa_id text,
  customer_name text,
  customer_phone text,
  order_details text,
  address text,
  status text not null default 'In attesa',
  image_url text,
  pharma_wa text,
  airtable_created timestamptz not null,
  airtable_last timestamptz not null,
  -- When the status was last changed here, or what was changed here reached the store: a reading of the
  -- store that began earlier must not undo it.
  status_changed_at timestamptz,
  created_at timestamptz not null default now(),
  constraint pharmacy_orders__record_taken unique (pharmacy_id, airtable_order_id)
);
create index pharmacy_orders__newest on pharmacy_orders (pharmacy_id, airtable_created desc, id desc);
create index pharmacy_orders__newest_of_status
  on pharmacy_orders (pharmacy_id, status, airtable_created desc, id desc);
create index pharmacy_orders__highest on pharmacy_orders (pharmacy_id, order_seq desc)
  where order_seq is not null;

-- Kept by trigger, so that a page need not count. A status that is none of the five is in total only.
create table pharmacy_order_counts (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  total integer not null default 0,
  pending integer not null default 0,
  confirmed integer not null default 0,
  booked_today integer not null default 0,
  booked_tomorrow integer not null default 0,
  cancelled integer not null default 0,
  last_order_seq bigint,
  -- Rises with every change of the pharmacy's orders: what was read at this version is still true.
  version bigint not null default 0
);

create function pharmacy_orders_added() returns trigger language plpgsql as $$
begin
  insert into pharmacy_order_counts as kept
  select
    pharmacy_id,
    count(*),
    count(*) filter (where status = 'In attesa'),
    count(*) filter (where status = 'Confermato'),
    count(*) filter (where status = 'Prenotato in Giornata'),
    count(*) filter (where status = 'Prenotato Domani'),
    count(*) filter (where status = 'Annullato'),
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
    last_order_seq = greatest(kept.last_order_seq, excluded.last_order_seq),
    version = kept.version + 1;
  return null;
end
$$;

-- A row whose status stays counts once on either side, and so not at all.
create function pharmacy_orders_changed() returns trigger language plpgsql as $$
begin
  with sides as (
    select pharmacy_id, status, 1 as by from added
    union all
    select pharmacy_id, status, -1 from removed
  ), delta as (
    select
      pharmacy_id,
      coalesce(sum(by) filter (where status = 'In attesa'), 0) as pending,
      coalesce(sum(by) filter (where status = 'Confermato'), 0) as confirmed,
      coalesce(sum(by) filter (where status = 'Prenotato in Giornata'), 0) as booked_today,
      coalesce(sum(by) filter (where status = 'Prenotato Domani'), 0) as booked_tomorrow,
      coalesce(sum(by) filter (where status = 'Annullato'), 0) as cancelled
    from sides
    group by pharmacy_id
  )
  update pharmacy_order_counts kept set
    pending = kept.pending + delta.pending,
    confirmed = kept.confirmed + delta.confirmed,
    booked_today = kept.booked_today + delta.booked_today,
    booked_tomorrow = kept.booked_tomorrow + delta.booked_tomorrow,
    cancelled = kept.cancelled + delta.cancelled,
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
  return null;
end
$$;

create function pharmacy_orders_removed() returns trigger language plpgsql as $$
begin
  update pharmacy_order_counts kept set
    total = kept.total - gone.total,
    pending = kept.pending - gone.pending,
    confirmed = kept.confirmed - gone.confirmed,
    booked_today = kept.booked_today - gone.booked_today,
    booked_tomorrow = kept.booked_tomorrow - gone.booked_tomorrow,
    cancelled = kept.cancelled - gone.cancelled,
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
      count(*) filter (where status = 'Annullato') as cancelled
    from removed
    group by pharmacy_id
  ) gone
  where kept.pharmacy_id = gone.pharmacy_id;
  return null;
end
$$;

create trigger pharmacy_orders__added after insert on pharmacy_orders
  referencing new table as added
  for each statement execute function pharmacy_orders_added();
create trigger pharmacy_orders__changed after update on pharmacy_orders
  referencing old table as removed new table as added
  for each statement execute function pharmacy_orders_changed();
create trigger pharmacy_orders__removed after delete on pharmacy_orders
  referencing old table as removed
  for each statement execute function pharmacy_orders_removed();

-- An order stays with its pharmacy: its counts, its changes and its copy all rely on that.
create function pharmacy_orders_moved() returns trigger language plpgsql as $$
begin
  raise exception 'an order cannot be moved to another pharmacy'
    using errcode = 'restrict_violation';
end
$$;
create trigger pharmacy_orders__stays before update of pharmacy_id on pharmacy_orders
  for each row when (old.pharmacy_id is distinct from new.pharmacy_id)
  execute function pharmacy_orders_moved();

-- Status changes that have not reached the order store yet. One row an order: the newest status counts,
-- version tells a push that finished whether another change came meanwhile, stored_status and
-- stored_last are what the store holds as far as we know, so that a refused change can be undone.
create table order_changes (
  order_id bigint primary key references pharmacy_orders (id) on delete cascade,
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  status text not null,
  stored_status text not null,
  stored_last timestamptz not null,
  version integer not null default 1,
  claimed_until timestamptz,
  changed_at timestamptz not null default now()
);
create index order_changes__of_pharmacy on order_changes (pharmacy_id);

-- changed_until is where the next reading begins; read_at is when the store last answered, failed_at when
-- it last did not: whoever waits for another's reading sees there how it ended.
create table order_copies (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  base_id text not null,
  table_id text not null,
  changed_until timestamptz,
  read_at timestamptz,
  failed_at timestamptz
);

-- One reading a base, whoever asks and in whichever process. A lease ends by itself if its holder dies.
create table order_source_leases (
  base_id text primary key,
  holder uuid not null,
  leased_until timestamptz not null
);
