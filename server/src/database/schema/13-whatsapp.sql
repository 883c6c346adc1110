-- WhatsApp: the number of a pharmacy, its customers, and the messages from and to them.

-- One row for each pharmacy that has connected a number. token and pin are encrypted (AES-256-GCM) with the key key_id.
-- The row outlives a disconnection: the PIN of a number is needed when it is connected again.
-- revision increases with every change by a person or by an event of Meta, so that a check that began before is not
-- written over it.
create table whatsapp_connections (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  state text not null,
  revision integer not null default 1,
  waba_id text,
  account_name text,
  phone_number_id text,
  display_phone_number text,
  verified_name text,
  -- The user of the token at Meta, by whom Meta asks for the deletion of data.
  meta_user_id text,
  token bytea,
  pin bytea,
  key_id text,
  expires_at timestamptz,
  -- The smallest number of days before expires_at of which the pharmacy was told.
  expiry_told_days integer,
  quality text,
  messaging_limit text,
  name_status text,
  number_status text,
  is_on_business_app boolean not null default false,
  is_subscribed boolean not null default false,
  problem_step text,
  problem_kind text,
  connected_at timestamptz not null default now(),
  checked_at timestamptz,
  last_inbound_at timestamptz,
  refusal text,
  refused_at timestamptz,
  constraint whatsapp_connections__state_known check (state in (
      'connected', 'pending_number', 'in_review', 'needs_reauth', 'offboarded', 'restricted', 'disconnected'
  )),
  constraint whatsapp_connections__token_ends_with_connection check (state <> 'disconnected' or token is null),
  constraint whatsapp_connections__problem_whole check ((problem_step is null) = (problem_kind is null)),
  constraint whatsapp_connections__refusal_known
    check (refusal in ('payment', 'name', 'registration', 'restricted', 'policy')),
  constraint whatsapp_connections__refusal_whole check ((refusal is null) = (refused_at is null))
);

-- An event is routed by its number to one pharmacy.
create unique index whatsapp_connections__one_of_number on whatsapp_connections (phone_number_id)
  where state <> 'disconnected';
create index whatsapp_connections__of_account on whatsapp_connections (waba_id) where state <> 'disconnected';
create index whatsapp_connections__of_meta_user on whatsapp_connections (meta_user_id) where meta_user_id is not null;

-- The people who write to a pharmacy. user_id is Meta's business-scoped user id; phone (E.164) may be hidden, and is
-- all that is known of people before their first message.
create table whatsapp_contacts (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id uuid default gen_random_uuid(),
  user_id text,
  phone text,
  name text,
  first_seen_at timestamptz not null default now(),
  last_inbound_at timestamptz,
  -- Meta has said that the number has no WhatsApp.
  unreachable_at timestamptz,
  -- Until then Meta delivers no notices to this person.
  paused_until timestamptz,
  read_at timestamptz,
  primary key (pharmacy_id, id),
  constraint whatsapp_contacts__of_user unique (pharmacy_id, user_id),
  constraint whatsapp_contacts__of_phone unique (pharmacy_id, phone),
  constraint whatsapp_contacts__identified check (user_id is not null or phone is not null)
);
create index whatsapp_contacts__written on whatsapp_contacts (pharmacy_id, last_inbound_at);

-- What Meta has reported of each sent message. The reports come in any order: each has its own column, and the furthest
-- is the status.
create table whatsapp_deliveries (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  message_id text not null,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  error_code integer,
  reported_at timestamptz not null default now(),
  status text not null generated always as (
      case
        when read_at is not null then 'read'
        when delivered_at is not null then 'delivered'
        when failed_at is not null then 'failed'
        else 'sent'
      end
  ) stored,
  primary key (pharmacy_id, message_id)
);
create index whatsapp_deliveries__recent on whatsapp_deliveries (pharmacy_id, reported_at desc);
create index whatsapp_deliveries__old on whatsapp_deliveries (reported_at);

-- The webhooks as they were received, by the hash (SHA-256) of their bytes. body is emptied once it has been processed;
-- the hash is kept for as long as Meta repeats webhooks.
create table whatsapp_inbox (
  body_hash bytea primary key,
  body bytea,
  received_at timestamptz not null default now(),
  failures integer not null default 0
);
create index whatsapp_inbox__waiting on whatsapp_inbox (received_at) where body is not null;
create index whatsapp_inbox__old on whatsapp_inbox (received_at);

-- Events about numbers and accounts that no pharmacy has connected, counted by their id.
create table whatsapp_unrouted (
  meta_id text primary key,
  events bigint not null default 1,
  last_at timestamptz not null default now()
);

-- Requests of data deletion, by the code that Meta shows to the person who made them.
create table whatsapp_deletions (
  code text primary key,
  requested_at timestamptz not null default now(),
  connections integer not null
);

-- A pharmacy without a row sends nothing. terms_version: what its owner has accepted. stopped_for: why Bancone has switched
-- the messages off. monthly_limit: the most messages of a month that cost something, after which no notice is sent by
-- itself. message_price: in euros, what one of them costs.
create table whatsapp_message_settings (
  pharmacy_id uuid primary key references pharmacies (id) on delete cascade,
  is_on boolean not null,
  terms_version integer not null,
  announces_ready boolean not null default false,
  sends_reminders boolean not null default false,
  answers_closed boolean not null default false,
  sends_links boolean not null default false,
  sends_calls boolean not null default false,
  daily_limit integer not null,
  stopped_for text,
  policy_errors integer not null default 0,
  paused_until timestamptz,
  says_tu boolean not null default false,
  monthly_limit integer,
  message_price double precision,
  constraint whatsapp_message_settings__daily_limit_range check (daily_limit between 1 and 1000),
  constraint whatsapp_message_settings__monthly_limit_range check (monthly_limit >= 0),
  constraint whatsapp_message_settings__message_price_range check (message_price between 0 and 1),
  constraint whatsapp_message_settings__stopped_is_off check (stopped_for is null or not is_on),
  constraint whatsapp_message_settings__stopped_for_known check (stopped_for in ('restricted', 'policy'))
);

-- What an owner has accepted, with its text.
create table whatsapp_acceptances (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id bigint generated always as identity,
  version integer not null,
  text text not null,
  accepted_by uuid not null,
  accepted_at timestamptz not null default now(),
  primary key (pharmacy_id, id)
);
create index whatsapp_acceptances__of_pharmacy on whatsapp_acceptances (pharmacy_id, id desc);

-- Every consent and every withdrawal; the latest of a contact counts. wording: what the customer was asked, or what they
-- wrote. recorded_by: the user at the counter. message_id: the message of the customer.
create table whatsapp_consents (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id bigint generated always as identity,
  contact_id uuid not null,
  scope text not null default 'order_updates',
  is_given boolean not null,
  wording_version integer not null,
  wording text not null,
  channel text not null,
  recorded_by uuid,
  message_id text,
  at timestamptz not null default now(),
  primary key (pharmacy_id, id),
  constraint whatsapp_consents__once_of_message unique (pharmacy_id, message_id),
  constraint whatsapp_consents__scope_known check (scope = 'order_updates'),
  constraint whatsapp_consents__has_source check (
      channel = 'counter' and recorded_by is not null and message_id is null
      or channel = 'message' and recorded_by is null and message_id is not null
  ),
  constraint whatsapp_consents__contact
    foreign key (pharmacy_id, contact_id) references whatsapp_contacts (pharmacy_id, id) on delete cascade
);
create index whatsapp_consents__of_contact on whatsapp_consents (contact_id, at desc, id desc);

-- The person who ordered, where the telephone number of the order does not say it.
create table whatsapp_order_contacts (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  order_id bigint,
  contact_id uuid not null,
  primary key (pharmacy_id, order_id),
  constraint whatsapp_order_contacts__contact
    foreign key (pharmacy_id, contact_id) references whatsapp_contacts (pharmacy_id, id) on delete cascade,
  constraint whatsapp_order_contacts__order
    foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade
);
create index whatsapp_order_contacts__of_contact on whatsapp_order_contacts (contact_id);

-- The templates as Meta describes them.
create table whatsapp_templates (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  name text not null,
  status text not null,
  category text not null,
  checked_at timestamptz not null default now(),
  primary key (pharmacy_id, name)
);

-- The messages to customers.
--   kind: 'reply' is written by the staff, 'answer' confirms a consent or its end; the others are notices
--   text: of a reply or an answer; of the notice 'received' about no order the code that the customer has written
--   sent_as: 'text' or 'template', which decides what the message costs
--   occasion: tells calls and reminders of one order apart, and answers to one person. Of a 'received' that is sent it is when
--     the pharmacy opens: one is sent to a person until then
--   state: 'unsure' when a request got no response, so that Meta may have sent the message or not; 'held_back' when the
--     reason says why it is not sent by itself
--   message_id: Meta's; what Meta reports of it is in whatsapp_deliveries. earlier_message_ids: of attempts that Meta
--     accepted and did not deliver
create table whatsapp_outbox (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id uuid default gen_random_uuid(),
  order_id bigint,
  contact_id uuid,
  kind text not null,
  occasion text not null default '',
  is_automatic boolean not null default false,
  ignores_hours boolean not null default false,
  needs_template boolean not null default false,
  sent_as text,
  text bytea,
  key_id text,
  state text not null default 'queued',
  reason text,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  claimed_until timestamptz,
  attempts integer not null default 0,
  message_id text,
  earlier_message_ids text[] not null default '{}',
  accepted_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (pharmacy_id, id),
  constraint whatsapp_outbox__one_of_message unique (pharmacy_id, message_id),
  constraint whatsapp_outbox__kind_known check (kind in (
      'ready', 'part', 'reminder', 'received', 'link', 'call', 'reply', 'answer'
  )),
  constraint whatsapp_outbox__state_known
    check (state in ('queued', 'sending', 'unsure', 'accepted', 'failed', 'held_back')),
  constraint whatsapp_outbox__notice_of_order check (order_id is not null or kind in ('received', 'reply', 'answer')),
  constraint whatsapp_outbox__claimed_while_sending check ((state = 'sending') = (claimed_until is not null)),
  constraint whatsapp_outbox__contact
    foreign key (pharmacy_id, contact_id) references whatsapp_contacts (pharmacy_id, id) on delete cascade,
  constraint whatsapp_outbox__order
    foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade
);
create index whatsapp_outbox__of_order on whatsapp_outbox (order_id, created_at desc);
create index whatsapp_outbox__of_contact on whatsapp_outbox (contact_id, created_at desc);
create index whatsapp_outbox__sent on whatsapp_outbox (pharmacy_id, accepted_at) where accepted_at is not null;
create index whatsapp_outbox__waiting on whatsapp_outbox (pharmacy_id, due_at) where state in ('queued', 'sending', 'unsure');
create index whatsapp_outbox__old on whatsapp_outbox (created_at);
create unique index whatsapp_outbox__one_of_order
  on whatsapp_outbox (pharmacy_id, order_id, kind, occasion)
  where kind not in ('reply', 'answer') and state not in ('failed', 'held_back');
create unique index whatsapp_outbox__one_of_answer
  on whatsapp_outbox (pharmacy_id, contact_id, occasion) where kind = 'answer';

-- What customers have written. text is null for what is no text: it is not fetched. code: of the public page, when the
-- message orders something. draft: what became of the order in it; it counts nowhere until it is confirmed.
create table whatsapp_inbound (
  pharmacy_id uuid not null references pharmacies (id) on delete cascade,
  id uuid default gen_random_uuid(),
  contact_id uuid not null,
  message_id text not null,
  type text not null,
  text bytea,
  key_id text,
  at timestamptz not null,
  -- Meta tells seconds only.
  received_at timestamptz not null default clock_timestamp(),
  code text,
  draft text,
  -- Written by the pharmacy to the contact, in the WhatsApp Business app.
  is_echo boolean not null default false,
  about_message_id text,
  primary key (pharmacy_id, id),
  constraint whatsapp_inbound__once unique (pharmacy_id, message_id),
  constraint whatsapp_inbound__draft_known check (draft in ('open', 'confirmed', 'dismissed')),
  constraint whatsapp_inbound__echo_orders_nothing check (not is_echo or code is null and draft is null),
  constraint whatsapp_inbound__contact
    foreign key (pharmacy_id, contact_id) references whatsapp_contacts (pharmacy_id, id) on delete cascade
);
create index whatsapp_inbound__of_contact on whatsapp_inbound (contact_id, at desc);
create index whatsapp_inbound__drafts on whatsapp_inbound (pharmacy_id, at) where draft = 'open';
create index whatsapp_inbound__old on whatsapp_inbound (at);

create trigger whatsapp_inbound__changed after insert or update or delete on whatsapp_inbound
  for each row execute function notify_changed_row('whatsapp_changed', 'pharmacy_id');
create trigger whatsapp_contacts__read after update on whatsapp_contacts
  for each row when (old.read_at is distinct from new.read_at) execute function notify_changed_row('whatsapp_changed', 'pharmacy_id');
