-- Offers, the prices that they had, and the register of medicines.

create function offer_product_key(minsan text, product_name text) returns text
language sql immutable as $$
  select coalesce(minsan, lower(regexp_replace(btrim(product_name), '\s+', ' ', 'g')))
$$;

-- regulatory_class: what the law takes the products for; see the contract. Offers name their category, so that
-- one that is renamed is renamed everywhere, and one that has offers cannot be removed.
create table product_categories (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  description text,
  regulatory_class text not null default 'libero',
  position integer not null default 1000,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint product_categories__name_taken unique (name),
  constraint product_categories__class_known check (regulatory_class in (
      'medicinale_otc_sop', 'dispositivo_medico', 'omeopatico', 'veterinario', 'libero'
  ))
);
create unique index product_categories__name_taken_in_any_case on product_categories (lower(name));

create trigger product_categories__changed after insert or update or delete on product_categories
  for each statement execute function notify_changed_row('offers_changed');

insert into product_categories (name, regulatory_class, position) values
  ('Farmaci da banco', 'medicinale_otc_sop', 1),
  ('Integratori', 'libero', 2),
  ('Cosmetici', 'libero', 3),
  ('Igiene personale', 'libero', 4),
  ('Mamma e bambino', 'libero', 5),
  ('Veterinaria', 'veterinario', 6),
  ('Omeopatia', 'omeopatico', 7),
  ('Dispositivi medici', 'dispositivo_medico', 8),
  ('Altro', 'libero', 9);

-- Prices are cents. prior_price: what the pharmacy says was the lowest price of the 30 days before, who said so and
-- when. cloudinary_id: the public id of a picture that we keep, which the offer uses (image_uses) as 'offer:{id}'.
-- position: null where the pharmacy has not put the offer anywhere.
create table product_offers (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid not null,
  pharmacy_code text not null,
  product_name text not null,
  description text not null default '',
  category text not null,
  minsan text,
  list_price integer not null,
  offer_price integer not null,
  prior_price integer,
  prior_declared_by uuid,
  prior_declared_at timestamptz,
  start_date date not null,
  end_date date,
  is_active boolean not null default true,
  image_url text not null,
  cloudinary_id text,
  position integer,
  created_by uuid,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  constraint product_offers__prices check (offer_price > 0 and offer_price <= list_price),
  constraint product_offers__prior_price check (prior_price > 0),
  constraint product_offers__days check (end_date >= start_date),
  constraint product_offers__minsan_digits check (minsan ~ '^[0-9]{9}$'),
  constraint product_offers__prior_not_above_list check (prior_price <= list_price),
  constraint product_offers__of_pharmacy foreign key (pharmacy_id, pharmacy_code)
    references pharmacies (id, pharmacy_id) on update cascade on delete cascade,
  constraint product_offers__category_known foreign key (category)
    references product_categories (name) on update cascade
);
create index product_offers__newest on product_offers (pharmacy_id, created_at desc, id desc);
create index product_offers__of_category on product_offers (category);

-- However an offer goes, also with its pharmacy, it shows its picture no more.
create function release_offer_picture() returns trigger language plpgsql as $$
begin
  with released as (delete from image_uses where holder = 'offer:' || old.id returning public_id)
  update images set released_at = now() where public_id in (select public_id from released);
  return null;
end
$$;
create trigger product_offers__picture_released after delete on product_offers
  for each row execute function release_offer_picture();

create function keep_offer_prices() returns trigger language plpgsql as $$
declare
  at timestamptz := clock_timestamp();
begin
  if tg_op = 'UPDATE' and
    (old.list_price, old.offer_price, old.start_date, old.is_active) =
      (new.list_price, new.offer_price, new.start_date, new.is_active) and
    old.end_date is not distinct from new.end_date and
    offer_product_key(old.minsan, old.product_name) = offer_product_key(new.minsan, new.product_name)
  then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    update offer_price_terms set to_at = at
    where pharmacy_id = old.pharmacy_id and offer_id = old.id and to_at is null;
  end if;
  if tg_op <> 'DELETE' then
    insert into offer_price_terms (
      pharmacy_id, offer_id, product_key, list_price, offer_price, start_date, end_date, is_active, from_at
    ) values (
      new.pharmacy_id, new.id, offer_product_key(new.minsan, new.product_name),
      new.list_price, new.offer_price, new.start_date, new.end_date, new.is_active, at
    );
  end if;
  return null;
end
$$;
create trigger product_offers__prices_kept after insert or update or delete on product_offers
  for each row execute function keep_offer_prices();

create trigger product_offers__changed after insert or update or delete on product_offers
  for each row execute function notify_changed_row('offers_changed', 'pharmacy_id');
create trigger pharmacy_profiles__public_changed after insert or update or delete on pharmacy_profiles
  for each row execute function notify_changed_row('offers_changed', 'pharmacy_id');

-- Every price that was in force, by the terms it came from: from_at to to_at, null while they hold. On a day it is
-- the offer's price if the offer was active and the day one of its, and else the list price. Kept when the offer is
-- gone: product_key, its code or else its name, says what else is the same product.
create table offer_price_terms (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id bigint generated always as identity,
  offer_id uuid not null,
  product_key text not null,
  list_price integer not null,
  offer_price integer not null,
  start_date date not null,
  end_date date,
  is_active boolean not null,
  from_at timestamptz not null default clock_timestamp(),
  to_at timestamptz,
  primary key (pharmacy_id, id)
);
create index offer_price_terms__of_offer on offer_price_terms (offer_id, from_at);
create index offer_price_terms__of_product on offer_price_terms (pharmacy_id, product_key);

create unique index offer_price_terms__one_in_force on offer_price_terms (pharmacy_id, offer_id)
  where to_at is null;

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

-- Found by the names of packs, which tell whether a product may be a medicine.
create index medicines__name on medicines (lower(name));

-- Of each import that was accepted: the next one must not be much smaller.
create table medicine_imports (
  imported_at timestamptz primary key default now(),
  packs integer not null
);

-- Offers may have become unpublishable, or publishable again.
create trigger medicine_imports__changed after insert on medicine_imports
  for each statement execute function notify_changed_row('offers_changed');
