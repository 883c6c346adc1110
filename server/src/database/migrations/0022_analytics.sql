-- Visits of public pages, and the figures of analytics.
--
-- A visit is recorded by record_visits: in the raw tables, which are partitioned by day, and in visit_queue. Changes of
-- orders and of visits with priority access add to analytics_changes. fold_analytics takes the rows of both queues away
-- and adds them to the figures, in one transaction: each counts exactly once. It is the only writer of the figures.
-- All days are those of Rome.

-- The partitions: visits.{table}_{yyyymmdd}.
create schema visits;

create function rome_day(at timestamptz) returns date language sql immutable parallel safe as $$
  select (at at time zone 'Europe/Rome')::date
$$;
create function rome_midnight(day date) returns timestamptz language sql immutable parallel safe as $$
  select day::timestamp at time zone 'Europe/Rome'
$$;

alter table offer_page_views rename to offer_page_views_before;
alter table offer_events rename to offer_events_before;

-- session_id: a visit of a visitor, made by the server; it ends after 30 minutes without a view. visitor_ip is a pseudonym.
-- user_agent is a reduced one: the family of the browser and the system.
create table offer_page_views (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  session_id text not null,
  visitor_ip text not null,
  user_agent text,
  referrer text,
  viewed_at timestamptz not null
) partition by range (viewed_at);
create index on offer_page_views (pharmacy_id, viewed_at);

-- What visitors do besides. offer_id may be that of an offer that is gone; null where it concerns none.
create table offer_events (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  offer_id uuid,
  kind text not null,
  session_id text not null,
  visitor_ip text not null,
  happened_at timestamptz not null,
  constraint offer_events__kind_known
    check (kind in ('offer_opened', 'whatsapp_tapped', 'call_tapped'))
) partition by range (happened_at);
create index on offer_events (pharmacy_id, happened_at);

-- The visitors of a day: the last view of each, the visit that it belongs to, and how many views they are. Dropped two days
-- later.
create table visitors (
  day date not null,
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  visitor text not null,
  session_id text not null,
  viewed_at timestamptz not null,
  views integer not null default 1,
  primary key (day, pharmacy_id, visitor)
) partition by range (day);

-- Creates the partitions of these days that do not exist; those of visitors from visitors_day on. The server may not create
-- tables itself.
create function create_visit_partitions(first_day date, last_day date, visitors_day date default '-infinity') returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  day date;
begin
  perform pg_advisory_xact_lock(hashtext('visit_partitions'));
  for day in select generate_series(first_day, last_day, interval '1 day')::date loop
    execute format(
      'create table if not exists visits.offer_page_views_%s partition of public.offer_page_views
         for values from (%L) to (%L)',
      to_char(day, 'YYYYMMDD'), rome_midnight(day), rome_midnight(day + 1));
    execute format(
      'create table if not exists visits.offer_events_%s partition of public.offer_events
         for values from (%L) to (%L)',
      to_char(day, 'YYYYMMDD'), rome_midnight(day), rome_midnight(day + 1));
    if day >= visitors_day then
      execute format(
        'create table if not exists visits.visitors_%s partition of public.visitors for values from (%L) to (%L)',
        to_char(day, 'YYYYMMDD'), day, day + 1);
    end if;
  end loop;
end $$;

-- Drops the partitions of days before the given ones. Returns their names.
create function drop_visit_partitions(views_before date, visitors_before date) returns setof text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  partition text;
begin
  perform pg_advisory_xact_lock(hashtext('visit_partitions'));
  for partition in
    select relname from pg_class
    where relnamespace = 'visits'::regnamespace and relkind = 'r' and (
      relname ~ '^offer_(page_views|events)_\d{8}$' and right(relname, 8) < to_char(views_before, 'YYYYMMDD')
      or relname ~ '^visitors_\d{8}$' and right(relname, 8) < to_char(visitors_before, 'YYYYMMDD')
    )
    order by relname
  loop
    execute format('drop table visits.%I', partition);
    return next partition;
  end loop;
end $$;

select create_visit_partitions(
  least(
    (select rome_day(min(viewed_at)) from offer_page_views_before),
    (select rome_day(min(happened_at)) from offer_events_before),
    rome_day(now()) - 1
  ),
  rome_day(now()) + 7,
  rome_day(now()) - 1
);
insert into offer_page_views (pharmacy_id, session_id, visitor_ip, user_agent, referrer, viewed_at)
  select pharmacy_id, session_id, visitor_ip, null, referrer, viewed_at from offer_page_views_before;
insert into offer_events (pharmacy_id, offer_id, kind, session_id, visitor_ip, happened_at)
  select pharmacy_id, offer_id, kind, session_id, visitor_ip, happened_at from offer_events_before;

-- What is not in the figures yet.
--   kind: as the contract's, or 'excluded'; or 'ordered', an order with the code of an order message
--   amount: how many; more than one only of excluded visits
--   offer_ids: the offers that it concerns
--   is_visitor, is_visit: the view is the first of its visitor on that day, of its visit
--   source, device: of views; reason: why a visit was excluded
create table visit_queue (
  id bigint generated always as identity primary key,
  pharmacy_id uuid not null,
  happened_at timestamptz not null,
  kind text not null,
  amount integer not null default 1,
  offer_ids uuid[] not null default '{}',
  is_visitor boolean not null default false,
  is_visit boolean not null default false,
  source text,
  device text,
  reason text
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

-- unique_visitors: those whose first view of the day was in the hour, so that the hours up to any time tell the visitors
-- of the day until then.
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

-- How the views of a day, or the visits that were excluded from it, are divided. dimension: source, device or excluded.
create table analytics_shares (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  date date not null,
  dimension text not null,
  value text not null,
  amount integer not null,
  primary key (pharmacy_id, date, dimension, value),
  constraint analytics_shares__dimension_known check (dimension in ('source', 'device', 'excluded'))
);

-- Order codes that messages of customers contain. Their time is a day, so that they lead to no visitor.
create table offer_order_codes (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  code text not null,
  offer_ids uuid[] not null,
  day date not null,
  is_ordered boolean not null default false,
  primary key (pharmacy_id, code)
);
create index offer_order_codes__day on offer_order_codes (day);

-- When an order was first confirmed or booked, and how many minutes after it was created.
create table order_confirmations (
  order_id bigint primary key references pharmacy_orders (id) on delete cascade,
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  ordered_at timestamptz not null,
  minutes integer not null
);
create index order_confirmations__of_pharmacy on order_confirmations (pharmacy_id, ordered_at) include (minutes);

-- Notes that the pharmacy writes on the line of a day.
create table analytics_notes (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  date date not null,
  text text not null,
  created_at timestamptz not null default now(),
  constraint analytics_notes__text_length check (char_length(text) between 1 and 80)
);
create index analytics_notes__of_pharmacy on analytics_notes (pharmacy_id, date);

-- A pharmacy without a row has the initial settings of the contract.
create table analytics_settings (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  is_counting boolean not null,
  has_order_codes boolean not null,
  has_weekly_mail boolean not null
);
create trigger analytics_settings__public_changed after insert or update or delete on analytics_settings
  for each row execute function tell_of_offers();

-- Records visits: a batch of what the pages have sent. visits: a list of objects
--   pharmacy_id, happened_at, kind, visitor: the visitor's pseudonym on that day
--   visitor_before: that of the day before, in the half hour after midnight
--   session_id: a new id, which is used where the view begins a visit
--   user_agent, referrer, source, device, offer_ids, code
--   excluded: {reason, amount} of kind 'excluded'
-- A view of a visitor within 30 seconds of their last one is not counted. Pharmacies that are gone, and offers of other
-- pharmacies, are left out.
create function record_visits(visits jsonb) returns void
language plpgsql as $$
declare
  visit record;
  day date;
  session text;
  is_new boolean;
  continued text;
begin
  for visit in
    select each.* from jsonb_to_recordset(visits) as each (
      pharmacy_id uuid, happened_at timestamptz, kind text, visitor text, visitor_before text, session_id text,
      user_agent text, referrer text, source text, device text, offer_ids uuid[], code text, reason text,
      amount integer
    ) join pharmacies on pharmacies.id = each.pharmacy_id
    -- Batches lock the visitors in one order.
    order by each.pharmacy_id, visitor, happened_at
  loop
    day := rome_day(visit.happened_at);
    if visit.kind = 'excluded' then
      insert into visit_queue (pharmacy_id, happened_at, kind, amount, reason)
      values (visit.pharmacy_id, visit.happened_at, 'excluded', visit.amount, visit.reason);
      continue;
    end if;
    if visit.kind = 'view' then
      continued := null;
      if visit.visitor_before is not null then
        select last.session_id into continued from visitors as last
        where last.day = rome_day(visit.happened_at) - 1 and last.pharmacy_id = visit.pharmacy_id
          and last.visitor = visit.visitor_before and last.viewed_at > visit.happened_at - interval '30 minutes';
      end if;
      session := null;
      insert into visitors as last (day, pharmacy_id, visitor, session_id, viewed_at)
      values (day, visit.pharmacy_id, visit.visitor, coalesce(continued, visit.session_id), visit.happened_at)
      on conflict on constraint visitors_pkey do update set
        viewed_at = excluded.viewed_at,
        views = last.views + 1,
        session_id = case
          when last.viewed_at > excluded.viewed_at - interval '30 minutes' then last.session_id
          else excluded.session_id
        end
      where last.viewed_at <= excluded.viewed_at - interval '30 seconds'
      returning last.session_id, last.views = 1 into session, is_new;
      continue when session is null;
      insert into offer_page_views (pharmacy_id, session_id, visitor_ip, user_agent, referrer, viewed_at)
      values (visit.pharmacy_id, session, visit.visitor, visit.user_agent, visit.referrer, visit.happened_at);
      insert into visit_queue (pharmacy_id, happened_at, kind, is_visitor, is_visit, source, device)
      values (
        visit.pharmacy_id, visit.happened_at, 'view', is_new, session = visit.session_id, visit.source, visit.device
      );
      continue;
    end if;
    visit.offer_ids := coalesce((
      select array_agg(offer.id) from product_offers as offer
      where offer.pharmacy_id = visit.pharmacy_id and offer.id = any (visit.offer_ids)
    ), '{}');
    continue when visit.kind in ('offer_seen', 'offer_opened') and visit.offer_ids = '{}';
    if visit.kind <> 'offer_seen' then
      select last.session_id into session from visitors as last
      where last.day = rome_day(visit.happened_at) and last.pharmacy_id = visit.pharmacy_id
        and last.visitor = visit.visitor;
      insert into offer_events (pharmacy_id, offer_id, kind, session_id, visitor_ip, happened_at)
      select visit.pharmacy_id, offer_id, visit.kind, coalesce(session, visit.session_id), visit.visitor,
        visit.happened_at
      from unnest(case when visit.offer_ids = '{}' then '{null}' else visit.offer_ids end) as offer_id;
    end if;
    insert into visit_queue (pharmacy_id, happened_at, kind, offer_ids)
    values (visit.pharmacy_id, visit.happened_at, visit.kind, visit.offer_ids);
    if visit.code is not null then
      insert into offer_order_codes (pharmacy_id, code, offer_ids, day)
      values (visit.pharmacy_id, visit.code, visit.offer_ids, day)
      on conflict do nothing;
    end if;
  end loop;
end $$;

-- Adds at most so many rows of each queue to the figures. Returns how many rows it took. Folds wait for each other, so that
-- none waits for a row of the figures that another has written.
create function fold_analytics(most integer) returns integer language plpgsql as $$
declare
  folded integer;
  changed integer;
begin
  perform pg_advisory_xact_lock(hashtext('fold_analytics'));
  with taken as (
    delete from visit_queue where id in (select id from visit_queue order by id limit most) returning *
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
      count(*) filter (where kind = 'ordered')
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
      count(*) filter (where kind = 'whatsapp_tapped'), count(*) filter (where kind = 'ordered')
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
    delete from analytics_changes where id in (select id from analytics_changes order by id limit most) returning *
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

-- Orders. An order counts on the day on which it was created, under its present status.
create function order_figures(status text) returns table (completed integer, cancelled integer, processing integer)
language sql immutable as $$
  select
    (status in ('Confermato', 'Prenotato in Giornata', 'Prenotato Domani'))::integer,
    (status = 'Annullato')::integer,
    (status in ('Prenotato in Giornata', 'Prenotato Domani'))::integer
$$;

-- The trigger tables are those of the statement; of an insertion there is no removed, of a deletion no added.
create function analytics_of_added_orders() returns trigger language plpgsql as $$
begin
  insert into analytics_changes
    (pharmacy_id, date, total_orders, completed_orders, cancelled_orders, processing_orders)
  select pharmacy_id, rome_day(airtable_created), count(*), sum(completed), sum(cancelled), sum(processing)
  from added cross join lateral order_figures(status)
  group by 1, 2;
  -- The first order with the code of a message.
  with ordered as (
    update offer_order_codes as known set is_ordered = true
    from added
    where not known.is_ordered and known.pharmacy_id = added.pharmacy_id
      and known.code = substring(added.order_details from 'Codice: ([A-Z0-9]{6})\M')
    returning known.pharmacy_id, known.offer_ids, added.airtable_created
  )
  insert into visit_queue (pharmacy_id, happened_at, kind, offer_ids)
  select pharmacy_id, airtable_created, 'ordered', offer_ids from ordered;
  return null;
end $$;
create trigger pharmacy_orders__analytics_added after insert on pharmacy_orders
  referencing new table as added
  for each statement execute function analytics_of_added_orders();

create function analytics_of_changed_orders() returns trigger language plpgsql set enable_nestloop = off as $$
begin
  insert into analytics_changes
    (pharmacy_id, date, total_orders, completed_orders, cancelled_orders, processing_orders)
  select pharmacy_id, date, sum(sign), sum(sign * completed), sum(sign * cancelled), sum(sign * processing)
  from (
    select n.pharmacy_id, rome_day(n.airtable_created) as date, 1 as sign, n.status from removed o join added n using (id)
    where (o.status, o.airtable_created) is distinct from (n.status, n.airtable_created)
    union all
    select o.pharmacy_id, rome_day(o.airtable_created), -1, o.status from removed o join added n using (id)
    where (o.status, o.airtable_created) is distinct from (n.status, n.airtable_created)
  ) as side cross join lateral order_figures(status)
  group by 1, 2
  having (sum(sign), sum(sign * completed), sum(sign * cancelled), sum(sign * processing)) is distinct from (0, 0, 0, 0);
  insert into order_confirmations (order_id, pharmacy_id, ordered_at, minutes)
  select n.id, n.pharmacy_id, n.airtable_created,
    greatest(0, extract(epoch from clock_timestamp() - n.airtable_created) / 60)
  from removed o join added n using (id)
  where o.status = 'In attesa' and n.status in ('Confermato', 'Prenotato in Giornata', 'Prenotato Domani')
  on conflict do nothing;
  return null;
end $$;
create trigger pharmacy_orders__analytics_changed after update on pharmacy_orders
  referencing old table as removed new table as added
  for each statement execute function analytics_of_changed_orders();

create function analytics_of_removed_orders() returns trigger language plpgsql as $$
begin
  insert into analytics_changes
    (pharmacy_id, date, total_orders, completed_orders, cancelled_orders, processing_orders)
  select pharmacy_id, rome_day(airtable_created), -count(*), -sum(completed), -sum(cancelled), -sum(processing)
  from removed cross join lateral order_figures(status)
  group by 1, 2;
  return null;
end $$;
create trigger pharmacy_orders__analytics_removed after delete on pharmacy_orders
  referencing old table as removed
  for each statement execute function analytics_of_removed_orders();

-- Arrivals with priority access, on the day of the arrival. An arrival that the customer takes back does not count; one that
-- the staff answer with 'not present' does. Old visits are deleted, and stay counted.
create function analytics_of_arrival() returns trigger language plpgsql as $$
declare
  sent_back integer := case
    when (new.arrived_at is null) <> (old.arrived_at is null)
      then new.times_not_present - coalesce(old.times_not_present, 0)
    else 0
  end;
begin
  insert into analytics_changes (pharmacy_id, date, arrivals, called, not_present)
  select new.pharmacy_id, date, sum(arrivals), sum(called), sum(not_present)
  from (values
    (rome_day(new.arrived_at), 1, (new.called_at is not null)::integer, (new.status = 'no_show')::integer),
    (rome_day(old.arrived_at), -1, -(old.called_at is not null)::integer, -(old.status = 'no_show')::integer),
    (rome_day(coalesce(old.arrived_at, new.arrived_at)), sent_back, 0, sent_back)
  ) as side (date, arrivals, called, not_present)
  where date is not null
  group by date
  having (sum(arrivals), sum(called), sum(not_present)) is distinct from (0, 0, 0);
  return null;
end $$;
create trigger priority_visit_analytics_added after insert on priority_access_sessions
  for each row when (new.arrived_at is not null) execute function analytics_of_arrival();
create trigger priority_visit_analytics_changed after update on priority_access_sessions
  for each row when (
    (new.arrived_at, new.called_at, new.status = 'no_show')
    is distinct from (old.arrived_at, old.called_at, old.status = 'no_show')
  )
  execute function analytics_of_arrival();

-- The figures of what there is already.
insert into analytics_changes (pharmacy_id, date, total_orders, completed_orders, cancelled_orders, processing_orders)
  select pharmacy_id, rome_day(airtable_created), count(*), sum(completed), sum(cancelled), sum(processing)
  from pharmacy_orders cross join lateral order_figures(status)
  group by 1, 2;
insert into analytics_changes (pharmacy_id, date, arrivals, called, not_present)
  select pharmacy_id, rome_day(arrived_at), count(*), count(called_at), count(*) filter (where status = 'no_show')
  from priority_access_sessions where arrived_at is not null
  group by 1, 2;
insert into visit_queue (pharmacy_id, happened_at, kind, is_visitor, is_visit)
  select pharmacy_id, viewed_at, 'view',
    row_number() over (partition by pharmacy_id, rome_day(viewed_at), visitor_ip order by viewed_at) = 1,
    row_number() over (partition by pharmacy_id, session_id order by viewed_at) = 1
  from offer_page_views_before;
insert into visit_queue (pharmacy_id, happened_at, kind, offer_ids)
  select pharmacy_id, happened_at, kind, case when offer_id is null then '{}' else array[offer_id] end
  from offer_events_before;

drop table offer_page_views_before, offer_events_before;
