import type { PriorityStatus } from '@bancone/contract/priority'
import { newToken } from '../src/features/priority/priority-links.store.ts'
import type { Settings } from '../src/wiring/wiring.ts'
import { testServer } from './server.ts'

const times: Partial<Record<PriorityStatus, object>> = {
  on_the_way: { on_the_way_at: 'now()' },
  user_arrived: { arrived_at: 'now()' },
  called: { arrived_at: "now() - interval '5 minutes'", called_at: 'now()' },
  served: { arrived_at: "now() - interval '5 minutes'", ended_at: 'now()' },
  no_show: { ended_at: 'now()' },
  cancelled: { ended_at: 'now()' },
  expired: { ended_at: 'now()' },
}

export type PriorityServer = Awaited<ReturnType<typeof priorityServer>>

/** The real application, with pharmacies that have priority access. */
export async function priorityServer(settings: Partial<Settings> = {}) {
  const server = await testServer(settings)
  let made = 0

  async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await server.database.pool.query<Row>(text, values)).rows
  }

  return {
    ...server,
    query,

    /** A signed-in pharmacy with the feature. */
    async newPharmacy() {
      made += 1
      const code = `PRIO-000${made}`
      const email = `priority-${made}@example.it`
      const id = await server.addPharmacy({ email, code, features: ['priority_access'] })
      return { id, code, email, headers: await server.signIn(email) }
    },

    /** A session with that status and other columns as SQL. @returns its id */
    async session(
      pharmacyId: string,
      status: PriorityStatus,
      columns: Record<string, string> = {},
    ): Promise<string> {
      made += 1
      const all = {
        airtable_order_id: `'recVISIT${made}'`,
        order_number: "'Ord-1042'",
        user_name: "'Maria Segreta'",
        user_phone: "'+39 333 123 4567'",
        expires_at: "now() + interval '1 day'",
        ...times[status],
        ...columns,
      }
      const [row] = await query<{ id: string }>(
        `insert into priority_access_sessions (pharmacy_id, status, ${Object.keys(all).join()})
         values ($1, $2, ${Object.values(all).join()}) returning id`,
        [pharmacyId, status],
      )
      return row?.id ?? ''
    },

    /** Another link of a session. @returns its token */
    async link(pharmacyId: string, prioritySessionId: string): Promise<string> {
      const { token, hash } = newToken()
      await query(
        'insert into priority_links (pharmacy_id, session_id, token_hash) values ($1, $2, $3)',
        [pharmacyId, prioritySessionId, hash],
      )
      return token
    },
  }
}
