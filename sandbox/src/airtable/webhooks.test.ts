import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import {
  addOrders,
  ask,
  BASE,
  createClock,
  OTHER_BASE,
  STOCK,
  start,
  TABLE,
} from '../../test/start.ts'
import type { AirtableOptions, AirtableSandbox } from '../airtable.ts'
import { listen } from '../listening.ts'

const PATH = `/v0/bases/${BASE}/webhooks`
const Made = z.object({ id: z.string(), macSecretBase64: z.string(), expirationTime: z.string() })
const Listed = z.object({
  webhooks: z.array(
    z.object({
      id: z.string(),
      areNotificationsEnabled: z.boolean(),
      isHookEnabled: z.boolean(),
      cursorForNextPayload: z.number(),
      expirationTime: z.string(),
      lastNotificationResult: z.object({ success: z.boolean() }).nullable(),
    }),
  ),
})

/** A receiver of pings that answers with a status. */
async function receiver() {
  const pings: { body: string; mac: unknown }[] = []
  const answers = { status: 204 }
  async function receive(request: IncomingMessage, response: ServerResponse) {
    const body = Buffer.concat(await request.toArray()).toString()
    pings.push({ body, mac: request.headers['x-airtable-content-mac'] })
    response.writeHead(answers.status).end()
  }
  const server = createServer((request, response) => void receive(request, response))
  const { origin, close } = await listen(server, {})
  onTestFinished(close)
  return { pings, answers, url: `${origin}/ping` }
}

async function startWithWebhook(options: Partial<AirtableOptions> = {}, scope?: string) {
  const clock = createClock()
  const airtable = await start({ now: clock.now, pingRetryMs: 1, ...options })
  const { pings, answers, url } = await receiver()
  const made = Made.parse((await createWebhook(airtable, url, scope)).body)
  return { airtable, clock, pings, answers, made }
}

function createWebhook(airtable: AirtableSandbox, url: string, scope?: string) {
  const filters = { dataTypes: ['tableData'], ...(scope && { recordChangeScope: scope }) }
  const body = JSON.stringify({ notificationUrl: url, specification: { options: { filters } } })
  return ask(airtable, PATH, { method: 'POST', body })
}

async function listed(airtable: AirtableSandbox) {
  return Listed.parse((await ask(airtable, PATH)).body).webhooks
}

describe('a webhook', () => {
  it('of a table does not ping for another one', async () => {
    const { airtable, pings } = await startWithWebhook({}, TABLE)
    airtable.create(BASE, STOCK.id, [{ fields: { Nome: 'Garze' } }])
    airtable.create(OTHER_BASE, TABLE, [{ fields: { Cliente: 'Bruno' } }])
    addOrders(airtable, ['Anna'])
    await vi.waitFor(() => expect(pings).toHaveLength(1))
    expect((await listed(airtable))[0]?.cursorForNextPayload).toBe(2)
  })

  it('lists what was created, changed and removed, from a cursor', async () => {
    const { airtable, made } = await startWithWebhook()
    const [id = ''] = addOrders(airtable, ['Anna'])
    airtable.update(BASE, TABLE, id, { Cliente: 'Bruna' })
    airtable.remove(BASE, TABLE, id)
    expect((await ask(airtable, `${PATH}/${made.id}/payloads?cursor=2`)).body).toMatchObject({
      payloads: [
        { changedTablesById: { [TABLE]: { changedRecordsById: { [id]: {} } } } },
        { changedTablesById: { [TABLE]: { destroyedRecordIds: [id] } } },
      ],
      cursor: 4,
      mightHaveMore: false,
    })
  })

  it('repeats a ping that fails, and sends none any more after the last time', async () => {
    const { airtable, pings, answers } = await startWithWebhook({ pingRetryMs: 0.01 })
    answers.status = 500
    addOrders(airtable, ['Anna'])
    await vi.waitFor(async () =>
      expect(await listed(airtable)).toMatchObject([
        { areNotificationsEnabled: false, lastNotificationResult: { success: false } },
      ]),
    )
    expect(pings).toHaveLength(13)
  })

  it('is one of ten of its base at most', async () => {
    const { airtable } = await startWithWebhook()
    for (let count = 2; count <= 10; count += 1) {
      expect((await createWebhook(airtable, 'https://example.it/ping')).status).toBe(200)
    }
    expect((await createWebhook(airtable, 'https://example.it/ping')).status).toBe(422)
  })
})

describe('a token', () => {
  it('may do only what it was given, with the bases it was given', async () => {
    const token = 'patOther000000001.one'
    const airtable = await start({
      tokens: { [token]: { bases: [BASE], scopes: ['data.records:read'] } },
    })
    const status = async (path: string, method = 'GET') =>
      (await ask(airtable, path, { method, token })).status
    expect(await status('/v0/meta/whoami')).toBe(200)
    expect(await status(`/v0/${BASE}/${TABLE}`)).toBe(200)
    expect(await status(`/v0/${OTHER_BASE}/${TABLE}`)).toBe(403)
    expect(await status(`/v0/${BASE}/${TABLE}`, 'POST')).toBe(403)
    expect(await status(PATH)).toBe(403)
    expect(await status(`/v0/meta/bases/${BASE}/tables`)).toBe(403)
    airtable.grant(token, undefined)
    expect(await status(`/v0/${BASE}/${TABLE}`)).toBe(401)
  })
})
