-- Locks: order_events, not against readers and writers; its rows are read once.
alter table order_events validate constraint order_events__kind_known;
