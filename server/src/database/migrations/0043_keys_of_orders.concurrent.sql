-- Fills the column that was added, and builds the keys of orders, and of what belongs to an order, that begin with the
-- pharmacy. What the last release finds by an id alone, or names in 'on conflict', keeps an index without the pharmacy.

call fill_pharmacy_ids('order_image_files');
alter table order_image_files validate constraint order_image_files__of_pharmacy;

create unique index concurrently if not exists order_events__key on order_events (pharmacy_id, id);
alter table order_events drop constraint order_events_pkey, add constraint order_events_pkey primary key using index order_events__key;

create unique index concurrently if not exists order_changes__key on order_changes (pharmacy_id, order_id);
create unique index concurrently if not exists order_changes__until_next_release on order_changes (order_id);
create unique index concurrently if not exists order_creations__key on order_creations (pharmacy_id, order_id);
create unique index concurrently if not exists order_creations__until_next_release on order_creations (order_id);
create unique index concurrently if not exists order_images__key on order_images (pharmacy_id, order_id);
create unique index concurrently if not exists order_images__until_next_release on order_images (order_id);
create unique index concurrently if not exists whatsapp_order_contacts__key on whatsapp_order_contacts (pharmacy_id, order_id);
create unique index concurrently if not exists whatsapp_order_contacts__until_next_release on whatsapp_order_contacts (order_id);
create unique index concurrently if not exists order_image_files__key on order_image_files (pharmacy_id, key);
create unique index concurrently if not exists order_image_files__until_next_release on order_image_files (key);
create unique index concurrently if not exists pharmacy_orders__key on pharmacy_orders (pharmacy_id, id);
create unique index concurrently if not exists pharmacy_orders__until_next_release on pharmacy_orders (id);
