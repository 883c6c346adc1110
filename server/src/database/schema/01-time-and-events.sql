-- Days are those of Rome. Triggers tell the processes of changes by NOTIFY; a transaction tells the same only once.

-- The hash of the schema files that this database was made from (schema …), and the migrations that were applied since.
create table schema_migrations (
  name text primary key,
  applied_at timestamptz not null default now()
);

create function rome_day(at timestamptz) returns date language sql immutable parallel safe as $$
  select (at at time zone 'Europe/Rome')::date
$$;

create function rome_midnight(day date) returns timestamptz language sql immutable parallel safe as $$
  select day::timestamp at time zone 'Europe/Rome'
$$;

-- Sends a notification when a row was written. The trigger names the channel, and the column that is the payload; without
-- a row (a trigger for a statement) the payload is empty.
create function notify_changed_row() returns trigger language plpgsql as $$
begin
  perform pg_notify(tg_argv[0], coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[1]);
  return null;
end
$$;
