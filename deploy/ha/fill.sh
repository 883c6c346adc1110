#!/bin/sh
# Writes the files of this folder with their values into another one: sh deploy/ha/fill.sh VALUES FOLDER
set -eu
here=$(cd "$(dirname "$0")" && pwd)
values=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
set -a
. "$values"
set +a
umask 077
mkdir -p "$2"
for file in etcd patroni.yml haproxy.cfg pgbouncer.ini userlist.txt pgbackrest.conf backups restore.sh restart.conf settings; do
  awk '{
    filled = ""
    while (match($0, /[{][{][A-Z0-9_]+[}][}]/)) {
      name = substr($0, RSTART + 2, RLENGTH - 4)
      # The server does without these. See values.example.
      if (ENVIRON[name] == "" && name ~ /^S3_/) next
      if (ENVIRON[name] == "") {
        print FILENAME ": " name " has no value" > "/dev/stderr"
        exit 1
      }
      filled = filled substr($0, 1, RSTART - 1) ENVIRON[name]
      $0 = substr($0, RSTART + RLENGTH)
    }
    print filled $0
  }' "$here/$file" >"$2/$file"
done
