#!/bin/sh
# Runs once, when the image of PostgreSQL makes its database: the accounts of the servers and of PgBouncer.
set -eu

psql --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 \
  --set server="$DATABASE_PASSWORD" --set pooler="$POOLER_PASSWORD" --file /accounts.sql

# `all` in pg_hba.conf does not stand for replication.
echo 'host replication bancone all scram-sha-256' >>"$PGDATA/pg_hba.conf"
