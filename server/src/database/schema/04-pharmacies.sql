-- Pharmacies with their plans, their staff and keys, their import from a file, and their purge.

-- max_offers: null for any number. price: euros.
create table subscription_plans (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  description text,
  max_offers integer default 10,
  price numeric(7, 2) not null default 0,
  features text[] not null default '{offers,whatsapp_integration}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint subscription_plans__max_offers_not_negative check (max_offers >= 0),
  constraint subscription_plans__price_not_negative check (price >= 0)
);
create unique index subscription_plans__name_taken on subscription_plans (lower(name));

-- The next code PHARM-0001. Numbers of failed attempts are not used again.
create sequence pharmacy_codes;

create table pharmacies (
  id uuid primary key references auth_users (id) on delete cascade,
  pharmacy_id text not null,
  name text not null,
  email text not null,
  phone text,
  address text,
  logo_url text,
  is_active boolean not null default true,
  max_offers integer default 10,
  features_enabled jsonb not null default '[]',
  airtable_base_id text,
  airtable_table_id text,
  use_supabase_orders boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- plan_valid_until: the last day of the plan; null for no end. deleted_at: hidden everywhere since then, and purged
  -- after 30 days.
  subscription_plan_id uuid,
  plan_valid_until date,
  deleted_at timestamptz,
  -- deleted_by: the administrator. No reference: the account may be gone before the pharmacy is.
  deleted_by uuid,
  -- use_supabase_orders is true exactly in the last two phases.
  orders_phase text not null default 'airtable',
  orders_phase_since timestamptz not null default now(),
  constraint pharmacies__max_offers_not_negative check (max_offers >= 0),
  constraint pharmacies__id_and_code unique (id, pharmacy_id),
  constraint pharmacies__orders_phase_known
    check (orders_phase in ('airtable', 'shadow', 'database', 'retired')),
  constraint pharmacies__orders_phase_agrees
    check (use_supabase_orders = (orders_phase in ('database', 'retired'))),
  constraint pharmacies__plan foreign key (subscription_plan_id) references subscription_plans (id)
);

-- Codes are looked up whatever their case.
create unique index pharmacies__code_taken on pharmacies (upper(pharmacy_id));
create index pharmacies__of_plan on pharmacies (subscription_plan_id);
create index pharmacies__deleted on pharmacies (deleted_at) where deleted_at is not null;

create trigger pharmacies__changed after update on pharmacies
  for each row when (old.* is distinct from new.*) execute function notify_changed_row('account_changed', 'id');
create trigger pharmacies__removed after delete on pharmacies
  for each row execute function notify_changed_row('account_changed', 'id');

create function use_pharmacy_code() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and upper(new.pharmacy_id) = upper(old.pharmacy_id) then return null; end if;
  insert into used_pharmacy_codes (code) values (upper(new.pharmacy_id));
  return null;
end $$;
create trigger pharmacies__code_used after insert or update of pharmacy_id on pharmacies
  for each row execute function use_pharmacy_code();

create trigger pharmacies__public_there after insert or delete on pharmacies
  for each row execute function notify_changed_row('offers_changed', 'id');
create trigger pharmacies__public_changed after update on pharmacies
  for each row when (
    (old.pharmacy_id, old.name, old.phone, old.address, old.logo_url, old.is_active, old.max_offers,
      old.features_enabled, old.deleted_at)
    is distinct from
    (new.pharmacy_id, new.name, new.phone, new.address, new.logo_url, new.is_active, new.max_offers,
      new.features_enabled, new.deleted_at)
  ) execute function notify_changed_row('offers_changed', 'id');

-- Both columns can be written, the switch or the phase, and the other one follows. A pharmacy that is switched to the
-- database keeps Airtable up to date, if it has a base; without one there is nothing to keep.
create function follow_orders_phase() returns trigger language plpgsql as $$
declare
  has_base boolean := coalesce(new.airtable_base_id <> '' and new.airtable_table_id <> '', false);
  is_switched boolean := case
    when tg_op = 'INSERT' then new.use_supabase_orders and new.orders_phase = 'airtable'
    else new.orders_phase = old.orders_phase and new.use_supabase_orders <> old.use_supabase_orders end;
begin
  if is_switched then
    new.orders_phase := case
      when not new.use_supabase_orders then 'airtable' when has_base then 'database' else 'retired' end;
  end if;
  new.use_supabase_orders := new.orders_phase in ('database', 'retired');
  if tg_op = 'INSERT' or new.orders_phase <> old.orders_phase then
    new.orders_phase_since := clock_timestamp();
  end if;
  return new;
end
$$;
create trigger pharmacies__orders_phase before insert or update on pharmacies
  for each row execute function follow_orders_phase();

-- key: a feature, with true or false, or 'max_offers', with a number or null for any number.
create table plan_deviations (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  key text not null,
  value jsonb not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (pharmacy_id, key)
);

-- A plan that ended stays in force for 14 more days, in Italian time.
create function is_plan_over(valid_until date) returns boolean language sql stable as $$
  select coalesce(valid_until + 14 < rome_day(now()), false)
$$;

-- The effective values of a pharmacy under a plan with these values: what it deviates in, else the plan's. Without a
-- plan in force it has no feature. Its limit of offers stays, because what is there is never removed.
create function entitlements(pharmacy uuid, plan_features text[], plan_max_offers integer, valid_until date)
returns table (features jsonb, max_offers integer) language sql stable as $$
  select
    case when is_plan_over(valid_until) then '[]' else (
      select coalesce(jsonb_agg(feature order by feature), '[]') from (
        select feature from unnest(plan_features) feature
        where not exists (select from plan_deviations d where d.pharmacy_id = pharmacy and d.key = feature)
        union
        select key from plan_deviations where pharmacy_id = pharmacy and value = 'true'
      ) granted
    ) end,
    case when exists (select from plan_deviations d where d.pharmacy_id = pharmacy and d.key = 'max_offers')
      then (
        select (d.value #>> '{}')::integer from plan_deviations d
        where d.pharmacy_id = pharmacy and d.key = 'max_offers'
      )
      else plan_max_offers end
$$;

-- The lock makes a change of the plan at the same time come before this or after it, never between.
create function compute_entitlements() returns trigger language plpgsql as $$
begin
  if new.subscription_plan_id is null then return new; end if;
  perform from subscription_plans where id = new.subscription_plan_id for share;
  select e.features, e.max_offers into new.features_enabled, new.max_offers
  from subscription_plans plan
  cross join lateral entitlements(new.id, plan.features, plan.max_offers, new.plan_valid_until) e
  where plan.id = new.subscription_plan_id;
  return new;
end $$;
create trigger pharmacies__entitlements before insert or update of subscription_plan_id, plan_valid_until on pharmacies
  for each row execute function compute_entitlements();

create function entitlements_of_plan_changed() returns trigger language plpgsql as $$
begin
  update pharmacies set plan_valid_until = plan_valid_until where subscription_plan_id = new.id;
  return null;
end $$;
create trigger subscription_plans__entitlements after update on subscription_plans
  for each row when ((old.features, old.max_offers) is distinct from (new.features, new.max_offers))
  execute function entitlements_of_plan_changed();

create function entitlements_of_pharmacy_changed() returns trigger language plpgsql as $$
begin
  update pharmacies set plan_valid_until = plan_valid_until where id = coalesce(new.pharmacy_id, old.pharmacy_id);
  return null;
end $$;
create trigger plan_deviations__entitlements after insert or update or delete on plan_deviations
  for each row execute function entitlements_of_pharmacy_changed();

-- Codes of all pharmacies there ever were. A printed code must never lead to another pharmacy.
create table used_pharmacy_codes (
  code text primary key,
  used_at timestamptz not null default now()
);

-- The colleagues of a pharmacy. Its own account, which has the pharmacy's id and is an owner, has no row here. A row stays
-- when a colleague leaves, because the history shows the name; then the account user_id may be gone.
create table pharmacy_members (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id uuid default gen_random_uuid(),
  user_id uuid not null,
  name text not null,
  role text not null,
  invited_by uuid,
  invited_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  removed_at timestamptz,
  primary key (pharmacy_id, id),
  constraint pharmacy_members__role_known check (role in ('owner', 'staff'))
);
create unique index pharmacy_members__one_pharmacy on pharmacy_members (user_id)
  where removed_at is null;
create index pharmacy_members__of_pharmacy on pharmacy_members (pharmacy_id);
create index pharmacy_members__of_user on pharmacy_members (user_id);

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

-- The name that users have given themselves, at most 100 characters of it; null without one.
create function own_name(metadata jsonb) returns text language sql immutable as $$
  select left(coalesce(
    case when jsonb_typeof(metadata -> 'full_name') = 'string' then seen_name(metadata ->> 'full_name') end,
    case when jsonb_typeof(metadata -> 'name') = 'string' then seen_name(metadata ->> 'name') end
  ), 100)
$$;

-- The name that a pharmacy sees of a user: the user's own, or else the one in the invitation. Null without both.
create function person_name(person uuid, pharmacy uuid) returns text language sql stable as $$
  select coalesce(
    (select own_name(user_metadata) from auth_users where id = person and deleted_at is null),
    (
      select name from pharmacy_members
      where user_id = person and pharmacy_id = pharmacy order by created_at desc, id limit 1
    )
  )
$$;

create trigger pharmacy_members__changed after insert or update or delete on pharmacy_members
  for each row execute function notify_changed_row('account_changed', 'user_id');

-- The screens of the pharmacy have its topic, not one of the person.
create trigger pharmacy_members__changed_there after insert or update or delete on pharmacy_members
  for each row execute function notify_changed_row('account_changed', 'pharmacy_id');

-- An invited colleague has confirmed the address: open lists of colleagues read again.
create function notify_arrived_colleague() returns trigger language plpgsql as $$
begin
  perform pg_notify('account_changed', pharmacy_id::text) from pharmacy_members
  where user_id = new.id and removed_at is null;
  return null;
end
$$;
create trigger auth_users__arrived after update of email_confirmed_at on auth_users
  for each row when (old.email_confirmed_at is null and new.email_confirmed_at is not null)
  execute function notify_arrived_colleague();

-- The email of a pharmacy follows that of its account while both are equal.
create function follow_account_email() returns trigger language plpgsql as $$
begin
  update pharmacies set email = new.email where id = new.id and lower(email) = lower(old.email);
  return null;
end
$$;
create trigger auth_users__email_moved after update of email on auth_users
  for each row when (old.email is distinct from new.email and new.email is not null)
  execute function follow_account_email();

-- What a pharmacy shows of itself on its public pages, besides its name, address and telephone number.
--
-- brand_color: #rrggbb. opening_week: the times of seven days, Monday first; null where they are not shown. closings:
-- days on which it stays closed. Both have the shapes of the contract. The logo stays in pharmacies.logo_url. One that is
-- an uploaded picture is in use (image_uses) by the holder 'logo:{pharmacy_id}'. prescription_terms_version: what an owner
-- has accepted, so that customers may add the codes of a prescription to the message of their order; null: they may not.
create table pharmacy_profiles (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  brand_color text,
  opening_week jsonb,
  closings jsonb not null default '[]',
  description text,
  map_url text,
  prescription_terms_version integer,
  updated_at timestamptz not null default now(),
  constraint pharmacy_profiles__brand_color check (brand_color ~ '^#[0-9a-f]{6}$'),
  constraint pharmacy_profiles__description_length check (char_length(description) <= 300)
);

-- Of a key only a hash is kept. One that was revoked stays, so that what it did can be told.
create table api_keys (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id uuid default gen_random_uuid(),
  name text not null,
  start text not null,
  key_hash bytea not null,
  made_by uuid,
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (pharmacy_id, id),
  constraint api_keys__hash_taken unique (key_hash)
);
create index api_keys__of_pharmacy on api_keys (pharmacy_id, created_at desc);

-- A key that is revoked counts no more, in any process: it ends as a session does.
create function notify_revoked_key() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', json_build_array(new.id)::text);
  return null;
end
$$;
create trigger api_keys__revoked after update of revoked_at on api_keys
  for each row when (old.revoked_at is distinct from new.revoked_at)
  execute function notify_revoked_key();

-- headings: of the columns of the file. ignored: the headings among them that no field has. request: of the call that
-- started it, for the audit log.
create table pharmacy_imports (
  id uuid primary key default gen_random_uuid(),
  state text not null default 'preview',
  headings text[] not null,
  ignored text[] not null,
  created_by uuid,
  started_by uuid,
  request jsonb,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint pharmacy_imports__state_known check (state in ('preview', 'running', 'done', 'cancelled'))
);
create index pharmacy_imports__newest on pharmacy_imports (created_at desc);

-- Two imports at a time could be about the same pharmacies.
create unique index pharmacy_imports__one_running on pharmacy_imports (state) where state = 'running';

-- cells: as sent, in the order of the headings. fields: those of them that are fields and not empty. outcome: expected,
-- until the row is done.
create table pharmacy_import_rows (
  import_id uuid not null references pharmacy_imports (id) on delete cascade,
  line integer not null,
  cells jsonb not null,
  fields jsonb not null,
  outcome text not null,
  is_done boolean not null default false,
  problems jsonb not null default '[]',
  changes text[] not null default '{}',
  primary key (import_id, line),
  constraint pharmacy_import_rows__outcome_known check (outcome in ('new', 'changed', 'same', 'refused'))
);
create index pharmacy_import_rows__waiting on pharmacy_import_rows (import_id, line) where not is_done;

-- The purge of a pharmacy. When it is finished pharmacy_id is null, and the row with its steps is the certificate: it
-- has no personal data. requested_by: null where the 30 days were over.
create table pharmacy_purges (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid,
  code text not null,
  deleted_at timestamptz not null,
  deleted_by uuid,
  requested_by uuid,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint pharmacy_purges__one_of_pharmacy unique (pharmacy_id),
  constraint pharmacy_purges__finished_whole check ((finished_at is null) = (pharmacy_id is not null))
);
create index pharmacy_purges__finished on pharmacy_purges (finished_at desc);

-- Stored files whose rows were removed, until their bytes are.
create table pharmacy_purge_files (
  purge_id uuid not null references pharmacy_purges (id) on delete cascade,
  key text not null,
  primary key (purge_id, key)
);

-- removed: the number of rows by their table, and of files.
create table pharmacy_purge_steps (
  purge_id uuid not null references pharmacy_purges (id) on delete cascade,
  step text not null,
  removed jsonb not null default '{}',
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (purge_id, step)
);
