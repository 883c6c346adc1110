-- A token for each Airtable base, and the webhook by which a base reports its changes, so that its pharmacies need not be
-- polled as often. Both are of a base and not of a pharmacy: Airtable gives rights and counts requests by base, and some
-- bases serve several pharmacies. Rows of bases that no pharmacy has any more are deleted by a job.
-- Locks: order_copies, for an instant.

create table airtable_tokens (
  base_id text primary key,
  -- Encrypted, with the key that key_id names.
  token bytea not null,
  key_id text not null,
  -- The same for bases with the same token: the beginning of its hash.
  fingerprint text not null,
  set_at timestamptz not null default now()
);

create table airtable_webhooks (
  base_id text primary key,
  -- In the address that Airtable pings.
  id uuid not null default gen_random_uuid() constraint airtable_webhooks__id_taken unique,
  state text not null default 'new'
    constraint airtable_webhooks__state check (state in ('new', 'waiting', 'active', 'no_scope', 'no_token', 'failed')),
  -- Airtable's id of it; null while there is none.
  webhook_id text,
  -- Encrypted, with the key that key_id names.
  mac_secret bytea,
  key_id text,
  -- The only table whose changes are reported; null for all of the base.
  table_id text,
  expires_at timestamptz,
  -- The next payload to be listed, and the next one at the last check.
  cursor bigint not null default 1,
  checked_cursor bigint not null default 1,
  checked_at timestamptz,
  check_at timestamptz not null default now(),
  -- When the last ping was received, and the time that Airtable gave it.
  pinged_at timestamptz,
  ping_time timestamptz
);
create index airtable_webhooks__due on airtable_webhooks (check_at);

-- When the base last reported a change.
alter table order_copies add column signalled_at timestamptz;
