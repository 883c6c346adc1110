#!/bin/sh
# Restores the database as it was at a moment, beside the running one, and ends when it is recovered:
#   sh restore.sh '2026-11-30 10:15:00+01' /var/lib/postgresql/restored 5433
# As the account of PostgreSQL, on a machine of the database, into a folder that does not exist.
set -eu
time=$1
folder=$2
port=$3

mkdir -m 700 "$folder"
# The copy must not write into the archive of the original.
pgbackrest --config={{PGBACKREST_CONF}} --stanza=bancone --pg1-path="$folder" --archive-mode=off \
  --type=time --target="$time" --target-action=promote restore

# It has the settings of the cluster, where it would wait for a member that does not follow it, and read the rules of access
# from a folder that may be gone. It does not start with fewer connections than its log was written with.
connections=$(LC_ALL=C {{BIN_FOLDER}}/pg_controldata -D "$folder" | sed -n 's/^max_connections setting: *//p')
{{BIN_FOLDER}}/pg_ctl -D "$folder" -l "$folder.log" -t 3600 -w start -o "-c listen_addresses={{LOCAL}} -c port=$port \
  -c hba_file=$folder/pg_hba.conf -c ident_file=$folder/pg_ident.conf -c synchronous_standby_names= -c archive_mode=off \
  -c max_connections=$connections -c unix_socket_directories={{SOCKET_FOLDER}}" >/dev/null || { tail -n 10 "$folder.log" >&2; exit 1; }

# It answers before the log is read to the end.
until [ "$({{BIN_FOLDER}}/psql -h {{SOCKET_FOLDER}} -p "$port" -U postgres -d postgres -Atqc 'select pg_is_in_recovery()')" = f ]; do
  {{BIN_FOLDER}}/pg_ctl -D "$folder" status >/dev/null || { tail -n 10 "$folder.log" >&2; exit 1; }
  sleep 1
done
