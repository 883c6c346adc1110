-- Sessions, and what leads to one: refresh tokens, challenges, links by mail, other services. Tokens are kept as hashes.

-- refresh_counter numbers the refresh tokens of a session: the highest one is the active one.
create table auth_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth_users (id) on delete cascade,
  aal text not null default 'aal1',
  amr jsonb not null default '[]',
  refresh_counter integer not null default 0,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  -- The factor that lifted the session to aal2: when that goes, it falls back. lifted_counter: the number of the
  -- first refresh token after that; those before are worth nothing. agent and address: of the browser that
  -- began it, or renewed it last.
  factor_id uuid references auth_factors (id) on delete set null,
  lifted_counter integer not null default 0,
  agent text,
  address text,
  constraint auth_sessions__aal_known check (aal in ('aal1', 'aal2'))
);
create index auth_sessions__of_user on auth_sessions (user_id);
create index auth_sessions__idle on auth_sessions (refreshed_at);
create index auth_sessions__of_factor on auth_sessions (factor_id) where factor_id is not null;

-- A session ended, or an account may do other things than before: every process must know at once. An
-- empty list of sessions means that there were too many to name.
create function notify_ended_sessions() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', case when count(*) <= 150 then json_agg(id)::text else '[]' end)
  from removed having count(*) > 0;
  return null;
end
$$;
create trigger auth_sessions__ended after delete on auth_sessions
  referencing old table as removed
  for each statement execute function notify_ended_sessions();

-- What a session may do depends on its level, and on whether there is a second factor.
create trigger auth_sessions__level after update of aal on auth_sessions
  for each row when (old.aal is distinct from new.aal)
  execute function notify_changed_row('account_changed', 'user_id');

create table auth_refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references auth_sessions (id) on delete cascade,
  counter integer not null,
  issued_at timestamptz not null default now(),
  replaced_at timestamptz,
  constraint auth_refresh_tokens__counter_taken unique (session_id, counter)
);
create index auth_refresh_tokens__replaced on auth_refresh_tokens (replaced_at)
  where replaced_at is not null;

-- Asked for before a code is shown, used once, and only from where it was asked for.
create table auth_challenges (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth_factors (id) on delete cascade,
  address text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index auth_challenges__of_factor on auth_challenges (factor_id);
create index auth_challenges__expired on auth_challenges (expires_at);

-- Sign-ins at a provider that have begun. browser_hash: of a cookie of the browser that began; only that browser may
-- finish. sealed: nonce and verifier, encrypted. link_user_id and link_session_id: the user who links the provider to
-- their account; null for a sign-in.
create table auth_external_flows (
  state_hash bytea primary key,
  browser_hash bytea not null,
  sealed bytea not null,
  provider text not null,
  redirect_to text not null,
  code_challenge text,
  link_user_id uuid references auth_users (id) on delete cascade,
  link_session_id uuid references auth_sessions (id) on delete cascade,
  expires_at timestamptz not null,
  constraint auth_external_flows__link_whole check (
      (link_user_id is null) = (link_session_id is null)
  )
);
create index auth_external_flows__expired on auth_external_flows (expires_at);
create index auth_external_flows__of_user on auth_external_flows (link_user_id);
create index auth_external_flows__of_session on auth_external_flows (link_session_id);

-- Codes that are exchanged for a session by the client that knows the verifier of code_challenge (PKCE, RFC 7636).
create table auth_flow_states (
  code_hash bytea primary key,
  user_id uuid not null references auth_users (id) on delete cascade,
  method text not null,
  code_challenge text not null,
  failures integer not null default 0,
  expires_at timestamptz not null,
  -- The session in which a provider was linked, which the exchange returns; null: the exchange begins a session.
  session_id uuid references auth_sessions (id) on delete cascade
);
create index auth_flow_states__of_user on auth_flow_states (user_id);
create index auth_flow_states__of_session on auth_flow_states (session_id)
  where session_id is not null;

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

-- private_jwk is encrypted with a key derived from APP_SECRET.
create table auth_signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz,
  -- A key is published before it signs, and verifies for a while after it has stopped.
  signs_from timestamptz not null default now()
);
