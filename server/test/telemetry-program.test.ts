import { once } from 'node:events'
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { emptyDatabase } from './database.ts'
import { freePort, startServer } from './program.ts'

vi.setConfig({ testTimeout: 120_000 })

const Span = z.looseObject({
  name: z.string(),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  attributes: z.array(
    z.object({
      key: z.string(),
      value: z.object({ stringValue: z.string().optional(), intValue: z.number().optional() }),
    }),
  ),
})
type Span = z.infer<typeof Span>
const Export = z.object({
  resourceSpans: z.array(
    z.looseObject({
      resource: z.looseObject({ attributes: z.array(z.looseObject({ key: z.string() })) }),
      scopeSpans: z.array(z.looseObject({ spans: z.array(Span) })),
    }),
  ),
})

/** A collector of OpenTelemetry until the end of the test. */
async function collector() {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  const spans = () =>
    bodies
      .flatMap((body) => Export.parse(JSON.parse(body)).resourceSpans)
      .flatMap((resource) => resource.scopeSpans.flatMap((scope) => scope.spans))
  return { url: `http://127.0.0.1:${address.port}`, bodies, spans }
}

async function* slowly(body: string) {
  yield Buffer.from(body.slice(0, 1))
  await pause(100)
  yield Buffer.from(body.slice(1))
}

const attribute = (span: Span | undefined, name: string) =>
  Object.values(span?.attributes.find(({ key }) => key === name)?.value ?? {})[0]

it('a server sends traces and shows its metrics on a port of their own, without personal data', async () => {
  const traces = await collector()
  const metricsPort = await freePort()
  const { program, url } = await startServer({
    DATABASE_URL: (await emptyDatabase()).url,
    DEMO: '1',
    DEMO_ORDER_EVERY: '0',
    METRICS_PORT: String(metricsPort),
    SLOW_STATEMENT_MS: '1',
    LOG_LEVEL: 'warn',
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
    OTEL_SERVICE_NAME: 'bancone-test',
    OTEL_BSP_SCHEDULE_DELAY: '200',
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
  const listed = await fetch(`${url}/api/airtable-orders`, { headers })
  const { records } = z
    .object({
      records: z
        .array(z.looseObject({ id: z.string(), fields: z.looseObject({ Cliente: z.string() }) }))
        .min(1),
    })
    .parse(await listed.json())
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
    // The end comes later than the headers, as over a real network.
    body: Readable.from(slowly(JSON.stringify({ fields: { Stato: 'Annullato' } }))),
    duplex: 'half',
  })

  const metrics = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  expect([metrics.status, (await metrics.text()).includes('nodejs_eventloop_lag_p99')]).toEqual([
    200,
    true,
  ])
  expect((await fetch(`http://127.0.0.1:${metricsPort}/healthz`)).status).toBe(404)
  expect((await fetch(`${url}/metrics`)).status).toBe(404)

  const find = (name: string) => traces.spans().find((span) => span.name === name)
  const children = (span: Span | undefined) =>
    traces.spans().filter((each) => each.parentSpanId === span?.spanId)
  // What was not sent yet is sent at the end.
  expect(await program.end('SIGTERM')).toBe(0)
  const change = find('PATCH /api/airtable-orders/:recordId')
  expect(attribute(change, 'http.response.status_code')).toBe(200)
  const statements = children(change).map((span) => attribute(span, 'db.query.text'))
  expect(statements).toContainEqual(expect.stringMatching(/order_changes.*\$1/s))
  const outgoing = traces.spans().find((span) => attribute(span, 'server.address') === '127.0.0.1')
  expect(outgoing?.attributes.map(({ key }) => key).toSorted()).toEqual([
    'http.request.method',
    'http.response.status_code',
    'server.address',
  ])
  expect(traces.bodies.join('')).toContain('bancone-test')

  const slow =
    program
      .output()
      .match(/^.*"msg":"slow statement".*$/gm)
      ?.join('') ?? ''
  expect(slow).toContain('$1')
  const sent = traces.bodies.join('')
  for (const secret of [email, password, token, user.id, order?.id ?? '', words]) {
    expect(secret).not.toBe('')
    expect(sent).not.toContain(secret)
    expect(slow).not.toContain(secret)
  }
})
