-- Locks: none that others wait for.

alter table priority_links validate constraint priority_links__visit;
alter table priority_events validate constraint priority_events__visit;
alter table migration_records validate constraint migration_records__run;
alter table migration_items validate constraint migration_items__run;
alter table migration_runs validate constraint migration_runs__retry_of;
