-- A pharmacy goes to another server by an export and an import: what moved one that works is dropped.
-- Locks: pharmacies, used_pharmacy_codes and pharmacy_order_counts, for an instant.

drop trigger pharmacies__activated on pharmacies;
drop function open_orders();
-- Nothing has been released that reads them.
-- squawk-ignore ban-drop-column
alter table used_pharmacy_codes drop column moved_to;

create or replace function pharmacy_orders_added() returns trigger language plpgsql as $$
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
      version = kept.version + 1;
    perform tell_of_orders(new_orders.pharmacy_id, 'added', new_orders.ids);
  end loop;
  return null;
end
$$;

create or replace function pharmacy_orders_changed() returns trigger language plpgsql as $$
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
    where kept.pharmacy_id = change.pharmacy_id;
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
    where kept.pharmacy_id = gone.pharmacy_id;
    perform tell_of_orders(gone.pharmacy_id, 'removed', gone.ids);
  end loop;
  return null;
end
$$;

-- squawk-ignore ban-drop-column
alter table pharmacy_order_counts drop column closed_until;
