-- Indexes that the new keys replace, and the scans for the new foreign keys.
-- Locks: none that others wait for.

drop index concurrently if exists order_changes__of_pharmacy;
drop index concurrently if exists order_creations__of_pharmacy;
drop index concurrently if exists order_images__of_pharmacy;
drop index concurrently if exists whatsapp_order_contacts__of_pharmacy;
alter table order_changes validate constraint order_changes__order;
alter table order_confirmations validate constraint order_confirmations__order;
alter table order_creations validate constraint order_creations__order;
alter table order_images validate constraint order_images__order;
alter table order_search validate constraint order_search__order;
alter table whatsapp_order_contacts validate constraint whatsapp_order_contacts__order;
alter table whatsapp_outbox validate constraint whatsapp_outbox__order;
alter table order_images validate constraint order_images__file;
