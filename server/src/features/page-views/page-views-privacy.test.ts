import { expect, it } from 'vitest'
import { capturedLog } from '../../../test/captured-log.ts'
import { testServer } from '../../../test/server.ts'

const IP = '203.0.113.77'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'

it('address and browser of a visitor are nowhere: not in the database, and with all else not in the log', async () => {
  const { lines, log } = capturedLog('trace')
  const server = await testServer({}, log)
  const { pool } = server.database
  await server.addPharmacy({ email: 'a@example.it', code: 'PHARM-0001', features: ['offers'] })
  const sendEvent = (kind: string) =>
    server.app.inject({
      method: 'POST',
      url: '/api/public/page-events',
      headers: { 'user-agent': BROWSER },
      remoteAddress: IP,
      payload: {
        pharmacyCode: 'PHARM-0001',
        kind,
        referrer: 'https://example.it/sigillo-77?q=antabuse',
      },
    })
  await sendEvent('view')
  await sendEvent('call_tapped')

  const { rows: tables } = await pool.query<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
     from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const contents = await Promise.all(
    tables.map(({ name }) =>
      pool.query<{ row: string }>(`select each::text as row from ${name} each`),
    ),
  )
  const all = contents.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n')
  expect(all).toContain('Firefox · Linux')
  expect(all).toContain('https://example.it')
  for (const text of [IP, '203.0.113', BROWSER, 'Gecko', 'sigillo-77', 'antabuse']) {
    for (const form of ['utf8', 'hex', 'base64'] as const) {
      expect(all).not.toContain(Buffer.from(text).toString(form))
    }
  }

  // A failure whose details PostgreSQL would fill with the row.
  await pool.query(
    "alter table offer_events add constraint no_more check (kind <> 'whatsapp_tapped')",
  )
  expect((await sendEvent('whatsapp_tapped')).statusCode).toBe(500)
  const written = lines.join('')
  expect(written).toContain('"route":"/api/public/page-events"')
  expect(written).toContain('no_more')
  for (const secret of [IP, 'Firefox', 'sigillo-77']) expect(written).not.toContain(secret)
})
