-- Statistics of the tables that an import fills: until autovacuum has been there, up to a minute, PostgreSQL would plan
-- with those of nearly empty tables. The server's account owns no table, and before PostgreSQL 17 only owners may analyze.
create function analyze_orders() returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  -- Tables that another process analyzes are left out.
  analyze (skip_locked) public.pharmacy_orders, public.order_search, public.order_events, public.order_images;
end $$;
