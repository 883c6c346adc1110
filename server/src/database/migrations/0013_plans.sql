-- Subscription plans, and what pharmacies deviate in from theirs.
--
-- The columns max_offers and features_enabled of a pharmacy hold its effective values, computed by triggers whenever
-- the plan, the deviations or the end of the plan change: the value of the pharmacy, else that of its plan. A pharmacy
-- without a plan keeps what was written there.

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

-- Codes of all pharmacies there ever were. A printed code must never lead to another pharmacy.
create table used_pharmacy_codes (
  code text primary key,
  used_at timestamptz not null default now()
);
insert into used_pharmacy_codes (code) select upper(pharmacy_id) from pharmacies;

create function use_pharmacy_code() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and upper(new.pharmacy_id) = upper(old.pharmacy_id) then return null; end if;
  insert into used_pharmacy_codes (code) values (upper(new.pharmacy_id));
  return null;
end $$;
create trigger pharmacies__code_used after insert or update of pharmacy_id on pharmacies
  for each row execute function use_pharmacy_code();

-- plan_valid_until: the last day of the plan; null for no end. deleted_at: hidden everywhere since then, and purged
-- after 30 days.
alter table pharmacies
  add column subscription_plan_id uuid,
  add column plan_valid_until date,
  add column deleted_at timestamptz,
  alter column max_offers drop not null,
  add constraint pharmacies__plan foreign key (subscription_plan_id) references subscription_plans (id);
create index pharmacies__of_plan on pharmacies (subscription_plan_id);

-- key: a feature, with true or false, or 'max_offers', with a number or null for any number.
create table plan_deviations (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  key text not null,
  value jsonb not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (pharmacy_id, key)
);

-- The next number follows the codes that are there.
select setval('pharmacy_codes', max(substring(code from 7)::bigint))
from used_pharmacy_codes where code ~ '^PHARM-[0-9]{4,6}$' and code !~ '^PHARM-0+$' having count(*) > 0;

-- A plan that ended stays in force for 14 more days, in Italian time.
create function is_plan_over(valid_until date) returns boolean language sql stable as $$
  select coalesce(valid_until + 14 < (now() at time zone 'Europe/Rome')::date, false)
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

-- By what has changed, not by what a statement names: triggers compute columns that it does not name.
drop trigger pharmacies__public_changed on pharmacies;
create trigger pharmacies__public_there after insert or delete on pharmacies
  for each row execute function tell_of_public_pharmacy();
create trigger pharmacies__public_changed after update on pharmacies
  for each row when (
    (old.pharmacy_id, old.name, old.phone, old.address, old.logo_url, old.is_active, old.max_offers,
      old.features_enabled, old.deleted_at)
    is distinct from
    (new.pharmacy_id, new.name, new.phone, new.address, new.logo_url, new.is_active, new.max_offers,
      new.features_enabled, new.deleted_at)
  ) execute function tell_of_public_pharmacy();
