-- Triggers of orders write by values of one pharmacy: they read the changed rows first, and join them with no table. A
-- database that is distributed by pharmacy runs them on the node of the rows (docs/scaling.md). What they write stays the same.
-- What servers of the release before the last needed is dropped.
-- The orders of a pharmacy can be closed for some minutes: whatever adds, changes or removes one fails then, and is not acknowledged.
-- Locks: pharmacy_orders, priority_links, priority_events, migration_records, migration_items and order_image_files against
-- writers, for an instant; no rows are read.

alter table pharmacy_order_counts add column closed_until timestamptz;

-- The row of counts is locked by whatever writes orders: who closes them waits for those that write, and later ones fail.
create or replace function pharmacy_orders_added() returns trigger language plpgsql as $$
declare
  new_orders record;
  closed timestamptz;
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
      max(order_seq) as last_order_seq,
      array_agg(airtable_order_id) as ids
    from added
    group by pharmacy_id
  loop
    insert into pharmacy_order_counts as kept (
      pharmacy_id, total, pending, confirmed, booked_today, booked_tomorrow, cancelled, unseen, last_order_seq, version
    ) values (
      new_orders.pharmacy_id, new_orders.total, new_orders.pending, new_orders.confirmed, new_orders.booked_today,
      new_orders.booked_tomorrow, new_orders.cancelled, new_orders.unseen, new_orders.last_order_seq, 1
    )
    on conflict (pharmacy_id) do update set
      total = kept.total + excluded.total,
      pending = kept.pending + excluded.pending,
      confirmed = kept.confirmed + excluded.confirmed,
      booked_today = kept.booked_today + excluded.booked_today,
      booked_tomorrow = kept.booked_tomorrow + excluded.booked_tomorrow,
      cancelled = kept.cancelled + excluded.cancelled,
      unseen = kept.unseen + excluded.unseen,
      last_order_seq = greatest(kept.last_order_seq, excluded.last_order_seq),
      version = kept.version + 1
    returning kept.closed_until into closed;
    if closed > clock_timestamp() then
      raise exception 'the orders of the pharmacy are closed' using errcode = 'read_only_sql_transaction';
    end if;
    perform tell_of_orders(new_orders.pharmacy_id, 'added', new_orders.ids);
  end loop;
  return null;
end
$$;

create or replace function pharmacy_orders_changed() returns trigger language plpgsql as $$
declare
  change record;
  closed timestamptz;
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
      max(order_seq) filter (where by = 1) is distinct from max(order_seq) filter (where by = -1) as changes_last,
      array_agg(airtable_order_id) filter (where by = 1) as ids
    from (
      select pharmacy_id, airtable_order_id, status, seen_at, order_seq, 1 as by from added
      union all
      select pharmacy_id, airtable_order_id, status, seen_at, order_seq, -1 from removed
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
      version = kept.version + 1
    where kept.pharmacy_id = change.pharmacy_id
    returning kept.closed_until into closed;
    if closed > clock_timestamp() then
      raise exception 'the orders of the pharmacy are closed' using errcode = 'read_only_sql_transaction';
    end if;
    if change.changes_last then
      update pharmacy_order_counts
      set last_order_seq = (
        select max(order_seq) from pharmacy_orders where pharmacy_orders.pharmacy_id = change.pharmacy_id
      )
      where pharmacy_order_counts.pharmacy_id = change.pharmacy_id;
    end if;
    perform tell_of_orders(change.pharmacy_id, 'changed', change.ids);
  end loop;
  return null;
end
$$;

create or replace function pharmacy_orders_removed() returns trigger language plpgsql as $$
declare
  gone record;
  closed timestamptz;
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
      array_agg(airtable_order_id) as ids
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
      version = kept.version + 1,
      last_order_seq = (
        select max(order_seq) from pharmacy_orders where pharmacy_orders.pharmacy_id = gone.pharmacy_id
      )
    where kept.pharmacy_id = gone.pharmacy_id
    returning kept.closed_until into closed;
    if closed > clock_timestamp() then
      raise exception 'the orders of the pharmacy are closed' using errcode = 'read_only_sql_transaction';
    end if;
    perform tell_of_orders(gone.pharmacy_id, 'removed', gone.ids);
  end loop;
  return null;
end
$$;

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
drop trigger pharmacy_orders__gone on pharmacy_orders;
create trigger pharmacy_orders__gone after delete on pharmacy_orders for each row execute function keep_gone_order();
drop function keep_gone_orders();

create or replace function analytics_of_added_orders() returns trigger language plpgsql as $$
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
    select id, pharmacy_id, airtable_created, substring(order_details from 'Codice: ([A-Z0-9]{6})\M') as code
    from added where order_details like '%Codice: %' order by id
  loop
    -- The first order with the code of a message.
    update offer_order_codes set order_id = ordered.id
    where order_id is null and pharmacy_id = ordered.pharmacy_id and code = ordered.code
    returning offer_ids into code_offers;
    if found then
      insert into visit_queue (pharmacy_id, happened_at, kind, offer_ids)
      values (ordered.pharmacy_id, ordered.airtable_created, 'ordered', code_offers);
    end if;
  end loop;
  return null;
end
$$;

create or replace function analytics_of_removed_orders() returns trigger language plpgsql as $$
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
      insert into visit_queue (pharmacy_id, happened_at, kind, amount, offer_ids)
      values (pharmacy.id, freed.ordered_at, 'ordered', -1, freed.offer_ids);
    end loop;
  end loop;
  return null;
end
$$;

create function add_order_to_search() returns trigger language plpgsql as $$
begin
  insert into order_search
  select made.* from order_search_row(
    new.id, new.pharmacy_id, new.airtable_created, new.order_number, new.customer_name, new.customer_phone, new.address,
    new.order_details
  ) made;
  return null;
end
$$;
drop trigger pharmacy_orders__search_added on pharmacy_orders;
create trigger pharmacy_orders__search_added after insert on pharmacy_orders
  for each row execute function add_order_to_search();
drop function order_search_added();

-- Orders are found by their key, which begins with the pharmacy.
create or replace function newest_orders_with_words(
  pharmacy uuid, words text, statuses text[], few boolean, since timestamptz, before timestamptz,
  skip integer, most integer, out ids bigint[], out seen integer, out complete boolean
) language plpgsql stable set plan_cache_mode = force_generic_plan set work_mem = '16MB' as $$
declare
  walk constant integer := 400;
  needed constant integer := skip + most;
  sought record := order_search_sought(words);
  found bigint[];
  walked integer;
  high timestamptz;
  low timestamptz;
  days integer;
  block integer;
  blocks integer;
  place tsquery;
begin
  if sought.keys is null then
    ids := '{}'; seen := 0; complete := true;
    return;
  end if;

  if few then
    found := array(
      select s.order_id from pharmacy_orders o join order_search s on s.pharmacy_id = o.pharmacy_id and s.order_id = o.id
      where o.pharmacy_id = pharmacy and o.status = any (statuses)
        and s.created >= since and s.created < before
        and s.text like all (sought.patterns) and s.text like any (sought.either)
      order by s.created desc, s.order_id desc limit needed
    );
  else
    with newest as materialized (
      select s.order_id, s.created, s.text from order_search s
      where s.pharmacy_id = pharmacy and s.created >= since and s.created < before
      order by s.created desc, s.order_id desc limit walk
    )
    select (select count(*) from newest), (select min(n.created) from newest n), array(
      select n.order_id from newest n
      where n.text like all (sought.patterns) and n.text like any (sought.either)
        -- Of the last moment there may be more.
        and ((select count(*) from newest) < walk or n.created > (select min(m.created) from newest m))
        and (statuses is null or exists (
          select from pharmacy_orders o
          where o.pharmacy_id = pharmacy and o.id = n.order_id and o.status = any (statuses)
        ))
      order by n.created desc, n.order_id desc
    ) into walked, high, found;
    foreach days in array array[8, 64, null] loop
      exit when walked < walk or cardinality(found) >= needed;
      -- As much of the time as should hold twice what is missing, by what the last days held, which were
      -- twelve or so; where that is very much, all of it.
      blocks := case days
        when 8 then 2
        when 64 then ceil(2.0 * (needed - cardinality(found)) / nullif(5 * cardinality(found), 0))
      end;
      continue when days = 64 and coalesce(blocks > 16, true);
      if days is null then
        low := since;
        place := quote_literal('/' || pharmacy);
      else
        -- From the days of which some have been gone through on.
        block := floor(extract(epoch from high) / 86400 / days);
        low := greatest(to_timestamp((block - blocks + 1) * days * 86400), since);
        place := (
          select string_agg(quote_literal('/' || pharmacy || '/' || days || '/' || n), '|')
          from generate_series(block - blocks + 1, block) n
        );
      end if;
      found := found || array(
        with placed as materialized (
          select s.order_id, s.created from order_search s
          -- The words first: then as little as can be is read of the long list of a place.
          where order_search_keys(s.pharmacy_id, s.created, s.text) @@ sought.keys
            and order_search_keys(s.pharmacy_id, s.created, s.text) @@ place
            and (s.pharmacy_id = pharmacy and s.created >= low and s.created <= high
              and s.created < before) is true
            and s.text like all (sought.patterns) and s.text like any (sought.either)
        )
        select p.order_id from placed p
        where statuses is null or exists (
          select from pharmacy_orders o
          where o.pharmacy_id = pharmacy and o.id = p.order_id and o.status = any (statuses)
        )
        order by p.created desc, p.order_id desc limit needed - cardinality(found)
      );
      exit when low = since;
      -- Times are counted in microseconds.
      high := low - interval '1 microsecond';
    end loop;
  end if;
  ids := coalesce(found[skip + 1 : needed], '{}');
  seen := cardinality(found);
  complete := cardinality(found) < needed;
end
$$;

drop trigger priority_links__until_next_release on priority_links;
drop trigger priority_events__until_next_release on priority_events;
drop function pharmacy_of_visit__until_next_release();
drop trigger migration_records__until_next_release on migration_records;
drop trigger migration_items__until_next_release on migration_items;
drop function pharmacy_of_run__until_next_release();
drop trigger order_image_files__until_next_release on order_image_files;
drop function pharmacy_of_file__until_next_release();
drop function priority_take_back(uuid, text, uuid);
