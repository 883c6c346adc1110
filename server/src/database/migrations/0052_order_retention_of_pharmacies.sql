-- For how many days the orders of a pharmacy keep their customers' data, where it is not as long as the platform says; and
-- orders whose customer's data are not deleted before an owner releases them, for example because of a dispute.
-- Locks: pharmacies and pharmacy_orders against writers, for an instant; no rows are read.

create table order_retention_periods (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  order_days integer not null,
  constraint order_retention_periods__bounded check (order_days between 30 and 730)
);

-- reason may be about the customer. user_id, session_id: who holds the order.
create table order_holds (
  pharmacy_id uuid not null,
  order_id bigint not null,
  reason text not null,
  user_id uuid,
  session_id uuid,
  held_at timestamptz not null default now(),
  constraint order_holds_pkey primary key (pharmacy_id, order_id),
  constraint order_holds__of_order foreign key (pharmacy_id, order_id)
    references pharmacy_orders (pharmacy_id, id) on delete cascade
);
