import type { MigrationRunDetail } from '@bancone/contract/migration-runs'
import type { MigrationDetail } from '@bancone/contract/orders-migration'
import { type AirtableSandbox, startAirtable } from '@bancone/sandbox/airtable'
import { type Field, ordersTable } from '@bancone/sandbox/airtable/schema'
import { expect, vi } from 'vitest'
import type { MigrationTiming } from '../src/features/orders/migration/migration.context.ts'
import type { SourceLocation } from '../src/ports/order-source.ts'
import { atEnd } from './at-end.ts'
import { type TestServer, testServer } from './server.ts'

export const quick: MigrationTiming = {
  batchPauseMs: 1,
  retryMs: 5,
  leaseMs: 5,
  recheckMs: 50,
  checkMs: 20,
  beatMs: 100,
  // On a busy machine a process may be silent for seconds, and the test counts what its run requests.
  stalledMs: 10_000,
}

export type MigrationServer = Awaited<ReturnType<typeof migrationServer>>

/** The number of bases, each with a table whose cells may have any value. */
const BASES = 16

/**
 * An application with an administrator and a sandbox of Airtable, whose runs wait for nothing.
 *
 * @param options `requestsPerSecond`: those that Airtable allows; `timeLimitMs`: of a request; `works` false: other processes work on the runs;
 * `columns`: of the tables, besides the usual ones or instead; `checkMs`: between two checks for runs that wait
 */
export async function migrationServer(
  options: {
    requestsPerSecond?: number
    timeLimitMs?: number
    works?: boolean
    columns?: Record<string, Field>
    checkMs?: number
  } = {},
) {
  let pharmacies = 0
  const locations = Array.from({ length: BASES }, (_, index) => locationOf(index))
  const cells = { kind: 'formula' } as const
  const bases = Object.fromEntries(
    locations.map(({ baseId, tableId }) => [
      baseId,
      [
        ordersTable(tableId, {
          Cliente: cells,
          'Phone Number': cells,
          Image: cells,
          Stato: cells,
          ...options.columns,
        }),
      ],
    ]),
  )
  const airtable: AirtableSandbox = await startAirtable({
    bases,
    requestsPerSecond: options.requestsPerSecond ?? 10_000,
    penaltyMs: 100,
  })
  atEnd(() => airtable.close())
  const perSecond = options.requestsPerSecond ? options.requestsPerSecond - 1 : 1_000
  const server: TestServer = await testServer({
    airtable: {
      apiUrl: airtable.url,
      token: airtable.token,
      perSecond,
      perSecondOfUser: 1_000,
      retryMs: 1,
      pauseMs: 100,
      ...(options.timeLimitMs !== undefined && { timeLimitMs: options.timeLimitMs }),
      ...(options.requestsPerSecond === undefined && { secondMs: 10 }),
    },
    timing: {
      migration: { ...quick, ...(options.checkMs !== undefined && { checkMs: options.checkMs }) },
      copy: { maxAgeMs: 0, refreshIntervalMs: 0 },
    },
  })
  await server.addAdministrator({ email: 'admin@example.it' })
  const admin = await server.signIn('admin@example.it')
  if (options.works !== false) server.start()

  async function reply(
    method: 'GET' | 'POST' | 'DELETE' | 'PATCH',
    url: string,
    payload?: object,
    status = 200,
  ) {
    const request = { method, url, headers: admin, ...(payload && { payload }) }
    const given = await server.app.inject(request)
    expect(given.statusCode, given.body).toBe(status)
    return given
  }

  const call = async <T>(...request: Parameters<typeof reply>): Promise<T> =>
    (await reply(...request)).json()

  const root = '/api/admin/orders-migration'
  const detail = (id: string) => call<MigrationDetail>('GET', `${root}/pharmacies/${id}`)

  /** The run when it has ended. */
  async function ended(runId: string): Promise<MigrationRunDetail> {
    return vi.waitFor(
      async () => {
        const run = await call<MigrationRunDetail>('GET', `${root}/runs/${runId}`)
        expect(run.endedAt, JSON.stringify(run)).not.toBeNull()
        return run
      },
      { timeout: 30_000, interval: 50 },
    )
  }

  return {
    server,
    airtable,
    root,
    call,
    text: async (url: string) => (await reply('GET', url)).body,
    detail,
    ended,

    /** As a user of Airtable does. */
    renameColumn({ baseId }: SourceLocation, from: string, to: string) {
      const fields = bases[baseId]?.[0]?.fields ?? {}
      const field = fields[from]
      delete fields[from]
      if (field) fields[to] = field
    },

    async addPharmacy(): Promise<{ id: string; code: string; location: SourceLocation }> {
      const location = locationOf(pharmacies)
      pharmacies += 1
      const code = `MOVE-${pharmacies}`
      const email = `${code}@example.it`.toLowerCase()
      return { id: await server.addPharmacy({ email, code, airtable: location }), code, location }
    },

    /** Creates orders in Airtable, a minute after each other. @returns their record ids */
    fill({ baseId, tableId }: SourceLocation, count: number): string[] {
      const start = Date.UTC(2026, 0, 1)
      return airtable.create(
        baseId,
        tableId,
        Array.from({ length: count }, (_, index) => ({
          createdTime: start + index * 60_000,
          fields: {
            Cliente: `Cliente ${index}`,
            Ordine: `Ordine ${index}`,
            Stato: index % 3 === 0 ? 'Confermato' : 'In attesa',
            'Phone Number': `333 ${1_000_000 + index}`,
          },
        })),
      )
    },

    /** Starts a run and waits for its end. */
    async run(id: string, body: object): Promise<MigrationRunDetail> {
      const started = await call<MigrationRunDetail>('POST', `${root}/pharmacies/${id}/runs`, body)
      return ended(started.id)
    },

    async orders(id: string): Promise<{ id: string; status: string; name: string | null }[]> {
      const { rows } = await server.database.pool.query<{
        id: string
        status: string
        name: string | null
      }>(
        `select airtable_order_id as id, status, customer_name as name from pharmacy_orders
         where pharmacy_id = $1 order by 1`,
        [id],
      )
      return rows
    },
  }
}

function locationOf(index: number): SourceLocation {
  const id = String(index).padStart(10, '0')
  return { baseId: `appMOVE${id}`, tableId: `tblMOVE${id}` }
}
