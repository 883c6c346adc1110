-- What happens on the public pages. An event is recorded by record_page_events: in the raw tables, which are
-- partitioned by day, and in page_event_queue. The partitions: page_views.{table}_{yyyymmdd}.

create schema page_views;

-- The partitioned tables have no foreign keys: creating a partition would lock pharmacies against changes. The purge of
-- a pharmacy deletes their rows.
-- --
-- session_id: a visit of a visitor, made by the server; it ends after 30 minutes without a view. visitor_ip is a
-- pseudonym. user_agent is a reduced one: the family of the browser and the system.
create table offer_page_views (
  pharmacy_id uuid not null,
  session_id text not null,
  visitor_ip text not null,
  user_agent text,
  referrer text,
  viewed_at timestamptz not null
) partition by range (viewed_at);
create index on offer_page_views (pharmacy_id, viewed_at);

-- What visitors do besides. offer_id may be that of an offer that is gone; null where it concerns none. visitor_ip is
-- empty where the text of an order could lead to the row.
create table offer_events (
  pharmacy_id uuid not null,
  offer_id uuid,
  kind text not null,
  session_id text not null,
  visitor_ip text not null,
  happened_at timestamptz not null,
  constraint offer_events__kind_known
    check (kind in ('offer_opened', 'whatsapp_tapped', 'call_tapped'))
) partition by range (happened_at);
create index on offer_events (pharmacy_id, happened_at);

-- The visitors of a day: the last view of each, the visit that it belongs to, and how many views they are. Dropped two
-- days later.
create table visitors (
  day date not null,
  pharmacy_id uuid not null,
  visitor text not null,
  session_id text not null,
  viewed_at timestamptz not null,
  views integer not null default 1,
  primary key (day, pharmacy_id, visitor)
) partition by range (day);

-- Creates the partitions of these days that do not exist; those of visitors from visitors_day on. The server may not
-- create tables itself. Attaching a partition does not wait for transactions that record page events; 'create table …
-- partition of' would.
create function create_page_view_partitions(first_day date, last_day date, visitors_day date default '-infinity') returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  missing record;
begin
  perform pg_advisory_xact_lock(hashtext('page_view_partitions'));
  for missing in
    select parent, format('%s_%s', parent, to_char(day, 'YYYYMMDD')) as name,
      case parent when 'visitors' then day::text else rome_midnight(day)::text end as lower,
      case parent when 'visitors' then (day + 1)::text else rome_midnight(day + 1)::text end as upper
    from (select generate_series(first_day, last_day, interval '1 day')::date as day) as days
      cross join unnest('{visitors,offer_page_views,offer_events}'::text[]) as parent
    where (parent <> 'visitors' or day >= visitors_day)
      and to_regclass(format('page_views.%s_%s', parent, to_char(day, 'YYYYMMDD'))) is null
    order by day
  loop
    execute format('create table page_views.%I (like public.%I including all)', missing.name, missing.parent);
    execute format(
      'alter table public.%I attach partition page_views.%I for values from (%L) to (%L)',
      missing.parent, missing.name, missing.lower, missing.upper
    );
  end loop;
end $$;

-- Drops the partitions of days before the given ones. Returns their names. Fails with lock_not_available where other
-- transactions use the tables for longer than the timeout, which is less than deadlock_timeout: recording page events
-- is never the one that fails.
create function drop_page_view_partitions(views_before date, visitors_before date) returns setof text
language plpgsql security definer set search_path = pg_catalog, public, pg_temp set lock_timeout = '500ms' as $$
declare
  partition text;
begin
  perform pg_advisory_xact_lock(hashtext('page_view_partitions'));
  -- In the order of record_page_events.
  lock table only visitors, only offer_page_views, only offer_events in access exclusive mode;
  for partition in
    select relname from pg_class
    where relnamespace = 'page_views'::regnamespace and relkind = 'r' and (
      relname ~ '^offer_(page_views|events)_\d{8}$' and right(relname, 8) < to_char(views_before, 'YYYYMMDD')
      or relname ~ '^visitors_\d{8}$' and right(relname, 8) < to_char(visitors_before, 'YYYYMMDD')
    )
    order by relname
  loop
    execute format('drop table page_views.%I', partition);
    return next partition;
  end loop;
end $$;

select create_page_view_partitions(rome_day(now()) - 1, rome_day(now()) + 7, rome_day(now()) - 1);

-- What is not in the figures yet.
--   kind: as the contract's, or 'excluded'; or 'ordered', an order with the code of an order message
--   amount: how many; more than one only of excluded views, and -1 of an order that is deleted
--   offer_ids: the offers that it concerns
--   is_visitor, is_visit: the view is the first of its visitor on that day, of its visit
--   source, device: of views; reason: why a view was excluded
create table page_event_queue (
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

-- Records page events: a batch of what the pages have sent. events: a list of objects
--   pharmacy_id, happened_at, kind, visitor: the visitor's pseudonym on that day
--   visitor_before: that of the day before, in the half hour after midnight
--   session_id: a new id, which is used where the view begins a visit
--   user_agent, referrer, source, device, offer_ids, code
--   excluded: {reason, amount} of kind 'excluded'
-- A view of a visitor within 30 seconds of their last one is not counted. Pharmacies that are gone or deleted, and
-- offers of other pharmacies, are left out.
create function record_page_events(events jsonb) returns void
language plpgsql as $$
declare
  event record;
  day date;
  session text;
  is_new boolean;
  before record;
  continued text;
  -- As in the contract: VISIT_MINUTES and VIEW_DEDUPLICATION_SECONDS.
  visit_gap constant interval := '30 minutes';
  repeat_gap constant interval := '30 seconds';
begin
  -- In the order of drop_page_view_partitions, whatever the first event is.
  lock table only visitors, only offer_page_views, only offer_events in row exclusive mode;
  for event in
    select each.* from jsonb_to_recordset(events) as each (
      pharmacy_id uuid, happened_at timestamptz, kind text, visitor text, visitor_before text, session_id text,
      user_agent text, referrer text, source text, device text, offer_ids uuid[], code text, reason text,
      amount integer
    ) join pharmacies on pharmacies.id = each.pharmacy_id and pharmacies.deleted_at is null
    -- Batches lock the visitors in one order.
    order by each.pharmacy_id, visitor, happened_at
  loop
    day := rome_day(event.happened_at);
    if event.kind = 'excluded' then
      insert into page_event_queue (pharmacy_id, happened_at, kind, amount, reason)
      values (event.pharmacy_id, event.happened_at, 'excluded', event.amount, event.reason);
      continue;
    end if;
    if event.kind = 'view' then
      continued := null;
      if event.visitor_before is not null then
        select last.session_id, last.viewed_at into before from visitors as last
        where last.day = rome_day(event.happened_at) - 1 and last.pharmacy_id = event.pharmacy_id
          and last.visitor = event.visitor_before and last.viewed_at > event.happened_at - visit_gap;
        -- A view that is repeated after midnight.
        continue when before.viewed_at > event.happened_at - repeat_gap;
        continued := before.session_id;
      end if;
      session := null;
      insert into visitors as last (day, pharmacy_id, visitor, session_id, viewed_at)
      values (day, event.pharmacy_id, event.visitor, coalesce(continued, event.session_id), event.happened_at)
      on conflict on constraint visitors_pkey do update set
        viewed_at = excluded.viewed_at,
        views = last.views + 1,
        session_id = case
          when last.viewed_at > excluded.viewed_at - visit_gap then last.session_id
          else excluded.session_id
        end
      where last.viewed_at <= excluded.viewed_at - repeat_gap
      returning last.session_id, last.views = 1 into session, is_new;
      continue when session is null;
      insert into offer_page_views (pharmacy_id, session_id, visitor_ip, user_agent, referrer, viewed_at)
      values (event.pharmacy_id, session, event.visitor, event.user_agent, event.referrer, event.happened_at);
      insert into page_event_queue (pharmacy_id, happened_at, kind, is_visitor, is_visit, source, device)
      values (
        event.pharmacy_id, event.happened_at, 'view', is_new, session = event.session_id, event.source, event.device
      );
      continue;
    end if;
    event.offer_ids := coalesce((
      select array_agg(offer.id) from product_offers as offer
      where offer.pharmacy_id = event.pharmacy_id and offer.id = any (event.offer_ids)
    ), '{}');
    continue when event.kind in ('offer_seen', 'offer_opened') and event.offer_ids = '{}';
    if event.kind <> 'offer_seen' then
      -- The text of an order contains the code, and the code's day and offers would lead to the tap. So a tap with a
      -- code has neither a visitor nor their visit, and only the hour of its time.
      session := null;
      if event.code is null then
        select last.session_id into session from visitors as last
        where last.day = rome_day(event.happened_at) and last.pharmacy_id = event.pharmacy_id
          and last.visitor = event.visitor;
      end if;
      insert into offer_events (pharmacy_id, offer_id, kind, session_id, visitor_ip, happened_at)
      select event.pharmacy_id, offer_id, event.kind, coalesce(session, event.session_id),
        case when event.code is null then event.visitor else '' end,
        case when event.code is null then event.happened_at else date_trunc('hour', event.happened_at, 'UTC') end
      from unnest(case when event.offer_ids = '{}' then '{null}' else event.offer_ids end) as offer_id;
    end if;
    insert into page_event_queue (pharmacy_id, happened_at, kind, offer_ids)
    values (event.pharmacy_id, event.happened_at, event.kind, event.offer_ids);
    if event.code is not null then
      insert into offer_order_codes (pharmacy_id, code, offer_ids, day)
      values (event.pharmacy_id, event.code, event.offer_ids, day)
      on conflict do nothing;
    end if;
  end loop;
end $$;

-- Who looks at a public page. visitor_ip is no address: a hash of address, browser and pharmacy with the salt of the
-- day, which is removed after it, so that nobody can be followed from one day to another.
create table visitor_salts (
  day date primary key,
  salt bytea not null
);

-- Order codes that messages of customers contain. Their time is a day, so that they lead to no visitor. order_id: the
-- order that counts for the code.
create table offer_order_codes (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  code text not null,
  offer_ids uuid[] not null,
  day date not null,
  order_id bigint,
  primary key (pharmacy_id, code)
);
create index offer_order_codes__order on offer_order_codes (order_id);
create index offer_order_codes__day on offer_order_codes (day);
