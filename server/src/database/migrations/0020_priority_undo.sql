-- Every change of a visit by the staff can be taken back, and changes compare a version: a visit that was called, put back
-- and called again is in the same status, but the first desk must not take back the call of the second.

-- status_version counts the changes of the status. version counts also those of other facts: a customer who says where they
-- wait does not make a call fail. previous is the state before the present status; null when that was taken back.
alter table priority_access_sessions
  add column status_version integer not null default 1,
  add column status_changed_at timestamptz not null default now(),
  add column previous jsonb;
update priority_access_sessions set status_changed_at =
  coalesce(ended_at, greatest(issued_at, on_the_way_at, arrived_at, called_at, cools_until - interval '3 minutes'));
-- The customers who were sent back.
create index priority_access_sessions__not_present
  on priority_access_sessions (pharmacy_id, status_changed_at) where times_not_present > 0;

create function priority_visit_changing() returns trigger language plpgsql as $$
begin
  new.status_version := old.status_version + 1;
  new.status_changed_at := now();
  -- priority_take_back empties it.
  if new.previous is not distinct from old.previous then
    new.previous := jsonb_build_object(
      'status', old.status, 'place', old.place, 'on_the_way_at', old.on_the_way_at, 'arrived_at', old.arrived_at,
      'acknowledged_at', old.acknowledged_at, 'called_at', old.called_at, 'called_by', old.called_by,
      'ended_at', old.ended_at, 'times_not_present', old.times_not_present, 'cools_until', old.cools_until
    );
  end if;
  return new;
end $$;
create trigger priority_visit_changing before update on priority_access_sessions for each row
  when (new.status <> old.status) execute function priority_visit_changing();

-- Gives a visit the state before its present status back. An arrival that was acknowledged meanwhile stays so.
create function priority_take_back(visit uuid, source text, person uuid) returns void language sql as $$
  update priority_access_sessions as present
  set (status, place, on_the_way_at, arrived_at, acknowledged_at, called_at, called_by, ended_at, times_not_present,
      cools_until) = (
      select before.status, before.place, before.on_the_way_at, before.arrived_at,
        coalesce(before.acknowledged_at, present.acknowledged_at), before.called_at, before.called_by, before.ended_at,
        before.times_not_present, before.cools_until
      from jsonb_populate_record(null::priority_access_sessions, present.previous) as before
    ),
    previous = null, version = version + 1, changed_from = source, changed_by = person
  where id = visit and previous is not null
$$;

-- As before, and a visit that is taken back from its end is news.
create or replace function priority_visit_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.ended_at is not null and (tg_op = 'DELETE' or new.ended_at is not null) then
    return null;
  end if;
  if tg_op = 'DELETE' then
    perform pg_notify('priority_changed', old.pharmacy_id::text);
    return null;
  end if;
  if tg_op = 'INSERT' or new.status <> old.status then
    insert into priority_events (visit_id, from_status, to_status, source, user_id, desk)
    values (
      new.id, case when tg_op = 'UPDATE' then old.status end, new.status, new.changed_from, new.changed_by, new.called_by
    );
  end if;
  perform pg_notify('priority_changed', new.pharmacy_id::text);
  return null;
end $$;
