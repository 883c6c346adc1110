-- Who can sign in, their sessions, and the keys that sign their tokens.

create table auth_users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  password_hash text,
  email_confirmed_at timestamptz,
  banned_until timestamptz,
  last_sign_in_at timestamptz,
  app_metadata jsonb not null default '{}',
  user_metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index auth_users__email_taken on auth_users (lower(email));

-- refresh_counter numbers the refresh tokens of a session: the highest one is the active one.
create table auth_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth_users (id) on delete cascade,
  aal text not null default 'aal1',
  amr jsonb not null default '[]',
  refresh_counter integer not null default 0,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  constraint auth_sessions__aal_known check (aal in ('aal1', 'aal2'))
);
create index auth_sessions__of_user on auth_sessions (user_id);

create table auth_refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references auth_sessions (id) on delete cascade,
  counter integer not null,
  issued_at timestamptz not null default now(),
  replaced_at timestamptz,
  constraint auth_refresh_tokens__counter_taken unique (session_id, counter)
);

-- private_jwk is encrypted with a key derived from APP_SECRET.
create table auth_signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  private_jwk bytea not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

create table admin_users (
  user_id uuid primary key references auth_users (id) on delete cascade,
  created_at timestamptz not null default now()
);
