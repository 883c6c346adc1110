-- Until when the staff have read what a customer wrote, so that they hear of what they have not.
-- Locks: whatsapp_contacts, for an instant.

alter table whatsapp_contacts add column read_at timestamptz;
