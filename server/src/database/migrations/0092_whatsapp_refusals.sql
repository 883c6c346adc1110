-- Why Meta refuses messages, where the pharmacy can mend it, and when it did so last. Null since a message was delivered.
-- Locks: whatsapp_connections, for an instant.

alter table whatsapp_connections
  add column refusal text,
  add column refused_at timestamptz,
  add constraint whatsapp_connections__refusal_known
    check (refusal in ('payment', 'name', 'registration', 'restricted', 'policy')) not valid,
  add constraint whatsapp_connections__refusal_whole check ((refusal is null) = (refused_at is null)) not valid;
