-- Web Push, and what the processes of the realtime server know of each other.

-- How many times new orders came to a pharmacy. Not the id of the newest: of two that are written at the
-- same time the one with the lower id may be there last, and nobody would be told of it.
create table push_arrivals (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  times bigint not null,
  -- How many times customers arrived, as push_arrivals.times counts new orders, and up to which of them a device was told.
  customers bigint not null default 0
);

-- The key that push services know us by (VAPID, RFC 8292); its private half is encrypted.
create table push_keys (
  id boolean primary key default true,
  public_key text not null,
  private_key bytea not null,
  created_at timestamptz not null default now(),
  constraint push_keys__one check (id)
);

-- A device that wants to be told. It goes with the session that asked for it. told is up to which of the
-- arrivals of its pharmacy it was.
create table push_subscriptions (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references auth_sessions (id) on delete cascade,
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  told bigint not null,
  failures integer not null default 0,
  created_at timestamptz not null default now(),
  delivered_at timestamptz,
  told_customers bigint not null default 0,
  constraint push_subscriptions__endpoint_taken unique (endpoint)
);
create index push_subscriptions__of_pharmacy on push_subscriptions (pharmacy_id);
create index push_subscriptions__of_session on push_subscriptions (session_id);

-- Messages that are too large for a notification.
create unlogged table realtime_messages (
  id bigint generated always as identity primary key,
  body bytea not null,
  created_at timestamptz not null default now()
);
create index realtime_messages__old on realtime_messages (created_at);

-- Who is in a topic, in which process. Nothing of this outlives the processes: no need to log it.
create unlogged table realtime_nodes (
  id uuid primary key,
  seen_at timestamptz not null default now()
);

create unlogged table realtime_presences (
  topic text not null,
  node_id uuid not null references realtime_nodes (id) on delete cascade,
  key text not null,
  ref text not null,
  meta json not null,
  primary key (topic, key, ref)
);
create index realtime_presences__of_node on realtime_presences (node_id);
