import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import type { Machine } from './machine.ts'
import type { Site } from './site.ts'

const Members = z.object({
  members: z.array(
    z.object({
      name: z.string(),
      role: z.string(),
      state: z.string(),
      lag: z.unknown().optional(),
    }),
  ),
})

/** The cluster of deploy/ha, while it runs. */
export type Cluster = Site & {
  /** Where HAProxy of each machine of the servers takes requests of people. */
  fronts: string[]
  /** Where each server writes its mails. */
  outboxes: string[]
  leader(): Promise<Machine | undefined>
  /** Until one member leads, the others follow, and one of them is synchronous. */
  healthy(): Promise<void>
  /** A planned change of the leader. */
  switchOver(): Promise<void>
  /** Until the server of a machine is ready. */
  ready(machine: Machine): Promise<void>
  /** Asks the member that leads, past everything between. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
}

export function createCluster(site: Site): Cluster {
  const { databases, servers, passwords } = site

  async function members() {
    for (const { address } of databases) {
      const reply = await fetch(`http://${address}:8008/cluster`, {
        signal: AbortSignal.timeout(1_000),
      }).catch(() => undefined)
      const found = Members.safeParse(await reply?.json().catch(() => undefined))
      if (found.success) return found.data.members
    }
    return []
  }

  async function leader() {
    const name = (await members()).find((member) => member.role === 'leader')?.name
    const found = databases.find((machine) => machine.name === name)
    // A leader of the record may be dead.
    const reply = await fetch(`http://${found?.address}:8008/primary`, {
      signal: AbortSignal.timeout(1_000),
    }).catch(() => undefined)
    return reply?.status === 200 ? found : undefined
  }

  async function query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
    const address = (await leader())?.address
    const client = new pg.Client({
      host: address ?? 'no.leader.invalid',
      user: 'postgres',
      password: passwords['POSTGRES_PASSWORD'],
      database: 'bancone',
      connectionTimeoutMillis: 5_000,
      query_timeout: 60_000,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Row>(text, values)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  return {
    ...site,
    fronts: servers.map(({ address }) => `http://${address}:8080`),
    outboxes: servers.map((machine) => join(machine.folder, 'data', 'outbox')),
    leader,
    query,
    async healthy() {
      await until('the cluster is healthy', 120, async () => {
        const all = await members()
        const roles = all.map(({ role }) => role).toSorted()
        const isRunning = all.every(({ state }) => state === 'running' || state === 'streaming')
        if (!isRunning || roles.join(' ') !== 'leader replica sync_standby') return false
        return (await leader()) !== undefined
      })
    },
    async switchOver() {
      const old = await leader()
      const all = await members()
      const body = {
        leader: old?.name,
        candidate: all.find(({ role }) => role === 'sync_standby')?.name,
      }
      const secret = Buffer.from(`patroni:${passwords['PATRONI_PASSWORD']}`).toString('base64')
      const reply = await fetch(`http://${old?.address}:8008/switchover`, {
        method: 'POST',
        headers: { authorization: `Basic ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const text = await reply.text()
      if (!reply.ok) throw new Error(`the switch was refused: ${text}`)
      await until('the other member leads', 60, async () => {
        const now = await leader()
        return now !== undefined && now !== old
      })
    },
    async ready({ address }) {
      await until(`${address} is ready`, 120, async () => {
        const reply = await fetch(`http://${address}:3000/readyz`, {
          signal: AbortSignal.timeout(5_000),
        }).catch(() => undefined)
        return reply?.status === 200
      })
    },
  }
}

/** @throws Error when it is not so after that many seconds */
export async function until(
  what: string,
  seconds: number,
  isSo: () => Promise<boolean>,
): Promise<void> {
  const end = Date.now() + seconds * 1_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`)
    await pause(200)
  }
}
