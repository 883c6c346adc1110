-- What the pharmacy writes in the WhatsApp Business app belongs to its conversations, and any message of a customer can
-- become an order.

alter table whatsapp_inbound
  -- Written by the pharmacy to the contact, in the WhatsApp Business app.
  add column is_echo boolean not null default false,
  drop constraint whatsapp_inbound__draft_has_code,
  add constraint whatsapp_inbound__draft_has_code check (draft is null or draft = 'confirmed' or code is not null),
  add constraint whatsapp_inbound__echo_orders_nothing check (not is_echo or code is null and draft is null);
