-- Customers who come with a priority link: a session from the link to the counter.

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

-- One row for each session of a customer. user_name and user_phone are those of the order; they
-- are emptied after the session. code is what the customer shows. changed_* say who wrote the present status.
create table priority_access_sessions (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id uuid default gen_random_uuid(),
  airtable_order_id text not null,
  order_number text,
  user_name text,
  user_phone text,
  status text not null default 'link_sent',
  code text,
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
  -- status_version counts the changes of the status. version counts also those of other facts: a customer who says
  -- where they wait does not make a call fail. previous is the state before the present status; null when that was
  -- taken back.
  status_version integer not null default 1,
  status_changed_at timestamptz not null default now(),
  previous jsonb,
  primary key (pharmacy_id, id),
  constraint priority_access_sessions__status_known check (status in (
      'link_sent', 'on_the_way', 'user_arrived', 'called', 'served', 'no_show', 'cancelled', 'expired'
  )),
  constraint priority_access_sessions__code_digits check (code ~ '^[0-9]{3}$'),
  constraint priority_access_sessions__changed_from_known
    check (changed_from in ('customer', 'person', 'api', 'system')),
  constraint priority_access_sessions__end_dated
    check ((ended_at is not null) = (status in ('served', 'no_show', 'cancelled', 'expired')))
);

-- An order has one session at a time.
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

-- The customers who were sent back.
create index priority_access_sessions__not_present
  on priority_access_sessions (pharmacy_id, status_changed_at) where times_not_present > 0;
create unique index priority_access_sessions__one_code
  on priority_access_sessions (pharmacy_id, code) where ended_at is null and code is not null;

-- Three digits that no other open session of the pharmacy has; null when there are none. Each code is locked until the
-- transaction ends. A code that is locked or taken is passed over: no transaction waits for another.
create function priority_code(pharmacy uuid, wanted text) returns text language plpgsql as $$
declare
  candidate text;
begin
  for candidate in
    select code from (
      select lpad(n::text, 3, '0') as code from generate_series(0, 999) as n
      except
      select code from priority_access_sessions where pharmacy_id = pharmacy and ended_at is null
    ) as free
    order by coalesce(code = wanted, false) desc, random()
  loop
    -- Looked for again under the lock: another transaction may just have taken it.
    if pg_try_advisory_xact_lock(hashtext('priority_code ' || pharmacy), candidate::integer)
      and not exists (
        select from priority_access_sessions
        where pharmacy_id = pharmacy and code = candidate and ended_at is null
      )
    then
      return candidate;
    end if;
  end loop;
  return null;
end $$;

-- A session that has ended is shown as it is: its removal and the emptying of its fields are no news.
create function priority_session_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.ended_at is not null and (tg_op = 'DELETE' or new.ended_at is not null) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform pg_notify('priority_changed', old.pharmacy_id::text);
    return null;
  end if;
  if tg_op = 'INSERT' or new.status <> old.status then
    insert into priority_events (pharmacy_id, session_id, from_status, to_status, source, user_id, desk)
    values (
      new.pharmacy_id, new.id, case when tg_op = 'UPDATE' then old.status end, new.status, new.changed_from, new.changed_by,
      new.called_by
    );
  end if;
  perform pg_notify('priority_changed', new.pharmacy_id::text);
  return null;
end
$$;
create trigger priority_session_changed after insert or update or delete on priority_access_sessions
  for each row execute function priority_session_changed();

-- A session has the record id and the number of its order, which Airtable may give it later. Two orders may turn out to
-- be one: then the session that has come further remains, with the links of both.
create function priority_session_of_order() returns trigger language plpgsql as $$
declare
  kept uuid;
begin
  if new.airtable_order_id <> old.airtable_order_id then
    select id into kept from priority_access_sessions
    where pharmacy_id = old.pharmacy_id and airtable_order_id in (old.airtable_order_id, new.airtable_order_id)
      and ended_at is null
    order by array_position(array['called', 'user_arrived', 'on_the_way', 'link_sent'], status), issued_at
    limit 1;
    with replaced as (
      update priority_access_sessions
      set status = 'cancelled', ended_at = now(), version = version + 1, changed_from = 'system', changed_by = null
      where pharmacy_id = old.pharmacy_id and airtable_order_id in (old.airtable_order_id, new.airtable_order_id)
        and ended_at is null and id <> kept
      returning id
    )
    update priority_links set session_id = kept from replaced
    where pharmacy_id = old.pharmacy_id and session_id = replaced.id;
  end if;
  update priority_access_sessions
  set airtable_order_id = new.airtable_order_id, order_number = new.order_number
  where pharmacy_id = old.pharmacy_id and airtable_order_id = old.airtable_order_id;
  return null;
end $$;
create trigger priority_session_of_order after update on pharmacy_orders for each row
  when ((new.airtable_order_id, new.order_number) is distinct from (old.airtable_order_id, old.order_number))
  execute function priority_session_of_order();

create function priority_session_changing() returns trigger language plpgsql as $$
begin
  new.status_version := old.status_version + 1;
  new.status_changed_at := now();
  -- Taking back empties it.
  if new.previous is not distinct from old.previous then
    new.previous := jsonb_build_object(
      'status', old.status, 'place', old.place, 'on_the_way_at', old.on_the_way_at, 'arrived_at', old.arrived_at,
      'acknowledged_at', old.acknowledged_at, 'called_at', old.called_at, 'called_by', old.called_by,
      'ended_at', old.ended_at, 'times_not_present', old.times_not_present, 'cools_until', old.cools_until
    );
  end if;
  if new.ended_at is null and old.ended_at is not null and new.code is not null
    or new.status in ('user_arrived', 'called') and new.code is null
  then
    new.code := priority_code(new.pharmacy_id, new.code);
  end if;
  return new;
end $$;
create trigger priority_session_changing before update on priority_access_sessions for each row
  when (new.status <> old.status) execute function priority_session_changing();

-- Looked at when the transaction ends: an order that replaces another one gets its record id after the removal of that.
create function priority_session_of_removed_order() returns trigger language plpgsql as $$
begin
  update priority_access_sessions
  set status = 'cancelled', ended_at = now(), version = version + 1, changed_from = 'system', changed_by = null
  where pharmacy_id = old.pharmacy_id and airtable_order_id = old.airtable_order_id and ended_at is null
    and not exists (
      select from pharmacy_orders
      where pharmacy_id = old.pharmacy_id and airtable_order_id = old.airtable_order_id
    );
  return null;
end $$;
create constraint trigger priority_session_of_removed_order after delete on pharmacy_orders
  deferrable initially deferred for each row execute function priority_session_of_removed_order();

create function priority_session_of_customer() returns trigger language plpgsql as $$
begin
  update priority_access_sessions
  set user_name = new.customer_name, user_phone = new.customer_phone
  where pharmacy_id = new.pharmacy_id and airtable_order_id = new.airtable_order_id and ended_at is null;
  return null;
end $$;
create trigger priority_session_of_customer after update on pharmacy_orders for each row
  when ((old.customer_name, old.customer_phone) is distinct from (new.customer_name, new.customer_phone))
  execute function priority_session_of_customer();

-- The secret tokens that open a session, as hashes (SHA-256).
create table priority_links (
  pharmacy_id uuid not null,
  token_hash bytea,
  session_id uuid not null,
  created_at timestamptz not null default now(),
  -- The links that customers got by the digits of their number. They do not replace those that were sent.
  is_unlocked boolean not null default false,
  primary key (pharmacy_id, token_hash),
  constraint priority_links__session
    foreign key (pharmacy_id, session_id) references priority_access_sessions (pharmacy_id, id) on delete cascade
);
create index priority_links__of_session on priority_links (session_id, created_at desc);

-- By which a link is found.
create unique index priority_links__token_taken on priority_links (token_hash);

-- What happened to a session. The server only adds to it.
create table priority_events (
  pharmacy_id uuid not null,
  id bigint generated always as identity,
  session_id uuid not null,
  at timestamptz not null default clock_timestamp(),
  from_status text,
  to_status text not null,
  source text not null,
  user_id uuid,
  desk text,
  primary key (pharmacy_id, id),
  constraint priority_events__session
    foreign key (pharmacy_id, session_id) references priority_access_sessions (pharmacy_id, id) on delete cascade
);
create index priority_events__of_session on priority_events (session_id, id);

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
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id uuid default gen_random_uuid(),
  name text not null,
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz,
  primary key (pharmacy_id, id)
);
create index priority_displays__of_pharmacy on priority_displays (pharmacy_id, created_at desc);
