-- The WhatsApp Business numbers of pharmacies, who writes to them, and the events that Meta sends.

-- One row for each pharmacy that has connected a number. token and pin are encrypted (AES-256-GCM) with the key key_id.
-- The row outlives a disconnection: the PIN of a number is needed when it is connected again.
-- revision increases with every change by a person or by an event of Meta, so that a check that began before is not
-- written over it.
create table whatsapp_connections (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  state text not null,
  revision integer not null default 1,
  waba_id text,
  account_name text,
  phone_number_id text,
  display_phone_number text,
  verified_name text,
  -- The user of the token at Meta, by whom Meta asks for the deletion of data.
  meta_user_id text,
  token bytea,
  pin bytea,
  key_id text,
  expires_at timestamptz,
  -- The smallest number of days before expires_at of which the pharmacy was told.
  expiry_told_days integer,
  quality text,
  messaging_limit text,
  name_status text,
  number_status text,
  is_on_business_app boolean not null default false,
  is_subscribed boolean not null default false,
  problem_step text,
  problem_kind text,
  connected_at timestamptz not null default now(),
  checked_at timestamptz,
  last_inbound_at timestamptz,
  constraint whatsapp_connections__state_known check (state in (
    'connected', 'pending_number', 'in_review', 'needs_reauth', 'offboarded', 'restricted', 'disconnected'
  )),
  constraint whatsapp_connections__token_ends_with_connection check (state <> 'disconnected' or token is null),
  constraint whatsapp_connections__problem_whole check ((problem_step is null) = (problem_kind is null))
);
-- An event is routed by its number to one pharmacy.
create unique index whatsapp_connections__one_of_number on whatsapp_connections (phone_number_id)
  where state <> 'disconnected';
create index whatsapp_connections__of_account on whatsapp_connections (waba_id) where state <> 'disconnected';
create index whatsapp_connections__of_meta_user on whatsapp_connections (meta_user_id) where meta_user_id is not null;

-- The people who write to a pharmacy. user_id is Meta's business-scoped user id; phone (E.164) may be hidden, and is
-- all that is known of people before their first message.
create table whatsapp_contacts (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  user_id text,
  phone text,
  name text,
  first_seen_at timestamptz not null default now(),
  last_inbound_at timestamptz,
  constraint whatsapp_contacts__of_user unique (pharmacy_id, user_id),
  constraint whatsapp_contacts__of_phone unique (pharmacy_id, phone),
  constraint whatsapp_contacts__identified check (user_id is not null or phone is not null)
);

-- What Meta has reported of each sent message. The reports come in any order: each has its own column, and the furthest
-- is the status.
create table whatsapp_deliveries (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  message_id text not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  error_code integer,
  reported_at timestamptz not null default now(),
  status text not null generated always as (
    case
      when read_at is not null then 'read'
      when delivered_at is not null then 'delivered'
      when failed_at is not null then 'failed'
      else 'sent'
    end
  ) stored,
  primary key (pharmacy_id, message_id)
);
create index whatsapp_deliveries__recent on whatsapp_deliveries (pharmacy_id, reported_at desc);
create index whatsapp_deliveries__old on whatsapp_deliveries (reported_at);

-- The webhooks as they were received, by the hash (SHA-256) of their bytes. body is emptied once it has been processed;
-- the hash is kept for as long as Meta repeats webhooks.
create table whatsapp_inbox (
  body_hash bytea primary key,
  body bytea,
  received_at timestamptz not null default now(),
  failures integer not null default 0
);
create index whatsapp_inbox__waiting on whatsapp_inbox (received_at) where body is not null;
create index whatsapp_inbox__old on whatsapp_inbox (received_at);

-- Events about numbers and accounts that no pharmacy has connected, counted by their id.
create table whatsapp_unrouted (
  meta_id text primary key,
  events bigint not null default 1,
  last_at timestamptz not null default now()
);

-- Requests of data deletion, by the code that Meta shows to the person who made them.
create table whatsapp_deletions (
  code text primary key,
  requested_at timestamptz not null default now(),
  connections integer not null
);
