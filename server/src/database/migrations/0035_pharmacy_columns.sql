-- Links and events of visits, and the records and items of migrations, name their pharmacy, as all other rows of pharmacies
-- do: by it they can be spread over several databases (docs/decisions/0067). Rows that are there are filled by the next file.
-- Locks: the four tables, for an instant each; functions are replaced.

alter table priority_links
  add column pharmacy_id uuid,
  add constraint priority_links__of_pharmacy check (pharmacy_id is not null) not valid;
alter table priority_events
  add column pharmacy_id uuid,
  add constraint priority_events__of_pharmacy check (pharmacy_id is not null) not valid;
alter table migration_records
  add column pharmacy_id uuid,
  add constraint migration_records__of_pharmacy check (pharmacy_id is not null) not valid;
alter table migration_items
  add column pharmacy_id uuid,
  add constraint migration_items__of_pharmacy check (pharmacy_id is not null) not valid;

-- For rows of before, and for servers of the last release. The next release drops the triggers and their functions.
create function pharmacy_of_visit__until_next_release() returns trigger language plpgsql as $$
begin
  select pharmacy_id into new.pharmacy_id from priority_access_sessions where id = new.visit_id;
  return new;
end
$$;
create trigger priority_links__until_next_release before insert or update on priority_links
  for each row when (new.pharmacy_id is null) execute function pharmacy_of_visit__until_next_release();
create trigger priority_events__until_next_release before insert or update on priority_events
  for each row when (new.pharmacy_id is null) execute function pharmacy_of_visit__until_next_release();
create function pharmacy_of_run__until_next_release() returns trigger language plpgsql as $$
begin
  select pharmacy_id into new.pharmacy_id from migration_runs where id = new.run_id;
  return new;
end
$$;
create trigger migration_records__until_next_release before insert or update on migration_records
  for each row when (new.pharmacy_id is null) execute function pharmacy_of_run__until_next_release();
create trigger migration_items__until_next_release before insert or update on migration_items
  for each row when (new.pharmacy_id is null) execute function pharmacy_of_run__until_next_release();

-- Updates the rows without a pharmacy, for which triggers find it, in a transaction for each two thousand pages.
create procedure fill_pharmacy_ids(filled regclass) language plpgsql as $$
declare
  step constant integer := 2000;
  pages integer := pg_relation_size(filled) / current_setting('block_size')::integer;
begin
  for page in 0 .. pages by step loop
    execute format(
      'update %s set pharmacy_id = null where pharmacy_id is null and ctid >= %L and ctid < %L',
      filled, format('(%s,0)', page), format('(%s,0)', page + step)
    );
    commit;
  end loop;
end
$$;

-- As before, and with the pharmacy.
create or replace function priority_visit_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.ended_at is not null and (tg_op = 'DELETE' or new.ended_at is not null) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform notify_event(old.pharmacy_id, 'priority_changed', old.pharmacy_id::text);
    return null;
  end if;
  if tg_op = 'INSERT' or new.status <> old.status then
    insert into priority_events (pharmacy_id, visit_id, from_status, to_status, source, user_id, desk)
    values (
      new.pharmacy_id, new.id, case when tg_op = 'UPDATE' then old.status end, new.status, new.changed_from, new.changed_by,
      new.called_by
    );
  end if;
  perform notify_event(new.pharmacy_id, 'priority_changed', new.pharmacy_id::text);
  return null;
end
$$;

-- As the one without a pharmacy, which the last release calls.
create function priority_take_back(pharmacy uuid, visit uuid, source text, person uuid) returns void language sql as $$
  update priority_access_sessions as present
  set (status, place, on_the_way_at, arrived_at, acknowledged_at, called_at, called_by, ended_at, times_not_present,
      cools_until) = (
      select before.status, before.place, before.on_the_way_at, before.arrived_at,
        coalesce(before.acknowledged_at, present.acknowledged_at), before.called_at, before.called_by, before.ended_at,
        before.times_not_present, before.cools_until
      from jsonb_populate_record(null::priority_access_sessions, present.previous) as before
    ),
    previous = null, version = version + 1, changed_from = source, changed_by = person
  where pharmacy_id = pharmacy and id = visit and previous is not null
$$;

-- As before, and links and visits are found by the pharmacy too.
create or replace function priority_visit_of_order() returns trigger language plpgsql as $$
declare
  kept uuid;
begin
  if tg_op = 'UPDATE' and new.status = 'Annullato' and old.status <> 'Annullato' then
    update priority_access_sessions
    set status = 'cancelled', ended_at = now(), version = version + 1, changed_from = 'system', changed_by = null
    where pharmacy_id = old.pharmacy_id and airtable_order_id = old.airtable_order_id and ended_at is null;
  end if;
  if tg_op = 'UPDATE' and new.airtable_order_id <> old.airtable_order_id then
    -- Two orders may turn out to be one. The visit that has come further remains, with the links of both.
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
    update priority_links set visit_id = kept from replaced
    where pharmacy_id = old.pharmacy_id and visit_id = replaced.id;
  end if;
  if tg_op = 'UPDATE'
    and (new.airtable_order_id, new.order_number) is distinct from (old.airtable_order_id, old.order_number)
  then
    update priority_access_sessions
    set airtable_order_id = new.airtable_order_id, order_number = new.order_number
    where pharmacy_id = old.pharmacy_id and airtable_order_id = old.airtable_order_id;
  end if;
  if tg_op = 'UPDATE' and old.status = 'Annullato' and new.status <> 'Annullato' then
    -- Not one who waited on another day.
    perform priority_take_back(pharmacy_id, id, 'system', null)
    from (
      select * from priority_access_sessions
      where pharmacy_id = new.pharmacy_id and airtable_order_id = new.airtable_order_id
      order by status_changed_at desc
      limit 1
    ) as visit
    where status = 'cancelled' and changed_from = 'system' and expires_at > now() and (
      previous ->> 'status' in ('link_sent', 'on_the_way')
      or status_changed_at >= date_trunc('day', now() at time zone 'Europe/Rome') at time zone 'Europe/Rome'
    );
  end if;
  if tg_op = 'INSERT' or new.status <> old.status then
    insert into priority_access_sessions (
      pharmacy_id, airtable_order_id, order_number, user_name, user_phone, expires_at
    )
    select new.pharmacy_id, new.airtable_order_id, new.order_number, new.customer_name, new.customer_phone,
      now() + make_interval(days => settings.link_days)
    from priority_settings as settings join pharmacies as pharmacy on pharmacy.id = settings.pharmacy_id
    where settings.pharmacy_id = new.pharmacy_id and settings.issue_on_status = new.status
      and new.status <> 'Annullato' and pharmacy.features_enabled ? 'priority_access'
    on conflict (pharmacy_id, airtable_order_id) where ended_at is null do nothing;
  end if;
  return null;
end $$;
