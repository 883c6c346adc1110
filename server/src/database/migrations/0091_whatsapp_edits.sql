-- Customers edit and delete messages, and react to them: about_message_id is the message of that, by Meta's id.
-- Locks: whatsapp_inbound, for an instant.

alter table whatsapp_inbound add column about_message_id text;
