-- Accounts: addresses and passwords, services that sign people in, second factors.

create table auth_users (
  id uuid primary key default gen_random_uuid(),
  email text,
  password_hash text,
  email_confirmed_at timestamptz,
  banned_until timestamptz,
  last_sign_in_at timestamptz,
  app_metadata jsonb not null default '{}',
  user_metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  is_anonymous boolean not null default false,
  invited_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  reauthentication_sent_at timestamptz,
  -- new_email: the address that the user wants instead. new_email_confirmed_by: which of both addresses has agreed so far.
  new_email text,
  new_email_confirmed_by text,
  email_change_sent_at timestamptz,
  deleted_at timestamptz,
  -- The sign-in providers that the user has unlinked. An equal address does not link one of them again; the user can.
  unlinked_providers text[] not null default '{}',
  constraint auth_users__email_there
    check (email is not null or is_anonymous or deleted_at is not null),
  constraint auth_users__new_email_confirmed_by_known
    check (new_email_confirmed_by in ('current', 'new'))
);
create unique index auth_users__email_taken on auth_users (lower(email));
create index auth_users__new_email on auth_users (lower(new_email)) where new_email is not null;
create index auth_users__newest on auth_users (created_at desc, id);

create trigger auth_users__shut_out after update of banned_until, deleted_at on auth_users
  for each row when (
    old.banned_until is distinct from new.banned_until or old.deleted_at is distinct from new.deleted_at
  ) execute function notify_changed_row('account_changed', 'id');

create table admin_users (
  user_id uuid primary key references auth_users (id) on delete cascade,
  created_at timestamptz not null default now()
);

create trigger admin_users__changed after insert or delete on admin_users
  for each row execute function notify_changed_row('account_changed', 'user_id');

-- The identities of users at sign-in providers (OpenID Connect). Sign-in by password has no row here.
create table auth_identities (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth_users (id) on delete cascade,
  provider text not null,
  subject text not null,
  email text,
  identity_data jsonb not null default '{}',
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint auth_identities__subject_taken unique (provider, subject)
);
create index auth_identities__of_user on auth_identities (user_id);

-- The second factors of users. The secret is encrypted with a key derived from APP_SECRET;
-- last_step is the 30-second step of the last accepted code: no code is accepted twice.
create table auth_factors (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth_users (id) on delete cascade,
  friendly_name text,
  factor_type text not null default 'totp',
  status text not null default 'unverified',
  secret bytea not null,
  last_step bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_challenged_at timestamptz,
  constraint auth_factors__type_known check (factor_type = 'totp'),
  constraint auth_factors__status_known check (status in ('unverified', 'verified'))
);
create index auth_factors__of_user on auth_factors (user_id);
create unique index auth_factors__name_taken on auth_factors (user_id, lower(friendly_name))
  where friendly_name is not null;

create trigger auth_factors__verified after update of status on auth_factors
  for each row when (old.status is distinct from new.status)
  execute function notify_changed_row('account_changed', 'user_id');
create trigger auth_factors__removed after delete on auth_factors
  for each row execute function notify_changed_row('account_changed', 'user_id');

-- For a lost telephone. Hashes, keyed with a secret of the server's. They go with the last factor.
create table auth_recovery_codes (
  user_id uuid not null references auth_users (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, code_hash)
);
