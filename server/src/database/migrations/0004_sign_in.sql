-- What signing in needs beside a password: links and codes sent by mail, limits, a trail, newer keys.

alter table auth_users
  alter column email drop not null,
  add column is_anonymous boolean not null default false,
  add column invited_at timestamptz,
  add column confirmation_sent_at timestamptz,
  add column recovery_sent_at timestamptz,
  add column reauthentication_sent_at timestamptz,
  -- The address somebody wants instead, and which of the two has agreed so far.
  add column new_email text,
  add column new_email_confirmed_by text,
  add column email_change_sent_at timestamptz,
  add column deleted_at timestamptz,
  add constraint auth_users__email_there
    check (email is not null or is_anonymous or deleted_at is not null),
  add constraint auth_users__new_email_confirmed_by_known
    check (new_email_confirmed_by in ('current', 'new'));
create index auth_users__new_email on auth_users (lower(new_email)) where new_email is not null;
create index auth_users__newest on auth_users (created_at desc, id);

create index auth_sessions__idle on auth_sessions (refreshed_at);
create index auth_refresh_tokens__replaced on auth_refresh_tokens (replaced_at)
  where replaced_at is not null;

-- A key is published before it signs, and verifies for a while after it has stopped.
alter table auth_signing_keys add column signs_from timestamptz not null default now();

-- One of a kind for each user: asking again makes the earlier one worthless, but one asked for in the
-- PKCE flow, which only whoever asked can use, leaves a plain one alone. Hashes only: of 32 random
-- bytes for the link, keyed with a secret of the server's for the short code.
create table auth_one_time_tokens (
  user_id uuid not null references auth_users (id) on delete cascade,
  kind text not null,
  link_hash bytea not null,
  code_hash bytea not null,
  code_challenge text,
  pkce boolean not null generated always as (code_challenge is not null) stored,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (user_id, kind, pkce),
  constraint auth_one_time_tokens__link_taken unique (link_hash),
  constraint auth_one_time_tokens__kind_known check (kind in (
    'signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new',
    'reauthentication'
  ))
);
create index auth_one_time_tokens__expired on auth_one_time_tokens (expires_at);

-- A link was clicked; whoever knows the verifier of its challenge may have the session (RFC 7636).
create table auth_flow_states (
  code_hash bytea primary key,
  user_id uuid not null references auth_users (id) on delete cascade,
  method text not null,
  code_challenge text not null,
  failures integer not null default 0,
  expires_at timestamptz not null
);
create index auth_flow_states__of_user on auth_flow_states (user_id);

-- As rate-limiter-flexible wants it.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits__expired on rate_limits (expire);

-- Who did what to whose account. Keeps its rows when the account goes; they go after half a year.
create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  action text not null,
  user_id uuid,
  actor_id uuid,
  address text,
  details jsonb not null default '{}'
);
create index audit_events__of_user on audit_events (user_id, at desc);
create index audit_events__at on audit_events (at);
-- Whether an account was opened from there before.
create index audit_events__places on audit_events (user_id, address, at)
  where action = 'signed_in';
