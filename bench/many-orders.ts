import pg from 'pg'
import { z } from 'zod'
import { type BenchDatabase, type BenchPharmacy, orderText, password } from './database.ts'

/** Of one pharmacy: what a large one has after some years. */
export const MANY_ORDERS = 200_000

/** The pharmacy that has so many, from the first call on. */
export async function manyOrders(database: BenchDatabase): Promise<BenchPharmacy> {
  const pharmacy = database.pharmacies.at(-2)
  if (!pharmacy) throw new Error('there is no pharmacy')
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(
    `insert into pharmacy_orders (pharmacy_id, airtable_order_id, order_number, customer_name,
       customer_phone, order_details, address, airtable_created, airtable_last, seen_at)
     select $1, 'recMany' || n, n::text, 'Giulia Bianchi', '+39 333 123 4567',
       '${orderText}', 'Via Giuseppe Garibaldi 12, 30124 Venezia VE',
       now() - make_interval(mins => $2 - n), now(), now()
     from generate_series(1, $2::int - (
       select count(*)::int from pharmacy_orders where pharmacy_id = $1
     )) n`,
    [pharmacy.id, MANY_ORDERS],
  )
  await client.query('vacuum analyze pharmacy_orders')
  await client.end()
  return pharmacy
}

const Session = z.object({ access_token: z.string() })

/** @returns the headers of a signed-in user of the pharmacy */
export async function signInTo(url: string, email: string): Promise<Record<string, string>> {
  const reply = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { access_token: token } = Session.parse(await reply.json())
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
}

/** Looks at the memory of a server all the time. `stop` says how many megabytes it was at most. */
export function watchMemory(served: { memory(): Promise<number> }) {
  let most = 0
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    void served
      .memory()
      .then((now) => {
        most = Math.max(most, now)
      })
      .finally(() => {
        isLooking = false
      })
  }, 50)
  return {
    stop(): number {
      clearInterval(timer)
      return most
    },
  }
}
