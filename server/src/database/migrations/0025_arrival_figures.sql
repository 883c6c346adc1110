-- Arrivals are counted as the report of priority access counts them, because analytics shows both: a visit once, also when
-- the customer was sent back and came again. Before, each time was an arrival.

-- The day on which a visit counts: that of its arrival, of a customer who was sent back that of the last one. Null without
-- an arrival, also when the customer took it back.
create function arrival_day(visit priority_access_sessions) returns date language sql stable as $$
  select rome_day(case
    when visit.arrived_at is not null then visit.arrived_at
    when visit.times_not_present > 0 then
      (select max(at) from priority_events where visit_id = visit.id and to_status = 'user_arrived')
  end)
$$;

-- Fires before priority_visit_changed, which adds the event of this change: so that of an old visit the last arrival is
-- still the old one. Old visits are deleted, and stay counted.
create or replace function analytics_of_arrival() returns trigger language plpgsql as $$
begin
  insert into analytics_changes (pharmacy_id, date, arrivals, called, not_present)
  select new.pharmacy_id, date, sum(sign), sum(sign * was_called::integer), sum(sign * was_absent::integer)
  from (values
    (arrival_day(new), 1, new.arrived_at is not null and new.called_at is not null,
      new.status = 'no_show' or new.times_not_present > 0),
    (case when tg_op = 'UPDATE' then arrival_day(old) end, -1, old.arrived_at is not null and old.called_at is not null,
      old.status = 'no_show' or old.times_not_present > 0)
  ) as side (date, sign, was_called, was_absent)
  where date is not null
  group by date
  having (sum(sign), sum(sign * was_called::integer), sum(sign * was_absent::integer)) is distinct from (0, 0, 0);
  return null;
end $$;

drop trigger priority_visit_analytics_changed on priority_access_sessions;
create trigger priority_visit_analytics_changed after update on priority_access_sessions
  for each row when (
    (new.arrived_at, new.called_at, new.status = 'no_show', new.times_not_present)
    is distinct from (old.arrived_at, old.called_at, old.status = 'no_show', old.times_not_present)
  )
  execute function analytics_of_arrival();

-- 0022 counted the visits that there were by their present arrival alone.
insert into analytics_changes (pharmacy_id, date, arrivals, not_present)
  select pharmacy_id, date, sum(missing), sum(absent)
  from (
    select visit.pharmacy_id, arrival_day(visit) as date, (visit.arrived_at is null)::integer as missing,
      (visit.arrived_at is null or visit.status <> 'no_show')::integer as absent
    from priority_access_sessions as visit where visit.times_not_present > 0
  ) as counted
  where date is not null
  group by 1, 2;
