-- The keys of contacts and messages begin with the pharmacy, and so do the foreign keys to contacts. Functions name it too.
-- Locks: the five tables, for an instant; no rows are read.

lock table whatsapp_outbox, whatsapp_contacts, whatsapp_consents, whatsapp_inbound, whatsapp_order_contacts
  in access exclusive mode;

alter table whatsapp_consents drop constraint whatsapp_consents_contact_id_fkey;
alter table whatsapp_inbound drop constraint whatsapp_inbound_contact_id_fkey;
alter table whatsapp_order_contacts drop constraint whatsapp_order_contacts_contact_id_fkey;
alter table whatsapp_outbox drop constraint whatsapp_outbox_contact_id_fkey;
alter table whatsapp_contacts
  drop constraint whatsapp_contacts_pkey,
  add constraint whatsapp_contacts_pkey primary key using index whatsapp_contacts__key;
alter table whatsapp_outbox
  drop constraint whatsapp_outbox_pkey,
  add constraint whatsapp_outbox_pkey primary key using index whatsapp_outbox__key;
alter table whatsapp_consents add constraint whatsapp_consents__contact
  foreign key (pharmacy_id, contact_id) references whatsapp_contacts (pharmacy_id, id) on delete cascade not valid;
alter table whatsapp_inbound add constraint whatsapp_inbound__contact
  foreign key (pharmacy_id, contact_id) references whatsapp_contacts (pharmacy_id, id) on delete cascade not valid;
alter table whatsapp_order_contacts add constraint whatsapp_order_contacts__contact
  foreign key (pharmacy_id, contact_id) references whatsapp_contacts (pharmacy_id, id) on delete cascade not valid;
alter table whatsapp_outbox add constraint whatsapp_outbox__contact
  foreign key (pharmacy_id, contact_id) references whatsapp_contacts (pharmacy_id, id) on delete cascade not valid;

-- As before, and the job knows the pharmacy.
create or replace function whatsapp_enqueue(
  pharmacy uuid, order_row bigint, kind text, occasion text, seconds integer, lifetime interval
) returns void language plpgsql as $$
declare
  added uuid;
begin
  insert into whatsapp_outbox (pharmacy_id, order_id, kind, occasion, is_automatic, due_at, expires_at)
  values (
    pharmacy, order_row, kind, occasion, true,
    clock_timestamp() + make_interval(secs => seconds), clock_timestamp() + lifetime
  )
  on conflict do nothing returning id into added;
  if added is not null then
    perform graphile_worker.add_job(
      'whatsapp.send', json_build_object('pharmacyId', pharmacy, 'messageId', added), job_key := 'whatsapp.send:' || added,
      run_at := clock_timestamp() + make_interval(secs => seconds)
    );
  end if;
end $$;

-- As before, and messages are found by the pharmacy too.
create or replace function whatsapp_order_changed() returns trigger language plpgsql as $$
begin
  delete from whatsapp_outbox
  where pharmacy_id = new.pharmacy_id and order_id = new.id and state in ('queued', 'held_back') and kind in ('ready', 'link')
    and (is_automatic or new.status = 'Annullato');
  perform whatsapp_enqueue(new.pharmacy_id, new.id, 'ready', '', 30, interval '2 days')
  from whatsapp_message_settings
  where pharmacy_id = new.pharmacy_id and is_on and ready_status = new.status and new.status <> 'Annullato'
    -- Not what a reading of the order store finds long after.
    and new.airtable_last > now() - interval '2 hours';
  return null;
end $$;

create or replace function whatsapp_visit_changed() returns trigger language plpgsql as $$
begin
  if old.status = 'called' then
    delete from whatsapp_outbox as message using pharmacy_orders as called
    where called.pharmacy_id = new.pharmacy_id and called.airtable_order_id = new.airtable_order_id
      and message.pharmacy_id = called.pharmacy_id and message.order_id = called.id and message.kind = 'call' and message.state = 'queued';
  end if;
  if new.status = 'called' then
    perform whatsapp_enqueue(
      new.pharmacy_id, called.id, 'call', new.id || ' ' || new.status_version, 12, interval '10 minutes'
    )
    from whatsapp_message_settings as settings
    join pharmacy_orders as called on called.pharmacy_id = settings.pharmacy_id
    where settings.pharmacy_id = new.pharmacy_id and settings.is_on and settings.sends_calls
      and called.airtable_order_id = new.airtable_order_id;
  end if;
  return null;
end $$;

-- As before, and prices are found by the pharmacy too.
create or replace function keep_offer_prices() returns trigger language plpgsql as $$
declare
  at timestamptz := clock_timestamp();
begin
  if tg_op = 'UPDATE' and
    (old.list_price, old.offer_price, old.start_date, old.is_active) =
      (new.list_price, new.offer_price, new.start_date, new.is_active) and
    old.end_date is not distinct from new.end_date and
    offer_product_key(old.minsan, old.product_name) = offer_product_key(new.minsan, new.product_name)
  then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    update offer_price_terms set to_at = at
    where pharmacy_id = old.pharmacy_id and offer_id = old.id and to_at is null;
  end if;
  if tg_op <> 'DELETE' then
    insert into offer_price_terms (
      pharmacy_id, offer_id, product_key, list_price, offer_price, start_date, end_date, is_active, from_at
    ) values (
      new.pharmacy_id, new.id, offer_product_key(new.minsan, new.product_name),
      new.list_price, new.offer_price, new.start_date, new.end_date, new.is_active, at
    );
  end if;
  return null;
end
$$;
