#!/bin/sh
# Runs once, when the image of PostgreSQL makes its database: the accounts of the servers and of PgBouncer.
set -eu

psql --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 \
  --set server="$DATABASE_PASSWORD" --set pooler="$POOLER_PASSWORD" <<'SQL'
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
SQL

# `all` in pg_hba.conf does not stand for replication.
echo 'host replication bancone all scram-sha-256' >>"$PGDATA/pg_hba.conf"
