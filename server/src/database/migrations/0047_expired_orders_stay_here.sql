-- An order that was made while the orders were in the database only, and whose customer's data have expired since
-- (docs/decisions/0068), is not made in Airtable when the pharmacy goes back to it: its record would be empty.
-- Locks: none.

create or replace function follow_order_store() returns trigger language plpgsql as $$
begin
  if (old.orders_phase = 'retired', old.airtable_base_id, old.airtable_table_id)
    is distinct from (new.orders_phase = 'retired', new.airtable_base_id, new.airtable_table_id) then
    update order_copies set changed_until = null, records = null, counted_at = null
    where pharmacy_id = new.id;
  end if;
  if old.orders_phase = 'retired' and new.orders_phase <> 'retired'
    and new.airtable_base_id <> '' and new.airtable_table_id <> '' then
    insert into order_changes (pharmacy_id, order_id, status, stored_status, stored_last)
    select o.pharmacy_id, o.id, o.status, before.from_status, o.airtable_last
    from pharmacy_orders o
    cross join lateral (
      select from_status from order_events e
      where e.pharmacy_id = o.pharmacy_id and e.record_id = o.airtable_order_id and e.kind = 'status'
        and e.at >= old.orders_phase_since
      order by e.id limit 1
    ) before
    where o.pharmacy_id = new.id and o.status_changed_at >= old.orders_phase_since
      and before.from_status <> o.status
    on conflict do nothing;
    update order_creations creation set kept_here = false
    where creation.pharmacy_id = new.id and creation.kept_here and creation.created_at >= old.orders_phase_since
      and exists (
        select from pharmacy_orders o
        where o.pharmacy_id = creation.pharmacy_id and o.id = creation.order_id and num_nonnulls(
          o.customer_name, o.customer_phone, o.address, o.order_details, o.image_url
        ) > 0
      );
  end if;
  -- From these phases on the poller reads also while no page is open.
  if new.orders_phase in ('shadow', 'database')
    and new.airtable_base_id <> '' and new.airtable_table_id <> '' then
    insert into order_copies (pharmacy_id, base_id, table_id)
    values (new.id, new.airtable_base_id, new.airtable_table_id)
    on conflict do nothing;
  end if;
  return null;
end
$$;
