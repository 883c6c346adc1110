-- Settings of the platform, support sessions, and the audit log: who acted, in which role and for which pharmacy,
-- whether the action was done or refused, and what it changed. The role of the running server may add events and
-- nothing else (see runtime-role.ts). What has to be deleted or sealed goes through the functions below, which run as
-- the owner.

-- One row per setting that was ever saved. value: as the contract declares it for the key (contract/src/settings.ts).
-- version: two administrators who edit the same version cannot both save.
create table platform_settings (
  key text primary key,
  value jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by uuid
);

create trigger platform_settings__changed after insert or update on platform_settings
  for each row execute function notify_changed_row('settings_changed', 'key');

-- The privacy policy in Markdown. Versions are never changed: what was in force on a day must be provable.
create table privacy_texts (
  version integer primary key,
  text text not null,
  published_at timestamptz not null default now(),
  published_by uuid
);

create function keep_privacy_text() returns trigger language plpgsql as $$
begin
  raise exception 'published privacy texts are not changed';
end $$;
create trigger privacy_texts__kept before update or delete on privacy_texts
  for each row execute function keep_privacy_text();

insert into privacy_texts (version, text) values (1, $policy$Come vengono trattati i dati personali in Bancone, ai sensi degli articoli 13 e 14 del Regolamento (UE) 2016/679 (GDPR).

## In breve

Bancone è lo strumento con cui una farmacia riceve e gestisce gli ordini dei propri clienti. I dati degli ordini appartengono al rapporto tra il cliente e la sua farmacia: noi li custodiamo per conto della farmacia, non li vendiamo, non li usiamo per pubblicità e non profiliamo nessuno.

## Chi è responsabile dei dati

Per i dati dei clienti il **titolare del trattamento** è la farmacia che ha ricevuto l'ordine. Chi gestisce la piattaforma è **responsabile del trattamento** (articolo 28 GDPR): agisce solo su istruzioni della farmacia, sulla base di un accordo scritto, e vincola alla riservatezza chi vi lavora.

Per i dati di accesso del personale della farmacia (email, sessioni, registri di sicurezza) chi gestisce la piattaforma li tratta per fornire il servizio e proteggerlo.

## Quali dati trattiamo

- **Clienti della farmacia**: nome, numero di telefono, indirizzo, testo della richiesta, anche con i codici di una ricetta, eventuale immagine allegata, stato e date dell'ordine.
- **Personale della farmacia**: indirizzo email, password (conservata solo in forma cifrata e non reversibile), momenti di accesso.
- **Dati tecnici**: registri del server con data, operazione ed esito, e un registro degli accessi del personale con l'indirizzo di rete, usati per il funzionamento e la sicurezza.

Il prodotto richiesto, i codici di una ricetta o un'immagine possono rivelare informazioni sulla salute. Sono dati particolari (articolo 9 GDPR): per questo non compaiono mai nelle notifiche, negli indirizzi o nei titoli delle pagine, e li vede solo la farmacia a cui l'ordine è destinato.

## Perché, e su quale base

- Preparare e consegnare ciò che il cliente ha chiesto: esecuzione di un contratto o di misure precontrattuali (articolo 6, paragrafo 1, lettera b).
- Trattare i dati sulla salute contenuti nell'ordine: finalità di assistenza sanitaria da parte di professionisti tenuti al segreto, oppure il consenso del cliente (articolo 9, paragrafo 2, lettere h e a), secondo quanto stabilito dalla farmacia.
- Adempiere agli obblighi di legge della farmacia (articolo 6, paragrafo 1, lettera c).
- Proteggere il servizio da abusi e guasti: legittimo interesse (articolo 6, paragrafo 1, lettera f).

## Dove stanno i dati e per quanto tempo

Gli ordini sono conservati nel database della piattaforma e, se la farmacia lo ha scelto, nel suo archivio Airtable, dal quale la piattaforma li legge. Le comunicazioni sono cifrate, gli accessi sono personali e ogni farmacia vede soltanto i propri ordini.

Gli ordini si conservano per il tempo stabilito dalla farmacia e comunque non oltre quanto serve alla gestione dell'ordine e agli obblighi di legge; poi vengono cancellati. Le sessioni scadono da sole e terminano con il logout. Il registro degli accessi e delle operazioni si conserva al massimo ventiquattro mesi, gli altri registri tecnici per un periodo limitato.

## A chi possono essere comunicati

Alla farmacia destinataria e ai fornitori tecnici che servono a far funzionare il servizio (hosting, archivio degli ordini, immagini, posta elettronica), nominati a loro volta responsabili. Se un fornitore tratta dati fuori dallo Spazio economico europeo, il trasferimento avviene con le garanzie degli articoli 44 e seguenti del GDPR. I dati non sono diffusi e non servono a decisioni automatizzate.

## Diritti

Ogni persona può chiedere di accedere ai propri dati, correggerli, cancellarli, limitarne il trattamento, riceverli in un formato leggibile o opporsi al trattamento (articoli 15–22 GDPR), e revocare un consenso in qualsiasi momento. I clienti di una farmacia si rivolgono alla farmacia a cui hanno fatto l'ordine: la piattaforma la aiuta a rispondere. È anche possibile presentare reclamo al [Garante per la protezione dei dati personali](https://www.garanteprivacy.it).

## Cookie e dati nel browser

Bancone non usa cookie di profilazione né strumenti di tracciamento di terzi. Nel browser del personale viene conservato solo ciò che è tecnicamente necessario, come la sessione di accesso e le preferenze della pagina: per questo non serve un consenso. Con il logout la sessione viene rimossa.
$policy$);

-- The newest notice that a user has dismissed.
create table notice_dismissals (
  user_id uuid primary key references auth_users (id) on delete cascade,
  version integer not null
);

-- The last checks of each outside service. problem: why the last failed one did.
create table service_checks (
  service text primary key,
  succeeded_at timestamptz,
  milliseconds integer,
  failed_at timestamptz,
  problem text
);

-- An administrator looks at a pharmacy's pages, read only. session_id: the sign-in with which it ends.
-- ended_at: null while it lasts; it ends at ends_at at the latest.
create table support_sessions (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  admin_id uuid not null,
  session_id uuid not null,
  reason text not null,
  started_at timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz,
  constraint support_sessions__reason_given check (length(trim(reason)) >= 10),
  constraint support_sessions__half_hour check (ends_at <= started_at + interval '30 minutes')
);
create index support_sessions__of_pharmacy on support_sessions (pharmacy_id, started_at desc);

-- One at a time in a session.
create unique index support_sessions__open on support_sessions (session_id) where ended_at is null;

create function end_support_sessions() returns trigger language plpgsql as $$
begin
  update support_sessions set ended_at = least(now(), ends_at)
    from ended_sessions where session_id = ended_sessions.id and ended_at is null;
  return null;
end $$;
create trigger auth_sessions__support_sessions_ended after delete on auth_sessions
  referencing old table as ended_sessions
  for each statement execute function end_support_sessions();

-- Who did what to whose account. Keeps its rows when the account goes; they go after half a year.
create table audit_events (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  action text not null,
  user_id uuid,
  actor_id uuid,
  address text,
  details jsonb not null default '{}',
  agent text,
  -- pharmacy_id: for which pharmacy it was done. role: of the actor at that moment; null for what concerns an account
  -- alone, such as a sign-in. person_id: the actor; for what concerns an account alone, without an actor, its user.
  -- target: the type and the id of what was changed, 'offer:…'. changes: per field {"before", "after"}, or null where
  -- the values must not be stored.
  pharmacy_id uuid,
  role text,
  outcome text not null default 'done',
  request_id text,
  target text,
  changes jsonb,
  person_id uuid generated always as
    (case when role is null then coalesce(actor_id, user_id) else actor_id end) stored,
  constraint audit_events__role_known check (role in ('admin', 'owner', 'staff', 'key', 'system')),
  constraint audit_events__outcome_known check (outcome in ('done', 'refused'))
);
create index audit_events__of_user on audit_events (user_id, at desc);

-- Whether an account was opened from there before.
create index audit_events__places on audit_events (user_id, address, at)
  where action = 'signed_in';
create index audit_events__of_pharmacy on audit_events (pharmacy_id, at desc, id desc)
  where pharmacy_id is not null;
create index audit_events__of_person on audit_events (person_id, at desc, id desc);
create index audit_events__of_action on audit_events (action, at desc, id desc);
create index audit_events__newest on audit_events (at desc, id desc);

-- What is sealed of an event. jsonb has one text for one value.
create function audit_event_text(event audit_events) returns text
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select jsonb_build_array(
    event.id, to_char(event.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'), event.action,
    event.user_id, event.actor_id, event.address, event.agent, event.details, event.pharmacy_id,
    event.role, event.outcome, event.request_id, event.target, event.changes
  )::text
$$;

create function audit_hash(previous bytea, event audit_events) returns bytea
language sql stable set search_path = pg_catalog, public, pg_temp as $$
  select sha256(previous || convert_to(audit_event_text(event), 'UTF8'))
$$;

-- Administrators also act outside the endpoints of pharmacies: then the pharmacy is that of the account concerned.
create function prepare_audit_event() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if new.role is null then return new; end if;
  if new.pharmacy_id is null and new.user_id is not null then
    new.pharmacy_id = coalesce(
      (select id from pharmacies where id = new.user_id),
      (select pharmacy_id from pharmacy_members
       where user_id = new.user_id and removed_at is null limit 1)
    );
  end if;
  insert into audit_unsealed (event_id) values (new.id);
  return new;
end $$;
create trigger audit_events__prepare before insert on audit_events
  for each row execute function prepare_audit_event();

-- The chain of hashes over all events with a role: each is the SHA-256 of the one before and the event. A job appends
-- to it, so that concurrent events do not wait for each other. The events that it has not sealed yet are in
-- audit_unsealed.
create table audit_seals (
  position bigint generated always as identity primary key,
  event_id bigint not null,
  hash bytea not null,
  sealed_at timestamptz not null default now(),
  constraint audit_seals__once unique (event_id)
);

create table audit_unsealed (
  event_id bigint primary key
);

-- Appends at most so many events to the chain. Returns their number; 0 while another process appends.
create function seal_audit_events(most integer) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  event audit_events;
  previous bytea;
  sealed integer := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('audit_seals')) then return 0; end if;
  previous := coalesce((select hash from audit_seals order by position desc limit 1), '');
  for event in
    select each.* from audit_unsealed waiting join audit_events each on each.id = waiting.event_id
    order by each.id limit most
  loop
    previous := audit_hash(previous, event);
    insert into audit_seals (event_id, hash) values (event.id, previous);
    delete from audit_unsealed where event_id = event.id;
    sealed := sealed + 1;
  end loop;
  return sealed;
end $$;

-- Deletes what has been kept long enough: events with a role after 24 months, those of accounts after 180 days, and
-- after 30 days the calls without a session that concern no account. Returns the number of events.
--
-- Of the chain a beginning goes. Its last seal stays, because the next one continues from it.
create function delete_expired_audit_events() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  ending bigint;
  gone integer;
  more integer;
begin
  delete from audit_events where role is null and (
    at < now() - interval '180 days'
    or at < now() - interval '30 days' and user_id is null and action <> 'files_administered'
  );
  get diagnostics gone = row_count;
  perform pg_advisory_xact_lock(hashtext('audit_seals'));
  ending := (select max(position) from audit_seals where sealed_at < now() - interval '24 months');
  if ending is null then return gone; end if;
  delete from audit_events using audit_seals as seal
    where seal.position <= ending and audit_events.id = seal.event_id;
  get diagnostics more = row_count;
  delete from audit_seals where position < ending;
  return gone + more;
end $$;

-- Compares a part of the chain with its events.
--   after: the position after which to begin; null: at the beginning
--   previous: the hash at that position
-- Returns the last position that was read, its hash, how many seals were compared, and the event at which the chain is
-- broken: one that was changed, or that is missing.
create function check_audit_seals(
  after bigint, previous bytea, most integer,
  out last bigint, out hash bytea, out compared integer, out broken bigint
)
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
declare
  seal audit_seals;
  event audit_events;
begin
  last := after;
  hash := coalesce(previous, '');
  compared := 0;
  for seal in
    select * from audit_seals each where after is null or each.position > after
    order by each.position limit most
  loop
    select * into event from audit_events where id = seal.event_id;
    if event.id is null then
      -- Only the first seal outlives its event, and only when that was old.
      if last is not null or seal.sealed_at > now() - interval '24 months' then
        broken := seal.event_id;
        return;
      end if;
    elsif seal.hash <> audit_hash(hash, event) then
      broken := seal.event_id;
      return;
    end if;
    last := seal.position;
    hash := seal.hash;
    compared := compared + 1;
  end loop;
end $$;
