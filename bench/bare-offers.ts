import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'

/**
 * What the public page is measured against: `node:http` and `pg` with nothing between them, which read the offers
 * of a pharmacy and answer them as JSON.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })

/** By the code as it is written somewhere, as the page does. */
const offers = `select o.id, o.created_at, o.product_name, o.description, o.category, o.list_price, o.offer_price,
    o.start_date::text, o.end_date::text, o.is_active, o.image_url, o.cloudinary_id
  from pharmacies p join product_offers o on o.pharmacy_id = p.id
  where upper(p.pharmacy_id) = upper($1) and p.is_active and o.is_active and o.start_date <= current_date
    and (o.end_date is null or o.end_date >= current_date)
  order by o.created_at desc limit 30`

async function answer(request: IncomingMessage, response: ServerResponse) {
  const code = request.url?.split('/').at(-1)
  const { rows } = await pool.query(offers, [code])
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify({ offers: rows }))
}

const server = createServer((request, response) => void answer(request, response))

server.listen(Number(process.env['PORT']), '127.0.0.1')
