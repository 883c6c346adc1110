-- Days are those of Rome. Triggers tell the processes of changes by NOTIFY; a transaction tells the same only once.

-- The hash of the schema files that this database was made from (schema …), and the migrations that were applied since.
create table schema_migrations (
  name text primary key,
  applied_at timestamptz not null default now()
);

-- What the clocks in Rome show, and the time at which they show it.
create function rome_time(at timestamptz) returns timestamp language sql immutable parallel safe as $$
  select at at time zone 'Europe/Rome'
$$;

create function from_rome_time(shown timestamp) returns timestamptz language sql immutable parallel safe as $$
  select shown at time zone 'Europe/Rome'
$$;

create function rome_day(at timestamptz) returns date language sql immutable parallel safe as $$
  select rome_time(at)::date
$$;

create function rome_midnight(day date) returns timestamptz language sql immutable parallel safe as $$
  select from_rome_time(day::timestamp)
$$;

-- Sends a notification when a row was written. The trigger names the channel, and the column that is the payload; without
-- a row (a trigger for a statement) the payload is empty.
create function notify_changed_row() returns trigger language plpgsql as $$
begin
  perform pg_notify(tg_argv[0], coalesce(to_jsonb(new), to_jsonb(old)) ->> tg_argv[1]);
  return null;
end
$$;
