import { accessSync, constants, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Each with the package of Debian that has it. */
const packages = {
  etcd: 'etcd-server',
  patroni: 'patroni python3-etcd',
  haproxy: 'haproxy',
  pgbouncer: 'pgbouncer',
  pgbackrest: 'pgbackrest',
  curl: 'curl',
  postgres: 'postgresql',
  initdb: 'postgresql',
  psql: 'postgresql',
  pg_rewind: 'postgresql',
}

type Name = keyof typeof packages

/** The paths of programs. */
export type Programs = Record<Name, string>

/** Debian's folders of PostgreSQL, the newest version first. */
function postgresFolders(): string[] {
  const place = '/usr/lib/postgresql'
  try {
    return readdirSync(place)
      .toSorted((a, b) => Number(b) - Number(a))
      .map((version) => join(place, version, 'bin'))
  } catch {
    return []
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** @returns the programs, or what is missing and how to get it */
export function findPrograms(): { programs: Programs } | { missing: string } {
  const path = (process.env['PATH'] ?? '').split(delimiter)
  const folders = [...postgresFolders(), ...path, '/usr/sbin', '/usr/bin']
  const find = (name: Name) => folders.map((folder) => join(folder, name)).find(isProgram)
  const found = {
    etcd: find('etcd'),
    patroni: find('patroni'),
    haproxy: find('haproxy'),
    pgbouncer: find('pgbouncer'),
    pgbackrest: find('pgbackrest'),
    curl: find('curl'),
    postgres: find('postgres'),
    initdb: find('initdb'),
    psql: find('psql'),
    pg_rewind: find('pg_rewind'),
  }
  const isComplete = (all: Record<Name, string | undefined>): all is Programs =>
    Object.values(all).every((file) => file !== undefined)
  if (isComplete(found)) return { programs: found }
  const present = new Map(Object.entries(found))
  const missing = Object.entries(packages).filter(([name]) => present.get(name) === undefined)
  const names = missing.map(([name]) => name).join(', ')
  const wanted = [...new Set(missing.map(([, name]) => name))].join(' ')
  return {
    missing: `The drill needs ${names}. On Debian:\n  apt-get install --no-install-recommends ${wanted}`,
  }
}
