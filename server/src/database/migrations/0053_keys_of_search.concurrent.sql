-- The key of the search texts begins with the pharmacy, and orders have no index of the id alone: since the last release every
-- statement joins orders by pharmacy and id.
-- Locks: order_search, for an instant.

drop index concurrently if exists pharmacy_orders__until_next_release;

create unique index concurrently if not exists order_search__key on order_search (pharmacy_id, order_id);
alter table order_search drop constraint order_search_pkey, add constraint order_search_pkey primary key using index order_search__key;
