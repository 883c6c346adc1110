-- What an account is kept safe with: a second factor, sign-in with another service, a trail that its owner
-- can read; and accounts of a pharmacy's colleagues.

-- What somebody shows beside their password. The secret is encrypted with a key derived from APP_SECRET;
-- last_step is the step of 30 seconds of the last code that was taken: none is taken twice.
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

-- For a lost telephone. Hashes, keyed with a secret of the server's. They go with the last factor.
create table auth_recovery_codes (
  user_id uuid not null references auth_users (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (user_id, code_hash)
);

-- Who somebody is at another service (OpenID Connect). The address with the password is not among them.
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

-- Somebody was led to the other service and has not come back yet. `browser_hash`: of what a cookie of the
-- browser holds that left, which alone may come back. `sealed`: nonce and verifier, encrypted. `link_user_id`
-- and `link_session_id`: who links it to their account; null for a sign-in.
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

-- The factor that lifted the session to aal2: when that goes, it falls back. lifted_counter: the number of the
-- first refresh token after that; those before are worth nothing. agent and address: of the browser that
-- began it, or renewed it last.
alter table auth_sessions
  add column factor_id uuid references auth_factors (id) on delete set null,
  add column lifted_counter integer not null default 0,
  add column agent text,
  add column address text;
create index auth_sessions__of_factor on auth_sessions (factor_id) where factor_id is not null;
alter table audit_events add column agent text;

-- What a session may do depends on its level, and on whether there is a second factor.
create trigger auth_sessions__level after update of aal on auth_sessions
  for each row when (old.aal is distinct from new.aal)
  execute function tell_of_changed_account('user_id');
create trigger auth_factors__verified after update of status on auth_factors
  for each row when (old.status is distinct from new.status)
  execute function tell_of_changed_account('user_id');
create trigger auth_factors__removed after delete on auth_factors
  for each row execute function tell_of_changed_account('user_id');

-- Who works at a pharmacy beside its own account, which has the pharmacy's id, is an owner and has no row
-- here. A row stays when somebody leaves: their name is in the history. Then user_id may be of nobody.
create table pharmacy_members (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  user_id uuid not null,
  name text not null,
  role text not null,
  invited_by uuid,
  invited_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  constraint pharmacy_members__role_known check (role in ('owner', 'staff'))
);
create unique index pharmacy_members__one_pharmacy on pharmacy_members (user_id)
  where removed_at is null;
create index pharmacy_members__of_pharmacy on pharmacy_members (pharmacy_id);
create index pharmacy_members__of_user on pharmacy_members (user_id);
create trigger pharmacy_members__changed after insert or update or delete on pharmacy_members
  for each row execute function tell_of_changed_account('user_id');
-- The screens of the pharmacy have its topic, not one of the person.
create trigger pharmacy_members__changed_there after insert or update or delete on pharmacy_members
  for each row execute function tell_of_changed_account('pharmacy_id');

-- Whoever was invited has come: who invited them sees it on the list that is open.
create function tell_of_arrived_colleague() returns trigger language plpgsql as $$
begin
  perform pg_notify('account_changed', pharmacy_id::text) from pharmacy_members
  where user_id = new.id and removed_at is null;
  return null;
end
$$;
create trigger auth_users__arrived after update of email_confirmed_at on auth_users
  for each row when (old.email_confirmed_at is null and new.email_confirmed_at is not null)
  execute function tell_of_arrived_colleague();

-- A name as others see it, in one line; null when nothing of it would be seen. Without what is not seen or
-- turns round what is, and not of joiners alone: the contract does the same (`seenName`).
create function seen_name(name text) returns text language sql immutable as $$
  select case when seen !~ '^[ \u034f\u200c\u200d\ufe00-\ufe0f]*$' then seen end
  from btrim(regexp_replace(
    regexp_replace(
      name,
      '[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0]',
      '', 'g'
    ),
    '[\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'
  )) as seen
$$;

-- What somebody calls themselves. Cut, since people give themselves their names.
create function own_name(metadata jsonb) returns text language sql immutable as $$
  select left(coalesce(
    case when jsonb_typeof(metadata -> 'full_name') = 'string' then seen_name(metadata ->> 'full_name') end,
    case when jsonb_typeof(metadata -> 'name') = 'string' then seen_name(metadata ->> 'name') end
  ), 100)
$$;

-- An account that is deleted, by whomever, works nowhere any more; what it did keeps its last name.
create function leave_pharmacy() returns trigger language plpgsql as $$
begin
  update pharmacy_members set removed_at = now(), name = coalesce(own_name(old.user_metadata), name)
  where user_id = old.id and removed_at is null;
  return null;
end
$$;
create trigger auth_users__left_pharmacy after delete on auth_users
  for each row execute function leave_pharmacy();
create trigger auth_users__left_pharmacy_softly after update of deleted_at on auth_users
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function leave_pharmacy();

-- With a pharmacy go the accounts of those who worked there: they lead nowhere, and their addresses are free.
-- That of an administrator leads elsewhere.
create function close_colleagues() returns trigger language plpgsql as $$
begin
  delete from auth_users where id in (
    select user_id from pharmacy_members where pharmacy_id = old.id and removed_at is null
    except select user_id from admin_users
  );
  return old;
end
$$;
create trigger pharmacies__colleagues before delete on pharmacies
  for each row execute function close_colleagues();

-- The pharmacy's address is that of its account until somebody gives it another.
create function follow_account_email() returns trigger language plpgsql as $$
begin
  update pharmacies set email = new.email where id = new.id and lower(email) = lower(old.email);
  return null;
end
$$;
create trigger auth_users__email_moved after update of email on auth_users
  for each row when (old.email is distinct from new.email and new.email is not null)
  execute function follow_account_email();

-- Who somebody is to their pharmacy: what they call themselves, or are called by whoever invited them. Null
-- for an account without a name.
create function person_name(person uuid, pharmacy uuid) returns text language sql stable as $$
  select coalesce(
    (select own_name(user_metadata) from auth_users where id = person and deleted_at is null),
    (
      select name from pharmacy_members
      where user_id = person and pharmacy_id = pharmacy order by created_at desc, id limit 1
    )
  )
$$;

-- Whoever linked another service to their account gets the session again that they linked it in.
alter table auth_flow_states
  add column session_id uuid references auth_sessions (id) on delete cascade;
create index auth_flow_states__of_session on auth_flow_states (session_id)
  where session_id is not null;

-- Whoever unlinks another service does not want to be let in by it: the address that is the same there and here
-- links it no more, and only they do, by hand.
alter table auth_users add column unlinked_providers text[] not null default '{}';
