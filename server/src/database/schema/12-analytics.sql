-- The figures of analytics. Changes of orders and of priority sessions add to analytics_changes. fold_analytics
-- takes the rows of it and of page_event_queue away and adds them to the figures, in one transaction: each counts
-- exactly once. It is the only writer of the figures.

-- A pharmacy without a row has the initial settings of the contract.
create table analytics_settings (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  is_counting boolean not null,
  has_order_codes boolean not null,
  has_weekly_mail boolean not null
);

create trigger analytics_settings__public_changed after insert or update or delete on analytics_settings
  for each row execute function notify_changed_row('offers_changed', 'pharmacy_id');

-- Notes that the pharmacy writes on the line of a day.
create table analytics_notes (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id uuid default gen_random_uuid(),
  date date not null,
  text text not null,
  created_at timestamptz not null default now(),
  primary key (pharmacy_id, id),
  constraint analytics_notes__text_length check (char_length(text) between 1 and 80)
);
create index analytics_notes__of_pharmacy on analytics_notes (pharmacy_id, date);

-- How the views of a day, or the page views that were excluded from it, are divided. dimension: source, device or
-- excluded.
create table analytics_shares (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  date date not null,
  dimension text not null,
  value text not null,
  amount integer not null,
  primary key (pharmacy_id, date, dimension, value),
  constraint analytics_shares__dimension_known check (dimension in ('source', 'device', 'excluded'))
);

-- By how much the figures of a day have changed.
create table analytics_changes (
  id bigint generated always as identity primary key,
  pharmacy_id uuid not null,
  date date not null,
  total_orders integer not null default 0,
  completed_orders integer not null default 0,
  cancelled_orders integer not null default 0,
  processing_orders integer not null default 0,
  arrivals integer not null default 0,
  called integer not null default 0,
  not_present integer not null default 0
);

-- An order counts on the day on which it was created, under its present status.
create function order_figures(status text) returns table (completed integer, cancelled integer, processing integer)
language sql immutable as $$
  select
    (status in ('Confermato', 'Prenotato in Giornata', 'Prenotato Domani'))::integer,
    (status = 'Annullato')::integer,
    (status in ('Prenotato in Giornata', 'Prenotato Domani'))::integer
$$;

-- The day on which a priority session counts: that of its arrival, of a customer who was sent back that of the last
-- one. Null without an arrival, also when the customer took it back.
create function arrival_day(session priority_access_sessions) returns date language sql stable as $$
  select rome_day(case
    when session.arrived_at is not null then session.arrived_at
    when session.times_not_present > 0 then
      (select max(at) from priority_events where session_id = session.id and to_status = 'user_arrived')
  end)
$$;

create function analytics_of_added_orders() returns trigger language plpgsql as $$
declare
  day record;
  ordered record;
  code_offers uuid[];
begin
  for day in
    select pharmacy_id, rome_day(airtable_created) as date, count(*) as total, sum(completed) as completed,
      sum(cancelled) as cancelled, sum(processing) as processing
    from added cross join lateral order_figures(status)
    group by 1, 2
  loop
    insert into analytics_changes
      (pharmacy_id, date, total_orders, completed_orders, cancelled_orders, processing_orders)
    values (day.pharmacy_id, day.date, day.total, day.completed, day.cancelled, day.processing);
  end loop;
  for ordered in
    select id, pharmacy_id, airtable_created, regexp_split_to_array(upper(order_details), '[^A-Z0-9]+') as words
    from added where order_details ~* '\m[a-hj-np-z2-9]{6}\M' order by id
  loop
    -- The first order with the code of a message. A text may hold two messages.
    for code_offers in
      update offer_order_codes set order_id = ordered.id
      where order_id is null and pharmacy_id = ordered.pharmacy_id and code = any (ordered.words)
      returning offer_ids
    loop
      insert into page_event_queue (pharmacy_id, happened_at, kind, offer_ids)
      values (ordered.pharmacy_id, ordered.airtable_created, 'ordered', code_offers);
    end loop;
  end loop;
  return null;
end
$$;
create trigger pharmacy_orders__analytics_added after insert on pharmacy_orders
  referencing new table as added
  for each statement execute function analytics_of_added_orders();

create function analytics_of_removed_orders() returns trigger language plpgsql as $$
declare
  day record;
  pharmacy record;
  freed record;
begin
  for day in
    select pharmacy_id, rome_day(airtable_created) as date, count(*) as total, sum(completed) as completed,
      sum(cancelled) as cancelled, sum(processing) as processing
    from removed cross join lateral order_figures(status)
    group by 1, 2
  loop
    insert into analytics_changes
      (pharmacy_id, date, total_orders, completed_orders, cancelled_orders, processing_orders)
    values (day.pharmacy_id, day.date, -day.total, -day.completed, -day.cancelled, -day.processing);
  end loop;
  for pharmacy in
    select pharmacy_id as id, array_agg(id) as orders, array_agg(airtable_created) as times from removed group by pharmacy_id
  loop
    for freed in
      update offer_order_codes as known set order_id = null
      from unnest(pharmacy.orders, pharmacy.times) as gone (id, ordered_at)
      where known.pharmacy_id = pharmacy.id and known.order_id = any (pharmacy.orders) and gone.id = known.order_id
      returning gone.ordered_at, known.offer_ids
    loop
      insert into page_event_queue (pharmacy_id, happened_at, kind, amount, offer_ids)
      values (pharmacy.id, freed.ordered_at, 'ordered', -1, freed.offer_ids);
    end loop;
  end loop;
  return null;
end
$$;
create trigger pharmacy_orders__analytics_removed after delete on pharmacy_orders
  referencing old table as removed
  for each statement execute function analytics_of_removed_orders();

-- Fires before priority_session_changed, which adds the event of this change: so that of an old session the last
-- arrival is still the old one. Old sessions are deleted, and stay counted.
create function analytics_of_arrival() returns trigger language plpgsql as $$
begin
  insert into analytics_changes (pharmacy_id, date, arrivals, called, not_present)
  select new.pharmacy_id, date, sum(sign), sum(sign * was_called::integer), sum(sign * was_absent::integer)
  from (values
    (arrival_day(new), 1, new.arrived_at is not null and new.called_at is not null,
      new.status = 'no_show' or new.times_not_present > 0),
    (case when tg_op = 'UPDATE' then arrival_day(old) end, -1, old.arrived_at is not null and old.called_at is not null,
      old.status = 'no_show' or old.times_not_present > 0)
  ) as side (date, sign, was_called, was_absent)
  where date is not null
  group by date
  having (sum(sign), sum(sign * was_called::integer), sum(sign * was_absent::integer)) is distinct from (0, 0, 0);
  return null;
end $$;
create trigger priority_session_analytics_added after insert on priority_access_sessions
  for each row when (new.arrived_at is not null) execute function analytics_of_arrival();
create trigger priority_session_analytics_changed after update on priority_access_sessions
  for each row when (
    (new.arrived_at, new.called_at, new.status = 'no_show', new.times_not_present)
    is distinct from (old.arrived_at, old.called_at, old.status = 'no_show', old.times_not_present)
  )
  execute function analytics_of_arrival();

create function analytics_of_changed_order() returns trigger language plpgsql as $$
declare
  day_before date := rome_day(old.airtable_created);
  day_after date := rome_day(new.airtable_created);
  before record;
  after record;
begin
  select * into before from order_figures(old.status);
  select * into after from order_figures(new.status);
  if day_before <> day_after then
    insert into analytics_changes
      (pharmacy_id, date, total_orders, completed_orders, cancelled_orders, processing_orders)
    values
      (new.pharmacy_id, day_before, -1, -before.completed, -before.cancelled, -before.processing),
      (new.pharmacy_id, day_after, 1, after.completed, after.cancelled, after.processing);
  elsif before is distinct from after then
    insert into analytics_changes
      (pharmacy_id, date, total_orders, completed_orders, cancelled_orders, processing_orders)
    values (
      new.pharmacy_id, day_after, 0, after.completed - before.completed, after.cancelled - before.cancelled,
      after.processing - before.processing
    );
  end if;
  -- A confirmation that is taken back was none.
  if new.status = 'In attesa' and old.status <> 'In attesa' then
    delete from order_confirmations where pharmacy_id = new.pharmacy_id and order_id = new.id;
  end if;
  if old.airtable_created <> new.airtable_created then
    update order_confirmations set
      ordered_at = new.airtable_created,
      minutes = greatest(0, minutes + extract(epoch from ordered_at - new.airtable_created) / 60)
    where pharmacy_id = new.pharmacy_id and order_id = new.id;
  end if;
  if old.status = 'In attesa' and after.completed = 1 then
    insert into order_confirmations (order_id, pharmacy_id, ordered_at, minutes)
    values (
      new.id, new.pharmacy_id, new.airtable_created,
      greatest(0, extract(epoch from clock_timestamp() - new.airtable_created) / 60)
    )
    on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger pharmacy_orders__analytics_changed after update on pharmacy_orders for each row
  when ((old.status, old.airtable_created) is distinct from (new.status, new.airtable_created))
  execute function analytics_of_changed_order();

-- unique_visitors: those whose first view of the day was in the hour, so that the hours up to any time tell the
-- visitors of the day until then.
create table analytics_hours (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  -- The beginning of the hour.
  hour timestamptz not null,
  page_views integer not null default 0,
  unique_visitors integer not null default 0,
  visits integer not null default 0,
  offers_opened integer not null default 0,
  whatsapp_taps integer not null default 0,
  call_taps integer not null default 0,
  primary key (pharmacy_id, hour)
);

-- How often an offer was seen, opened, asked for and ordered. offer_id may be that of an offer that is gone.
create table analytics_offer_days (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  date date not null,
  offer_id uuid not null,
  seen integer not null default 0,
  opened integer not null default 0,
  whatsapp_taps integer not null default 0,
  ordered integer not null default 0,
  primary key (pharmacy_id, date, offer_id)
);

-- The figures of a day of a pharmacy. processing_orders are the booked ones, which are among completed_orders.
create table pharmacy_analytics_cache (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  date date not null,
  page_views integer not null default 0,
  unique_visitors integer not null default 0,
  visits integer not null default 0,
  offers_opened integer not null default 0,
  whatsapp_taps integer not null default 0,
  call_taps integer not null default 0,
  excluded integer not null default 0,
  total_orders integer not null default 0,
  completed_orders integer not null default 0,
  cancelled_orders integer not null default 0,
  processing_orders integer not null default 0,
  arrivals integer not null default 0,
  called integer not null default 0,
  not_present integer not null default 0,
  -- Orders with the code of an order message.
  coded_orders integer not null default 0,
  primary key (pharmacy_id, date)
);

-- Adds at most so many rows of each queue to the figures. Returns how many rows it took. Folds wait for each other, so
-- that none waits for a row of the figures that another has written. Rows that a purge is deleting are skipped.
create function fold_analytics(most integer) returns integer language plpgsql as $$
declare
  folded integer;
  changed integer;
begin
  perform pg_advisory_xact_lock(hashtext('fold_analytics'));
  with taken as (
    delete from page_event_queue
    where id = any (array(select id from page_event_queue order by id limit most for update skip locked)) returning *
  ), event as (
    -- What is left of a pharmacy that is gone counts nowhere.
    select taken.*, rome_day(happened_at) as date, date_trunc('hour', happened_at, 'UTC') as hour
    from taken join pharmacies on pharmacies.id = taken.pharmacy_id
  ), hours as (
    insert into analytics_hours as kept
      (pharmacy_id, hour, page_views, unique_visitors, visits, offers_opened, whatsapp_taps, call_taps)
    select pharmacy_id, hour,
      count(*) filter (where kind = 'view'), count(*) filter (where is_visitor), count(*) filter (where is_visit),
      count(*) filter (where kind = 'offer_opened'), count(*) filter (where kind = 'whatsapp_tapped'),
      count(*) filter (where kind = 'call_tapped')
    from event where kind in ('view', 'offer_opened', 'whatsapp_tapped', 'call_tapped')
    group by 1, 2
    on conflict (pharmacy_id, hour) do update set
      page_views = kept.page_views + excluded.page_views,
      unique_visitors = kept.unique_visitors + excluded.unique_visitors,
      visits = kept.visits + excluded.visits,
      offers_opened = kept.offers_opened + excluded.offers_opened,
      whatsapp_taps = kept.whatsapp_taps + excluded.whatsapp_taps,
      call_taps = kept.call_taps + excluded.call_taps
  ), days as (
    insert into pharmacy_analytics_cache as kept (
      pharmacy_id, date, page_views, unique_visitors, visits, offers_opened, whatsapp_taps, call_taps, excluded,
      coded_orders
    )
    select pharmacy_id, date,
      count(*) filter (where kind = 'view'), count(*) filter (where is_visitor), count(*) filter (where is_visit),
      count(*) filter (where kind = 'offer_opened'), count(*) filter (where kind = 'whatsapp_tapped'),
      count(*) filter (where kind = 'call_tapped'), coalesce(sum(amount) filter (where kind = 'excluded'), 0),
      coalesce(sum(amount) filter (where kind = 'ordered'), 0)
    from event where kind <> 'offer_seen'
    group by 1, 2
    on conflict (pharmacy_id, date) do update set
      page_views = kept.page_views + excluded.page_views,
      unique_visitors = kept.unique_visitors + excluded.unique_visitors,
      visits = kept.visits + excluded.visits,
      offers_opened = kept.offers_opened + excluded.offers_opened,
      whatsapp_taps = kept.whatsapp_taps + excluded.whatsapp_taps,
      call_taps = kept.call_taps + excluded.call_taps,
      excluded = kept.excluded + excluded.excluded,
      coded_orders = kept.coded_orders + excluded.coded_orders
  ), offers as (
    insert into analytics_offer_days as kept (pharmacy_id, date, offer_id, seen, opened, whatsapp_taps, ordered)
    select pharmacy_id, date, offer_id,
      count(*) filter (where kind = 'offer_seen'), count(*) filter (where kind = 'offer_opened'),
      count(*) filter (where kind = 'whatsapp_tapped'), coalesce(sum(amount) filter (where kind = 'ordered'), 0)
    from event cross join unnest(offer_ids) as offer_id
    group by 1, 2, 3
    on conflict (pharmacy_id, date, offer_id) do update set
      seen = kept.seen + excluded.seen,
      opened = kept.opened + excluded.opened,
      whatsapp_taps = kept.whatsapp_taps + excluded.whatsapp_taps,
      ordered = kept.ordered + excluded.ordered
  ), shares as (
    insert into analytics_shares as kept (pharmacy_id, date, dimension, value, amount)
    select pharmacy_id, date, dimension, value, sum(amount)
    from event cross join lateral (values ('source', source), ('device', device), ('excluded', reason))
      as share (dimension, value)
    where value is not null
    group by 1, 2, 3, 4
    on conflict (pharmacy_id, date, dimension, value) do update set amount = kept.amount + excluded.amount
  )
  select count(*) from taken into folded;

  with taken as (
    delete from analytics_changes
    where id = any (array(select id from analytics_changes order by id limit most for update skip locked)) returning *
  ), days as (
    insert into pharmacy_analytics_cache as kept (
      pharmacy_id, date, total_orders, completed_orders, cancelled_orders, processing_orders, arrivals, called,
      not_present
    )
    select taken.pharmacy_id, date, sum(total_orders), sum(completed_orders), sum(cancelled_orders),
      sum(processing_orders), sum(arrivals), sum(called), sum(not_present)
    from taken join pharmacies on pharmacies.id = taken.pharmacy_id
    group by 1, 2
    on conflict (pharmacy_id, date) do update set
      total_orders = kept.total_orders + excluded.total_orders,
      completed_orders = kept.completed_orders + excluded.completed_orders,
      cancelled_orders = kept.cancelled_orders + excluded.cancelled_orders,
      processing_orders = kept.processing_orders + excluded.processing_orders,
      arrivals = kept.arrivals + excluded.arrivals,
      called = kept.called + excluded.called,
      not_present = kept.not_present + excluded.not_present
  )
  select count(*) from taken into changed;
  return folded + changed;
end $$;

-- When an order was created that was confirmed or booked, and how many minutes later it first was. Without those that
-- wait again.
create table order_confirmations (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  order_id bigint,
  ordered_at timestamptz not null,
  minutes integer not null,
  primary key (pharmacy_id, order_id),
  constraint order_confirmations__order
    foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade
);
create index order_confirmations__of_pharmacy on order_confirmations (pharmacy_id, ordered_at) include (minutes);
