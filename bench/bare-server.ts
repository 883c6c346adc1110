import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { z } from 'zod'

/**
 * What ours is measured against: `node:http` and `pg` with nothing between them, no session checked, the same page of
 * orders and the total by `count(*)`. PATCH is one bare UPDATE. With BYTES it sends that file for every request.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })
const file = process.env['BYTES']
const bytes = file === undefined ? undefined : readFileSync(file)

const page = `select airtable_order_id, order_number, customer_name, customer_phone, order_details,
    address, status, image_url, airtable_created, airtable_last
  from pharmacy_orders where pharmacy_id = $1
  order by airtable_created desc, id desc limit $2 offset $3`

const counts = 'select count(*) from pharmacy_orders where pharmacy_id = $1'

const update = `update pharmacy_orders set status = $3
  where pharmacy_id = $1 and airtable_order_id = $2 returning airtable_order_id, status`

const Change = z.object({ fields: z.object({ Stato: z.string() }) })

async function answer(request: IncomingMessage, response: ServerResponse) {
  if (bytes) {
    response.setHeader('content-length', bytes.byteLength)
    return response.end(bytes)
  }
  const value = await orders(request)
  response.setHeader('content-type', 'application/json; charset=utf-8')
  return response.end(JSON.stringify(value))
}

async function orders(request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const pharmacy = request.headers['x-pharmacy']
  if (request.method === 'PATCH') {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { Stato } = Change.parse(JSON.parse(text)).fields
    const { rows } = await pool.query(update, [pharmacy, url.pathname.split('/').at(-1), Stato])
    return rows[0]
  }
  if (url.pathname === '/readyz') return null
  const number = Number(url.searchParams.get('page') ?? 1)
  const [{ rows }, total] = await Promise.all([
    pool.query(page, [pharmacy, 20, (number - 1) * 20]),
    pool.query<{ count: string }>(counts, [pharmacy]),
  ])
  return { records: rows, total: total.rows[0] }
}

const server = createServer((request, response) => void answer(request, response))

server.listen(Number(process.env['PORT']), '127.0.0.1')
