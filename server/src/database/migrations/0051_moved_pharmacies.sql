-- Where a pharmacy is that has moved to another server, by its code, which no other one ever gets: the address, without a
-- slash at the end.
-- Locks: used_pharmacy_codes, for an instant.

alter table used_pharmacy_codes add column moved_to text;
