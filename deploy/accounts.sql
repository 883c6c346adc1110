-- The accounts of the servers and of PgBouncer, in a new PostgreSQL, for psql as its superuser:
--   psql --dbname postgres --set ON_ERROR_STOP=1 --set server=PASSWORD --set pooler=PASSWORD --file accounts.sql

-- It makes the role that the servers work as, and back-ups copy the database.
create role bancone login createrole replication password :'server';
create role pgbouncer login password :'pooler';
create database bancone owner bancone;
\connect bancone
create schema pgbouncer;
-- PgBouncer may know the passwords of the servers' roles and of no others.
create function pgbouncer.server_role(wanted text) returns table (name text, verifier text)
  language sql stable security definer set search_path = pg_catalog
  begin atomic
    select rolname::text, rolpassword from pg_authid
    where rolname = wanted and starts_with(rolname, 'bancone_app_') and rolcanlogin;
  end;
revoke execute on function pgbouncer.server_role from public;
grant usage on schema pgbouncer to pgbouncer;
grant execute on function pgbouncer.server_role to pgbouncer;
