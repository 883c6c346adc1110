import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import pg from 'pg'
import { z } from 'zod'

/**
 * What a view is measured against: `node:http` and `pg` with nothing between them, which insert the same row into the
 * same table. No visitor is told from another, nothing is limited, and nothing is counted.
 */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10 })

const insert = `insert into offer_page_views (pharmacy_id, session_id, visitor_ip, user_agent, referrer, viewed_at)
  values ($1, $2, $3, $4, $5, now())`

const View = z.object({ pharmacyId: z.string(), referrer: z.string() })

async function answer(request: IncomingMessage, response: ServerResponse) {
  if (request.method === 'POST') {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { pharmacyId, referrer } = View.parse(JSON.parse(text))
    // As long as a visitor's pseudonym.
    const visitor = String(request.headers['x-forwarded-for']).padEnd(22, '.')
    const origin = new URL(referrer).origin
    await pool.query(insert, [pharmacyId, randomUUID(), visitor, 'Chrome · Android', origin])
  }
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end('{}')
}

const server = createServer((request, response) => void answer(request, response))

server.listen(Number(process.env['PORT']), '127.0.0.1')
