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

-- Like NOTIFY, a transaction tells the same only once.
create function notify_event(of_pharmacy uuid, on_channel text, content text) returns void language sql as $$
  select pg_notify(on_channel, content)
$$;
