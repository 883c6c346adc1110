-- An open visit follows its customer's name and telephone number, whoever corrects them: the poster asks for its last digits.
-- Locks: pharmacy_orders against writers, for an instant; no rows are read.

create function priority_visit_of_customer() returns trigger language plpgsql as $$
begin
  update priority_access_sessions
  set user_name = new.customer_name, user_phone = new.customer_phone
  where pharmacy_id = new.pharmacy_id and airtable_order_id = new.airtable_order_id and ended_at is null;
  return null;
end $$;
create trigger priority_visit_of_customer after update on pharmacy_orders for each row
  when ((old.customer_name, old.customer_phone) is distinct from (new.customer_name, new.customer_phone))
  execute function priority_visit_of_customer();
