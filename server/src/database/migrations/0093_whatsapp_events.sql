-- Screens hear at once of what customers write over WhatsApp, and of what the staff have read or decided.

create function tell_of_whatsapp() returns trigger language plpgsql as $$
declare
  pharmacy uuid := coalesce(new.pharmacy_id, old.pharmacy_id);
begin
  perform notify_event(pharmacy, 'whatsapp_changed', pharmacy::text);
  return null;
end
$$;
create trigger whatsapp_inbound__changed after insert or update or delete on whatsapp_inbound
  for each row execute function tell_of_whatsapp();
create trigger whatsapp_contacts__read after update on whatsapp_contacts
  for each row when (old.read_at is distinct from new.read_at) execute function tell_of_whatsapp();
