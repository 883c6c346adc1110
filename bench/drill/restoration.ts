import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, until } from './cluster.ts'
import { compare } from './comparison.ts'
import type { Writers } from './writers.ts'

const PORT = 5433

/**
 * Restores a copy of the database to a moment while the writers go on, from the first back-up and the log of all leaders
 * since then, by the script of deploy/ha. @returns seconds that it took, and how it compares
 */
export async function restoreToMoment(cluster: Cluster, { ledger }: Writers) {
  await cluster.healthy()
  const moment = Date.now()
  // The log of the moment goes on, and is archived.
  await pause(3_000)
  const [row] = await cluster.query<{ segment: string }>(
    'select pg_walfile_name(pg_switch_wal()) as segment',
  )
  await until('the log is archived', 60, async () => {
    const [archived] = await cluster.query<{ isThere: boolean }>(
      'select last_archived_wal >= $1 as "isThere" from pg_stat_archiver',
      [row?.segment],
    )
    return archived?.isThere === true
  })
  // A member that follows: the leader has work to do.
  const leader = await cluster.leader()
  const machine = cluster.databases.find((member) => member !== leader)
  if (!machine) throw new Error('there is no other member')
  const folder = join(machine.folder, 'restored')
  const time = new Date(moment).toISOString().replace('T', ' ').replace('Z', '+00')
  const script = cluster.fileOf(machine, 'restore.sh')
  const begun = Date.now()
  await cluster.runOn(machine, 'sh', [script, time, folder, String(PORT)])
  const seconds = (Date.now() - begun) / 1_000
  const client = new pg.Client({
    host: machine.address,
    port: PORT,
    user: 'postgres',
    password: cluster.passwords['POSTGRES_PASSWORD'],
    database: 'bancone',
  })
  await client.connect()
  try {
    const orders = ledger.orders.slice()
    const query = async <Row extends pg.QueryResultRow>(text: string) =>
      (await client.query<Row>(text)).rows
    return { seconds, ...(await compare(query, orders, moment)) }
  } finally {
    await client.end()
    await cluster.runOn(machine, join(cluster.programs.postgres, '..', 'pg_ctl'), [
      '-D',
      folder,
      '-m',
      'immediate',
      'stop',
    ])
  }
}
