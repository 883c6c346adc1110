-- Drops the indexes for what servers of the release before the last find by an id alone, but for that of orders: servers of the
-- last release join orders by it. A picture of an order is still found by the id of the order alone.
-- Locks: order_confirmations and order_images, for an instant each.

drop index concurrently if exists priority_access_sessions__until_next_release;
drop index concurrently if exists migration_items__until_next_release;
drop index concurrently if exists order_changes__until_next_release;
drop index concurrently if exists order_creations__until_next_release;
drop index concurrently if exists order_image_files__until_next_release;
drop index concurrently if exists whatsapp_contacts__until_next_release;
drop index concurrently if exists whatsapp_order_contacts__until_next_release;
drop index concurrently if exists whatsapp_outbox__until_next_release;
alter index if exists order_images__until_next_release rename to order_images__of_order;

create unique index concurrently if not exists order_confirmations__key on order_confirmations (pharmacy_id, order_id);
alter table order_confirmations drop constraint order_confirmations_pkey, add constraint order_confirmations_pkey primary key using index order_confirmations__key;
