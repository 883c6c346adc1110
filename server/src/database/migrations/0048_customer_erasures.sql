-- Erasures of customers that a restored database has to apply before its first request. A restore writes the rows, also
-- into a database from before this migration, for which it makes the table itself (platform/backups/restore.ts).
-- customer_hash: HMAC-SHA-256 of the pharmacy and the telephone number.
-- Locks: none of tables that exist.
create table if not exists backup_customer_erasures (
  owner_id uuid not null,
  customer_hash text not null,
  erased_at timestamptz not null,
  constraint backup_customer_erasures_pkey primary key (owner_id, customer_hash)
);
