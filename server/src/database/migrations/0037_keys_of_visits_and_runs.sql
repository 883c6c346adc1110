-- The keys of visits and migrations begin with the pharmacy, and so do the foreign keys to them.
-- Locks: all of these tables, for an instant; no rows are read.

-- In the order in which others lock them.
lock table priority_access_sessions, priority_links, priority_events, priority_displays in access exclusive mode;
lock table migration_runs, migration_records, migration_items in access exclusive mode;

alter table priority_links drop constraint priority_links_visit_id_fkey;
alter table priority_events drop constraint priority_events_visit_id_fkey;
alter table migration_records drop constraint migration_records_run_id_fkey;
alter table migration_items drop constraint migration_items_run_id_fkey;
alter table migration_runs drop constraint migration_runs_retry_of_fkey;

-- Not scanned: the valid constraint says it already.
-- squawk-ignore adding-not-nullable-field
alter table priority_links alter column pharmacy_id set not null;
alter table priority_links drop constraint priority_links__of_pharmacy;
-- squawk-ignore adding-not-nullable-field
alter table priority_events alter column pharmacy_id set not null;
alter table priority_events drop constraint priority_events__of_pharmacy;
-- squawk-ignore adding-not-nullable-field
alter table migration_records alter column pharmacy_id set not null;
alter table migration_records drop constraint migration_records__of_pharmacy;
-- squawk-ignore adding-not-nullable-field
alter table migration_items alter column pharmacy_id set not null;
alter table migration_items drop constraint migration_items__of_pharmacy;

alter table priority_access_sessions
  drop constraint priority_access_sessions_pkey,
  add constraint priority_access_sessions_pkey primary key using index priority_access_sessions__key;
alter table priority_displays
  drop constraint priority_displays_pkey,
  add constraint priority_displays_pkey primary key using index priority_displays__key;
alter table priority_links
  drop constraint priority_links_pkey,
  add constraint priority_links_pkey primary key using index priority_links__key;
alter table priority_events
  drop constraint priority_events_pkey,
  add constraint priority_events_pkey primary key using index priority_events__key;
alter table migration_runs
  drop constraint migration_runs_pkey,
  add constraint migration_runs_pkey primary key using index migration_runs__key;
alter table migration_records
  drop constraint migration_records_pkey,
  add constraint migration_records_pkey primary key using index migration_records__key;
alter table migration_items
  drop constraint migration_items_pkey,
  add constraint migration_items_pkey primary key using index migration_items__key;

alter table priority_links add constraint priority_links__visit
  foreign key (pharmacy_id, visit_id) references priority_access_sessions (pharmacy_id, id) on delete cascade not valid;
alter table priority_events add constraint priority_events__visit
  foreign key (pharmacy_id, visit_id) references priority_access_sessions (pharmacy_id, id) on delete cascade not valid;
alter table migration_records add constraint migration_records__run
  foreign key (pharmacy_id, run_id) references migration_runs (pharmacy_id, id) on delete cascade not valid;
alter table migration_items add constraint migration_items__run
  foreign key (pharmacy_id, run_id) references migration_runs (pharmacy_id, id) on delete cascade not valid;
alter table migration_runs add constraint migration_runs__retry_of
  foreign key (pharmacy_id, retry_of) references migration_runs (pharmacy_id, id) on delete set null (retry_of) not valid;
