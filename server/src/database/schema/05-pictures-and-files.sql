-- Pictures that customers see, files that programs keep, and what is known of both.

-- Every file that is kept outside this database. Written here before there is one, so that none can be
-- forgotten. unused_since is kept by the triggers below: what nothing refers to for a day is removed.
-- What was drawn from another file goes with it.
create table stored_files (
  key text primary key,
  drawn_from text references stored_files (key),
  unused_since timestamptz default now()
);
create index stored_files__unused on stored_files (unused_since) where unused_since is not null;
create index stored_files__drawn on stored_files (drawn_from) where drawn_from is not null;

create table storage_buckets (
  id text primary key,
  name text not null,
  owner uuid references auth_users (id) on delete set null,
  public boolean not null default false,
  file_size_limit bigint,
  allowed_mime_types text[],
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint storage_buckets__name_taken unique (name),
  constraint storage_buckets__size_limit_positive check (file_size_limit > 0)
);

-- Where a pharmacy's own files go, each pharmacy in the folder of its id.
insert into storage_buckets (id, name) values ('pharmacies', 'pharmacies');

-- folder: the first name of the object's, which says whose it is. parent: all before its last name. version
-- changes with the content. Names are listed by their beginning, whatever the database's collation is.
create table storage_objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text not null references storage_buckets (id),
  name text collate "C" not null,
  folder text not null generated always as (split_part(name, '/', 1)) stored,
  parent text collate "C" not null generated always as (regexp_replace(name, '[^/]*$', '')) stored,
  owner uuid references auth_users (id) on delete set null,
  file_key text not null references stored_files (key),
  version uuid not null default gen_random_uuid(),
  size bigint not null,
  content_type text not null,
  cache_control text not null default 'no-cache',
  content_encoding text,
  etag text not null,
  metadata jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_accessed_at timestamptz not null default now(),
  constraint storage_objects__name_taken unique (bucket_id, name)
);
create index storage_objects__of_folder on storage_objects (folder, size);
create index storage_objects__of_parent on storage_objects (bucket_id, parent, name);
create index storage_objects__of_file on storage_objects (file_key);

-- For tables with a column file_key: what they refer to is used, and what they let go is not.
create function use_stored_file() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.file_key is not null
    and (tg_op = 'DELETE' or new.file_key is distinct from old.file_key)
  then
    update stored_files set unused_since = now() where key = old.file_key;
  end if;
  if tg_op <> 'DELETE' and new.file_key is not null
    and (tg_op = 'INSERT' or new.file_key is distinct from old.file_key)
  then
    update stored_files set unused_since = null where key = new.file_key;
  end if;
  return null;
end
$$;
create trigger storage_objects__files after insert or update of file_key or delete on storage_objects
  for each row execute function use_stored_file();

-- With a pharmacy goes what it kept: in all buckets, the folder of its id.
create function remove_storage_folder() returns trigger language plpgsql as $$
begin
  delete from storage_objects where folder = old.id::text;
  return null;
end
$$;
create trigger pharmacies__storage after delete on pharmacies
  for each row execute function remove_storage_folder();

-- A picture of the host. file_key: the file it is kept as; null where the host is a service, which then has
-- it under public_id. url: null while it is on its way to the host or away from it: the row is there before
-- the picture and after it. pharmacy_id: whose it is, and whose quota it counts against; null for one of the
-- archive, or when the pharmacy is gone and the picture is about to be. released_at: when somebody last
-- ceased to show it.
create table images (
  public_id text primary key,
  pharmacy_id uuid references pharmacies (id) on delete set null,
  file_key text references stored_files (key),
  url text,
  width integer not null,
  height integer not null,
  format text not null,
  bytes integer not null,
  source text not null,
  created_at timestamptz not null default now(),
  released_at timestamptz,
  constraint images__source_known check (source in ('upload', 'link', 'product'))
);
create index images__of_pharmacy on images (pharmacy_id, created_at);
create index images__by_age on images (created_at);

-- For the removal of files, which must find the rows that refer to a file.
create index images__of_file on images (file_key) where file_key is not null;

create trigger images__files after insert or update of file_key or delete on images
  for each row execute function use_stored_file();

-- Who shows a picture: an offer, say. One that nobody shows is removed after a day.
create table image_uses (
  public_id text not null references images (public_id),
  holder text not null,
  primary key (public_id, holder)
);
create index image_uses__of_holder on image_uses (holder);

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

-- Pictures of products by their code, for all pharmacies.
create table product_image_archive (
  minsan text primary key,
  public_id text not null references images (public_id),
  archived_at timestamptz not null default now(),
  constraint product_image_archive__minsan_digits check (minsan ~ '^[0-9]{9}$')
);
create index product_image_archive__image on product_image_archive (public_id);

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
