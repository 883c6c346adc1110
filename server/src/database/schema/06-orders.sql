-- Orders, their counts and history, and what the pharmacy does with them. Triggers that derive something else from
-- orders stand where that is: search words, figures, what a priority session copies.

-- order_seq is the order number where it is one: what 'the highest order id' means.
create table pharmacy_orders (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id bigint generated always as identity,
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
  -- When the status was last changed here, or what was changed here reached Airtable: a reading of the
  -- store that began earlier must not undo it.
  status_changed_at timestamptz,
  created_at timestamptz not null default now(),
  -- seen_at is null while an order is new to the pharmacy; what was there when its copy was first made is
  -- not. content_hash is that of the record as Airtable held it when it was last read. image_kept: its
  -- picture is in order_images; here, so that storing one is a change of the order like another.
  seen_at timestamptz,
  content_hash bytea,
  image_kept boolean not null default false,
  -- origin is where an order came from, changed_* who last changed its status and from where: written with the
  -- change itself, so that the trigger below can keep its history whoever makes it.
  origin text not null default 'store',
  made_by uuid,
  made_in uuid,
  changed_from text not null default 'system',
  changed_by uuid,
  changed_in uuid,
  -- Which picture the order has: its address changes although it is the same one.
  image_ref text,
  -- As the order source lists them, where there are several or one is no picture; otherwise image_url and image_ref say
  -- all.
  attachments jsonb,
  -- When the order was ready for its customer, when the customer took it, and when it went back to the shelves instead:
  -- moments beside the status, changed here alone. kept_until: until the end of this day it is not overdue.
  ready_at timestamptz,
  collected_at timestamptz,
  put_back_at timestamptz,
  kept_until date,
  -- Which lines of order_details are there, by their places from 0; null: none. All those of a ready order are, and here
  -- are those that were before it was ready. expected_on: the day on which the rest is expected.
  lines_there integer[],
  expected_on date,
  is_to_collect boolean not null generated always as (
    ready_at is not null and collected_at is null and put_back_at is null and status <> 'Annullato'
  ) stored,
  primary key (pharmacy_id, id),
  constraint pharmacy_orders__record_taken unique (pharmacy_id, airtable_order_id),
  constraint pharmacy_orders__origin_known check (origin in ('store', 'api', 'person')),
  constraint pharmacy_orders__changed_from_known
    check (changed_from in ('person', 'airtable', 'api', 'system'))
);
create index pharmacy_orders__newest on pharmacy_orders (pharmacy_id, airtable_created desc, id desc);
create index pharmacy_orders__newest_of_status
  on pharmacy_orders (pharmacy_id, status, airtable_created desc, id desc);
create index pharmacy_orders__highest on pharmacy_orders (pharmacy_id, order_seq desc)
  where order_seq is not null;
create index pharmacy_orders__unseen on pharmacy_orders (pharmacy_id, id desc) where seen_at is null;

create index pharmacy_orders__to_collect on pharmacy_orders (pharmacy_id, airtable_created desc, id desc)
  where is_to_collect;

create index pharmacy_orders__ready on pharmacy_orders (pharmacy_id, ready_at) where ready_at is not null;
create index pharmacy_orders__kept on pharmacy_orders (pharmacy_id, kept_until)
  where is_to_collect and kept_until is not null;

-- What was changed lately stands first.
create index pharmacy_orders__last_changed
  on pharmacy_orders (pharmacy_id, airtable_last desc, id desc);

-- An order number that is taken is found among many orders, also where it is no number.
create index pharmacy_orders__worded on pharmacy_orders (pharmacy_id, order_number)
  where order_seq is null and order_number is not null;

create function pharmacy_orders_added() returns trigger language plpgsql as $$
declare
  new_orders record;
begin
  for new_orders in
    select
      pharmacy_id,
      count(*) as total,
      count(*) filter (where status = 'In attesa') as pending,
      count(*) filter (where status = 'Confermato') as confirmed,
      count(*) filter (where status = 'Prenotato in Giornata') as booked_today,
      count(*) filter (where status = 'Prenotato Domani') as booked_tomorrow,
      count(*) filter (where status = 'Annullato') as cancelled,
      count(*) filter (where seen_at is null) as unseen,
      count(*) filter (where is_to_collect) as to_collect,
      max(order_seq) as last_order_seq
    from added
    group by pharmacy_id
  loop
    insert into pharmacy_order_counts as kept (
      pharmacy_id, total, pending, confirmed, booked_today, booked_tomorrow, cancelled, unseen, to_collect,
      last_order_seq, version
    ) values (
      new_orders.pharmacy_id, new_orders.total, new_orders.pending, new_orders.confirmed, new_orders.booked_today,
      new_orders.booked_tomorrow, new_orders.cancelled, new_orders.unseen, new_orders.to_collect,
      new_orders.last_order_seq, 1
    )
    on conflict (pharmacy_id) do update set
      total = kept.total + excluded.total,
      pending = kept.pending + excluded.pending,
      confirmed = kept.confirmed + excluded.confirmed,
      booked_today = kept.booked_today + excluded.booked_today,
      booked_tomorrow = kept.booked_tomorrow + excluded.booked_tomorrow,
      cancelled = kept.cancelled + excluded.cancelled,
      unseen = kept.unseen + excluded.unseen,
      to_collect = kept.to_collect + excluded.to_collect,
      last_order_seq = greatest(kept.last_order_seq, excluded.last_order_seq),
      version = kept.version + 1;
    perform pg_notify('orders_changed', new_orders.pharmacy_id::text);
  end loop;
  return null;
end
$$;
create trigger pharmacy_orders__added after insert on pharmacy_orders
  referencing new table as added
  for each statement execute function pharmacy_orders_added();

-- A row whose status stays counts once on either side, and so not at all.
create function pharmacy_orders_changed() returns trigger language plpgsql as $$
declare
  change record;
begin
  for change in
    select
      pharmacy_id,
      coalesce(sum(by) filter (where status = 'In attesa'), 0) as pending,
      coalesce(sum(by) filter (where status = 'Confermato'), 0) as confirmed,
      coalesce(sum(by) filter (where status = 'Prenotato in Giornata'), 0) as booked_today,
      coalesce(sum(by) filter (where status = 'Prenotato Domani'), 0) as booked_tomorrow,
      coalesce(sum(by) filter (where status = 'Annullato'), 0) as cancelled,
      coalesce(sum(by) filter (where seen_at is null), 0) as unseen,
      coalesce(sum(by) filter (where is_to_collect), 0) as to_collect,
      max(order_seq) filter (where by = 1) is distinct from max(order_seq) filter (where by = -1) as changes_last
    from (
      select pharmacy_id, status, seen_at, is_to_collect, order_seq, 1 as by from added
      union all
      select pharmacy_id, status, seen_at, is_to_collect, order_seq, -1 from removed
    ) sides
    group by pharmacy_id
  loop
    update pharmacy_order_counts kept set
      pending = kept.pending + change.pending,
      confirmed = kept.confirmed + change.confirmed,
      booked_today = kept.booked_today + change.booked_today,
      booked_tomorrow = kept.booked_tomorrow + change.booked_tomorrow,
      cancelled = kept.cancelled + change.cancelled,
      unseen = kept.unseen + change.unseen,
      to_collect = kept.to_collect + change.to_collect,
      version = kept.version + 1
    where kept.pharmacy_id = change.pharmacy_id;
    if change.changes_last then
      update pharmacy_order_counts
      set last_order_seq = (
        select max(order_seq) from pharmacy_orders where pharmacy_orders.pharmacy_id = change.pharmacy_id
      )
      where pharmacy_order_counts.pharmacy_id = change.pharmacy_id;
    end if;
    perform pg_notify('orders_changed', change.pharmacy_id::text);
  end loop;
  return null;
end
$$;
create trigger pharmacy_orders__changed after update on pharmacy_orders
  referencing old table as removed new table as added
  for each statement execute function pharmacy_orders_changed();

create function pharmacy_orders_removed() returns trigger language plpgsql as $$
declare
  gone record;
begin
  for gone in
    select
      pharmacy_id,
      count(*) as total,
      count(*) filter (where status = 'In attesa') as pending,
      count(*) filter (where status = 'Confermato') as confirmed,
      count(*) filter (where status = 'Prenotato in Giornata') as booked_today,
      count(*) filter (where status = 'Prenotato Domani') as booked_tomorrow,
      count(*) filter (where status = 'Annullato') as cancelled,
      count(*) filter (where seen_at is null) as unseen,
      count(*) filter (where is_to_collect) as to_collect
    from removed
    group by pharmacy_id
  loop
    update pharmacy_order_counts kept set
      total = kept.total - gone.total,
      pending = kept.pending - gone.pending,
      confirmed = kept.confirmed - gone.confirmed,
      booked_today = kept.booked_today - gone.booked_today,
      booked_tomorrow = kept.booked_tomorrow - gone.booked_tomorrow,
      cancelled = kept.cancelled - gone.cancelled,
      unseen = kept.unseen - gone.unseen,
      to_collect = kept.to_collect - gone.to_collect,
      version = kept.version + 1,
      last_order_seq = (
        select max(order_seq) from pharmacy_orders where pharmacy_orders.pharmacy_id = gone.pharmacy_id
      )
    where kept.pharmacy_id = gone.pharmacy_id;
    perform pg_notify('orders_changed', gone.pharmacy_id::text);
  end loop;
  return null;
end
$$;
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
  version bigint not null default 0,
  unseen integer not null default 0,
  -- Ready and not collected.
  to_collect integer not null default 0
);

-- What happened to an order since it came in; that it came in its own row says. Kept by record id, not by
-- row: the history and the notes of an order that is gone from its store, and comes back, are still its own.
-- 'gone' is told to nobody: it says since when what is kept is without its order.
-- user_id and session_id are of who did it, columns of Airtable that changed.
create table order_events (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id bigint generated always as identity,
  record_id text not null,
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  source text not null,
  user_id uuid,
  session_id uuid,
  from_status text,
  to_status text,
  columns text[] not null default '{}',
  primary key (pharmacy_id, id),
  constraint order_events__source_known check (source in ('person', 'airtable', 'api', 'system')),
  constraint order_events__kind_known
    check (kind in ('status', 'content', 'refused', 'conflict', 'gone', 'message', 'pickup'))
);
create index order_events__of_order on order_events (pharmacy_id, record_id, id desc);
create index order_events__gone on order_events (at) where kind = 'gone';

create function order_pickup(ready_at timestamptz, collected_at timestamptz, put_back_at timestamptz) returns text
language sql immutable
return case
  when collected_at is not null then 'collected'
  when put_back_at is not null then 'put_back'
  when ready_at is not null then 'ready'
  else 'none'
end;

create function keep_history_of_changed_order() returns trigger language plpgsql as $$
declare
  changed text[];
  pickup_before text := order_pickup(old.ready_at, old.collected_at, old.put_back_at);
  pickup_after text := order_pickup(new.ready_at, new.collected_at, new.put_back_at);
begin
  if old.status is distinct from new.status then
    insert into order_events (
      pharmacy_id, record_id, kind, source, user_id, session_id, from_status, to_status
    ) values (
      new.pharmacy_id, new.airtable_order_id, 'status', new.changed_from, new.changed_by, new.changed_in, old.status,
      new.status
    );
  end if;
  if pickup_before <> pickup_after then
    insert into order_events (
      pharmacy_id, record_id, kind, source, user_id, session_id, from_status, to_status
    ) values (
      new.pharmacy_id, new.airtable_order_id, 'pickup', new.changed_from, new.changed_by, new.changed_in, pickup_before,
      pickup_after
    );
  end if;
  changed := array_remove(array[
    case when old.order_number <> new.order_number then 'ID Ordine' end,
    case when old.customer_name is distinct from new.customer_name then 'Cliente' end,
    case when old.customer_phone is distinct from new.customer_phone then 'Phone Number' end,
    case when old.address is distinct from new.address then 'Indirizzo' end,
    case when old.order_details is distinct from new.order_details then 'Ordine' end,
    case when (old.image_url is null) <> (new.image_url is null) or old.image_ref <> new.image_ref then 'Image' end
  ], null);
  if cardinality(changed) > 0 then
    insert into order_events (pharmacy_id, record_id, kind, source, columns)
    values (new.pharmacy_id, new.airtable_order_id, 'content', 'airtable', changed);
  end if;
  return null;
end
$$;
create trigger pharmacy_orders__history after update on pharmacy_orders for each row
  when (
    (old.status, old.order_number, old.customer_name, old.customer_phone, old.address, old.order_details,
      old.image_url is null, old.image_ref, old.ready_at is null, old.collected_at is null, old.put_back_at is null)
    is distinct from
    (new.status, new.order_number, new.customer_name, new.customer_phone, new.address, new.order_details,
      new.image_url is null, new.image_ref, new.ready_at is null, new.collected_at is null, new.put_back_at is null)
  )
  execute function keep_history_of_changed_order();

-- Orders that go together with their pharmacy leave no history.
create function keep_gone_order() returns trigger language plpgsql as $$
begin
  perform from pharmacies where id = old.pharmacy_id;
  if found then
    insert into order_events (pharmacy_id, record_id, kind, source)
    values (old.pharmacy_id, old.airtable_order_id, 'gone', 'system');
  end if;
  return null;
end
$$;
create trigger pharmacy_orders__gone after delete on pharmacy_orders for each row execute function keep_gone_order();

create table order_notes (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id uuid default gen_random_uuid(),
  record_id text not null,
  text text not null,
  user_id uuid,
  session_id uuid,
  created_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz,
  primary key (pharmacy_id, id)
);
create index order_notes__of_order on order_notes (pharmacy_id, record_id, created_at);

-- Notes are shown on all screens that have the order open.
create trigger order_notes__changed after insert or update or delete on order_notes
  for each row execute function notify_changed_row('orders_changed', 'pharmacy_id');

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
  constraint order_notices__kind_known
    check (kind in ('refused', 'conflict', 'gone', 'not_created'))
);

-- reason may be about the customer. user_id, session_id: who holds the order.
create table order_holds (
  pharmacy_id uuid not null,
  order_id bigint not null,
  reason text not null,
  user_id uuid,
  session_id uuid,
  held_at timestamptz not null default now(),
  primary key (pharmacy_id, order_id),
  constraint order_holds__of_order foreign key (pharmacy_id, order_id)
    references pharmacy_orders (pharmacy_id, id) on delete cascade
);

create table order_pickup_settings (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  -- An order that gets this status is ready; null: only a press makes it ready.
  ready_status text,
  -- Days after which a ready order is overdue.
  overdue_days integer not null default 3,
  -- The columns of the base into which the moments of an order are written as well; null: into none.
  ready_column text,
  collected_column text,
  put_back_column text,
  -- Those of them that Airtable refused when they were last written or looked for.
  refused_columns text[] not null default '{}',
  constraint order_pickup_settings__overdue_days_bounded check (overdue_days between 1 and 60),
  constraint order_pickup_settings__ready_status_known
    check (ready_status in ('Confermato', 'Prenotato in Giornata', 'Prenotato Domani'))
);

-- What is overdue is counted anew.
create function order_pickup_settings_changed() returns trigger language plpgsql as $$
begin
  update pharmacy_order_counts set version = version + 1 where pharmacy_id = new.pharmacy_id;
  perform pg_notify('orders_changed', new.pharmacy_id::text);
  return null;
end
$$;
create trigger order_pickup_settings__changed after insert or update on order_pickup_settings
  for each row execute function order_pickup_settings_changed();

-- The day in Rome on which a ready order is overdue, unless it is collected before.
create function first_overdue_day(ready_at timestamptz, kept_until date, overdue_days integer) returns date
language sql immutable
return coalesce(kept_until + 1, rome_day(ready_at) + coalesce(overdue_days, 3));

-- An order that became ready since then is not overdue today, unless it was kept until a day that has passed.
create function in_time_since(today date, overdue_days integer) returns timestamptz language sql immutable
return rome_midnight(today + 1 - coalesce(overdue_days, 3));

-- ready_at follows a status that is set here or in Airtable: it is set with ready_status, and emptied when the order
-- leaves that status.
create function follow_ready_status() returns trigger language plpgsql as $$
declare
  ready text := (select ready_status from order_pickup_settings where pharmacy_id = new.pharmacy_id);
begin
  if new.collected_at is null and new.put_back_at is null then
    if new.status = ready then
      new.ready_at := coalesce(new.ready_at, clock_timestamp());
    elsif old.status = ready then
      new.ready_at := null;
    end if;
  end if;
  return new;
end
$$;
create trigger pharmacy_orders__ready_by_status before update of status on pharmacy_orders
  for each row when (old.status is distinct from new.status)
  execute function follow_ready_status();

-- Lines of the same text are told apart by their order.
create function order_lines(details text) returns table (place bigint, line text, nth bigint)
language sql immutable as $$
  select n - 1, btrim(found), row_number() over (partition by btrim(found) order by n)
  from regexp_split_to_table(details, E'\r\n?|\n') with ordinality as lines (found, n)
$$;

-- What is there follows its line by the text. Without a text nothing is expected.
create function follow_order_lines() returns trigger language plpgsql as $$
begin
  new.lines_there := (
    select array_agg(line_after.place order by line_after.place)
    from order_lines(old.order_details) line_before
    join order_lines(new.order_details) line_after using (line, nth)
    where line_before.place = any (old.lines_there)
  );
  if new.order_details is null then
    new.expected_on := null;
  end if;
  return new;
end
$$;
create trigger pharmacy_orders__lines_there before update of order_details on pharmacy_orders
  for each row when (
    old.order_details is distinct from new.order_details and num_nonnulls(old.lines_there, old.expected_on) > 0
  )
  execute function follow_order_lines();

create table order_retention_periods (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  order_days integer not null,
  constraint order_retention_periods__bounded check (order_days between 30 and 730)
);

create table order_views (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id uuid default gen_random_uuid(),
  name text not null,
  search jsonb not null,
  created_at timestamptz not null default now(),
  primary key (pharmacy_id, id)
);
create unique index order_views__name_taken on order_views (pharmacy_id, lower(name));

create table reply_texts (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id uuid default gen_random_uuid(),
  title text not null,
  text text not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (pharmacy_id, id)
);
create index reply_texts__of_pharmacy on reply_texts (pharmacy_id, created_at);

-- Orders that were made here and are not in Airtable, or not yet. Until they are they have a record
-- id of our own; afterwards Airtable's, and under the other they are found by order_aliases.
create table order_creations (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  order_id bigint,
  -- It stays here: Airtable does not take it, or there is none.
  kept_here boolean not null default false,
  -- The creator's request was answered with success: from then on a refusal of Airtable does not remove the order.
  answered boolean not null default false,
  claimed_until timestamptz,
  -- When Airtable was last asked without answering: it may have the order since.
  unsure_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (pharmacy_id, order_id),
  constraint order_creations__order
    foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade
);
create index order_creations__waiting on order_creations (pharmacy_id) where not kept_here;

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

create table order_aliases (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  alias text not null,
  record_id text not null,
  created_at timestamptz not null default now(),
  primary key (pharmacy_id, alias)
);
create index order_aliases__of_order on order_aliases (pharmacy_id, record_id);

-- Files of orders that were asked for. sought is which orders and in which order; it goes with the row, soon.
create table order_exports (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id uuid default gen_random_uuid(),
  format text not null,
  sought jsonb not null,
  state text not null default 'ready',
  total integer not null,
  done integer not null default 0,
  created_at timestamptz not null default now(),
  moved_at timestamptz not null default now(),
  primary key (pharmacy_id, id),
  constraint order_exports__format_known check (format in ('csv', 'xlsx')),
  constraint order_exports__state_known
    check (state in ('ready', 'running', 'done', 'cancelled', 'failed'))
);
create index order_exports__of_pharmacy on order_exports (pharmacy_id, created_at);
create index order_exports__old on order_exports (created_at);

-- The files of pictures. Written here before there is one, so that none can be forgotten: what no order
-- refers to is removed later.
create table order_image_files (
  pharmacy_id uuid not null,
  key text,
  put_at timestamptz not null default now(),
  primary key (pharmacy_id, key)
);

-- Pictures of orders, copied because Airtable's own addresses end after hours. ref tells one picture
-- from another although its address changes. key is where the file is kept, null until it is.
create table order_images (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  order_id bigint,
  ref text not null,
  state text not null default 'waiting',
  tries integer not null default 0,
  key text,
  content_type text,
  bytes integer,
  width integer,
  height integer,
  reason text,
  updated_at timestamptz not null default now(),
  primary key (pharmacy_id, order_id),
  constraint order_images__state_known check (state in ('waiting', 'stored', 'refused')),
  constraint order_images__stored_whole check (
      state <> 'stored' or (key is not null and content_type is not null and bytes is not null)
  ),
  constraint order_images__order
    foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade,
  constraint order_images__file
    foreign key (pharmacy_id, key) references order_image_files (pharmacy_id, key)
);
create index order_images__kept on order_images (key) where key is not null;
create unique index order_images__of_order on order_images (order_id);

create table order_attachments (
  pharmacy_id uuid not null,
  order_id bigint not null,
  place integer not null,
  key text not null,
  content_type text not null,
  bytes integer not null,
  -- Null where the file is kept as it is.
  width integer,
  height integer,
  primary key (pharmacy_id, order_id, place),
  constraint order_attachments__not_the_first check (place > 1),
  constraint order_attachments__image foreign key (pharmacy_id, order_id)
    references order_images (pharmacy_id, order_id) on delete cascade,
  constraint order_attachments__file foreign key (pharmacy_id, key)
    references order_image_files (pharmacy_id, key)
);
create index order_attachments__kept on order_attachments (pharmacy_id, key);
