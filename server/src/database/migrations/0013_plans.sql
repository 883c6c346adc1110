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
