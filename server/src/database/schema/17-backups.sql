-- Back-ups, and what a restored database still has to do.

-- A back-up, or the test of one. updated_at: a run that has not been updated for two minutes has ended with its process.
create table backup_runs (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  state text not null default 'running',
  started_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  finished_at timestamptz,
  bytes bigint not null default 0,
  problem text,
  constraint backup_runs__kind_known check (kind in ('backup', 'test')),
  constraint backup_runs__state_known check (state in ('running', 'done', 'failed')),
  constraint backup_runs__finished check ((state = 'running') = (finished_at is null))
);
create index backup_runs__newest on backup_runs (started_at desc);

-- One at a time, across all processes.
create unique index backup_runs__one on backup_runs (state) where state = 'running';

-- The keys whose recovery sheet was confirmed. The id is not secret; the key is not in the database.
create table backup_keys (
  key_id text primary key,
  confirmed_at timestamptz not null default now(),
  confirmed_by uuid references auth_users (id) on delete set null
);

-- How far the write-ahead log is in the target, and why not further. One row.
create table backup_archive (
  id boolean primary key default true check (id),
  archived_until timestamptz,
  problem text,
  updated_at timestamptz not null default now()
);

-- The problems that administrators were informed of by mail.
create table backup_alerts (
  problem text primary key,
  mailed_at timestamptz not null default now()
);

-- After a restore: pharmacies that were purged after the back-up. The server purges them again before it answers.
create table backup_erasures (
  purged_id uuid primary key,
  erased_at timestamptz not null
);

-- Erasures of customers that a restored database has to apply before its first request. A restore writes the rows.
-- customer_hash: HMAC-SHA-256 of the pharmacy and the telephone number.
create table backup_customer_erasures (
  owner_id uuid not null,
  customer_hash text not null,
  erased_at timestamptz not null,
  primary key (owner_id, customer_hash)
);
