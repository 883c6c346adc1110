-- Dashboards ask every half minute which customers have written lately.

create index concurrently whatsapp_contacts__written on whatsapp_contacts (pharmacy_id, last_inbound_at);
