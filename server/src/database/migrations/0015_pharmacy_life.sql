-- The end of a pharmacy: it is deleted, exported, and purged in steps that can be interrupted.

-- deleted_by: the administrator. No reference: the account may be gone before the pharmacy is.
alter table pharmacies add column deleted_by uuid;
create index pharmacies__deleted on pharmacies (deleted_at) where deleted_at is not null;

-- Files of everything that belongs to a pharmacy. done and total count rows and files. moved_at: the last progress; of
-- a complete file, when it was completed.
create table pharmacy_exports (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  state text not null default 'waiting',
  done integer not null default 0,
  total integer not null default 0,
  bytes bigint,
  file_key text references stored_files (key),
  created_at timestamptz not null default now(),
  moved_at timestamptz not null default now(),
  constraint pharmacy_exports__state_known check (state in ('waiting', 'running', 'done', 'failed')),
  constraint pharmacy_exports__done_whole
    check (state <> 'done' or (bytes is not null and file_key is not null))
);
create index pharmacy_exports__of_pharmacy on pharmacy_exports (pharmacy_id, created_at desc);
create index pharmacy_exports__of_file on pharmacy_exports (file_key) where file_key is not null;
create trigger pharmacy_exports__files after insert or update of file_key or delete on pharmacy_exports
  for each row execute function use_stored_file();

-- The purge of a pharmacy. When it is finished pharmacy_id is null, and the row with its steps is the certificate: it
-- has no personal data. requested_by: null where the 30 days were over.
create table pharmacy_purges (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid,
  code text not null,
  deleted_at timestamptz not null,
  deleted_by uuid,
  requested_by uuid,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint pharmacy_purges__one_of_pharmacy unique (pharmacy_id),
  constraint pharmacy_purges__finished_whole check ((finished_at is null) = (pharmacy_id is not null))
);
create index pharmacy_purges__finished on pharmacy_purges (finished_at desc);

-- removed: the number of rows by their table, and of files.
create table pharmacy_purge_steps (
  purge_id uuid not null references pharmacy_purges (id) on delete cascade,
  step text not null,
  removed jsonb not null default '{}',
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (purge_id, step)
);

-- Stored files whose rows were removed, until their bytes are.
create table pharmacy_purge_files (
  purge_id uuid not null references pharmacy_purges (id) on delete cascade,
  key text not null,
  primary key (purge_id, key)
);
