-- The history and the figures of a changed order are written for each row: a change of one status, which is the usual one,
-- ran seven statements over the transition tables and most of them found nothing. What is written stays the same.
-- Locks: pharmacy_orders against writers, for an instant; no rows are read.

create function keep_history_of_changed_order() returns trigger language plpgsql as $$
declare
  changed text[];
begin
  if old.status is distinct from new.status then
    insert into order_events (
      pharmacy_id, record_id, kind, source, user_id, session_id, from_status, to_status
    ) values (
      new.pharmacy_id, new.airtable_order_id, 'status', new.changed_from, new.changed_by, new.changed_in, old.status,
      new.status
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

drop trigger pharmacy_orders__history on pharmacy_orders;
create trigger pharmacy_orders__history after update on pharmacy_orders for each row
  when (
    (old.status, old.order_number, old.customer_name, old.customer_phone, old.address, old.order_details,
      old.image_url is null, old.image_ref)
    is distinct from
    (new.status, new.order_number, new.customer_name, new.customer_phone, new.address, new.order_details,
      new.image_url is null, new.image_ref)
  )
  execute function keep_history_of_changed_order();
drop trigger pharmacy_orders__analytics_changed on pharmacy_orders;
create trigger pharmacy_orders__analytics_changed after update on pharmacy_orders for each row
  when ((old.status, old.airtable_created) is distinct from (new.status, new.airtable_created))
  execute function analytics_of_changed_order();
drop function keep_order_history();
drop function analytics_of_changed_orders();
