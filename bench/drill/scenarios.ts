import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Cluster, until } from './cluster.ts'
import { jobsWork } from './jobs.ts'
import { callUntilTaken, type People, type Pharmacy } from './people.ts'
import type { Screens } from './screens.ts'
import { longestGap, type Writers } from './writers.ts'

export type Stage = { cluster: Cluster; people: People; writers: Writers; screens: Screens }

/** What a scenario has shown. Seconds that are undefined exceeded what was waited. */
export type Outcome = {
  name: string
  gap: number
  jobs: number | undefined
  screens: number | undefined
  /** By what went wrong with each. */
  failed: Map<string, number>
  acknowledged: number
}

type Scenario = {
  name: string
  /** A request that is sent after it and acknowledged shows that the outage is over. @returns what makes all whole again */
  fault(cluster: Cluster): Promise<() => Promise<void> | void>
}

/** Seconds that are waited for the end of an outage, and then for jobs and for screens. */
const PATIENCE = 90
const PATIENCE_AFTER = 45

const leaderOf = async (cluster: Cluster) => {
  const leader = await cluster.leader()
  if (!leader) throw new Error('no member leads')
  return leader
}

export const scenarios: Scenario[] = [
  {
    name: 'leader killed',
    async fault(cluster) {
      const leader = await leaderOf(cluster)
      await leader.kill()
      return () => leader.restart()
    },
  },
  {
    name: 'leader frozen',
    async fault(cluster) {
      const leader = await leaderOf(cluster)
      await leader.freeze()
      return () => leader.thaw()
    },
  },
  {
    // Patroni and etcd of the machine go on, and its PostgreSQL answers nothing.
    name: 'PostgreSQL of the leader frozen',
    async fault(cluster) {
      const leader = await leaderOf(cluster)
      await leader.freeze(join(leader.folder, 'postgres'))
      return () => leader.thaw()
    },
  },
  {
    // As if a firewall had forgotten them: the database is well, and these connections are neither closed nor answered.
    name: 'silent connections',
    async fault(cluster) {
      const leader = await leaderOf(cluster)
      // Those on which servers wait for events and for jobs, and not PgBouncer's, on which requests add jobs. Idle ones
      // hold no lock that others wait for.
      const waiting = await cluster.query<{ pid: number }>(
        `select pid from pg_stat_activity
         where state = 'idle' and starts_with(usename, 'bancone')
           and (starts_with(application_name, 'bancone events') or query ilike 'listen %'
             or query like '%graphile_worker%' and query not like '%add_job%')`,
      )
      const frozen = waiting.map(({ pid }) => pid)
      if (frozen.length < 2 * cluster.servers.length) throw new Error('no connections wait')
      for (const pid of frozen) process.kill(pid, 'SIGSTOP')
      await until('the servers have given silent connections up', PATIENCE, async () => {
        const [row] = await cluster.query<{ servers: number }>(
          `select count(*)::int as servers from pg_stat_activity
           where starts_with(application_name, 'bancone events') and pid <> all($1)`,
          [frozen],
        )
        return row?.servers === cluster.servers.length
      })
      return () => leader.thaw()
    },
  },
  {
    name: 'planned switch',
    async fault(cluster) {
      await cluster.switchOver()
      return () => {}
    },
  },
  {
    name: 'servers restarted in turn',
    async fault(cluster) {
      for (const machine of cluster.servers) {
        const code = await machine.stop('server')
        if (code !== 0) throw new Error(`${machine.name} ended with ${code}`)
        machine.restart()
        await cluster.ready(machine)
        // The proxies have noticed.
        await pause(5_000)
      }
      return () => {}
    },
  },
]

let changes = 0

export async function play({ cluster, people, writers, screens }: Stage, scenario: Scenario) {
  const { ledger } = writers
  await cluster.healthy()
  // What was before is no part of it.
  await pause(2_000)
  const begun = Date.now()
  const heal = await scenario.fault(cluster)
  const over = Date.now()
  let recovered = 0
  await until('a change is acknowledged', PATIENCE, async () => {
    recovered = ledger.acknowledged.find(({ sentAt }) => sentAt > over)?.at ?? 0
    return recovered > 0
  })
  const [jobs, shown] = await Promise.all([
    jobsWork(cluster, people, PATIENCE_AFTER),
    showChanges({ cluster, people, screens }),
  ])
  await heal()
  await cluster.healthy()
  for (const machine of cluster.servers) await cluster.ready(machine)
  await pause(2_000)
  const ended = Date.now()
  const isIn = ({ at }: { at: number }) => at >= begun && at <= ended
  const outcome: Outcome = {
    name: scenario.name,
    gap: longestGap(ledger, begun, ended),
    jobs: jobs && (jobs - recovered) / 1_000,
    screens: shown && (shown - recovered) / 1_000,
    failed: tally(ledger.failed.filter(isIn).map(({ why }) => why)),
    acknowledged: ledger.acknowledged.filter(isIn).length,
  }
  return outcome
}

function tally(all: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}

/** One change on each quiet page. @returns when all of its screens had shown it */
async function showChanges({ cluster, people, screens }: Omit<Stage, 'writers'>) {
  const customers = new Map<Pharmacy, string>()
  changes += 1
  await Promise.all(
    people.quiet.map(async (pharmacy) => {
      const customer = `Ultimo ${changes}`
      customers.set(pharmacy, customer)
      await callUntilTaken(cluster.fronts, '/api/orders', {
        method: 'POST',
        headers: { ...pharmacy.headers, 'idempotency-key': `${pharmacy.id}-${changes}` },
        body: { fields: { Cliente: customer, Ordine: 'Tachipirina 1000, una confezione' } },
      })
    }),
  )
  return Promise.race([
    screens.allShow(customers),
    pause(PATIENCE_AFTER * 1_000, undefined, { ref: false }),
  ])
}
