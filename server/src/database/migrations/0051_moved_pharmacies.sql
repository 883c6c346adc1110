-- Where a pharmacy is that has moved to another server, by its code, which no other one ever gets: the address, without a
-- slash at the end.
-- Orders that a move has closed, which was killed, are open again when the pharmacy is activated.
-- Locks: used_pharmacy_codes, and pharmacies against writers, for an instant.

alter table used_pharmacy_codes add column moved_to text;

create function open_orders() returns trigger language plpgsql as $$
begin
  update pharmacy_order_counts set closed_until = null where pharmacy_id = new.id and closed_until is not null;
  return null;
end
$$;
create trigger pharmacies__activated after update of is_active on pharmacies
  for each row when (new.is_active and not old.is_active) execute function open_orders();
