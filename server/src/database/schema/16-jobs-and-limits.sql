-- What the processes share about jobs, limits of rates and requests to outside services.

-- The workers of the job queue that live: what one that died had taken is set free.
create table job_workers (
  worker_id text primary key,
  seen_at timestamptz not null default now()
);

-- As rate-limiter-flexible wants it.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits__expired on rate_limits (expire);

-- The pace of requests to an outside service, shared by all processes. A request holds a place of each
-- pace it goes by until a while after it was answered, so that no more arrive there within that while than
-- there are places, however long each is on its way. A place of a process that died comes free by itself.
create unlogged table request_places (
  id uuid not null,
  key text not null,
  held_until timestamptz not null,
  primary key (id, key)
);
create index request_places__of_key on request_places (key, held_until);

-- Takes a place in every pace, or in none: then it says in how many milliseconds there may be one, or
-- for how many there is silence. A pace has a place while fewer than its `most` are held.
create function take_request_place(keys text[], most integer[], hold interval)
returns table (place uuid, wait_ms integer, silent_ms integer) language plpgsql as $$
declare
  at timestamptz;
  until timestamptz;
begin
  -- In the order given, the same for everybody: nobody waits for somebody who waits for them.
  for i in 1 .. cardinality(keys) loop
    perform pg_advisory_xact_lock(hashtextextended(keys[i], 0));
  end loop;
  at := clock_timestamp();
  select max(silent_until) into until from request_silences where key = any (keys);
  if until > at then
    return query select null::uuid, null::integer, ceil(extract(epoch from until - at) * 1000)::integer;
    return;
  end if;
  delete from request_places where key = any (keys) and held_until <= at;
  select max(nth.held_until) into until
  from unnest(keys, most) as pace (key, most)
  cross join lateral (
    select held.held_until from request_places held where held.key = pace.key
    order by held.held_until desc offset pace.most - 1 limit 1
  ) nth;
  if until is not null then
    return query select null::uuid, ceil(extract(epoch from until - at) * 1000)::integer, null::integer;
    return;
  end if;
  place := gen_random_uuid();
  insert into request_places (id, key, held_until) select place, key, at + hold from unnest(keys) as key;
  return next;
end
$$;

-- Until when an outside service asked to be left alone.
create table request_silences (
  key text primary key,
  silent_until timestamptz not null
);
