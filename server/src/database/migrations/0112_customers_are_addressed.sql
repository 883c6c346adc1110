-- How the messages address a customer. Pharmacies that send them keep 'tu', whose templates Meta has approved.

alter table whatsapp_message_settings add column says_tu boolean not null default true;
alter table whatsapp_message_settings alter column says_tu set default false;
