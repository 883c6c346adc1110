-- What a pharmacy shows of itself on its public pages, besides its name, address and telephone number.
--
-- brand_color: #rrggbb. opening_week: the times of seven days, Monday first; null where they are not shown. closings:
-- days on which it stays closed. Both have the shapes of the contract. The logo stays in pharmacies.logo_url. One that is
-- an uploaded picture is in use (image_uses) by the holder 'logo:{pharmacy_id}'.
create table pharmacy_profiles (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  brand_color text,
  opening_week jsonb,
  closings jsonb not null default '[]',
  description text,
  map_url text,
  updated_at timestamptz not null default now(),
  constraint pharmacy_profiles__brand_color check (brand_color ~ '^#[0-9a-f]{6}$'),
  constraint pharmacy_profiles__description_length check (char_length(description) <= 300)
);
create trigger pharmacy_profiles__public_changed after insert or update or delete on pharmacy_profiles
  for each row execute function tell_of_offers();

-- A picture that is no longer the logo is released, whichever way the logo is replaced or the pharmacy deleted.
create function release_logo() returns trigger language plpgsql as $$
begin
  with released as (
    delete from image_uses used using images image
    where used.holder = 'logo:' || old.id and image.public_id = used.public_id
      and (tg_op = 'DELETE' or image.url is distinct from new.logo_url)
    returning used.public_id
  )
  update images set released_at = now() where public_id in (select public_id from released);
  return null;
end
$$;
create trigger pharmacies__logo_released after delete or update of logo_url on pharmacies
  for each row execute function release_logo();
