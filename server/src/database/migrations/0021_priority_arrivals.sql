-- The code of a customer is given at the arrival. Given with the link, it was one of a thousand for all open links of a
-- pharmacy: customers who waited could share it, and the search for one that was left slowed down mass issuing.

drop function priority_code(uuid);
alter table priority_access_sessions alter column code drop not null;
update priority_access_sessions as visit set code = null
where ended_at is null and (
  status in ('link_sent', 'on_the_way')
  or exists (
    select from priority_access_sessions as other
    where other.pharmacy_id = visit.pharmacy_id and other.code = visit.code and other.ended_at is null
      and other.status in ('user_arrived', 'called') and other.id < visit.id
  )
);
create unique index priority_access_sessions__one_code
  on priority_access_sessions (pharmacy_id, code) where ended_at is null and code is not null;

-- Three digits that no other open visit of the pharmacy has; null when there are none. Each code is locked until the
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
update priority_access_sessions set code = priority_code(pharmacy_id, null)
where ended_at is null and code is null and status in ('user_arrived', 'called');

-- As before, and with the code. A customer who is sent back keeps it. That of a visit that had ended may be taken.
create or replace function priority_visit_changing() returns trigger language plpgsql as $$
begin
  new.status_version := old.status_version + 1;
  new.status_changed_at := now();
  -- priority_take_back empties it.
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

-- The links that customers got by the digits of their number. They do not replace those that were sent.
alter table priority_links add column is_unlocked boolean not null default false;

-- A visit follows its order: its record id and its number, which Airtable may give it later, its end when it is cancelled,
-- its return when that was a mistake, and its beginning when it gets the status that the pharmacy has chosen.
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
    update priority_links set visit_id = kept from replaced where visit_id = replaced.id;
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
    perform priority_take_back(id, 'system', null)
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

-- Looked at when the transaction ends: an order that replaces another one gets its record id after the removal of that.
create function priority_visit_of_removed_order() returns trigger language plpgsql as $$
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
drop trigger priority_visit_of_removed_order on pharmacy_orders;
create constraint trigger priority_visit_of_removed_order after delete on pharmacy_orders
  deferrable initially deferred for each row execute function priority_visit_of_removed_order();
