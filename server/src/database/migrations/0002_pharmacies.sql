-- A pharmacy is the account that signs in for it: both have the same id.

create table pharmacies (
  id uuid primary key references auth_users (id) on delete cascade,
  pharmacy_id text not null,
  name text not null,
  email text not null,
  phone text,
  address text,
  logo_url text,
  is_active boolean not null default true,
  max_offers integer not null default 10,
  features_enabled jsonb not null default '[]',
  airtable_base_id text,
  airtable_table_id text,
  use_supabase_orders boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint pharmacies__max_offers_not_negative check (max_offers >= 0)
);
-- Codes are looked up whatever their case.
create unique index pharmacies__code_taken on pharmacies (upper(pharmacy_id));
