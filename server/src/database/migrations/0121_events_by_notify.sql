-- Events go by NOTIFY alone.
-- Locks: none but those of the dropped tables.

create or replace function notify_event(of_pharmacy uuid, on_channel text, content text) returns void language sql as $$
  select pg_notify(on_channel, content)
$$;
-- Nothing has been released that reads them.
-- squawk-ignore ban-drop-table
drop table event_log_leader;
-- squawk-ignore ban-drop-table
drop table event_log;
drop function events_way();
