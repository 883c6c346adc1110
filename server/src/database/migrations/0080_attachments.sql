-- All attachments of an order are kept, and those that are no readable picture as they are. The last release knows one of an
-- order, in order_images: the others have a table of their own.
-- Locks: pharmacy_orders, order_images and order_image_files, for an instant.

-- As the order source lists them, where there are several or one is no picture; otherwise image_url and image_ref say all.
alter table pharmacy_orders add column attachments jsonb;

create table order_attachments (
  pharmacy_id uuid not null,
  order_id bigint not null,
  place integer not null,
  key text not null,
  content_type text not null,
  bytes integer not null,
  -- Null where the file is kept as it is.
  width integer,
  height integer,
  primary key (pharmacy_id, order_id, place),
  constraint order_attachments__not_the_first check (place > 1),
  constraint order_attachments__image foreign key (pharmacy_id, order_id)
    references order_images (pharmacy_id, order_id) on delete cascade,
  constraint order_attachments__file foreign key (pharmacy_id, key)
    references order_image_files (pharmacy_id, key)
);
create index order_attachments__kept on order_attachments (pharmacy_id, key);

-- They are copied again at night, while their links can still be renewed.
update order_images set state = 'waiting', tries = 0, reason = null
where state = 'refused' and reason in ('not_a_picture', 'unreadable', 'too_large', 'too_wide');
