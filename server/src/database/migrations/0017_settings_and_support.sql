-- What administrators set for the whole platform, the state of outside services, and visits of the support.

-- One row per setting that was ever saved. value: as the contract declares it for the key (contract/src/settings.ts).
-- version: two administrators who edit the same version cannot both save.
create table platform_settings (
  key text primary key,
  value jsonb not null,
  version integer not null default 1,
  updated_at timestamptz not null default now(),
  updated_by uuid
);
create function tell_of_setting() returns trigger language plpgsql as $$
begin
  perform pg_notify('settings_changed', new.key);
  return null;
end $$;
create trigger platform_settings__changed after insert or update on platform_settings
  for each row execute function tell_of_setting();

-- The newest notice that a user has dismissed.
create table notice_dismissals (
  user_id uuid primary key references auth_users (id) on delete cascade,
  version integer not null
);

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

-- The last checks of each outside service. problem: why the last failed one did.
create table service_checks (
  service text primary key,
  succeeded_at timestamptz,
  milliseconds integer,
  failed_at timestamptz,
  problem text
);

-- An administrator looks at a pharmacy's pages, read only. session_id: the visit is over when that session is.
-- ended_at: null while it lasts; it ends at ends_at at the latest.
create table support_visits (
  id uuid primary key default gen_random_uuid(),
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  admin_id uuid not null,
  session_id uuid not null,
  reason text not null,
  started_at timestamptz not null,
  ends_at timestamptz not null,
  ended_at timestamptz,
  constraint support_visits__reason_given check (length(trim(reason)) >= 10),
  constraint support_visits__half_hour check (ends_at <= started_at + interval '30 minutes')
);
create index support_visits__of_pharmacy on support_visits (pharmacy_id, started_at desc);
-- One at a time in a session.
create unique index support_visits__open on support_visits (session_id) where ended_at is null;

create function end_support_visits() returns trigger language plpgsql as $$
begin
  update support_visits set ended_at = least(now(), ends_at)
    from ended_sessions where session_id = ended_sessions.id and ended_at is null;
  return null;
end $$;
create trigger auth_sessions__visits_ended after delete on auth_sessions
  referencing old table as ended_sessions
  for each statement execute function end_support_visits();

-- For the job that deletes old visits of all pharmacies.
create index offer_page_views__viewed on offer_page_views using brin (viewed_at);
create index offer_events__happened on offer_events using brin (happened_at);

insert into privacy_texts (version, text) values (1, $policy$Come vengono trattati i dati personali in Bancone, ai sensi degli articoli 13 e 14 del Regolamento (UE) 2016/679 (GDPR).

## In breve

Bancone è lo strumento con cui una farmacia riceve e gestisce gli ordini dei propri clienti. I dati degli ordini appartengono al rapporto tra il cliente e la sua farmacia: noi li custodiamo per conto della farmacia, non li vendiamo, non li usiamo per pubblicità e non profiliamo nessuno.

## Chi è responsabile dei dati

Per i dati dei clienti il **titolare del trattamento** è la farmacia che ha ricevuto l'ordine. Chi gestisce la piattaforma è **responsabile del trattamento** (articolo 28 GDPR): agisce solo su istruzioni della farmacia, sulla base di un accordo scritto, e vincola alla riservatezza chi vi lavora.

Per i dati di accesso del personale della farmacia (email, sessioni, registri di sicurezza) chi gestisce la piattaforma li tratta per fornire il servizio e proteggerlo.

## Quali dati trattiamo

- **Clienti della farmacia**: nome, numero di telefono, indirizzo, testo del prodotto richiesto, eventuale immagine allegata, stato e date dell'ordine.
- **Personale della farmacia**: indirizzo email, password (conservata solo in forma cifrata e non reversibile), momenti di accesso.
- **Dati tecnici**: registri del server con data, operazione ed esito, e un registro degli accessi del personale con l'indirizzo di rete, usati per il funzionamento e la sicurezza.

Il prodotto richiesto o un'immagine, come una ricetta, possono rivelare informazioni sulla salute. Sono dati particolari (articolo 9 GDPR): per questo non compaiono mai nelle notifiche, negli indirizzi o nei titoli delle pagine, e li vede solo la farmacia a cui l'ordine è destinato.

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
