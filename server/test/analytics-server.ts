import { Analytics } from '@bancone/contract/analytics'
import { parse } from 'csv-parse/sync'
import { expect, onTestFinished } from 'vitest'
import type { Settings } from '../src/wiring/wiring.ts'
import { type TestServer, testServer } from './server.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a pharmacy's pages have sent; a view by default. */
export type QueuedPageEvent = {
  at: string
  kind?: string
  offerIds?: string[]
  /** The first view of a visitor and of a visit. */
  isVisitor?: boolean
  source?: string
  device?: string
  reason?: string
  amount?: number
}

export type AnalyticsPharmacy = Awaited<
  ReturnType<Awaited<ReturnType<typeof analyticsServer>>['pharmacy']>
>

/** The query of a period. */
export const period = (dal: string, al = dal, more = '') => `?dal=${dal}&al=${al}${more}`

/** The real application, with pharmacies that have analytics. */
export async function analyticsServer(settings: Partial<Settings>) {
  const server: TestServer = await testServer(settings)
  let made = 0

  async function query<Row extends object>(text: string, ...values: unknown[]): Promise<Row[]> {
    return (await server.database.pool.query<Row>(text, values)).rows
  }

  return {
    ...server,
    query,

    /** The table is out of reach until the test has ended. */
    async lose(table: string): Promise<void> {
      await query(`alter table ${table} rename to lost_${table}`)
      onTestFinished(async () => {
        await query(`alter table lost_${table} rename to ${table}`)
      })
    },

    async pharmacy(
      options: { airtable?: { baseId: string; tableId: string }; features?: string[] } = {},
    ) {
      made += 1
      const email = `analytics-${made}@example.it`
      const features = ['analytics', 'offers']
      const code = `ANALYTICS-${made}`
      const id = await server.addPharmacy({ features, ...options, email, code })
      const headers = await server.signIn(email)
      const ask = (path: string, method: Method = 'GET', payload?: object) =>
        server.app.inject({
          method,
          url: `/api/analytics${path}`,
          headers,
          ...(payload && { payload }),
        })
      return {
        id,
        email,
        headers,
        ask,

        /** The page of a period, after what has happened was folded. */
        async figures(dal: string, al = dal, more = ''): Promise<Analytics> {
          const reply = await ask(period(dal, al, `&aggiorna=true${more}`))
          expect(reply.statusCode, reply.body).toBe(200)
          return Analytics.parse(reply.json())
        },

        async csvOf(tabella: string, dal: string, al = dal) {
          const reply = await ask(`/export${period(dal, al, `&tabella=${tabella}&formato=csv`)}`)
          expect(reply.statusCode, reply.body).toBe(200)
          expect(reply.headers['content-disposition']).toBe(
            `attachment; filename="analytics-${tabella}-${dal}-${al}.csv"`,
          )
          expect(reply.body.startsWith('\uFEFF')).toBe(true)
          const rows: string[][] = parse(reply.body, { delimiter: ';', bom: true })
          return { labels: rows[0] ?? [], rows: rows.slice(1) }
        },

        /** Accepted events, which wait for being folded. */
        async happen(events: readonly QueuedPageEvent[]): Promise<void> {
          await query(
            `insert into page_event_queue
               (pharmacy_id, happened_at, kind, offer_ids, is_visitor, is_visit, source, device, reason, amount)
             select $1, at::timestamptz, coalesce(kind, 'view'), coalesce("offerIds", '{}'),
               coalesce("isVisitor", false), coalesce("isVisitor", false), source, device, reason, coalesce(amount, 1)
             from jsonb_to_recordset($2) as event (at text, kind text, "offerIds" uuid[], "isVisitor" boolean,
               source text, device text, reason text, amount integer)`,
            id,
            JSON.stringify(events),
          )
        },

        /** @returns the id of its row */
        async order(at: string, status = 'In attesa'): Promise<string> {
          made += 1
          const [row] = await query<{ id: string }>(
            `insert into pharmacy_orders (pharmacy_id, airtable_order_id, customer_name, order_details, status,
               airtable_created, airtable_last)
             values ($1, $2, 'Anna Neri', 'Tachipirina', $3, $4, now()) returning id`,
            id,
            `recANALYTICS${made}`,
            status,
            at,
          )
          return row?.id ?? ''
        },

        /** Active offers, shown from 1 November 2026 on. @returns their ids */
        async offers(...all: { name: string; imageId?: string }[]): Promise<string[]> {
          const ids: string[] = []
          for (const { name, imageId = null } of all) {
            const [row] = await query<{ id: string }>(
              `insert into product_offers (pharmacy_id, pharmacy_code, product_name, category, list_price,
                 offer_price, start_date, image_url, cloudinary_id)
               select id, pharmacy_id, $2, 'Altro', 200, 100, '2026-11-01', '/a.png', $3
               from pharmacies where id = $1 returning id`,
              id,
              name,
              imageId,
            )
            ids.push(row?.id ?? '')
          }
          return ids
        },
      }
    },
  }
}
