-- Keys that begin with the pharmacy, of tables to which no other refers. Each is swapped in a statement of its own.
-- Locks: each of these tables, for an instant.

create unique index concurrently if not exists analytics_notes__key on analytics_notes (pharmacy_id, id);
alter table analytics_notes drop constraint analytics_notes_pkey, add constraint analytics_notes_pkey primary key using index analytics_notes__key;
create unique index concurrently if not exists api_keys__key on api_keys (pharmacy_id, id);
alter table api_keys drop constraint api_keys_pkey, add constraint api_keys_pkey primary key using index api_keys__key;
create unique index concurrently if not exists offer_price_terms__key on offer_price_terms (pharmacy_id, id);
alter table offer_price_terms drop constraint offer_price_terms_pkey, add constraint offer_price_terms_pkey primary key using index offer_price_terms__key;
create unique index concurrently if not exists order_exports__key on order_exports (pharmacy_id, id);
alter table order_exports drop constraint order_exports_pkey, add constraint order_exports_pkey primary key using index order_exports__key;
create unique index concurrently if not exists order_notes__key on order_notes (pharmacy_id, id);
alter table order_notes drop constraint order_notes_pkey, add constraint order_notes_pkey primary key using index order_notes__key;
create unique index concurrently if not exists order_views__key on order_views (pharmacy_id, id);
alter table order_views drop constraint order_views_pkey, add constraint order_views_pkey primary key using index order_views__key;
create unique index concurrently if not exists pharmacy_members__key on pharmacy_members (pharmacy_id, id);
alter table pharmacy_members drop constraint pharmacy_members_pkey, add constraint pharmacy_members_pkey primary key using index pharmacy_members__key;
create unique index concurrently if not exists reply_texts__key on reply_texts (pharmacy_id, id);
alter table reply_texts drop constraint reply_texts_pkey, add constraint reply_texts_pkey primary key using index reply_texts__key;
create unique index concurrently if not exists whatsapp_acceptances__key on whatsapp_acceptances (pharmacy_id, id);
alter table whatsapp_acceptances drop constraint whatsapp_acceptances_pkey, add constraint whatsapp_acceptances_pkey primary key using index whatsapp_acceptances__key;
create unique index concurrently if not exists whatsapp_consents__key on whatsapp_consents (pharmacy_id, id);
alter table whatsapp_consents drop constraint whatsapp_consents_pkey, add constraint whatsapp_consents_pkey primary key using index whatsapp_consents__key;
create unique index concurrently if not exists whatsapp_inbound__key on whatsapp_inbound (pharmacy_id, id);
alter table whatsapp_inbound drop constraint whatsapp_inbound_pkey, add constraint whatsapp_inbound_pkey primary key using index whatsapp_inbound__key;

-- What is unique within a pharmacy.
create unique index concurrently if not exists offer_price_terms__one_in_force on offer_price_terms (pharmacy_id, offer_id)
  where to_at is null;
drop index concurrently if exists offer_price_terms__in_force;
create unique index concurrently if not exists whatsapp_outbox__one_of_order
  on whatsapp_outbox (pharmacy_id, order_id, kind, occasion)
  where kind in ('ready', 'link', 'call') and state not in ('failed', 'held_back');
drop index concurrently if exists whatsapp_outbox__once_of_order;
create unique index concurrently if not exists whatsapp_outbox__one_of_answer
  on whatsapp_outbox (pharmacy_id, contact_id, occasion) where kind = 'answer';
drop index concurrently if exists whatsapp_outbox__once_of_answer;

-- Tables that are referred to, or whose rows the last release finds by an id alone: see the next file.
create unique index concurrently if not exists whatsapp_contacts__key on whatsapp_contacts (pharmacy_id, id);
create unique index concurrently if not exists whatsapp_contacts__until_next_release on whatsapp_contacts (id);
create unique index concurrently if not exists whatsapp_outbox__key on whatsapp_outbox (pharmacy_id, id);
create unique index concurrently if not exists whatsapp_outbox__until_next_release on whatsapp_outbox (id);
