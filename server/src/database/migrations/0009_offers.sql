-- Offers of products: what a pharmacy makes of them, what they cost and have cost, and who looks at them.

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

alter table pharmacies add constraint pharmacies__id_and_code unique (id, pharmacy_id);

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
  constraint product_offers__of_pharmacy foreign key (pharmacy_id, pharmacy_code)
    references pharmacies (id, pharmacy_id) on update cascade on delete cascade,
  constraint product_offers__category_known foreign key (category)
    references product_categories (name) on update cascade,
  constraint product_offers__prices check (offer_price > 0 and offer_price <= list_price),
  constraint product_offers__prior_price check (prior_price > 0),
  constraint product_offers__days check (end_date >= start_date),
  constraint product_offers__minsan_digits check (minsan ~ '^[0-9]{9}$')
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

-- Every price that was in force, by the terms it came from: from_at to to_at, null while they hold. On a day it is
-- the offer's price if the offer was active and the day one of its, and else the list price. Kept when the offer is
-- gone: product_key, its code or else its name, says what else is the same product.
create table offer_price_terms (
  id bigint generated always as identity primary key,
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  offer_id uuid not null,
  product_key text not null,
  list_price integer not null,
  offer_price integer not null,
  start_date date not null,
  end_date date,
  is_active boolean not null,
  from_at timestamptz not null default clock_timestamp(),
  to_at timestamptz
);
create unique index offer_price_terms__in_force on offer_price_terms (offer_id) where to_at is null;
create index offer_price_terms__of_offer on offer_price_terms (offer_id, from_at);
create index offer_price_terms__of_product on offer_price_terms (pharmacy_id, product_key);

create function offer_product_key(minsan text, product_name text) returns text
language sql immutable as $$
  select coalesce(minsan, lower(regexp_replace(btrim(product_name), '\s+', ' ', 'g')))
$$;

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
    update offer_price_terms set to_at = at where offer_id = old.id and to_at is null;
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

-- What a public page is made of has changed: of that pharmacy, or of all (no payload).
create function tell_of_offers() returns trigger language plpgsql as $$
begin
  perform pg_notify('offers_changed', coalesce(new.pharmacy_id, old.pharmacy_id)::text);
  return null;
end
$$;
create trigger product_offers__changed after insert or update or delete on product_offers
  for each row execute function tell_of_offers();

create function tell_of_public_pharmacy() returns trigger language plpgsql as $$
begin
  perform pg_notify('offers_changed', coalesce(new.id, old.id)::text);
  return null;
end
$$;
create trigger pharmacies__public_changed
  after insert or delete or update of pharmacy_id, name, phone, address, logo_url, is_active, max_offers, features_enabled
  on pharmacies
  for each row execute function tell_of_public_pharmacy();

create function tell_of_categories() returns trigger language plpgsql as $$
begin
  perform pg_notify('offers_changed', '');
  return null;
end
$$;
create trigger product_categories__changed after insert or update or delete on product_categories
  for each statement execute function tell_of_categories();

-- Who looks at a public page. visitor_ip is no address: a hash of address, browser and pharmacy with the salt of the
-- day, which is removed after it, so that nobody can be followed from one day to another.
create table visitor_salts (
  day date primary key,
  salt bytea not null
);

create table offer_page_views (
  id bigint generated always as identity primary key,
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  session_id text not null,
  visitor_ip text not null,
  user_agent text,
  referrer text,
  viewed_at timestamptz not null default clock_timestamp()
);
create index offer_page_views__of_pharmacy on offer_page_views (pharmacy_id, viewed_at);
create index offer_page_views__of_session on offer_page_views (pharmacy_id, session_id, viewed_at desc);

-- What they do there besides. offer_id is of an offer that may be gone; null where it is about none.
create table offer_events (
  id bigint generated always as identity primary key,
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  offer_id uuid,
  kind text not null,
  session_id text not null,
  visitor_ip text not null,
  happened_at timestamptz not null default clock_timestamp(),
  constraint offer_events__kind_known
    check (kind in ('offer_opened', 'whatsapp_tapped', 'call_tapped'))
);
create index offer_events__of_pharmacy on offer_events (pharmacy_id, happened_at);
