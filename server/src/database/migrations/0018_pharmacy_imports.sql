-- Imports of many pharmacies from a file. A preview has been checked and has changed nothing; its rows are applied by a
-- job when an administrator starts it. Imports are deleted after 30 days.

-- headings: of the columns of the file. ignored: the headings among them that no field has. request: of the call that
-- started it, for the audit log.
create table pharmacy_imports (
  id uuid primary key default gen_random_uuid(),
  state text not null default 'preview',
  headings text[] not null,
  ignored text[] not null,
  created_by uuid,
  started_by uuid,
  request jsonb,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  constraint pharmacy_imports__state_known check (state in ('preview', 'running', 'done', 'cancelled'))
);
create index pharmacy_imports__newest on pharmacy_imports (created_at desc);
-- Two imports at a time could be about the same pharmacies.
create unique index pharmacy_imports__one_running on pharmacy_imports (state) where state = 'running';

-- cells: as sent, in the order of the headings. fields: those of them that are fields and not empty. outcome: expected,
-- until the row is done.
create table pharmacy_import_rows (
  import_id uuid not null references pharmacy_imports (id) on delete cascade,
  line integer not null,
  cells jsonb not null,
  fields jsonb not null,
  outcome text not null,
  is_done boolean not null default false,
  problems jsonb not null default '[]',
  changes text[] not null default '{}',
  primary key (import_id, line),
  constraint pharmacy_import_rows__outcome_known check (outcome in ('new', 'changed', 'same', 'refused'))
);
create index pharmacy_import_rows__waiting on pharmacy_import_rows (import_id, line) where not is_done;
