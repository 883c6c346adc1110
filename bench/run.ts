import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { benchDatabase, ORDERS_EACH, PHARMACIES, password } from './database.ts'
import { compare, type Target } from './load.ts'
import { startProcess } from './server-process.ts'

const ROUNDS = Number(process.argv[2] ?? 5)
const SECONDS = 4
const say = (line: string) => process.stdout.write(`${line}\n`)

say(`Preparing ${PHARMACIES * ORDERS_EACH} orders of ${PHARMACIES} pharmacies…`)
const database = await benchDatabase()
const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-data-'))
const ours = await startProcess(['dist/server/main.js'], 3901, {
  DATABASE_URL: database.url,
  DATA_DIR: dataDir,
  LOG_LEVEL: 'info',
})
const bare = await startProcess(['--import', 'tsx', 'bench/bare-server.ts'], 3902, {
  DATABASE_URL: database.url,
})

try {
  const { pharmacy } = database
  const signedIn = await fetch(`${ours.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: pharmacy.email, password }),
  })
  const session = z.object({ access_token: z.string() }).parse(await signedIn.json())
  const headers = {
    authorization: `Bearer ${session.access_token}`,
    'content-type': 'application/json',
  }
  const pages = [1, 2, 3, 1, 1]
  const get = (path: (page: number) => string) => pages.map((page) => ({ path: path(page) }))
  const statuses = ['In attesa', 'Confermato', 'Prenotato Domani']
  const patch = (query: string) =>
    pharmacy.recordIds.map((id, n) => ({
      path: `/api/airtable-orders/${id}${query}`,
      body: JSON.stringify({ fields: { Stato: statuses[n % statuses.length] } }),
    }))

  const idle = await ours.memory()
  await show('Orders page', 'bare node:http + pg with count(*)', 1.5, [
    target(
      ours.url,
      'GET',
      headers,
      get((page) => `/api/airtable-orders?page=${page}`),
    ),
    target(
      bare.url,
      'GET',
      {},
      get((page) => `/orders?pharmacy=${pharmacy.id}&page=${page}`),
    ),
  ])
  await show('Status change', 'bare node:http + pg with one UPDATE', 0.3, [
    target(ours.url, 'PATCH', headers, patch('')),
    target(bare.url, 'PATCH', {}, patch(`?pharmacy=${pharmacy.id}`)),
  ])
  const busy = await ours.memory()
  say(
    `Memory of the server: ${idle.toFixed(0)} MB at rest, ${busy.toFixed(0)} MB after the load (goal: below 150)`,
  )
} finally {
  await ours.stop()
  await bare.stop()
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
}

function target(
  url: string,
  method: Target['method'],
  headers: Record<string, string>,
  requests: Target['requests'],
): Target {
  return { url, method, headers, requests }
}

async function show(what: string, against: string, goal: number, pair: [Target, Target]) {
  const { first, second, failed } = await compare(...pair, ROUNDS, SECONDS)
  say(
    `${what}: ${first.toFixed(0)}/s against ${second.toFixed(0)}/s of a ${against}: ` +
      `ratio ${(first / second).toFixed(2)} (goal: at least ${goal})${failed ? `, ${failed} FAILED` : ''}`,
  )
}
