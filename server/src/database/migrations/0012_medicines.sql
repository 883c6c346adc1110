-- The register of medicines says which packs need a prescription. It is imported as a whole every day.
create table medicines (
  code text primary key,
  name text not null,
  pack text not null,
  supply text,
  is_authorised boolean not null,
  constraint medicines__code_digits check (code ~ '^[0-9]{9}$'),
  constraint medicines__supply_known
    check (supply in ('OTC', 'SOP', 'RR', 'RNR', 'RRL', 'RNRL', 'OSP', 'USPL', 'RMR'))
);

-- Of each import that was accepted: the next one must not be much smaller.
create table medicine_imports (
  imported_at timestamptz primary key default now(),
  packs integer not null
);
-- Offers may have become unpublishable, or publishable again.
create trigger medicine_imports__changed after insert on medicine_imports
  for each statement execute function tell_of_categories();
