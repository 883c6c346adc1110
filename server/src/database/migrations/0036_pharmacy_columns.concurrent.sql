-- Fills the columns that were added, and builds the keys that begin with the pharmacy. What the last release finds by an id
-- alone, or names in 'on conflict', keeps an index without the pharmacy, which the next release drops.

call fill_pharmacy_ids('priority_links');
call fill_pharmacy_ids('priority_events');
call fill_pharmacy_ids('migration_records');
call fill_pharmacy_ids('migration_items');
alter table priority_links validate constraint priority_links__of_pharmacy;
alter table priority_events validate constraint priority_events__of_pharmacy;
alter table migration_records validate constraint migration_records__of_pharmacy;
alter table migration_items validate constraint migration_items__of_pharmacy;

create unique index concurrently if not exists priority_access_sessions__key on priority_access_sessions (pharmacy_id, id);
create unique index concurrently if not exists priority_access_sessions__until_next_release on priority_access_sessions (id);
create unique index concurrently if not exists priority_displays__key on priority_displays (pharmacy_id, id);
create unique index concurrently if not exists priority_events__key on priority_events (pharmacy_id, id);
create unique index concurrently if not exists priority_links__key on priority_links (pharmacy_id, token_hash);
-- By which a link is found.
create unique index concurrently if not exists priority_links__token_taken on priority_links (token_hash);
create unique index concurrently if not exists migration_runs__key on migration_runs (pharmacy_id, id);
create unique index concurrently if not exists migration_records__key on migration_records (pharmacy_id, run_id, record_id);
create unique index concurrently if not exists migration_items__key on migration_items (pharmacy_id, run_id, kind, record_id);
create unique index concurrently if not exists migration_items__until_next_release on migration_items (run_id, kind, record_id);
