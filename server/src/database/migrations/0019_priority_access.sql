-- Priority access: a customer with a link says that they have arrived, and a desk calls them.

-- A pharmacy without a row has the initial settings of the contract.
create table priority_settings (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  link_days integer not null,
  issue_on_status text,
  late_minutes integer not null,
  message text not null,
  constraint priority_settings__link_days_range check (link_days between 1 and 30),
  constraint priority_settings__late_minutes_range check (late_minutes between 1 and 120)
);

-- One row for each visit of a customer. user_name and user_phone are those of the order when the visit was issued; they
-- are emptied after the visit. code is what the customer shows. changed_* say who wrote the present status.
create table priority_access_sessions (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  airtable_order_id text not null,
  order_number text,
  user_name text,
  user_phone text,
  status text not null default 'link_sent',
  code text not null,
  place text,
  issued_at timestamptz not null default now(),
  expires_at timestamptz not null,
  on_the_way_at timestamptz,
  arrived_at timestamptz,
  acknowledged_at timestamptz,
  called_at timestamptz,
  called_by text,
  ended_at timestamptz,
  times_not_present integer not null default 0,
  cools_until timestamptz,
  version integer not null default 1,
  changed_from text not null default 'system',
  changed_by uuid,
  constraint priority_access_sessions__status_known check (status in (
    'link_sent', 'on_the_way', 'user_arrived', 'called', 'served', 'no_show', 'cancelled', 'expired'
  )),
  constraint priority_access_sessions__code_digits check (code ~ '^[0-9]{3}$'),
  constraint priority_access_sessions__changed_from_known
    check (changed_from in ('customer', 'person', 'api', 'system')),
  constraint priority_access_sessions__end_dated
    check ((ended_at is not null) = (status in ('served', 'no_show', 'cancelled', 'expired')))
);
-- An order has one visit at a time.
create unique index priority_access_sessions__one_open
  on priority_access_sessions (pharmacy_id, airtable_order_id) where ended_at is null;
create index priority_access_sessions__of_order
  on priority_access_sessions (pharmacy_id, airtable_order_id, issued_at desc);
create index priority_access_sessions__by_number
  on priority_access_sessions (pharmacy_id, upper(order_number)) where ended_at is null;
create index priority_access_sessions__open
  on priority_access_sessions (pharmacy_id, status, arrived_at) where ended_at is null;
create index priority_access_sessions__called
  on priority_access_sessions (pharmacy_id, called_at desc) where called_at is not null;
create index priority_access_sessions__arrived
  on priority_access_sessions (pharmacy_id, arrived_at) where arrived_at is not null;
create index priority_access_sessions__expiring on priority_access_sessions (expires_at) where ended_at is null;
create index priority_access_sessions__ended on priority_access_sessions (ended_at) where ended_at is not null;
create index priority_access_sessions__named on priority_access_sessions (ended_at)
  where user_name is not null or user_phone is not null or place is not null;

-- The secret tokens that open a visit, as hashes (SHA-256).
create table priority_links (
  token_hash bytea primary key,
  visit_id uuid not null references priority_access_sessions (id) on delete cascade,
  created_at timestamptz not null default now()
);
create index priority_links__of_visit on priority_links (visit_id, created_at desc);

-- What happened to a visit. The server only adds to it.
create table priority_events (
  id bigint generated always as identity primary key,
  visit_id uuid not null references priority_access_sessions (id) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  from_status text,
  to_status text not null,
  source text not null,
  user_id uuid,
  desk text
);
create index priority_events__of_visit on priority_events (visit_id, id);

-- The open screens of the staff.
create table priority_counters (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  device_id uuid not null,
  desk text,
  seen_at timestamptz not null default now(),
  primary key (pharmacy_id, device_id)
);
create index priority_counters__seen on priority_counters (pharmacy_id, seen_at desc);

-- The screens in the room, opened by a link with a secret token.
create table priority_displays (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  name text not null,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz
);
create index priority_displays__of_pharmacy on priority_displays (pharmacy_id, created_at desc);

-- Three digits that no other open visit of the pharmacy has, if any are left.
create function priority_code(pharmacy uuid) returns text language sql volatile as $$
  select lpad(n::text, 3, '0') from generate_series(0, 999) as n
  order by exists (
    select from priority_access_sessions as visit
    where visit.pharmacy_id = pharmacy and visit.ended_at is null and visit.code = lpad(n::text, 3, '0')
  ), random()
  limit 1
$$;

-- A visit that has ended is shown as it is: its removal and the emptying of its fields are no news.
create function priority_visit_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.ended_at is not null then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform pg_notify('priority_changed', old.pharmacy_id::text);
    return null;
  end if;
  if tg_op = 'INSERT' or new.status <> old.status then
    insert into priority_events (visit_id, from_status, to_status, source, user_id, desk)
    values (
      new.id, case when tg_op = 'UPDATE' then old.status end, new.status, new.changed_from, new.changed_by, new.called_by
    );
  end if;
  perform pg_notify('priority_changed', new.pharmacy_id::text);
  return null;
end $$;
create trigger priority_visit_changed after insert or update or delete on priority_access_sessions
  for each row execute function priority_visit_changed();

-- A visit follows its order: its record id and its number, which Airtable may give it later, its end when it is cancelled
-- or gone, and its beginning when it gets the status that the pharmacy has chosen.
create function priority_visit_of_order() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or tg_op = 'UPDATE' and new.status = 'Annullato' and old.status <> 'Annullato' then
    update priority_access_sessions
    set status = 'cancelled', ended_at = now(), version = version + 1, changed_from = 'system', changed_by = null
    where pharmacy_id = old.pharmacy_id and airtable_order_id = old.airtable_order_id and ended_at is null;
  end if;
  if tg_op = 'DELETE' then
    return null;
  end if;
  if tg_op = 'UPDATE'
    and (new.airtable_order_id, new.order_number) is distinct from (old.airtable_order_id, old.order_number)
  then
    update priority_access_sessions
    set airtable_order_id = new.airtable_order_id, order_number = new.order_number
    where pharmacy_id = old.pharmacy_id and airtable_order_id = old.airtable_order_id;
  end if;
  if tg_op = 'INSERT' or new.status <> old.status then
    insert into priority_access_sessions (
      pharmacy_id, airtable_order_id, order_number, user_name, user_phone, code, expires_at
    )
    select new.pharmacy_id, new.airtable_order_id, new.order_number, new.customer_name, new.customer_phone,
      priority_code(new.pharmacy_id), now() + make_interval(days => settings.link_days)
    from priority_settings as settings join pharmacies as pharmacy on pharmacy.id = settings.pharmacy_id
    where settings.pharmacy_id = new.pharmacy_id and settings.issue_on_status = new.status
      and new.status <> 'Annullato' and pharmacy.features_enabled ? 'priority_access'
    on conflict (pharmacy_id, airtable_order_id) where ended_at is null do nothing;
  end if;
  return null;
end $$;
create trigger priority_visit_of_order after update on pharmacy_orders for each row
  when (
    (new.status, new.airtable_order_id, new.order_number)
    is distinct from (old.status, old.airtable_order_id, old.order_number)
  )
  execute function priority_visit_of_order();
-- The orders of a first copy are seen from the beginning, and get no visits.
create trigger priority_visit_of_new_order after insert on pharmacy_orders for each row
  when (new.seen_at is null) execute function priority_visit_of_order();
create trigger priority_visit_of_removed_order after delete on pharmacy_orders for each row
  execute function priority_visit_of_order();

-- How many times customers arrived, as push_arrivals.times counts new orders, and up to which of them a device was told.
alter table push_arrivals add column customers bigint not null default 0;
alter table push_subscriptions add column told_customers bigint not null default 0;
