import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { testDatabase } from './database.ts'
import { freePort, startServer } from './program.ts'

vi.setConfig({ testTimeout: 120_000 })

it('shows its metrics on a port of their own, and logs slow statements without personal data', async () => {
  const metricsPort = await freePort()
  const { program, url } = await startServer({
    DATABASE_URL: (await testDatabase()).url,
    DEMO: '1',
    DEMO_ORDER_EVERY: '0',
    METRICS_PORT: String(metricsPort),
    SLOW_STATEMENT_MS: '1',
    LOG_LEVEL: 'warn',
  })
  await program.printed('Bancone is ready')
  const email = 'farmacia@demo.bancone.it'
  const password = 'Bancone-demo-1'
  const signedIn = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { access_token: token, user } = z
    .object({ access_token: z.string(), user: z.object({ id: z.string() }) })
    .parse(await signedIn.json())
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const Records = z
    .array(z.looseObject({ id: z.string(), fields: z.looseObject({ Cliente: z.string() }) }))
    .min(1)
  // They may not all have come from Airtable at the first look.
  const records = await vi.waitFor(
    async () => {
      const listed = await fetch(`${url}/api/airtable-orders`, { headers })
      return z.object({ records: Records }).parse(await listed.json()).records
    },
    { timeout: 60_000, interval: 500 },
  )
  const [order] = records
  // A search contains what a user typed, and a change of an order calls Airtable.
  const words = order?.fields.Cliente ?? ''
  const searched = await fetch(`${url}/api/orders/search`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ q: words }),
  })
  expect(searched.status).toBe(200)
  await fetch(`${url}/api/airtable-orders/${order?.id}`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ fields: { Stato: 'Annullato' } }),
  })

  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  expect([metrics.status, (await metrics.text()).includes('nodejs_eventloop_lag_p99')]).toEqual([
    200,
    true,
  ])
  expect((await fetch(`http://127.0.0.1:${metricsPort}/healthz`)).status).toBe(404)
  expect((await fetch(`${url}/metrics`)).status).toBe(404)

  const slow =
    program
      .output()
      .match(/^.*"msg":"slow statement".*$/gm)
      ?.join('') ?? ''
  expect(slow).toContain('$1')
  for (const secret of [email, password, token, user.id, order?.id ?? '', words]) {
    expect(secret).not.toBe('')
    expect(slow).not.toContain(secret)
  }
})
