-- Searching orders by words, telephone numbers and beginnings of words.

-- Small letters without accents, with single spaces between words and around them all. The only place where
-- this is known: what is searched goes through it as well as what is found.
create function order_search_text(words text) returns text
language sql immutable parallel safe as $$
  select ' ' || btrim(left(regexp_replace(
    translate(lower(regexp_replace(normalize(words, nfkd), '[\u0300-\u036f]+', '', 'g')), 'øłđıʼ', 'oldi '),
    '[^[:alnum:]]+', ' ', 'g'
  ), 10000)) || ' '
$$;

-- A telephone number by its digits, however it was typed: without 00 and without Italy's 39. What has under
-- six is none, nor is what has more than any number.
create function order_phone_key(phone text) returns text
language sql immutable parallel safe as $$
  select case when length(national) between 6 and 15 then national end
  from (
    select case when length(digits) > 10 then regexp_replace(digits, '^39', '') else digits end as national
    from regexp_replace(
      regexp_replace(normalize(phone, nfkd), '[^0-9]', '', 'g'), '^00', ''
    ) digits
  ) as number
$$;

-- The pieces of every word: three and five letters from each place, and how it begins. Besides whose the
-- order is and in which eight and which sixty-four days it was made: in the same index, so that what is
-- frequent is looked for among the newest alone.
create function order_search_keys(pharmacy_id uuid, created timestamptz, words text) returns tsvector
language plpgsql immutable parallel safe cost 10000 as $$
declare
  day numeric := extract(epoch from created) / 86400;
  keys text[] := array[
    '/' || pharmacy_id,
    '/' || pharmacy_id || '/8/' || floor(day / 8),
    '/' || pharmacy_id || '/64/' || floor(day / 64)
  ];
  word text;
begin
  foreach word in array string_to_array(btrim(words), ' ') loop
    keys := keys || (' ' || left(word, 2));
    for place in 1 .. length(word) - 2 loop
      keys := keys || substr(word, place, 3);
    end loop;
    for place in 1 .. length(word) - 4 loop
      keys := keys || substr(word, place, 5);
    end loop;
  end loop;
  return array_to_tsvector(keys);
end
$$;

-- Narrow, and apart from pharmacy_orders: a change of status touches neither these rows nor their index.
create table order_search (
  order_id bigint,
  pharmacy_id uuid not null,
  -- As airtable_created: the order of the list.
  created timestamptz not null,
  text text not null,
  -- How the list by name is sorted; null without a name.
  customer_key text collate "C",
  phone_key text collate "C",
  primary key (pharmacy_id, order_id),
  constraint order_search__order
    foreign key (pharmacy_id, order_id) references pharmacy_orders (pharmacy_id, id) on delete cascade
);
create index order_search__newest on order_search (pharmacy_id, created desc, order_id desc);
create index order_search__of_phone on order_search (pharmacy_id, phone_key, created desc, order_id desc)
  where phone_key is not null;
create index order_search__by_customer
  on order_search (pharmacy_id, customer_key, created desc, order_id desc);

-- The list of what waits to be sorted in is short, because every search reads it from its beginning to its
-- end; without any, new orders would cost twice as much.
create index order_search__keys
  on order_search using gin (order_search_keys(pharmacy_id, created, text))
  with (fastupdate = on, gin_pending_list_limit = 256);

-- Nobody asks how frequent a piece is, and to find that out all pieces of many orders would be made again.
alter index order_search__keys alter column 1 set statistics 0;

create function order_search_row(
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

-- What an order must hold to have a word, of letters and digits: pieces of it, and a pattern because pieces
-- may come from several words. The two ends of a long word are rare enough.
create function order_search_pieces(word text) returns tsquery
language sql immutable as $$
  select case
    when length(word) = 1 then quote_literal(' ' || word) || ':*'
    when length(word) = 2 then quote_literal(' ' || word)
    when length(word) = 3 or length(word) = 5 then quote_literal(word)
    when length(word) = 4 then quote_literal(left(word, 3)) || '&' || quote_literal(right(word, 3))
    else quote_literal(left(word, 5)) || '&' || quote_literal(right(word, 5))
  end::tsquery
$$;

create function order_search_pattern(word text) returns text
language sql immutable as $$
  select case when length(word) < 3 then '% ' else '%' end || word || '%'
$$;

-- What holds all of some words; keys is null for no word at all. Of what is in nearly every order the list of
-- a piece is too long to be of use: the patterns alone look for it, unless there is nothing else.
-- either: a telephone number may be typed with Italy's 39, which is not kept: what looks like the beginning
-- of such a one is also looked for without.
create function order_search_sought(words text, out keys tsquery, out patterns text[], out either text[])
language plpgsql immutable as $$
declare
  found text[] := array_remove(string_to_array(btrim(order_search_text(words)), ' '), '');
  rare text[] := array(select word from unnest(found) word where length(word) > 1 and word <> 'via');
  word text;
  pieces tsquery;
begin
  patterns := '{}';
  either := '{%}';
  foreach word in array found loop
    pieces := order_search_pieces(word);
    if word ~ '^39[03][0-9]{5,10}$' and either = '{%}' then
      either := array[order_search_pattern(word), '% ' || substr(word, 3) || '%'];
      pieces := pieces || order_search_pieces(substr(word, 3));
    else
      patterns := patterns || order_search_pattern(word);
    end if;
    if word = any (rare) or rare = '{}' then
      keys := coalesce(keys && pieces, pieces);
    end if;
  end loop;
end
$$;

-- All orders of a pharmacy that hold some words, in no order.
create function orders_with_words(
  pharmacy uuid, words text, since timestamptz, before timestamptz
) returns setof order_search
language plpgsql stable rows 1000 set plan_cache_mode = force_generic_plan set work_mem = '16MB' as $$
declare
  sought record := order_search_sought(words);
begin
  if sought.keys is null then return; end if;
  -- is true: this is no condition for an index, of which there is a better one.
  return query
  select s.* from order_search s
  where order_search_keys(s.pharmacy_id, s.created, s.text) @@ sought.keys
    and order_search_keys(s.pharmacy_id, s.created, s.text) @@ quote_literal('/' || pharmacy)::tsquery
    and (s.pharmacy_id = pharmacy and s.created >= since and s.created < before) is true
    and s.text like all (sought.patterns) and s.text like any (sought.either);
end
$$;

-- The orders of a pharmacy that hold some words, newest first: after `skip` of them at most `most`.
--   few: so few orders have these statuses that their texts are compared one by one
--   seen: how many were found, those that were skipped among them; complete: there are no others
create function newest_orders_with_words(
  pharmacy uuid, words text, statuses text[], few boolean, since timestamptz, before timestamptz,
  skip integer, most integer, out ids bigint[], out seen integer, out complete boolean
) language plpgsql stable set plan_cache_mode = force_generic_plan set work_mem = '16MB' as $$
declare
  walk constant integer := 400;
  needed constant integer := skip + most;
  sought record := order_search_sought(words);
  found bigint[];
  walked integer;
  high timestamptz;
  low timestamptz;
  days integer;
  block integer;
  blocks integer;
  place tsquery;
begin
  if sought.keys is null then
    ids := '{}'; seen := 0; complete := true;
    return;
  end if;

  if few then
    found := array(
      select s.order_id from pharmacy_orders o join order_search s on s.pharmacy_id = o.pharmacy_id and s.order_id = o.id
      where o.pharmacy_id = pharmacy and o.status = any (statuses)
        and s.created >= since and s.created < before
        and s.text like all (sought.patterns) and s.text like any (sought.either)
      order by s.created desc, s.order_id desc limit needed
    );
  else
    with newest as materialized (
      select s.order_id, s.created, s.text from order_search s
      where s.pharmacy_id = pharmacy and s.created >= since and s.created < before
      order by s.created desc, s.order_id desc limit walk
    )
    select (select count(*) from newest), (select min(n.created) from newest n), array(
      select n.order_id from newest n
      where n.text like all (sought.patterns) and n.text like any (sought.either)
        -- Of the last moment there may be more.
        and ((select count(*) from newest) < walk or n.created > (select min(m.created) from newest m))
        and (statuses is null or exists (
          select from pharmacy_orders o
          where o.pharmacy_id = pharmacy and o.id = n.order_id and o.status = any (statuses)
        ))
      order by n.created desc, n.order_id desc
    ) into walked, high, found;
    foreach days in array array[8, 64, null] loop
      exit when walked < walk or cardinality(found) >= needed;
      -- As much of the time as should hold twice what is missing, by what the last days held, which were
      -- twelve or so; where that is very much, all of it.
      blocks := case days
        when 8 then 2
        when 64 then ceil(2.0 * (needed - cardinality(found)) / nullif(5 * cardinality(found), 0))
      end;
      continue when days = 64 and coalesce(blocks > 16, true);
      if days is null then
        low := since;
        place := quote_literal('/' || pharmacy);
      else
        -- From the days of which some have been gone through on.
        block := floor(extract(epoch from high) / 86400 / days);
        low := greatest(to_timestamp((block - blocks + 1) * days * 86400), since);
        place := (
          select string_agg(quote_literal('/' || pharmacy || '/' || days || '/' || n), '|')
          from generate_series(block - blocks + 1, block) n
        );
      end if;
      found := found || array(
        with placed as materialized (
          select s.order_id, s.created from order_search s
          -- The words first: then as little as can be is read of the long list of a place.
          where order_search_keys(s.pharmacy_id, s.created, s.text) @@ sought.keys
            and order_search_keys(s.pharmacy_id, s.created, s.text) @@ place
            and (s.pharmacy_id = pharmacy and s.created >= low and s.created <= high
              and s.created < before) is true
            and s.text like all (sought.patterns) and s.text like any (sought.either)
        )
        select p.order_id from placed p
        where statuses is null or exists (
          select from pharmacy_orders o
          where o.pharmacy_id = pharmacy and o.id = p.order_id and o.status = any (statuses)
        )
        order by p.created desc, p.order_id desc limit needed - cardinality(found)
      );
      exit when low = since;
      -- Times are counted in microseconds.
      high := low - interval '1 microsecond';
    end loop;
  end if;
  ids := coalesce(found[skip + 1 : needed], '{}');
  seen := cardinality(found);
  complete := cardinality(found) < needed;
end
$$;

-- Statistics of the tables that an import fills: until autovacuum has been there, up to a minute, PostgreSQL would plan
-- with those of nearly empty tables. The server's account owns no table, and before PostgreSQL 17 only owners may analyze.
create function analyze_orders() returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  -- Tables that another process analyzes are left out.
  analyze (skip_locked) public.pharmacy_orders, public.order_search, public.order_events, public.order_images;
end $$;

create function order_search_changed() returns trigger language plpgsql as $$
begin
  update order_search kept
  set created = made.created, text = made.text, customer_key = made.customer_key,
    phone_key = made.phone_key
  from order_search_row(
    new.id, new.pharmacy_id, new.airtable_created, new.order_number, new.customer_name, new.customer_phone,
    new.address, new.order_details
  ) made
  where kept.pharmacy_id = new.pharmacy_id and kept.order_id = new.id;
  return null;
end
$$;

-- A change of anything else does not even call it.
create trigger pharmacy_orders__search_changed
  after update of airtable_created, order_number, customer_name, customer_phone, address, order_details
  on pharmacy_orders
  for each row when (
    (old.airtable_created, old.order_number, old.customer_name, old.customer_phone, old.address,
      old.order_details)
    is distinct from
    (new.airtable_created, new.order_number, new.customer_name, new.customer_phone, new.address,
      new.order_details)
  ) execute function order_search_changed();

create function add_order_to_search() returns trigger language plpgsql as $$
begin
  insert into order_search
  select made.* from order_search_row(
    new.id, new.pharmacy_id, new.airtable_created, new.order_number, new.customer_name, new.customer_phone, new.address,
    new.order_details
  ) made;
  return null;
end
$$;
create trigger pharmacy_orders__search_added after insert on pharmacy_orders
  for each row execute function add_order_to_search();
