-- 'dellavalle' finds 'Della Valle': a particle of a surname is also kept joined with the word after it, as names without their
-- apostrophe are. The apostrophe that Unicode counts as a letter (U+02BC) separates words like the others.
-- Reads all orders once, and writes the search texts that change.

create or replace function order_search_text(words text) returns text
language sql immutable parallel safe as $$
  select ' ' || btrim(left(regexp_replace(
    translate(lower(regexp_replace(normalize(words, nfkd), '[\u0300-\u036f]+', '', 'g')), 'øłđıʼ', 'oldi '),
    '[^[:alnum:]]+', ' ', 'g'
  ), 10000)) || ' '
$$;

create or replace function order_search_row(
  id bigint, pharmacy_id uuid, created timestamptz, number text, name text, phone text, address text,
  details text
) returns order_search language sql immutable as $$
  select row(
    id,
    pharmacy_id,
    created,
    order_search_text(concat_ws(
      ' ', number, name, nullif(regexp_replace(
        translate(name, '''’‘ʼ`´', ''),
        '\m(d|da|dai|dagli|dal|dall|dalla|dalle|dallo|de|degli|dei|del|dell|della|delle|dello|di|la|le|li|lo|o|san|santa|van|von)\s+(?=\w)',
        '\1', 'gi'
      ), name),
      coalesce(order_phone_key(phone), phone), address, details
    )),
    nullif(left(btrim(order_search_text(name)), 40), ''),
    order_phone_key(phone)
  )::order_search
$$;

update order_search kept
set text = made.text, customer_key = made.customer_key
from pharmacy_orders o, order_search_row(
  o.id, o.pharmacy_id, o.airtable_created, o.order_number, o.customer_name, o.customer_phone, o.address,
  o.order_details
) made
where kept.pharmacy_id = o.pharmacy_id and kept.order_id = o.id and made.text <> kept.text;
