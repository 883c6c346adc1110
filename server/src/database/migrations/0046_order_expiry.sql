-- The customer's data of an order can expire (docs/decisions/0068), which its history tells.
-- Locks: order_events, for an instant; no rows are read.
alter table order_events drop constraint order_events__kind_known;
alter table order_events add constraint order_events__kind_known
  check (kind in ('status', 'content', 'refused', 'conflict', 'gone', 'message', 'expired')) not valid;
