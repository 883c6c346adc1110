-- Locks: none that others wait for.

alter table whatsapp_consents validate constraint whatsapp_consents__contact;
alter table whatsapp_inbound validate constraint whatsapp_inbound__contact;
alter table whatsapp_order_contacts validate constraint whatsapp_order_contacts__contact;
alter table whatsapp_outbox validate constraint whatsapp_outbox__contact;
