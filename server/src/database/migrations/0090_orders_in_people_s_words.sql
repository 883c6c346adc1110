-- People change the prepared message of an order: a draft needs no code, and a code counts in any writing.

alter table whatsapp_inbound drop constraint whatsapp_inbound__draft_has_code;

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
    select id, pharmacy_id, airtable_created, regexp_split_to_array(upper(order_details), '[^A-Z0-9]+') as words
    from added where order_details ~* '\m[a-hj-np-z2-9]{6}\M' order by id
  loop
    -- The first order with the code of a message. A text may hold two messages.
    for code_offers in
      update offer_order_codes set order_id = ordered.id
      where order_id is null and pharmacy_id = ordered.pharmacy_id and code = any (ordered.words)
      returning offer_ids
    loop
      insert into visit_queue (pharmacy_id, happened_at, kind, offer_ids)
      values (ordered.pharmacy_id, ordered.airtable_created, 'ordered', code_offers);
    end loop;
  end loop;
  return null;
end
$$;
