-- The keys of orders begin with the pharmacy, and so do all foreign keys to them.
-- Locks: the nine tables, for an instant; no rows are read.

-- In the order in which others lock them.
lock table pharmacy_orders, order_changes, order_creations, order_images, order_image_files, order_search,
  order_confirmations, whatsapp_outbox, whatsapp_order_contacts in access exclusive mode;

alter table order_changes drop constraint order_changes_order_id_fkey;
alter table order_confirmations drop constraint order_confirmations_order_id_fkey;
alter table order_creations drop constraint order_creations_order_id_fkey;
alter table order_images drop constraint order_images_order_id_fkey;
alter table order_search drop constraint order_search_order_id_fkey;
alter table whatsapp_order_contacts drop constraint whatsapp_order_contacts_order_id_fkey;
alter table whatsapp_outbox drop constraint whatsapp_outbox_order_id_fkey;
alter table order_images drop constraint order_images_key_fkey;

-- Not scanned: the valid constraint says it already.
-- squawk-ignore adding-not-nullable-field
alter table order_image_files alter column pharmacy_id set not null;
alter table order_image_files drop constraint order_image_files__of_pharmacy;

alter table order_changes
  drop constraint order_changes_pkey,
  add constraint order_changes_pkey primary key using index order_changes__key;
alter table order_creations
  drop constraint order_creations_pkey,
  add constraint order_creations_pkey primary key using index order_creations__key;
alter table order_images
  drop constraint order_images_pkey,
  add constraint order_images_pkey primary key using index order_images__key;
alter table whatsapp_order_contacts
  drop constraint whatsapp_order_contacts_pkey,
  add constraint whatsapp_order_contacts_pkey primary key using index whatsapp_order_contacts__key;
alter table order_image_files
  drop constraint order_image_files_pkey,
  add constraint order_image_files_pkey primary key using index order_image_files__key;
alter table pharmacy_orders
  drop constraint pharmacy_orders_pkey,
  add constraint pharmacy_orders_pkey primary key using index pharmacy_orders__key;

alter table order_changes add constraint order_changes__order
  foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade not valid;
alter table order_confirmations add constraint order_confirmations__order
  foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade not valid;
alter table order_creations add constraint order_creations__order
  foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade not valid;
alter table order_images add constraint order_images__order
  foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade not valid;
alter table order_search add constraint order_search__order
  foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade not valid;
alter table whatsapp_order_contacts add constraint whatsapp_order_contacts__order
  foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade not valid;
alter table whatsapp_outbox add constraint whatsapp_outbox__order
  foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade not valid;
alter table order_images add constraint order_images__file
  foreign key (pharmacy_id, key) references order_image_files (pharmacy_id, key) not valid;

-- As before, and found by the pharmacy too.
create or replace function order_search_changed() returns trigger language plpgsql as $$
begin
  update order_search kept
  set created = made.created, text = made.text, customer_key = made.customer_key,
    phone_key = made.phone_key
  from order_search_row(
    new.id, new.pharmacy_id, new.airtable_created, new.order_number, new.customer_name, new.customer_phone,
    new.address, new.order_details
  ) made
  where kept.pharmacy_id = new.pharmacy_id and kept.order_id = new.id;
  return null;
end
$$;

-- All columns are filled.
drop procedure fill_pharmacy_ids;
